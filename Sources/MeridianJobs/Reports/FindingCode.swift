// SPDX-License-Identifier: Apache-2.0
import Meridian

/// A code that findings may have: a problem's, `UNREADABLE`, or the status of a row that a kernel did not judge.
struct FindingCode {
  let name: String
  /// What it usually is.
  let severity: Severity
  /// Without a full stop.
  let sentence: String

  static let all: [FindingCode] = {
    var codes = ProblemCode.catalog.map {
      FindingCode(name: "\($0.name)", severity: $0.severity, sentence: "\($0.sentence)")
    }
    codes.append(FindingCode(name: RowName.unreadable, severity: .error, sentence: "The row could not be read"))
    codes += Fault.Kind.allCases.map { FindingCode(name: $0.rawValue, severity: .error, sentence: $0.sentence) }
    let statuses: [RowStatus] = [
      .empty, .nonfinite, .domain, .invalid, .degenerate, .notConverged, .unsupported, .notApplied, .failed,
    ]
    for status in statuses where !codes.contains(where: { $0.name == status.name }) {
      codes.append(FindingCode(name: status.name, severity: .info, sentence: noVerdict))
    }
    return codes
  }()

  /// What is said of a row that a kernel did not judge.
  static let noVerdict = "The kernel gave no verdict"
}
