// SPDX-License-Identifier: Apache-2.0
import Meridian

/// An edge of a geometry, in coordinate units.
struct Edge: Equatable {
  struct End: Equatable {
    var x: Double
    var y: Double
  }
  var start: End
  var end: End
}

/// Finds the edges that findings of a batch name.
struct EdgeFinder {
  private let set: GeometrySet
  /// Of each collection that was asked about, where its members lie.
  private var members: [Int: [Member]] = [:]

  private struct Member {
    let array: Int
    let index: Int
  }

  init(_ set: GeometrySet) { self.set = set }

  /// The two edges that a finding names; none when it names fewer, or what it names is not there.
  mutating func edges(of finding: Finding, row: Int) -> [Edge] {
    guard let partner = finding.partner, partner.vertex != nil,
      let one = edge(row: row, part: finding.part, ring: finding.ring, vertex: finding.vertex),
      let other = edge(row: partner.row ?? row, part: partner.part, ring: partner.ring, vertex: partner.vertex)
    else { return [] }
    return [one, other]
  }

  /// The edge that begins at a vertex, counted as problems count: `part` is the polygon or line, of a collection the
  /// member; `ring` 0 is the shell. nil when there is none, or which one is not clear: a member that has parts itself.
  private mutating func edge(row: Int, part: Int?, ring: Int?, vertex: Int?) -> Edge? {
    guard let vertex, (0..<set.count).contains(row) else { return nil }
    switch set.place(ofRow: row) {
    case .null: return nil
    case .geometry(let array, let index):
      return set.arrays[array].edge(index, part: part ?? 0, ring: ring ?? 0, vertex: vertex)
    case .collection(let number):
      guard let part, let place = member(part, of: number) else { return nil }
      let array = set.arrays[place.array]
      guard array.type == .polygon || array.type == .lineString else { return nil }
      return array.edge(place.index, part: 0, ring: ring ?? 0, vertex: vertex)
    }
  }

  private mutating func member(_ part: Int, of collection: Int) -> Member? {
    if members[collection] == nil {
      members[collection] = set.collections[collection].tokens.compactMap { token -> Member? in
        if case .geometry(let array, let index) = token { Member(array: array, index: index) } else { nil }
      }
    }
    guard let list = members[collection], list.indices.contains(part) else { return nil }
    return list[part]
  }
}

extension GeometryArray {
  fileprivate func edge(_ row: Int, part: Int, ring: Int, vertex: Int) -> Edge? {
    guard !isNull(row), let path = path(row, part: part, ring: ring), path.count > 1 else { return nil }
    guard (0..<path.count).contains(vertex) else { return nil }
    let isRing = type == .polygon || type == .multiPolygon
    let start = end(path.lowerBound + vertex)
    // Consecutive equal points are one vertex. An open ring is closed by an edge back to its first vertex.
    let next = ((vertex + 1)..<path.count).first { end(path.lowerBound + $0) != start } ?? (isRing ? 0 : vertex)
    let other = end(path.lowerBound + next)
    return other == start ? nil : Edge(start: start, end: other)
  }

  private func end(_ coordinate: Int) -> Edge.End { Edge.End(x: x(coordinate), y: y(coordinate)) }

  /// The coordinates of a ring or line.
  private func path(_ row: Int, part: Int, ring: Int) -> Range<Int>? {
    let parts = span(row)
    switch type {
    case .lineString: return parts
    case .multiLineString: return member(part, of: parts).map { span(level: 1, $0) }
    case .polygon: return member(ring, of: parts).map { span(level: 1, $0) }
    case .multiPolygon:
      guard let polygon = member(part, of: parts), let ring = member(ring, of: span(level: 1, polygon)) else {
        return nil
      }
      return span(level: 2, ring)
    default: return nil
    }
  }

  private func member(_ number: Int, of range: Range<Int>) -> Int? {
    (0..<range.count).contains(number) ? range.lowerBound + number : nil
  }
}
