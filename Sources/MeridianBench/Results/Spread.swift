// SPDX-License-Identifier: Apache-2.0

/// A sample of one figure in short; for times in nanoseconds a run.
public struct Spread: Codable, Equatable, Sendable {
  public var median: Double
  public var smallest: Double
  public var largest: Double
  /// Half of the distance of the quartiles, divided by the median.
  public var relativeSpread: Double
  /// Interval of the median from order statistics; see `QuantileInterval`.
  public var low: Double
  public var high: Double
  /// Of the interval; nil in reports of 0.1, which have 0.95.
  public var confidence: Double?

  public init(
    median: Double, smallest: Double, largest: Double, relativeSpread: Double, low: Double, high: Double
  ) {
    self.median = median
    self.smallest = smallest
    self.largest = largest
    self.relativeSpread = relativeSpread
    self.low = low
    self.high = high
  }
}
