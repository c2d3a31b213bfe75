// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// A confidence interval of the median of a positive figure, from few values: times, or ratios of times.
///
/// It is the percentile bootstrap of the median, held to its exact coverage. The bootstrap distribution of a median is
/// known in closed form (Efron 1979; Maritz and Jarrett 1978), so it is computed and not drawn: the limit of endless
/// resampling, the same for every seed. Its bounds are values of the sample at two ranks. For small samples those ranks
/// are often too narrow (11 values: 93.5% where 95% was asked for), so the ranks are moved out until the binomial
/// coverage, which holds for every distribution, is at least what was asked for. BCa is no cure: its acceleration comes
/// from a jackknife, and the jackknife is inconsistent for medians.
///
/// For ratios of two kernels in the same rounds, with the order inside each round drawn at random, the interval is the
/// inversion of a sign test by randomisation: that equal kernels are told apart happens in at most 1 - confidence of all
/// runs *whatever* the noise is, drift, bursts and rhythms of the machine included, since which kernel met which
/// disturbance was decided by the draw.
public struct MedianInterval: Equatable, Sendable {
  public let low: Double
  public let high: Double

  /// With too few values (fewer than 6 at 95%, fewer than 8 at 99%) nothing can be claimed: the interval holds every
  /// positive number.
  public init(_ sample: Sample, confidence: Double) {
    guard let rank = Self.rank(count: sample.count, confidence: confidence) else {
      low = 0
      high = .greatestFiniteMagnitude
      return
    }
    low = sample.sorted[rank - 1]
    high = sample.sorted[sample.count - rank]
  }

  /// The rank, from 1, of the lower bound; the upper bound has the same from above. nil = too few values.
  static func rank(count: Int, confidence: Double) -> Int? {
    guard var rank = exactRank(count: count, confidence: confidence) else { return nil }
    while rank > 1 && resampledAtMost(rank - 1, of: count) >= (1 - confidence) / 2 { rank -= 1 }
    return rank
  }

  /// The largest rank k with P(median inside [x(k), x(n + 1 - k)]) = 1 - 2 P(Bin(n, 1/2) < k) >= confidence.
  static func exactRank(count: Int, confidence: Double) -> Int? {
    let tail = (1 - confidence) / 2
    var (logarithm, below, rank) = (-Double(count) * log(2.0), 0.0, 0)
    while 2 * rank < count {
      below += exp(logarithm)
      // The tolerance forgives the rounding of `below`; tails that matter differ by far more.
      if below > tail * (1 + 1e-12) { break }
      logarithm += log(Double(count - rank) / Double(rank + 1))
      rank += 1
    }
    return rank > 0 ? rank : nil
  }

  /// The rank of the lower percentile bound of the bootstrap.
  static func bootstrapRank(count: Int, confidence: Double) -> Int {
    (1...max(1, count)).first { resampledAtMost($0, of: count) >= (1 - confidence) / 2 } ?? 1
  }

  /// P(median of a resample <= x(rank)). A resample's median (the lower one of an even count) is at most x(k) when at
  /// least half of its n draws are: P(Bin(n, k/n) >= ceil(n/2)).
  private static func resampledAtMost(_ rank: Int, of count: Int) -> Double {
    atLeast((count + 1) / 2, of: count, share: Double(rank) / Double(count))
  }

  /// P(Bin(count, share) >= least).
  private static func atLeast(_ least: Int, of count: Int, share: Double) -> Double {
    guard share > 0, share < 1 else { return share >= 1 || least <= 0 ? 1 : 0 }
    let logFactorial = { (n: Int) in lgamma(Double(n) + 1) }
    return (least...count).reduce(0) { sum, hits in
      let ways = logFactorial(count) - logFactorial(hits) - logFactorial(count - hits)
      return sum + exp(ways + Double(hits) * log(share) + Double(count - hits) * log(1 - share))
    }
  }
}
