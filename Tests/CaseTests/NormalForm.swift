// SPDX-License-Identifier: Apache-2.0
import Meridian

/// A row without what does not change the geometry: where a ring starts and which way it runs, which way a line runs,
/// the order of holes and parts, empty parts, single or multi, nesting in collections.
struct NormalForm: CustomStringConvertible {
  typealias Path = [[Double]]
  private struct Part {
    var dimension: Int
    var paths: [Path]
  }
  private let parts: [Part]

  init(_ set: GeometrySet, row: Int = 0) {
    var parts: [Part] = []
    switch set.place(ofRow: row) {
    case .null: break
    case .geometry(let array, let index): parts = Self.parts(set.arrays[array], index)
    case .collection(let number):
      for case .geometry(let array, let index) in set.collections[number].tokens {
        parts += Self.parts(set.arrays[array], index)
      }
    }
    self.parts = parts.sorted { Self.precedes([[Double($0.dimension)]] + $0.paths.joined(), $1) }
  }

  private static func precedes(_ a: Path, _ part: Part) -> Bool {
    isLess(a, [[Double(part.dimension)]] + part.paths.joined())
  }

  var description: String {
    parts.map { part in
      "\(part.dimension)("
        + part.paths.map { $0.map { $0.map { "\($0)" }.joined(separator: " ") }.joined(separator: ", ") }
        .joined(separator: "; ") + ")"
    }.joined(separator: " ")
  }

  /// Every ordinate within `tolerance` of the other's; NaN equals NaN.
  func equals(_ other: NormalForm, tolerance: Double) -> Bool {
    zip(parts, other.parts).allSatisfy { a, b in
      a.dimension == b.dimension && a.paths.count == b.paths.count
        && zip(a.paths, b.paths).allSatisfy { Self.equal($0, $1, tolerance) }
    } && parts.count == other.parts.count
  }

  private static func equal(_ a: Path, _ b: Path, _ tolerance: Double) -> Bool {
    a.count == b.count
      && zip(a, b).allSatisfy { p, q in
        p.count == q.count && zip(p, q).allSatisfy { abs($0 - $1) <= tolerance || ($0.isNaN && $1.isNaN) }
      }
  }

  private static func parts(_ array: GeometryArray, _ row: Int) -> [Part] {
    guard !array.isNull(row) else { return [] }
    func path(_ span: Range<Int>) -> Path {
      span.map { at in (0..<array.dimensions.count).map { array.ordinate($0, at) } }
    }
    func polygon(_ rings: Range<Int>, level: Int) -> Part {
      let rings = rings.map { ring(path(array.span(level: level, $0))) }.filter { !$0.isEmpty }
      return Part(dimension: 2, paths: rings.prefix(1) + rings.dropFirst().sorted(by: isLess))
    }
    let span = array.span(row)
    let parts =
      switch array.type {
      case .point, .multiPoint: span.map { Part(dimension: 0, paths: [path($0..<($0 + 1))]) }
      case .lineString: [Part(dimension: 1, paths: [line(path(span))])]
      case .multiLineString: span.map { Part(dimension: 1, paths: [line(path(array.span(level: 1, $0)))]) }
      case .polygon: [polygon(span, level: 1)]
      default: span.map { polygon(array.span(level: 1, $0), level: 2) }
      }
    // A point of NaN is how an empty point is stored.
    return parts.filter { part in
      part.paths.contains { !$0.isEmpty } && !(part.dimension == 0 && part.paths[0][0][0].isNaN)
    }
  }

  private static func line(_ path: Path) -> Path {
    let backward = Path(path.reversed())
    return isLess(backward, path) ? backward : path
  }

  /// A ring without its closing point, from its least vertex, the way that has the lesser second vertex.
  private static func ring(_ path: Path) -> Path {
    let open = Path(path.dropLast())
    guard let start = open.indices.min(by: { isLess([open[$0]], [open[$1]]) }) else { return [] }
    let forward = Path(open[start...] + open[..<start])
    let backward = Path(forward.prefix(1) + forward.dropFirst().reversed())
    return isLess(backward, forward) ? backward : forward
  }

  private static func isLess(_ a: Path, _ b: Path) -> Bool {
    for (p, q) in zip(a, b) where p != q { return p.lexicographicallyPrecedes(q) }
    return a.count < b.count
  }
}
