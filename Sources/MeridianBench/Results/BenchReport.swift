// SPDX-License-Identifier: Apache-2.0

/// Everything that one run of the harness found. Written and read as JSON: members may be added, never renamed. Those that
/// came after 0.1, here and in all that a report is made of, are optional: older reports do not have them.
package struct BenchReport: Codable, Equatable, Sendable {
  /// The revision of this layout that this version writes and reads.
  package static let currentSchema = 1

  package var schema = BenchReport.currentSchema
  package var context: RunContext
  package var cases: [CaseResult] = []
  package var scalings: [ScalingResult] = []
  package var tolerances: [ToleranceResult] = []
  package var budgets: [BudgetResult] = []

  package init(context: RunContext) { self.context = context }
}
