// SPDX-License-Identifier: Apache-2.0

/// How far answers are from the oracle's.
package struct Accuracy: Codable, Equatable, Sendable {
  /// "m", "m2", "deg", "coord", "relative", "verdict", "vertex", "hit": of the figures below.
  package var unit: String
  /// Answers that were compared.
  package var compared: Int
  package var largest: Double
  package var mean: Double
  package var rootMeanSquare: Double
  package var p99: Double
  /// Row of the largest error.
  package var worstRow: Int?
  /// Largest error divided by the exact value.
  package var largestRelative: Double?
  /// Answers that are absent, or wrong where there is no more or less: verdicts, hits.
  package var wrong = 0
  /// Rows beyond the bound that the kernel declares; nil when it declares none.
  package var violations: Int?
  /// The bound in words.
  package var bound: String?
}
