// SPDX-License-Identifier: Apache-2.0

/// Everything that one run of the harness found. Written and read as JSON: members may be added, never renamed. Those that
/// came after 0.1, here and in all that a report is made of, are optional: older reports do not have them.
public struct BenchReport: Codable, Equatable, Sendable {
  /// The revision of this layout that this version writes and reads.
  public static let currentSchema = 1

  public var schema = BenchReport.currentSchema
  public var context: RunContext
  public var cases: [CaseResult] = []
  public var scalings: [ScalingResult] = []
  public var tolerances: [ToleranceResult] = []
  public var budgets: [BudgetResult] = []

  public init(context: RunContext) { self.context = context }
}
