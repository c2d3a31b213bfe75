// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A place with the number of the coordinate that it came from.
struct Vertex {
  let x: Double
  let y: Double
  let number: Int

  init(_ x: Double, _ y: Double, _ number: Int) {
    self.x = x
    self.y = y
    self.number = number
  }

  func isSamePlace(_ other: Vertex) -> Bool { x == other.x && y == other.y }

  /// Total on places that are not NaN: x, then y, then number.
  static func ascending(_ a: Vertex, _ b: Vertex) -> Bool {
    if a.x != b.x { return a.x < b.x }
    if a.y != b.y { return a.y < b.y }
    return a.number < b.number
  }
}

/// The distinct places among some vertices, sorted. Each has the least number that stands there.
struct VertexSet {
  private var sorted: [Vertex]

  init(_ vertices: [Vertex]) {
    sorted = vertices
    sorted.sort(by: Vertex.ascending)
    var kept = 0
    for index in 0..<sorted.count where kept == 0 || !sorted[index].isSamePlace(sorted[kept - 1]) {
      sorted[kept] = sorted[index]
      kept += 1
    }
    sorted.removeLast(sorted.count - kept)
  }

  init(_ geoms: Geoms, _ row: Int) {
    self.init(geoms.coordinates(row).map { Vertex(geoms.x($0), geoms.y($0), $0) })
  }

  var count: Int { sorted.count }

  /// The vertex at this place.
  func find(_ x: Double, _ y: Double) -> Vertex? {
    let wanted = Vertex(x, y, Int.min)
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = low + (high - low) / 2
      if Vertex.ascending(sorted[middle], wanted) { low = middle + 1 } else { high = middle }
    }
    return low < sorted.count && sorted[low].isSamePlace(wanted) ? sorted[low] : nil
  }

  /// How many of these places are not in `other`.
  func countMissing(in other: VertexSet) -> Int {
    var missing = 0
    for vertex in sorted where other.find(vertex.x, vertex.y) == nil { missing += 1 }
    return missing
  }
}
