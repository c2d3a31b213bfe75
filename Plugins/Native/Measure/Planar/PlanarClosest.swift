// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// CLOSEST in the plane: from each point to the nearest place of a geometry's edges, or the point itself inside a polygon.
func pairPlanarClosest(
  _ plane: Plane, _ pairs: PairedGeoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard pairs.a.type == MRD_POINT else { return fail(call, MRD_E_UNSUPPORTED, "closest takes points first") }
  return pairs.run(columns, call, domain: .plane, width: 6) { row, other, poll in
    let point = pairs.a.place(pairs.a.span(row).lowerBound)
    var search = ClosestSearch(plane: plane, point: point, geoms: pairs.b, row: other)
    let best = search.run(&poll)
    columns.set(0, row, best.distance)
    columns.set(1, row, best.place.x)
    columns.set(2, row, best.place.y)
    columns.set(3, row, Double(best.edge))
    columns.set(4, row, best.along)
    columns.set(5, row, Double(best.kind))
    return MRD_ITEM_OK
  }
}

private struct ClosestPlace {
  var distance = Double.infinity
  var place = Place(x: .nan, y: .nan)
  var edge = -1
  var along = 0.0
  var kind = MRD_CLOSEST_START
}

/// One pass over the edges of a row; inside a polygon the answer is the point itself.
private struct ClosestSearch {
  let plane: Plane
  let point: Place
  let geoms: Geoms
  let row: Int
  var best = ClosestPlace()

  mutating func run(_ poll: inout CancelPoll) -> ClosestPlace {
    if geoms.isPuntal {
      for (number, coordinate) in geoms.coordinates(row).enumerated() where !poll.tick() {
        take(geoms.place(coordinate), edge: number, along: 0, kind: MRD_CLOSEST_START)
      }
      return best
    }
    var edge = 0
    for index in 0..<geoms.pathCount(row) {
      let path = geoms.path(row, index)
      if path.count == 1 { take(geoms.place(path.lowerBound), edge: edge, along: 0, kind: MRD_CLOSEST_START) }
      for coordinate in path.dropFirst() where !poll.tick() {
        takeEdge(geoms.place(coordinate &- 1), geoms.place(coordinate), edge)
        edge += 1
      }
    }
    if best.distance > 0 && isInside(&poll) {
      best = ClosestPlace(distance: 0, place: point, edge: -1, along: 0, kind: MRD_CLOSEST_INSIDE)
    }
    return best
  }

  private mutating func takeEdge(_ a: Place, _ b: Place, _ edge: Int) {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let forward = (point.x - a.x) * dx + (point.y - a.y) * dy
    let backward = (b.x - point.x) * dx + (b.y - point.y) * dy
    if !(forward > 0) { return take(a, edge: edge, along: 0, kind: MRD_CLOSEST_START) }
    if !(backward > 0) { return take(b, edge: edge, along: plane.distance(a, b), kind: MRD_CLOSEST_END) }
    let length = plane.distance(a, b)
    let along = length * (forward / (forward + backward))
    take(plane.place(on: plane.line(a, b), at: along).place, edge: edge, along: along, kind: MRD_CLOSEST_INTERIOR)
  }

  /// Edges come in ascending order, so a strict comparison leaves ties to the smaller one.
  private mutating func take(_ place: Place, edge: Int, along: Double, kind: Int32) {
    let distance = plane.distance(point, place)
    guard distance < best.distance else { return }
    best = ClosestPlace(distance: distance, place: place, edge: edge, along: along, kind: kind)
  }

  /// Inside some polygon of the row: inside its shell and in none of its holes, each by crossings. A hole that leaves its
  /// shell adds nothing.
  private func isInside(_ poll: inout CancelPoll) -> Bool {
    var inside = false
    geoms.forEachPolygon(row) { rings in
      for ring in rings {
        let holds = crossingCount(geoms.path(row, ring), &poll) & 1 == 1
        if holds != (ring == rings.lowerBound) { return }
      }
      if !rings.isEmpty { inside = true }
    }
    return inside
  }

  /// How often a ray from the point in the direction of x meets a ring.
  private func crossingCount(_ path: Range<Int>, _ poll: inout CancelPoll) -> Int {
    var count = 0
    for coordinate in path.dropFirst() where !poll.tick() {
      let (a, b) = (geoms.place(coordinate &- 1), geoms.place(coordinate))
      guard (a.y > point.y) != (b.y > point.y) else { continue }
      let side = exactSide(a, b, point)
      if (side > 0) == (b.y > a.y) && side != 0 { count += 1 }
    }
    return count
  }
}
