// SPDX-License-Identifier: Apache-2.0
import CGEOS
import KernelKit
import MeridianABI

/// A result of GEOS taken apart: vertices path after path (ring, line or point), paths part after part. What is of a
/// lower dimension than wanted is counted, not kept.
struct Outline {
  private(set) var xs: [Double] = []
  private(set) var ys: [Double] = []
  /// NaN without Z.
  private(set) var zs: [Double] = []
  /// Where each path ends among the vertices.
  private(set) var pathEnds: [Int] = []
  /// Where each part ends among the paths.
  private(set) var partEnds: [Int] = []
  private(set) var lowerPieces = 0

  /// nil = no memory.
  init?(_ session: Session, _ geometry: Geometry, dimension wanted: Int) {
    let fine = session.forEachSingle(geometry) { single in
      guard dimension(of: session.typeOf(single)) == wanted else {
        lowerPieces += 1
        return true
      }
      guard session.forEachPath(single, { appendPath(session, $0) }) else { return false }
      partEnds.append(pathEnds.count)
      return true
    }
    guard fine else { return nil }
  }

  private mutating func appendPath(_ session: Session, _ path: Geometry) -> Bool {
    guard let view = session.coordinates(path) else { return false }
    xs.append(contentsOf: UnsafeBufferPointer(start: view.xs, count: view.count))
    ys.append(contentsOf: UnsafeBufferPointer(start: view.ys, count: view.count))
    zs.append(contentsOf: UnsafeBufferPointer(start: view.zs, count: view.count))
    pathEnds.append(xs.count)
    return true
  }

  var parts: Int { partEnds.count }
  var vertices: Int { xs.count }

  func path(_ index: Int) -> Range<Int> { (index == 0 ? 0 : pathEnds[index - 1])..<pathEnds[index] }
  func paths(ofPart index: Int) -> Range<Int> { (index == 0 ? 0 : partEnds[index - 1])..<partEnds[index] }

  /// Planar |shell| - sum |hole| over all parts.
  var area: Double {
    var sum = 0.0
    for part in 0..<parts {
      let rings = paths(ofPart: part)
      for ring in rings {
        let span = path(ring)
        let area = abs(ringArea(count: span.count) { (xs[span.lowerBound + $0], ys[span.lowerBound + $0]) })
        sum += ring == rings.lowerBound ? area : -area
      }
    }
    return sum
  }

  var vertexSet: VertexSet { VertexSet((0..<vertices).map { Vertex(xs[$0], ys[$0], $0) }) }

  /// Drops the parts for which `drops` holds.
  mutating func removeParts(_ drops: (Outline, Int) -> Bool) {
    guard (0..<parts).contains(where: { drops(self, $0) }) else { return }
    let whole = self
    xs = []
    ys = []
    zs = []
    pathEnds = []
    partEnds = []
    for part in 0..<whole.parts where !drops(whole, part) {
      for path in whole.paths(ofPart: part) {
        let span = whole.path(path)
        xs.append(contentsOf: whole.xs[span])
        ys.append(contentsOf: whole.ys[span])
        zs.append(contentsOf: whole.zs[span])
        pathEnds.append(xs.count)
      }
      partEnds.append(pathEnds.count)
    }
  }
}

extension GeomsWriter {
  /// Writes a whole row; `vertex` adds the vertex of the outline with that number.
  mutating func write(_ outline: Outline, _ vertex: (inout GeomsWriter, Int) -> Void) {
    for part in 0..<outline.parts {
      for path in outline.paths(ofPart: part) {
        for index in outline.path(path) { vertex(&self, index) }
        endRing()
      }
      endPart()
    }
    if type == MRD_POINT, outline.vertices == 0 { add(.nan, .nan) }
    endRow()
  }

  mutating func write(_ outline: Outline) {
    write(outline) { $0.add(outline.xs[$1], outline.ys[$1], outline.zs[$1]) }
  }

  /// Writes the points of an outline in the row's order, the empty ones of the row where they were. The outline has as
  /// many points as the row has others.
  mutating func writePoints(_ outline: Outline, of geoms: Geoms, _ row: Int) {
    var next = 0
    for index in geoms.coordinates(row) {
      if geoms.isEmptyPoint(index) {
        add(geoms, index)
      } else {
        add(outline.xs[next], outline.ys[next], outline.zs[next])
        next += 1
      }
    }
    endRow()
  }
}

/// True when the outline has the row's vertices in the row's order, bit for bit in x and y; an outline has no empty
/// points.
func isSame(_ outline: Outline, _ geoms: Geoms, _ row: Int) -> Bool {
  var slot = 0
  for index in geoms.coordinates(row) where !geoms.isEmptyPoint(index) {
    guard slot < outline.vertices, outline.xs[slot] == geoms.x(index), outline.ys[slot] == geoms.y(index) else {
      return false
    }
    slot += 1
  }
  return slot == outline.vertices
}

/// Rings, lines or points of a row that have coordinates.
func pathCount(_ geoms: Geoms, _ row: Int) -> Int {
  switch geoms.type {
  case MRD_POINT: return geoms.isEmpty(row) ? 0 : 1
  case MRD_LINESTRING: return geoms.span(row).isEmpty ? 0 : 1
  case MRD_MULTIPOINT: return geoms.span(row).count { !geoms.isEmptyPoint($0) }
  default:
    let level = Int(geoms.raw.n_offsets) - 1
    return geoms.rings(row).count { !geoms.span(level: level, $0).isEmpty }
  }
}
