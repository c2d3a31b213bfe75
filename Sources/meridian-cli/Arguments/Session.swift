// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

/// What the runs of one command share: a verb that writes to a folder is run once a file.
final class Session {
  /// Of the run that is going on, or was the last one.
  var context: JobContext?
  /// Found once: looking for kernels for each of ten thousand files would take longer than small files do.
  var host: Host?
  var messages: Messages?
  var isolation: IsolatedKernels?
  /// Read once, as a run over many files may take hours in which somebody writes new ones.
  var rules: FindingRules?
  var baseline: Baseline?

  /// "after 12 rows", for what was interrupted.
  var progress: String {
    guard let rows = context?.rows, rows > 0 else { return "" }
    return " after \(rows) row\(rows == 1 ? "" : "s")"
  }
}
