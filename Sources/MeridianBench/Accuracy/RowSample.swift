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

extension GeometrySet {
  /// Where a row's geometry is; nil for nulls and collections.
  func location(ofRow row: Int) -> (array: GeometryArray, index: Int)? {
    guard case .geometry(let array, let index) = place(ofRow: row), !arrays[array].isNull(index) else { return nil }
    return (arrays[array], index)
  }

  /// Coordinates of a row; 0 for nulls and collections.
  func vertices(ofRow row: Int) -> Int { location(ofRow: row).map { $0.array.coordinates(ofRow: $0.index).count } ?? 0 }

  /// Coordinates of all rows, collections included.
  var vertexCount: Int {
    arrays.reduce(0) { sum, array in
      sum + (0..<array.count).reduce(0) { $0 + array.coordinates(ofRow: $1).count }
    }
  }

  /// A set of the rows `rows`, x and y alone, in that order; collections become null.
  func subset(_ rows: [Int]) throws(MeridianError) -> GeometrySet {
    var builder = GeometryBuilder(model: model)
    for row in rows {
      guard let (array, index) = location(ofRow: row) else {
        try builder.null()
        continue
      }
      try builder.begin(array.type, .xy)
      for part in array.parts(ofRow: index) {
        if array.type == .multiPolygon { try builder.part() }
        for ring in part {
          if array.type.offsetLevels >= 2 { try builder.ring() }
          try builder.add(count: ring.count) { columns in
            for (offset, coordinate) in ring.enumerated() {
              columns.x[offset] = array.x(coordinate)
              columns.y[offset] = array.y(coordinate)
            }
          }
        }
      }
      try builder.end()
    }
    return try builder.finish()
  }
}

extension GeometryArray {
  /// The coordinates of each ring or line of a row, in storage order; of points all of them.
  func rings(ofRow row: Int) -> [Range<Int>] { parts(ofRow: row).flatMap { $0 } }

  /// The rings of each polygon; everything else is one part.
  func parts(ofRow row: Int) -> [[Range<Int>]] {
    switch type.offsetLevels {
    case 0, 1: return [[coordinates(ofRow: row)]]
    case 2: return [span(row).map { span(level: 1, $0) }]
    default: return span(row).map { part in span(level: 1, part).map { span(level: 2, $0) } }
    }
  }

  func place(_ coordinate: Int) -> Place { Place(x(coordinate), y(coordinate)) }
}
