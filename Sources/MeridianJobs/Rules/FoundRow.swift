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
}

/// The rows of a batch in order. Each verdict that no finding explains gets one: a run does not fail without a word in its
/// reports.
struct FoundRows {
  private(set) var rows: [FoundRow]
  private let others: [Int: [Finding]]
  private let batch: FeatureBatch

  init(_ rows: [FoundRow], in batch: FeatureBatch) {
    self.rows = rows
    self.batch = batch
    others = Self.seenFromOthers(rows.lazy.map(\.findings), in: batch)
    for row in rows.indices where rows[row].verdict == .invalid && firstError(row) == nil { explain(row) }
  }

  /// The findings of other rows that name a row, as it sees them, by the row of the batch; only a layer has any.
  /// - Parameter findings: of the rows of a batch in order.
  static func seenFromOthers(_ findings: some Sequence<[Finding]>, in batch: FeatureBatch) -> [Int: [Finding]] {
    var seen: [Int: [Finding]] = [:]
    for (row, list) in findings.enumerated() {
      for finding in list {
        guard let number = finding.otherRow, let other = batch.row(numbered: number), other != row else { continue }
        seen[other, default: []].append(finding.seenFromOther(row: batch.number(ofRow: row)))
      }
    }
    return seen
  }

  /// For each row that is not valid, by its number, the code and the words of its first error.
  var firstErrors: [Int: String] {
    var errors: [Int: String] = [:]
    for row in rows.indices where rows[row].verdict == .invalid {
      errors[batch.number(ofRow: row)] = firstError(row).map { "\($0.code): \($0.message)" }
    }
    return errors
  }

  /// The row's own come before those of others that name it.
  private func firstError(_ row: Int) -> Finding? {
    rows[row].findings.first { $0.severity == .error } ?? others[row]?.first { $0.severity == .error }
  }

  private mutating func explain(_ row: Int) {
    let code = ProblemCode(rawValue: MRD_PROBLEM_INVALID_OTHER).name
    let message = "The kernel calls the row invalid and names no problem of it"
    rows[row].findings.append(Finding(code: code, severity: .error, message: message))
    rows[row].sawAll = false
  }
}
