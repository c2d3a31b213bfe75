// SPDX-License-Identifier: Apache-2.0

extension RatioResult {
  /// The median over rounds of (time of `kernel`) / (time of `reference`), round by round; nil without a round that both
  /// have.
  /// - Parameters:
  ///   - looks: how often the interval is asked for while rounds are added (see `Looks`). Each look gets an equal part of
  ///     the chance of error, so that `confidence` holds for all of them together.
  package init?(
    kernel: String, times: [Double], reference: String, referenceTimes: [Double], confidence: Double = 0.95,
    looks: Int = 1
  ) {
    let ratios = Sample(zip(times, referenceTimes).map { $0 / $1 })
    guard ratios.count > 0 else { return nil }
    let interval = QuantileInterval(ratios, confidence: Looks.confidence(confidence, ofEach: looks))
    self.init(
      kernel: kernel, reference: reference, ratio: ratios.median, low: interval.low, high: interval.high,
      confidence: confidence, rounds: ratios.count)
  }
}

/// The numbers of rounds after which a question is asked of the figures so far.
///
/// Whoever looks after every round and stops when pleased finds differences that are not there. So looks are few, after
/// the fewest rounds and after each doubling, their number is known in advance, and each has its part of the chance of
/// error (Bonferroni). Where time is up between two looks, that is one more look at most, whose moment the figures do not
/// choose.
package struct Looks: Equatable, Sendable {
  package let rounds: [Int]

  package init(fewest: Int, most: Int) {
    var looks = [max(1, fewest)]
    while let last = looks.last, last < most { looks.append(last > most / 2 ? most : last * 2) }
    rounds = looks
  }

  package var count: Int { rounds.count }

  /// The confidence of each of `looks` intervals, such that `confidence` holds for all of them together.
  static func confidence(_ confidence: Double, ofEach looks: Int) -> Double {
    1 - (1 - confidence) / Double(max(1, looks))
  }
}
