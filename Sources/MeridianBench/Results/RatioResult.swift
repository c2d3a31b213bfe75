// SPDX-License-Identifier: Apache-2.0

/// Time of one kernel over that of another in the same rounds: the main figure.
public struct RatioResult: Codable, Equatable, Sendable {
  /// The kernel above the line.
  public var kernel: String
  /// The kernel below the line: a ratio under 1 means that `kernel` is faster.
  public var reference: String
  /// Median over the rounds of (time of `kernel`) / (time of `reference`).
  public var ratio: Double
  /// Interval of that median from order statistics; see `QuantileInterval`.
  public var low: Double
  public var high: Double
  /// Of the interval, 0.95 or 0.99.
  public var confidence: Double
  public var rounds: Int

  /// True when the interval does not hold 1.
  public var isDifferent: Bool { high < 1 || low > 1 }

  public init(
    kernel: String, reference: String, ratio: Double, low: Double, high: Double, confidence: Double, rounds: Int
  ) {
    self.kernel = kernel
    self.reference = reference
    self.ratio = ratio
    self.low = low
    self.high = high
    self.confidence = confidence
    self.rounds = rounds
  }
}
