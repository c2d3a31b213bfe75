// SPDX-License-Identifier: Apache-2.0
import Meridian

/// What a map draws of a feature: its lines and rings, or points. Long ones lose vertices that no finding is near.
struct Outline {
  struct Path {
    let isClosed: Bool
    /// x and y in turn.
    var coordinates: [Double] = []
  }

  private(set) var paths: [Path] = []
  /// Vertices were left out.
  private(set) var isThinned = false
  var vertexCount: Int { paths.reduce(0) { $0 + $1.coordinates.count / 2 } }

  /// Longer paths are thinned to about this many vertices.
  private static let longest = 1000
  /// Vertices to either side of one that a finding names, which stay.
  private static let margin = 24

  init(of set: GeometrySet, row: Int, findings: [Finding]) {
    let named = NamedVertices(findings)
    switch set.place(ofRow: row) {
    case .null: return
    case .geometry(let array, let index): add(set.arrays[array], index, member: nil, named)
    case .collection(let number):
      var member = 0
      for case .geometry(let array, let index) in set.collections[number].tokens {
        add(set.arrays[array], index, member: member, named)
        member += 1
      }
    }
  }

  /// - Parameter member: the number in a collection, by which findings call it; nil = no collection.
  private mutating func add(_ array: GeometryArray, _ row: Int, member: Int?, _ named: NamedVertices) {
    guard !array.isNull(row) else { return }
    let isClosed = array.type == .polygon || array.type == .multiPolygon
    for (part, ring, range) in array.paths(ofRow: row) {
      add(array, range, isClosed: isClosed, near: named.vertices(part: member ?? part, ring: ring))
    }
  }

  private mutating func add(_ array: GeometryArray, _ range: Range<Int>, isClosed: Bool, near: [Int]) {
    let step = max(1, range.count / Self.longest)
    var kept = [Bool](repeating: step == 1, count: range.count)
    if step > 1 {
      isThinned = true
      for index in stride(from: 0, to: range.count, by: step) { kept[index] = true }
      for vertex in near where vertex < range.count {
        for index in max(0, vertex - Self.margin)...min(range.count - 1, vertex + Self.margin) { kept[index] = true }
      }
      kept[range.count - 1] = true
    }
    var path = Path(isClosed: isClosed)
    for (index, coordinate) in range.enumerated() where kept[index] {
      let (x, y) = (array.x(coordinate), array.y(coordinate))
      if x.isFinite, y.isFinite { path.coordinates += [x, y] }
    }
    if !path.coordinates.isEmpty { paths.append(path) }
  }
}

/// The vertices of one row that findings name, by the part and the ring that they lie in.
private struct NamedVertices {
  private struct Path: Hashable {
    let part: Int
    let ring: Int
  }

  private var vertices: [Path: [Int]] = [:]

  init(_ findings: [Finding]) {
    for finding in findings {
      add(finding.part, finding.ring, finding.vertex)
      if let partner = finding.partner, partner.row == nil { add(partner.part, partner.ring, partner.vertex) }
    }
  }

  private mutating func add(_ part: Int?, _ ring: Int?, _ vertex: Int?) {
    if let vertex { vertices[Path(part: part ?? 0, ring: ring ?? 0), default: []].append(vertex) }
  }

  /// - Parameter part: of a collection, the member.
  func vertices(part: Int, ring: Int) -> [Int] { vertices[Path(part: part, ring: ring)] ?? [] }
}

extension GeometryArray {
  /// The lines and rings of a row with the numbers of their part and ring; points are paths of one coordinate.
  fileprivate func paths(ofRow row: Int) -> [(part: Int, ring: Int, range: Range<Int>)] {
    let parts = span(row)
    switch type {
    case .point: return isEmpty(row) ? [] : [(0, 0, parts)]
    case .lineString: return [(0, 0, parts)]
    case .multiPoint: return parts.enumerated().map { ($0, 0, $1..<($1 + 1)) }
    case .polygon: return parts.enumerated().map { (0, $0, span(level: 1, $1)) }
    case .multiLineString: return parts.enumerated().map { ($0, 0, span(level: 1, $1)) }
    default:
      return parts.enumerated().flatMap { part, polygon in
        span(level: 1, polygon).enumerated().map { (part, $0, span(level: 2, $1)) }
      }
    }
  }
}
