// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MeridianBench

@Suite struct JudgementTests {
  private func judgement(_ figure: Budget.Figure, _ limit: Double, margin: Double = 1) -> Judgement {
    let limit = Budget.Limit(figure: figure, value: limit)
    let budget = Budget(
      name: "n", suite: .measure, benchCase: "c", scale: 1, kernel: "k", reference: "r", isShort: false,
      isEnforced: true, margin: margin, limits: [limit], reason: "")
    return Judgement(budget: budget, limit: limit)
  }

  @Test func theIntervalDecides() {
    let judge = judgement(.timeRatio, 0.5)
    #expect(judge.of(0.4, low: 0.38, high: 0.42).verdict == .kept)
    #expect(judge.of(0.49, low: 0.45, high: 0.5).verdict == .kept)
    #expect(judge.of(0.6, low: 0.55, high: 0.7).verdict == .exceeded)
    #expect(judge.of(0.49, low: 0.45, high: 0.53).verdict == .undecided)
    #expect(judge.of(0.6, low: 0.55, high: 0.7).note.contains("20.0% beyond"))
  }

  @Test func whatIsNoNumberIsBeyond() {
    #expect(judgement(.error, 1).of(.nan).verdict == .exceeded)
    #expect(judgement(.error, 1).of(.infinity).verdict == .exceeded)
    #expect(judgement(.wrong, 0).of(0).verdict == .kept)
    #expect(judgement(.wrong, 0).of(1).verdict == .exceeded)
  }

  /// Absolute times have room, ratios have none.
  @Test func theMarginIsForAbsoluteTimes() {
    #expect(judgement(.milliseconds, 8, margin: 4).of(20).verdict == .kept)
    #expect(judgement(.milliseconds, 8, margin: 4).of(20).note.contains("margin"))
    #expect(judgement(.milliseconds, 8, margin: 4).of(33).verdict == .exceeded)
    #expect(judgement(.timeRatio, 0.5, margin: 4).of(0.6).verdict == .exceeded)
  }

  @Test func onlyEnforcedBudgetsFail() {
    var result = judgement(.wrong, 0).of(1)
    #expect(result.isFailure)
    result.isEnforced = false
    #expect(!result.isFailure)
    #expect(!judgement(.wrong, 0).notRun("no such level").isFailure)
    #expect(judgement(.wrong, 0).missing("no oracle").isFailure)
    #expect(judgement(.timeRatio, 1).of(1, low: 0.9, high: 1.1).isFailure)
  }
}
