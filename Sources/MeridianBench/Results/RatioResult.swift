// SPDX-License-Identifier: Apache-2.0

/// Time of one kernel over that of another in the same rounds: the main figure.
package struct RatioResult: Codable, Equatable, Sendable {
  /// The kernel above the line.
  package var kernel: String
  /// The kernel below the line: a ratio under 1 means that `kernel` is faster.
  package var reference: String
  /// Median over the rounds of (time of `kernel`) / (time of `reference`).
  package var ratio: Double
  /// Interval of that median from order statistics; see `QuantileInterval`.
  package var low: Double
  package var high: Double
  /// Of the interval, 0.95 or 0.99.
  package var confidence: Double
  package var rounds: Int

  /// True when the interval does not hold 1.
  package var isDifferent: Bool { high < 1 || low > 1 }
}
