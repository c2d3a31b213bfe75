// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// COUNTS: parts, rings and vertices as stored, a ring's closing point included. Needs no edge model, no metric and no
/// finite coordinates. A point has one part and one vertex, an empty one in a multipoint a part and no vertex; rings are
/// those of polygons.
func measureCounts(_ geoms: Geoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>) -> mrd_status {
  var poll = CancelPoll(call)
  for row in 0..<geoms.count {
    if poll.tick() { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
    if geoms.isNull(row) {
      columns.fill(row, columns: 3, .nan)
      call.setStatus(row, MRD_ITEM_NULL)
      continue
    }
    let isEmpty = geoms.isEmpty(row)
    columns.set(0, row, Double(partCount(geoms, row, isEmpty: isEmpty)))
    columns.set(1, row, Double(geoms.isPolygonal ? geoms.pathCount(row) : 0))
    columns.set(2, row, isEmpty ? 0 : Double(vertexCount(geoms, row)))
    call.setStatus(row, isEmpty ? MRD_ITEM_EMPTY : MRD_ITEM_OK)
  }
  return MRD_OK
}

private func vertexCount(_ geoms: Geoms, _ row: Int) -> Int {
  let coordinates = geoms.coordinates(row)
  return geoms.isPuntal ? coordinates.count { !geoms.isEmptyPoint($0) } : coordinates.count
}

private func partCount(_ geoms: Geoms, _ row: Int, isEmpty: Bool) -> Int {
  switch geoms.type {
  case MRD_POINT, MRD_LINESTRING, MRD_POLYGON: isEmpty ? 0 : 1
  default: geoms.span(row).count
  }
}
