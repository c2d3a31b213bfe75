// SPDX-License-Identifier: Apache-2.0
import Meridian

/// The words and numbers that forms of reports have for severities.
extension Severity {
  /// Errors are 0, warnings 1, all others 2.
  var rank: Int { self == .error ? 0 : self == .warning ? 1 : 2 }
  /// The level of a result in SARIF 2.1.0 (3.27.10).
  var sarifLevel: String { ["error", "warning", "note"][rank] }
  /// The workflow command of GitHub Actions.
  var annotation: String { ["error", "warning", "notice"][rank] }
}
