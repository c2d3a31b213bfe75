// SPDX-License-Identifier: Apache-2.0
import Meridian

extension GeometrySet {
  /// Where a row's geometry is; nil for nulls and collections.
  func location(ofRow row: Int) -> (array: GeometryArray, index: Int)? {
    guard case .geometry(let array, let index) = place(ofRow: row), !arrays[array].isNull(index) else { return nil }
    return (arrays[array], index)
  }

  /// Coordinates of a row; 0 for nulls and collections.
  func vertices(ofRow row: Int) -> Int { location(ofRow: row).map { $0.array.coordinates(ofRow: $0.index).count } ?? 0 }

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

extension GeometrySet {
  /// All edges of all rows; a point is an edge without length.
  var segments: [Segment] {
    arrays.flatMap { array in (0..<array.count).flatMap { array.segments(ofRow: $0) } }
  }
}

extension GeometryArray {
  func segments(ofRow row: Int) -> [Segment] {
    rings(ofRow: row).flatMap { ring in
      type.single == .point || ring.count == 1
        ? ring.map { Segment(place($0), place($0)) } : ring.dropLast().map { Segment(place($0), place($0 + 1)) }
    }
  }
}
