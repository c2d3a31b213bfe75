// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// The exponent of time ~ size^exponent by least squares of log time over log size, over the upper half of the sizes,
/// where constants no longer count.
///
/// All sizes run in every round, so whatever slows the machine for a while slows a round and not a size. The interval is
/// the percentile bootstrap over rounds, drawn jointly for all sizes, and never narrower than the exact interval of the
/// median of the rounds' own slopes: of 15 rounds, a bootstrap alone covers too little.
///
/// The exponent is the slope of the medians, one a size; a sum of n log n steps shows as about 1.06 from 5,000 to 100,000
/// things, since its slope is 1 + 1 / ln n.
package struct PowerFit: Equatable, Sendable {
  package let exponent: Double
  package let low: Double
  package let high: Double

  /// - Parameters:
  ///   - times: for each size the times of all rounds, in one order of rounds.
  /// - Returns: nil with fewer than two different sizes in the upper half, or times that are not positive.
  package init?(
    sizes: [Int], times: [[Double]], confidence: Double = 0.95, resamples: Int = 1000, seed: UInt64
  ) {
    let upper = max(2, (sizes.count + 1) / 2)
    let kept = zip(sizes, times).sorted { $0.0 < $1.0 }.suffix(upper)
    let rounds = kept.map { $0.1.count }.min() ?? 0
    guard kept.allSatisfy({ $0.0 > 0 && $0.1.allSatisfy { $0 > 0 } }), rounds > 0 else { return nil }
    let axis = kept.map { log(Double($0.0)) }
    guard let first = axis.first, axis.contains(where: { $0 > first }) else { return nil }
    // Logarithms once: they keep the order, so medians of them are logarithms of medians but for even counts.
    let logs = kept.map { $0.1.prefix(rounds).map { log($0) } }

    exponent = Self.slope(axis, kept.map { log(Sample($0.1).median) })
    var draws = SeededRandom(seed: seed, stream: "exponent")
    let drawn = Sample(
      (0..<max(1, resamples)).map { _ in
        let chosen = (0..<rounds).map { _ in Int.random(in: 0..<rounds, using: &draws) }
        return Self.slope(axis, logs.map { values in Sample(chosen.map { values[$0] }).median })
      })
    let single = Sample((0..<rounds).map { round in Self.slope(axis, logs.map { $0[round] }) })
    guard let rank = QuantileInterval.medianRank(count: rounds, confidence: confidence) else {
      low = -.greatestFiniteMagnitude
      high = .greatestFiniteMagnitude
      return
    }
    low = min(drawn.quantile((1 - confidence) / 2), single.sorted[rank - 1])
    high = max(drawn.quantile((1 + confidence) / 2), single.sorted[rounds - rank])
  }

  /// Least squares; the caller sees to it that `x` are not all equal.
  static func slope(_ x: [Double], _ y: [Double]) -> Double {
    let n = Double(x.count)
    let (meanX, meanY) = (x.reduce(0, +) / n, y.reduce(0, +) / n)
    let products = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
    return products / x.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
  }
}
