// SPDX-License-Identifier: Apache-2.0

/// One operation over one workload, by several kernels in the same rounds.
package struct CaseResult: Codable, Equatable, Sendable {
  /// "measure.area/G2/planar": unique in a report.
  package var name: String
  package var suite: Suite
  /// "measure.area"
  package var operation: String
  /// "G2", or the name of the user's file.
  package var workload: String
  /// Edges and metric, tolerance and other choices, in words: "planar", "geodesic", "tolerance 0.0001".
  package var setting: String
  /// What times are divided by.
  package var unit: WorkUnit
  /// Units of one run.
  package var units: Int
  /// Rows of one run.
  package var rows: Int
  package var kernels: [KernelResult] = []
  package var ratios: [RatioResult] = []
  /// Where the right answers come from, "proj", "brute force", "exact by construction"; nil = no oracle.
  package var oracle: String?
}
