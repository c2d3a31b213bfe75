// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// How far a row moved: from its vertices to the result's lines, and from the result's vertices to its own lines. Only
/// vertices that do not stand on both sides are measured, each against all edges of the other side.
struct Movement {
  private let before: [Vertex]
  private let after: [Vertex]
  private let beforeEdges: [Segment]
  private let afterEdges: [Segment]

  init(_ geoms: Geoms, _ row: Int, _ outline: Outline) {
    before = geoms.coordinates(row).filter { !geoms.isEmptyPoint($0) }.map { Vertex(geoms.x($0), geoms.y($0), $0) }
    after = (0..<outline.vertices).map { Vertex(outline.xs[$0], outline.ys[$0], $0) }
    var own: [Segment] = []
    forEachPath(geoms, row) { span in
      Movement.append(span, { (geoms.x($0), geoms.y($0)) }, &own)
    }
    beforeEdges = own
    var others: [Segment] = []
    for path in 0..<outline.pathEnds.count {
      Movement.append(outline.path(path), { (outline.xs[$0], outline.ys[$0]) }, &others)
    }
    afterEdges = others
  }

  /// With room for the rounding of the distances themselves. False also when the call is cancelled meanwhile: the work is
  /// vertices times edges.
  func isWithin(_ tolerance: Double, _ call: UnsafeMutablePointer<mrd_call>) -> Bool {
    let reach = tolerance * (1 + 1e-12)
    let limit = reach * reach
    return Movement.isNear(after, known: VertexSet(before), beforeEdges, limit, call)
      && Movement.isNear(before, known: VertexSet(after), afterEdges, limit, call)
  }

  private static func isNear(
    _ vertices: [Vertex], known: VertexSet, _ edges: [Segment], _ limit: Double, _ call: UnsafeMutablePointer<mrd_call>
  ) -> Bool {
    vertices.allSatisfy { vertex in
      if known.find(vertex.x, vertex.y) != nil { return true }
      return !call.isCancelled && edges.contains { $0.squaredDistance(vertex.x, vertex.y) <= limit }
    }
  }

  private static func append(_ span: Range<Int>, _ place: (Int) -> (Double, Double), _ edges: inout [Segment]) {
    guard let first = span.first else { return }
    var former = place(first)
    // A lone point is an edge without length.
    for index in span.count == 1 ? span : (first + 1)..<span.upperBound {
      let next = place(index)
      edges.append(Segment(x1: former.0, y1: former.1, x2: next.0, y2: next.1))
      former = next
    }
  }
}

/// Each ring, line or point of a row as its coordinates; empty points have none.
func forEachPath(_ geoms: Geoms, _ row: Int, _ body: (Range<Int>) -> Void) {
  switch geoms.type {
  case MRD_POINT, MRD_MULTIPOINT:
    for index in geoms.span(row) where !geoms.isEmptyPoint(index) { body(index..<(index + 1)) }
  case MRD_LINESTRING: body(geoms.span(row))
  default:
    let level = Int(geoms.raw.n_offsets) - 1
    for ring in geoms.rings(row) { body(geoms.span(level: level, ring)) }
  }
}

/// Points, lines or polygons of a row that have coordinates.
func nonEmptyParts(_ geoms: Geoms, _ row: Int) -> Int {
  switch geoms.type {
  case MRD_POLYGON: min(1, pathCount(geoms, row))
  case MRD_MULTIPOLYGON:
    geoms.span(row).count { part in
      geoms.span(level: 1, part).contains { !geoms.span(level: 2, $0).isEmpty }
    }
  default: pathCount(geoms, row)
  }
}
