// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import MeridianBench

@Suite struct ComparisonTests {
  private typealias Finding = ComparisonFinding

  private func findings(
    _ comparison: ReportComparison, _ verdict: ComparisonFinding.Verdict
  ) -> [ComparisonFinding] {
    comparison.findings.filter { $0.verdict == verdict }
  }

  /// A report whose kernel `native` takes `factor` times as long in the first case.
  private func slowed(_ factor: Double, seed: UInt64 = 1) -> BenchReport {
    var sample = SampleReport(seed: seed)
    sample.contestants[0].factor *= factor
    return sample.report()
  }

  @Test func aReportIsTheSameAsItself() {
    let report = SampleReport.make()
    let comparison = ReportComparison(old: report, new: report)
    #expect(!comparison.regressed && comparison.findings.allSatisfy { $0.verdict == .same })
    #expect(comparison.findings.filter { $0.figure.hasPrefix("time ratio") }.allSatisfy { $0.factor == 1 })
  }

  @Test(arguments: 1...20) func noiseIsNoRegression(seed: UInt64) {
    var old = SampleReport.make(seed: seed)
    let new = SampleReport.make(seed: seed + 100)
    old.context.seed = new.context.seed
    let times = ReportComparison(old: old, new: new).findings.filter { $0.figure.hasPrefix("time") }
    #expect(times.count == 20 && times.allSatisfy { $0.verdict == .same }, "seed \(seed)")
  }

  @Test func slowerAndFasterAreFound() throws {
    let slower = ReportComparison(old: SampleReport.make(), new: slowed(1.3))
    #expect(slower.regressed)
    let worse = findings(slower, .worse).filter { $0.figure == "time ratio to geos" }
    #expect(worse.count == 6 && worse.allSatisfy { $0.kernel == "native" && $0.counts })
    let first = try #require(worse.first)
    #expect(abs((first.factor ?? 0) - 1.3) < 0.03)
    #expect((first.low ?? 0) < 1.3 && (first.high ?? 9) > 1.3 && (first.low ?? 0) > 1.25)
    let faster = ReportComparison(old: slowed(1.3), new: SampleReport.make())
    #expect(findings(faster, .better).filter { $0.figure == "time ratio to geos" }.count == 6)
    #expect(!faster.regressed)
  }

  @Test func whatIsNoNumberIsWorse() throws {
    let old = SampleReport.make()
    var new = old
    new.cases[0].kernels[0].accuracy?.largest = .nan
    new.cases[0].kernels[0].accuracy?.violations = 1
    let worse = findings(ReportComparison(old: old, new: new), .worse)
    #expect(worse.contains { $0.figure == "largest error" && $0.counts })
    let back = findings(ReportComparison(old: new, new: old), .better)
    #expect(back.contains { $0.figure == "largest error" })
    #expect(ReportComparison(old: new, new: new).findings.allSatisfy { $0.verdict == .same })
  }

  /// Two budgets may be about one case, of different kernels: each is compared with its like.
  @Test func casesOfOneNameMeetInOrder() throws {
    var old = SampleReport.make()
    var other = old.cases[0]
    other.kernels = [other.kernels[1]]
    other.ratios = []
    old.cases.append(other)
    let same = ReportComparison(old: old, new: old)
    #expect(same.findings.allSatisfy { $0.verdict == .same })
    var new = old
    new.cases[new.cases.count - 1].kernels[0].accuracy?.wrong += 3
    let worse = findings(ReportComparison(old: old, new: new), .worse)
    #expect(worse.map(\.figure) == ["wrong or absent answers"])
    new.cases.removeLast()
    #expect(findings(ReportComparison(old: old, new: new), .removed).map(\.figure) == ["case"])
  }

  @Test func changesBelowTheThresholdAreNoise() {
    let old = SampleReport.make()
    let new = slowed(1.04)
    let times = ReportComparison(old: old, new: new).findings.filter {
      $0.kernel == "native" && $0.figure.hasPrefix("time")
    }
    #expect(times.allSatisfy { $0.verdict == .same } && times.contains { ($0.low ?? 0) > 1 })
    #expect(ReportComparison(old: old, new: new, threshold: 0.02).regressed)
  }

  @Test func otherMachinesLeaveRatiosAlone() {
    var sample = SampleReport()
    sample.processor = "Another CPU"
    for index in sample.contestants.indices { sample.contestants[index].factor *= 3 }
    let comparison = ReportComparison(old: SampleReport.make(), new: sample.report())
    #expect(!comparison.isSameMachine && comparison.warnings.contains { $0.contains("machines or builds differ") })
    let ratios = comparison.findings.filter { $0.figure.hasPrefix("time ratio") }
    #expect(ratios.count == 14 && ratios.allSatisfy { $0.verdict == .same && $0.counts })
    let times = comparison.findings.filter { $0.figure == "time" }
    #expect(times.count == 6 && times.allSatisfy { $0.verdict == .worse && !$0.counts })
  }

  @Test func timesCountWhereNoRatioSpeaks() {
    var old = SampleReport.make()
    var new = slowed(1.5)
    for index in old.cases.indices {
      old.cases[index].ratios = []
      new.cases[index].ratios = []
    }
    let worse = findings(ReportComparison(old: old, new: new), .worse).filter { $0.figure == "time" && $0.counts }
    #expect(Set(worse.compactMap(\.kernel)) == ["native"] && worse.count == 6)
  }

  @Test func lostAndNewThingsAreNamed() {
    let old = SampleReport.make()
    var new = old
    new.cases.removeFirst()
    new.cases[0].name = "new"
    new.cases[1].kernels[3] = KernelResult(kernel: "sqlite", refusal: "gone")
    new.cases[2].kernels[2].refusal = nil
    new.cases[2].kernels.removeLast()
    new.scalings = []
    let comparison = ReportComparison(old: old, new: new)
    #expect(comparison.regressed)
    #expect(findings(comparison, .added).map(\.subject) == ["new"])
    #expect(findings(comparison, .removed).count == 4)
    #expect(findings(comparison, .worse).map(\.note) == ["refuses now: gone"])
    #expect(findings(comparison, .better).map(\.note) == ["answers now"])
  }

  @Test func worseAnswersCount() {
    let old = SampleReport.make()
    func regressed(_ change: (inout BenchReport) -> Void) -> Bool {
      var new = old
      change(&new)
      return ReportComparison(old: old, new: new).regressed
    }
    #expect(regressed { $0.cases[0].kernels[0].accuracy?.violations = 1 })
    #expect(regressed { $0.cases[0].kernels[0].accuracy?.wrong = 1 })
    #expect(!regressed { $0.cases[0].kernels[0].accuracy?.largest *= 2 }, "the declared bound is kept")
    #expect(regressed { $0.cases[0].kernels[3].accuracy?.largest *= 2 })
    #expect(
      !regressed {
        $0.context.seed = 9
        $0.cases[0].kernels[3].accuracy?.largest *= 2
      })
    #expect(regressed { $0.cases[4].kernels[0].memory?.kept = 9_000_000 })
    #expect(regressed { $0.budgets[0].verdict = .exceeded })
    #expect(!regressed { $0.budgets[2].verdict = .exceeded }, "not enforced")
    #expect(
      regressed {
        $0.scalings[0].series[0].exponent = 1.4
        $0.scalings[0].series[0].low = 1.3
        $0.scalings[0].series[0].high = 1.5
      })
    #expect(!regressed { $0.tolerances[0].recommendation?.points = 3 })
  }

  /// Quotients of two medians of which each has its interval: the combined interval must hold the truth as often as it
  /// says, or more.
  @Test func intervalsOfQuotientsHoldTheTruth() throws {
    var random = SplitMix(state: 5)
    let rule = ChangeRule(threshold: 0.05)
    var held = 0
    for _ in 0..<2000 {
      func estimate(_ truth: Double, _ deviation: Double) throws -> ChangeRule.Estimate {
        let value = truth * exp(random.around(0, deviation))
        return try #require(ChangeRule.Estimate(value, value * exp(-1.96 * deviation), value * exp(1.96 * deviation)))
      }
      let change = rule.change(try estimate(0.4, 0.02), try estimate(0.5, 0.05))
      if change.low <= 1.25 && 1.25 <= change.high { held += 1 }
    }
    #expect((1860...1940).contains(held), "seed 5: \(held) of 2000, 95% wanted")
  }

  @Test func comparisonsAreWritten() throws {
    let comparison = ReportComparison(old: SampleReport.make(), new: slowed(1.3))
    let text = String(decoding: try ReportWriter.bytes(comparison, as: .text), as: UTF8.self)
    #expect(text.contains("REGRESSED: ") && text.contains("time ratio to geos"))
    #expect((text.split(separator: "\n").map(\.count).max() ?? 99) <= 80)
    let json = Data(try ReportWriter.bytes(comparison, as: .json))
    #expect(try JSONDecoder().decode(ReportComparison.self, from: json) == comparison)
    let root = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(root["regressed"] as? Bool == true)
    #expect(throws: (any Error).self) { try ReportWriter.bytes(comparison, as: .csv) }
    let same = ReportComparison(old: SampleReport.make(), new: SampleReport.make())
    let words = String(decoding: try ReportWriter.bytes(same, as: .text), as: UTF8.self)
    #expect(words.contains("Nothing that counts became worse."))
  }
}
