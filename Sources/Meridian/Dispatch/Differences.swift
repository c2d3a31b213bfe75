// SPDX-License-Identifier: Apache-2.0

/// How far two columns of numbers are apart.
public struct NumberDifference: Sendable, Equatable {
  public let column: String
  /// Rows where both have a number.
  public private(set) var compared = 0
  /// Rows whose numbers differ; -0 equals 0.
  public private(set) var different = 0
  /// Rows where only one of the two has a number.
  public private(set) var onlyOne = 0
  public private(set) var maxAbsolute = 0.0
  /// Against the larger of the two magnitudes.
  public private(set) var maxRelative = 0.0
  /// Representable doubles between the two.
  public private(set) var maxULP: UInt64 = 0
  /// The row with the largest absolute difference.
  public private(set) var row: Int?

  init(column: String) { self.column = column }

  mutating func add(_ a: Double, _ b: Double, row: Int) {
    if a.isNaN || b.isNaN {
      if a.isNaN != b.isNaN { onlyOne += 1 }
      return
    }
    compared += 1
    guard a != b else { return }
    different += 1
    let distance = abs(a - b)
    if self.row == nil || distance > maxAbsolute {
      maxAbsolute = distance
      self.row = row
    }
    maxRelative = max(maxRelative, distance / max(abs(a), abs(b)))
    maxULP = max(maxULP, Self.ulps(a, b))
  }

  /// How many steps lead from one double to the other, over zero where the signs differ.
  static func ulps(_ a: Double, _ b: Double) -> UInt64 {
    func ordered(_ value: Double) -> Int64 {
      let bits = Int64(bitPattern: value.bitPattern)
      return bits >= 0 ? bits : Int64.min &- bits
    }
    let (x, y) = (ordered(a), ordered(b))
    return UInt64(bitPattern: max(x, y) &- min(x, y))
  }
}

/// How far two sets of geometries are apart.
public struct GeometryDifference: Sendable, Equatable {
  /// Rows that both have and that are equal in type, parts and every x and y.
  public private(set) var equal = 0
  /// Rows that differ.
  public private(set) var different = 0
  /// Rows that only one of the two has.
  public private(set) var onlyOne = 0
  /// Of the rows that differ: those whose numbers of vertices differ.
  public private(set) var differentCount = 0
  /// Largest discrete Hausdorff distance over the vertices of a row, in coordinate units, and its row.
  public private(set) var maxHausdorff = 0.0
  public private(set) var row: Int?
  /// The first rows that differ, up to `Comparison.listed`.
  public private(set) var rows: [Int] = []

  init(_ a: GeometrySet, _ b: GeometrySet) {
    for row in 0..<min(a.count, b.count) { add(a, b, row) }
  }

  private mutating func add(_ a: GeometrySet, _ b: GeometrySet, _ row: Int) {
    let (left, right) = (Vertices(a, row), Vertices(b, row))
    guard let left, let right else {
      if (left == nil) != (right == nil) { onlyOne += 1 }
      return
    }
    if a.type(ofRow: row) == b.type(ofRow: row) && left == right {
      equal += 1
      return
    }
    different += 1
    if rows.count < Comparison.listed { rows.append(row) }
    if left.points.count != right.points.count { differentCount += 1 }
    let distance = left.hausdorff(right)
    if self.row == nil || distance > maxHausdorff {
      maxHausdorff = distance
      self.row = row
    }
  }
}

/// The vertices of a row, and where its rings, lines and parts end.
private struct Vertices: Equatable {
  struct Point: Equatable {
    var x: Double
    var y: Double
  }
  var points: [Point] = []
  private var ends: [Int] = []

  init?(_ set: GeometrySet, _ row: Int) {
    guard let geometries = set.geometries(ofRow: row) else { return nil }
    for (array, index) in geometries {
      let array = set.arrays[array]
      for at in array.coordinates(ofRow: index) where !(array.x(at).isNaN && array.y(at).isNaN) {
        points.append(Point(x: array.x(at), y: array.y(at)))
      }
      var span = array.span(index)
      for level in 1..<max(1, array.type.offsetLevels) {
        ends += span.map { array.offset(level, $0 + 1) - array.offset(level, span.lowerBound) }
        span = array.offset(level, span.lowerBound)..<array.offset(level, span.upperBound)
      }
      ends.append(points.count)
    }
  }

  /// The largest distance from a vertex of one to the nearest vertex of the other, both ways; infinite when one of them
  /// has none.
  func hausdorff(_ other: Vertices) -> Double {
    if points.isEmpty != other.points.isEmpty { return .infinity }
    return max(reach(to: other), other.reach(to: self))
  }

  /// Looks for the nearest vertex outward from the place in the order of x, and stops where x alone is farther.
  private func reach(to other: Vertices) -> Double {
    let sorted = other.points.filter { $0.x.isFinite && $0.y.isFinite }.sorted { $0.x < $1.x }
    var farthest = 0.0
    for point in points where point.x.isFinite && point.y.isFinite {
      farthest = max(farthest, Self.nearest(point, sorted))
    }
    return farthest.squareRoot()
  }

  /// The squared distance to the nearest.
  private static func nearest(_ point: Point, _ sorted: [Point]) -> Double {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].x < point.x { low = middle + 1 } else { high = middle }
    }
    var best = Double.infinity
    func visit(_ index: Int) -> Bool {
      let (dx, dy) = (sorted[index].x - point.x, sorted[index].y - point.y)
      if dx * dx > best { return false }
      best = min(best, dx * dx + dy * dy)
      return true
    }
    var right = low
    while right < sorted.count, visit(right) { right += 1 }
    var left = low - 1
    while left >= 0, visit(left) { left -= 1 }
    return best
  }
}
