// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// BOUNDS with straight edges: the least box of the vertices, exact under any metric.
func measurePlanarBounds(
  _ geoms: Geoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>, domain: CoordinateDomain
) -> mrd_status {
  if let status = measureBounds(geoms, columns, call, domain: domain) { return status }
  let loop = RowLoop(geoms, columns, call, domain: domain, width: 4, emptyValue: .nan)
  return loop.run { row, poll in
    var (low, high) = (Place(x: .infinity, y: .infinity), Place(x: -.infinity, y: -.infinity))
    for coordinate in geoms.coordinates(row) {
      let place = geoms.place(coordinate)
      if place.x < low.x { low.x = place.x }
      if place.x > high.x { high.x = place.x }
      if place.y < low.y { low.y = place.y }
      if place.y > high.y { high.y = place.y }
      if poll.tick() { break }
    }
    columns.set(0, row, low.x)
    columns.set(1, row, low.y)
    columns.set(2, row, high.x)
    columns.set(3, row, high.y)
    return MRD_ITEM_OK
  }
}
