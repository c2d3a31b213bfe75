// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MeridianBench

@Suite struct IntervalTests {
  /// P(Bin(n, 1/2) < k), term by term in whole numbers.
  private func binomialBelow(_ k: Int, of n: Int) -> Double {
    var (term, sum) = (1.0, 0.0)
    for i in 0..<k {
      sum += term
      term = term * Double(n - i) / Double(i + 1)
    }
    return sum * (0..<n).reduce(1.0) { power, _ in power / 2 }
  }

  @Test(arguments: [0.9, 0.95, 0.99, 0.9875])
  func ranksKeepTheConfidenceAtEveryCount(confidence: Double) {
    for count in 1...200 {
      guard let rank = MedianInterval.rank(count: count, confidence: confidence) else {
        #expect(1 - 2 * binomialBelow(1, of: count) < confidence, "count \(count): the extremes would have done")
        continue
      }
      #expect(1 - 2 * binomialBelow(rank, of: count) >= confidence - 1e-9, "count \(count)")
      #expect(2 * rank <= count + 1)
    }
  }

  @Test func tooFewValuesClaimNothing() {
    let interval = MedianInterval(Sample([2, 2.1, 2.2, 2.1, 2]), confidence: 0.95)
    #expect(interval.low == 0 && interval.high == .greatestFiniteMagnitude)
    let ratio = RatioResult(
      kernel: "a", times: [2, 2, 2, 2, 2], reference: "b", referenceTimes: [1, 1, 1, 1, 1])
    #expect(ratio?.ratio == 2 && ratio?.isDifferent == false)
    #expect(RatioResult(kernel: "a", times: [], reference: "b", referenceTimes: [1]) == nil)
  }

  /// The closed form is what resampling tends to.
  @Test(arguments: [9, 15, 20, 31])
  func closedFormIsThatOfResampling(count: Int) {
    var random = SeededRandom(seed: 20_250_101)
    let values = (0..<count).map { _ in random.normal() }.sorted()
    let lower = (0..<4000).map { _ in
      let draws = (0..<count).map { _ in values[Int.random(in: 0..<count, using: &random)] }.sorted()
      return draws[(count + 1) / 2 - 1]  // the lower median of an even count, as the closed form has it
    }
    // Ranks are steps, so a level at a step may fall to either side: levels just beside must enclose it.
    let at = MedianInterval.bootstrapRank(count: count, confidence: 0.95) - 1
    let drawn = Sample(lower)
    #expect(drawn.percentile(0.018)...drawn.percentile(0.032) ~= values[at])
  }

  @Test func looksDoubleAndEndAtTheMost() {
    #expect(Looks(fewest: 15, most: 120).rounds == [15, 30, 60, 120])
    #expect(Looks(fewest: 15, most: 100).rounds == [15, 30, 60, 100])
    #expect(Looks(fewest: 15, most: 15).rounds == [15] && Looks(fewest: 20, most: 3).rounds == [20])
    #expect(Looks(fewest: 0, most: 3).rounds == [1, 2, 3])
  }
}
