// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Knows the right answers of a workload.
package protocol Oracle: Sendable {
  /// Where they come from, "brute force", "proj", "known by construction".
  var source: String { get }
  /// Compares a kernel's outcome with them.
  /// - Parameter bound: what the kernel declares; nil when it declares no bound.
  /// - Throws: when there are no right answers, or the outcome is not of the kind that is judged. What could not be
  ///   compared must not look as if it were right.
  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy
}

/// Finds the oracle for the answers of one kernel, where the right answers are another kernel's.
package protocol OracleSource: Sendable {
  /// The kernel that would be the reference; nil = none is installed.
  func name(on host: Host) -> String?
  /// nil when `kernel` is the reference itself, or there is none.
  func oracle(for kernel: String, on host: Host) throws(MeridianError) -> (any Oracle)?
}
