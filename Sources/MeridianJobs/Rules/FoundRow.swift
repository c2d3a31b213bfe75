// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI
import MeridianIO

/// What a kernel found of one row, before rules and a baseline.
struct FoundRow {
  let name: FeatureName
  let verdict: Verdict
  var findings: [Finding]
  /// The findings are all that is wrong with the row.
  var sawAll: Bool

  /// The verdict when none of the row's errors counts.
  var verdictWithoutErrors: Verdict {
    guard verdict == .invalid else { return verdict }
    return sawAll ? .valid : .unknown
  }

  /// For each row, the findings of other rows that name it, as it sees them.
  /// - Parameter findings: of the rows of a batch in order.
  static func seenFromOthers(_ findings: [[Finding]], in batch: FeatureBatch) -> [[Finding]] {
    var seen = [[Finding]](repeating: [], count: findings.count)
    for (row, list) in findings.enumerated() {
      for finding in list {
        guard let number = finding.otherRow, let other = batch.row(numbered: number), other != row else { continue }
        seen[other].append(finding.seenFromOther(row: batch.number(ofRow: row)))
      }
    }
    return seen
  }

  /// The rows, with a finding for each verdict that none explains: a run does not fail without a word in its reports.
  static func explained(_ rows: [FoundRow], in batch: FeatureBatch) -> [FoundRow] {
    let others = seenFromOthers(rows.map(\.findings), in: batch)
    var rows = rows
    for row in rows.indices where rows[row].verdict == .invalid {
      guard rows[row].firstError(others[row]) == nil else { continue }
      let code = ProblemCode(rawValue: MRD_PROBLEM_INVALID_OTHER).name
      let message = "The kernel calls the row invalid and names no problem of it"
      rows[row].findings.append(Finding(code: code, severity: .error, message: message))
      rows[row].sawAll = false
    }
    return rows
  }

  /// For each row that is not valid, by its number, the code and the words of its first error.
  static func firstErrors(of rows: [FoundRow], in batch: FeatureBatch) -> [Int: String] {
    let others = seenFromOthers(rows.map(\.findings), in: batch)
    var errors: [Int: String] = [:]
    for row in rows.indices where rows[row].verdict == .invalid {
      errors[batch.number(ofRow: row)] = rows[row].firstError(others[row]).map { "\($0.code): \($0.message)" }
    }
    return errors
  }

  /// The row's own come before those of others that name it.
  private func firstError(_ others: [Finding]) -> Finding? {
    findings.first { $0.severity == .error } ?? others.first { $0.severity == .error }
  }
}
