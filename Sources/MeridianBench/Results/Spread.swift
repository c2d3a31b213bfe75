// SPDX-License-Identifier: Apache-2.0

/// A sample of one figure in short; for times in nanoseconds a run.
package struct Spread: Codable, Equatable, Sendable {
  package var median: Double
  package var smallest: Double
  package var largest: Double
  /// Half of the distance of the quartiles, divided by the median.
  package var relativeSpread: Double
  /// Interval of the median from order statistics; see `QuantileInterval`.
  package var low: Double
  package var high: Double
  /// Of the interval; nil in reports of 0.1, which have 0.95.
  package var confidence: Double?
}
