// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Length of all edges of the lines or rings of one row. `ambiguous` becomes true when an edge spans half a turn.
public func totalLength<S: Surface>(
  _ surface: S, _ geoms: Geoms, _ row: Int, _ ambiguous: inout Bool, _ poll: inout CancelPoll
) -> Double {
  var sum = CompensatedSum()
  for index in 0..<geoms.pathCount(row) {
    let path = geoms.path(row, index)
    guard path.count >= 2 else { continue }
    var previous = geoms.place(path.lowerBound)
    for coordinate in (path.lowerBound &+ 1)..<path.upperBound {
      let next = geoms.place(coordinate)
      sum.add(surface.distance(previous, next))
      if surface.isAmbiguous(previous, next) { ambiguous = true }
      previous = next
      if poll.tick() { return sum.value }
    }
  }
  return sum.value
}

/// LENGTH (`lines`) or PERIMETER (`!lines`): rows of the other kind measure 0.
public func measureLengths<S: Surface>(
  _ surface: S, _ geoms: Geoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>, lines: Bool
) -> mrd_status {
  let hasLength = lines ? geoms.isLineal : geoms.isPolygonal
  let loop = RowLoop(geoms, columns, call, domain: surface.domain, width: 1, emptyValue: 0)
  return loop.run { row, poll in
    var ambiguous = false
    columns.set(0, row, hasLength ? totalLength(surface, geoms, row, &ambiguous, &poll) : 0)
    return ambiguous ? MRD_ITEM_WARN_AMBIGUOUS_EDGE : MRD_ITEM_OK
  }
}
