// SPDX-License-Identifier: Apache-2.0

/// What one kernel has promised for one case.
package struct Budget: Equatable, Sendable {
  package var name: String
  package var suite: Suite
  /// The name of the case, "measure.area/G2/planar".
  package var benchCase: String
  /// Of the workload, in (0, 1].
  package var scale: Double
  /// Short id.
  package var kernel: String
  /// Short id of the kernel that the same rounds compare with; needed by `timeRatio` alone.
  package var reference: String?
  /// Holds for this CPU level alone; nil = for whatever the machine has.
  package var cpuLevel: String?
  /// Part of the short set that continuous integration runs.
  package var isShort: Bool
  /// False: reported, never a reason to fail.
  package var isEnforced: Bool
  /// Absolute times may be this many times as long before they fail: machines differ.
  package var margin: Double
  package var limits: [Limit]
  /// Why these limits.
  package var reason: String
  /// What it waits for: a promise that nothing can keep yet, such as that of an operation to come. It is not run and
  /// says so. nil = it is run.
  package var pending: String?

  /// An upper limit of one figure.
  package struct Limit: Equatable, Sendable {
    package var figure: Figure
    package var value: Double
  }

  /// The figures that can be limited, by their names in the file.
  package enum Figure: String, CaseIterable, Sendable {
    /// Time of the kernel over that of the reference, paired in the same rounds.
    case timeRatio = "time_ratio"
    /// Largest error in the unit of the oracle.
    case error
    case relativeError = "relative_error"
    /// Rows beyond the bound that the kernel declares.
    case violations
    /// Verdicts, hits or answers that are wrong or absent.
    case wrong
    /// Bytes that the result keeps, over the units of the case.
    case bytesPerUnit = "bytes_per_unit"
    /// Slope of log time over log size.
    case growthExponent = "growth_exponent"
    /// Absolute times, subject to `margin`: of a run, and of single calls.
    case milliseconds
    case p999Microseconds = "p999_us"

    var isAbsoluteTime: Bool { self == .milliseconds || self == .p999Microseconds }
    /// Judged by an interval that more rounds, or calls, make narrower.
    var isTimed: Bool { isAbsoluteTime || self == .timeRatio || self == .growthExponent }
  }

  func limit(of figure: Figure) -> Double? { limits.first { $0.figure == figure }?.value }
}
