// SPDX-License-Identifier: Apache-2.0

/// Values of one figure with their ranks: median, quartiles, percentiles. Values that are not numbers are left out.
package struct Sample: Sendable {
  /// Ascending.
  package let sorted: [Double]

  package init(_ values: [Double]) { sorted = values.filter { !$0.isNaN }.sorted() }

  package var count: Int { sorted.count }

  /// The middle value, or the mean of the two in the middle; NaN without values.
  package var median: Double {
    guard let first = sorted.first else { return .nan }
    let middle = sorted.count / 2
    if sorted.count == 1 { return first }
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// Linear between the values at ranks share x (count - 1) (type 7 of Hyndman and Fan); NaN without values.
  package func quantile(_ share: Double) -> Double {
    guard let last = sorted.last else { return .nan }
    let at = min(max(share, 0), 1) * Double(sorted.count - 1)
    let below = Int(at)
    guard below + 1 < sorted.count else { return last }
    return sorted[below] + (at - Double(below)) * (sorted[below + 1] - sorted[below])
  }

  /// The least value that `share` of all values do not exceed (nearest rank): a value that was seen, as tails are told.
  /// NaN without values.
  package func percentile(_ share: Double) -> Double {
    guard !sorted.isEmpty else { return .nan }
    let rank = Int((share * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }

  package var lowerQuartile: Double { quantile(0.25) }
  package var upperQuartile: Double { quantile(0.75) }

  /// Half of the distance of the quartiles, divided by the median; 0 where the median is 0 or there is none.
  package var relativeSpread: Double {
    let median = self.median
    guard median.isFinite, median != 0 else { return 0 }
    return (upperQuartile - lowerQuartile) / 2 / abs(median)
  }

  /// Tukey's outer fences: values beyond 3 interquartile ranges of the quartiles are outliers.
  package var fences: ClosedRange<Double> {
    guard count > 0 else { return 0...0 }
    let reach = 3 * (upperQuartile - lowerQuartile)
    return (lowerQuartile - reach)...(upperQuartile + reach)
  }

  /// Positions in `values` (the sample in its own order) of outliers. To be marked, never to be dropped.
  package static func outliers(of values: [Double]) -> [Int] {
    let fences = Sample(values).fences
    return values.indices.filter { values[$0] < fences.lowerBound || values[$0] > fences.upperBound }
  }
}

extension Spread {
  /// A sample in short; nil without values.
  /// - Parameter looks: how often the interval is asked for while values are added; see `Looks`.
  package init?(_ values: [Double], confidence: Double = 0.95, looks: Int = 1) {
    let sample = Sample(values)
    guard let smallest = sample.sorted.first, let largest = sample.sorted.last else { return nil }
    let interval = QuantileInterval(sample, confidence: Looks.confidence(confidence, ofEach: looks))
    self.init(
      median: sample.median, smallest: smallest, largest: largest, relativeSpread: sample.relativeSpread,
      low: interval.low, high: interval.high)
    self.confidence = confidence
  }
}
