// SPDX-License-Identifier: Apache-2.0

/// One operation over one workload, by several kernels in the same rounds.
public struct CaseResult: Codable, Equatable, Sendable {
  /// "measure.area/G2/planar": unique in a report.
  public var name: String
  public var suite: Suite
  /// "measure.area"
  public var operation: String
  /// "G2", or the name of the user's file.
  public var workload: String
  /// Edges and metric, tolerance and other choices, in words: "planar", "geodesic", "tolerance 0.0001".
  public var setting: String
  /// What times are divided by.
  public var unit: WorkUnit
  /// Units of one run.
  public var units: Int
  /// Rows of one run.
  public var rows: Int
  public var kernels: [KernelResult] = []
  public var ratios: [RatioResult] = []
  /// Where the right answers come from, "proj", "brute force", "exact by construction"; nil = no oracle.
  public var oracle: String?

  public init(
    name: String, suite: Suite, operation: String, workload: String, setting: String, unit: WorkUnit, units: Int,
    rows: Int
  ) {
    self.name = name
    self.suite = suite
    self.operation = operation
    self.workload = workload
    self.setting = setting
    self.unit = unit
    self.units = units
    self.rows = rows
  }
}
