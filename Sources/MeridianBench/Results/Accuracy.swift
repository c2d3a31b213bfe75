// SPDX-License-Identifier: Apache-2.0

/// How far answers are from the oracle's.
public struct Accuracy: Codable, Equatable, Sendable {
  /// "m", "m2", "deg", "coord", "relative", "verdict", "vertex", "hit": of the figures below.
  public var unit: String
  /// Answers that were compared.
  public var compared: Int
  public var largest: Double
  public var mean: Double
  public var rootMeanSquare: Double
  public var p99: Double
  /// Row of the largest error.
  public var worstRow: Int?
  /// Largest error divided by the exact value.
  public var largestRelative: Double?
  /// Answers that are absent, or wrong where there is no more or less: verdicts, hits.
  public var wrong: Int
  /// Rows beyond the bound that the kernel declares; nil when it declares none.
  public var violations: Int?
  /// The bound in words.
  public var bound: String?

  public init(
    unit: String, compared: Int, largest: Double, mean: Double, rootMeanSquare: Double, p99: Double,
    worstRow: Int? = nil,
    largestRelative: Double? = nil, wrong: Int = 0, violations: Int? = nil, bound: String? = nil
  ) {
    self.unit = unit
    self.compared = compared
    self.largest = largest
    self.mean = mean
    self.rootMeanSquare = rootMeanSquare
    self.p99 = p99
    self.worstRow = worstRow
    self.largestRelative = largestRelative
    self.wrong = wrong
    self.violations = violations
    self.bound = bound
  }
}
