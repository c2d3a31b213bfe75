// SPDX-License-Identifier: Apache-2.0

/// Whether one limit of a budget was kept.
package struct BudgetResult: Codable, Equatable, Sendable {
  package enum Verdict: String, Codable, Sendable {
    /// The whole interval is inside the limit.
    case kept
    /// The whole interval is beyond the limit.
    case exceeded
    /// The interval still held the limit when time was up: counts as not kept.
    case undecided
    /// The machine lacks a CPU level or a kernel that the budget names, or the budget is pending: never counts as kept.
    case notRun
  }

  /// The budget's name in the file.
  package var budget: String
  package var suite: Suite
  /// "time_ratio", "error", "bytes_per_unit", "growth_exponent", "p999_us", ...
  package var limitName: String
  package var limit: Double
  /// What was measured, with its interval where it has one.
  package var value: Double?
  package var low: Double?
  package var high: Double?
  package var verdict: Verdict
  /// Why it was not run, or what fell short by how much; "" when kept.
  package var note = ""
  /// False: reported, and no reason for a failing exit.
  package var isEnforced = true
}
