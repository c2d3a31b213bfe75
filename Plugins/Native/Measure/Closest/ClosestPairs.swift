// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// CLOSEST: from each point to the nearest place of a geometry, or the point itself inside a polygon.
func pairClosest<S: ClosestSurface>(
  _ surface: S, _ pairs: PairedGeoms, side: Int32, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard pairs.a.type == MRD_POINT else { return fail(call, MRD_E_UNSUPPORTED, "closest takes points first") }
  guard var set = PieceSet(surface, pairs.b, side: side, call) else { return call.failure }
  return pairs.run(columns, call, domain: surface.domain, width: 6) { row, other, poll in
    set.load(other, &poll)
    if poll.isCancelled { return MRD_ITEM_FAILED }
    let best = closest(set, pairs.a.place(pairs.a.span(row).lowerBound), &poll)
    columns.set(0, row, best.distance)
    columns.set(1, row, best.foot.place.x)
    columns.set(2, row, best.foot.place.y)
    columns.set(3, row, Double(best.edge))
    columns.set(4, row, best.foot.along)
    columns.set(5, row, Double(best.foot.kind))
    return best.foot.status
  }
}

/// DISTANCE between rows of any types, the same bits both ways.
func pairDistances<S: ClosestSurface>(
  _ surface: S, _ pairs: PairedGeoms, side: Int32, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  if pairs.a.type == MRD_POINT && pairs.b.type == MRD_POINT { return pairDistance(surface, pairs, columns, call) }
  guard var b = PieceSet(surface, pairs.b, side: side, call) else { return call.failure }
  if pairs.a.type == MRD_POINT {
    return pairs.run(columns, call, domain: surface.domain, width: 1) { row, other, poll in
      b.load(other, &poll)
      if poll.isCancelled { return MRD_ITEM_FAILED }
      let best = closest(b, pairs.a.place(pairs.a.span(row).lowerBound), &poll)
      columns.set(0, row, best.distance)
      return best.foot.status
    }
  }
  guard var a = PieceSet(surface, pairs.a, side: side, call) else { return call.failure }
  return pairs.run(columns, call, domain: surface.domain, width: 1) { row, other, poll in
    a.load(row, &poll)
    b.load(other, &poll)
    if poll.isCancelled { return MRD_ITEM_FAILED }
    let best = GeometryDistance(a: a, b: b).nearest(&poll)
    columns.set(0, row, best.distance)
    return best.foot.status
  }
}

private func closest<S: ClosestSurface>(
  _ set: PieceSet<S>, _ point: Place, _ poll: inout CancelPoll
) -> ClosestPlace {
  var search = ClosestSearch(set.surface, point)
  search.run(set, &poll)
  if search.best.distance > 0 && set.holds(point, search.position, &poll) {
    return ClosestPlace(distance: 0, foot: EdgeFoot(distance: 0, place: point, kind: MRD_CLOSEST_INSIDE))
  }
  return search.best
}
