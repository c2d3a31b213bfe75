// SPDX-License-Identifier: Apache-2.0

/// Whether one limit of a budget was kept.
public struct BudgetResult: Codable, Equatable, Sendable {
  public enum Verdict: String, Codable, Sendable {
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
  public var budget: String
  public var suite: Suite
  /// "time_ratio", "error", "bytes_per_unit", "growth_exponent", "p999_us", ...
  public var limitName: String
  public var limit: Double
  /// What was measured, with its interval where it has one.
  public var value: Double?
  public var low: Double?
  public var high: Double?
  public var verdict: Verdict
  /// Why it was not run, or what fell short by how much; "" when kept.
  public var note: String
  /// False: reported, and no reason for a failing exit.
  public var isEnforced: Bool

  public init(
    budget: String, suite: Suite, limitName: String, limit: Double, value: Double? = nil, low: Double? = nil,
    high: Double? = nil, verdict: Verdict, note: String = "", isEnforced: Bool = true
  ) {
    self.budget = budget
    self.suite = suite
    self.limitName = limitName
    self.limit = limit
    self.value = value
    self.low = low
    self.high = high
    self.verdict = verdict
    self.note = note
    self.isEnforced = isEnforced
  }
}
