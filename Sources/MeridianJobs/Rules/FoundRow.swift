// SPDX-License-Identifier: Apache-2.0
import Meridian

/// What a kernel found of one row, before rules and a baseline.
struct FoundRow {
  let name: FeatureName
  let verdict: Verdict
  let findings: [Finding]
  /// The findings are all that is wrong with the row.
  let sawAll: Bool

  /// For each row, the findings of other rows that name it, as it sees them.
  /// - Parameter findings: of rows in order, the first of which is `firstRow` of the layer.
  static func seenFromOthers(_ findings: [[Finding]], firstRow: Int) -> [[Finding]] {
    var seen = [[Finding]](repeating: [], count: findings.count)
    for (row, list) in findings.enumerated() {
      for finding in list {
        guard let other = finding.otherRow.map({ $0 - firstRow }), other != row, seen.indices.contains(other) else {
          continue
        }
        seen[other].append(finding.seenFromOther(row: firstRow + row))
      }
    }
    return seen
  }
}
