// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Which rows are judged where judging all of them would take longer than measuring them.
enum RowSample {
  /// At most `limit` of `count` numbers, evenly spread, the first among them.
  static func spread(_ count: Int, limit: Int) -> [Int] {
    guard count > limit else { return Array(0..<max(0, count)) }
    return (0..<max(1, limit)).map { $0 * count / max(1, limit) }
  }

  /// Rows of a set with a geometry of their own, evenly spread, with at most `vertices` together but at least one row.
  static func rows(of set: GeometrySet, vertices limit: Int) -> [Int] {
    let rows = (0..<set.count).filter { set.location(ofRow: $0) != nil }
    let total = rows.reduce(0) { $0 + set.vertices(ofRow: $1) }
    guard total > limit, !rows.isEmpty else { return rows }
    return spread(rows.count, limit: max(1, Int(Double(rows.count) * Double(limit) / Double(total)))).map { rows[$0] }
  }
}
