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
      guard let rank = QuantileInterval.medianRank(count: count, confidence: confidence) else {
        #expect(1 - 2 * binomialBelow(1, of: count) < confidence, "count \(count): the extremes would have done")
        continue
      }
      #expect(1 - 2 * binomialBelow(rank, of: count) >= confidence - 1e-9, "count \(count)")
      #expect(2 * rank <= count + 1)
    }
  }

  @Test func tooFewValuesClaimNothing() {
    let interval = QuantileInterval(Sample([2, 2.1, 2.2, 2.1, 2]), confidence: 0.95)
    #expect(interval.low == 0 && interval.high == .greatestFiniteMagnitude)
    let ratio = RatioResult(
      kernel: "a", times: [2, 2, 2, 2, 2], reference: "b", referenceTimes: [1, 1, 1, 1, 1])
    #expect(ratio?.ratio == 2 && ratio?.isDifferent == false)
    #expect(RatioResult(kernel: "a", times: [], reference: "b", referenceTimes: [1]) == nil)
  }

  /// P(F >= 20) = 0.0035 and P(F <= 2) = 0.0028 for a Poisson F of mean 10, both under 0.005; one nearer would be over.
  @Test func ranksOfTails() {
    let tail = QuantileInterval.ranks(count: 10_000, share: 0.999, confidence: 0.99)
    #expect(tail.low == 10_000 - 19 && tail.high == 10_000 - 2, "the 20th largest and the 3rd largest")
    let sample = Sample((1...10_000).map(Double.init))
    let interval = QuantileInterval(sample, share: 0.999, confidence: 0.99)
    #expect(interval.low == 9981 && interval.high == 9998)
    // Of 1,000 calls nothing bounds the 99.9th percentile from above.
    let few = QuantileInterval.ranks(count: 1000, share: 0.999, confidence: 0.95)
    #expect(few.low != nil && few.high == nil)
  }

  /// By adding up the whole binomial distribution, for shares on either side.
  @Test(arguments: [0.1, 0.5, 0.9, 0.99])
  func ranksOfAnyShareKeepTheConfidence(share: Double) {
    for count in [5, 20, 100] {
      var (term, below) = (1.0, [0.0])
      for _ in 0..<count { term *= 1 - share }
      for hits in 0..<count {
        below.append(below[hits] + term)
        term *= Double(count - hits) / Double(hits + 1) * share / (1 - share)
      }
      let ranks = QuantileInterval.ranks(count: count, share: share, confidence: 0.9)
      if let low = ranks.low {
        #expect(below[low] <= 0.05 + 1e-9, "count \(count)")
        #expect(low == count || below[low + 1] > 0.05 - 1e-9, "count \(count): a higher rank would do")
      } else {
        #expect(below[1] > 0.05)
      }
      if let high = ranks.high { #expect(1 - below[high] <= 0.05 + 1e-9, "count \(count)") }
    }
  }

  @Test func looksDoubleAndEndAtTheMost() {
    #expect(Looks(fewest: 15, most: 120).rounds == [15, 30, 60, 120] && Looks(fewest: 15, most: 120).count == 4)
    #expect(abs(Looks.confidence(0.95, ofEach: 4) - 0.9875) < 1e-15)
    #expect(Looks(fewest: 15, most: 100).rounds == [15, 30, 60, 100])
    #expect(Looks(fewest: 15, most: 15).rounds == [15] && Looks(fewest: 20, most: 3).rounds == [20])
    #expect(Looks(fewest: 0, most: 3).rounds == [1, 2, 3])
  }
}
