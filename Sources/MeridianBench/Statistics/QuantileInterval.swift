// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// A confidence interval of a quantile of a positive figure: of the median of few times or ratios, of the 99.9th
/// percentile of many calls.
///
/// Its bounds are two values of the sample, at ranks that hold the confidence by the binomial distribution whatever the
/// distribution of the figure is, as long as that is continuous. For a median it is the inversion of the sign test, and
/// what the percentile bootstrap of a median tends to (Efron 1979; Maritz and Jarrett 1978), held to its exact coverage.
///
/// For ratios of two kernels in the same rounds, with the order inside each round drawn at random, it is the inversion of
/// a test by randomisation, exact for the question whether the ratio is 1: that equal kernels are told apart happens in at
/// most 1 - confidence of all runs *whatever* the noise is, drift, bursts and rhythms of the machine included, since which
/// kernel met which disturbance was decided by the draw. For ratios other than 1 it holds as far as rounds are independent.
package struct QuantileInterval: Equatable, Sendable {
  package let low: Double
  package let high: Double

  /// Where a side needs more values than there are (fewer than 6 for a median at 95%, fewer than 8 at 99%), nothing is
  /// claimed there: the bound is 0, or the largest number.
  /// - Parameter share: 0.5 = the median, 0.999 = the 99.9th percentile.
  package init(_ sample: Sample, share: Double = 0.5, confidence: Double) {
    let (lower, upper) = Self.ranks(count: sample.count, share: share, confidence: confidence)
    low = lower.map { sample.sorted[$0 - 1] } ?? 0
    high = upper.map { sample.sorted[$0 - 1] } ?? .greatestFiniteMagnitude
  }

  /// The ranks, from 1 for the smallest value, of the bounds; nil = that side cannot be bounded with so few values.
  ///
  /// The largest l with P(x(l) > q) = P(Bin(n, share) < l) <= tail, and the smallest u with P(x(u) < q) <= tail, the tail
  /// being half of what the confidence leaves.
  static func ranks(count: Int, share: Double, confidence: Double) -> (low: Int?, high: Int?) {
    let tail = (1 - confidence) / 2
    let low = rank(count: count, share: share, tail: tail)
    // From above the same holds for the share of the values beyond the quantile.
    let high = rank(count: count, share: 1 - share, tail: tail)
    return (low > 0 ? low : nil, high > 0 ? count + 1 - high : nil)
  }

  /// The rank of the lower bound of a median, the upper bound having the same from above; nil = too few values.
  static func medianRank(count: Int, confidence: Double) -> Int? {
    ranks(count: count, share: 0.5, confidence: confidence).low
  }

  /// The largest k with P(Bin(count, share) < k) <= tail; 0 = there is none.
  private static func rank(count: Int, share: Double, tail: Double) -> Int {
    guard count > 0, share > 0, share < 1 else { return 0 }
    // Logarithms: the first terms are too small for doubles where the share is near 1.
    var (term, below, rank) = (Double(count) * log(1 - share), 0.0, 0)
    let odds = log(share) - log(1 - share)
    while rank < count {
      below += exp(term)
      // The tolerance forgives the rounding of `below`; tails that matter differ by far more.
      if below > tail * (1 + 1e-9) { break }
      term += log(Double(count - rank) / Double(rank + 1)) + odds
      rank += 1
    }
    return rank
  }
}
