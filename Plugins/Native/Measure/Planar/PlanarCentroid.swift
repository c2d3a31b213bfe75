// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// CENTROID in the plane: of the area, of the length where there is no area, of the vertices where there is no length.
func measurePlanarCentroid(
  _ geoms: Geoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  let loop = RowLoop(geoms, columns, call, domain: .plane, width: 2, emptyValue: .nan)
  return loop.run { row, poll in
    var centroid = PlanarCentroid(geoms: geoms, row: row)
    let place = centroid.place(&poll)
    columns.set(0, row, place.x)
    columns.set(1, row, place.y)
    return MRD_ITEM_OK
  }
}

/// The weighted mean of places given relative to the row's first vertex, which keeps far-off figures accurate.
struct PlanarCentroid {
  private let geoms: Geoms
  private let row: Int
  private let origin: Place
  private var x = CompensatedSum()
  private var y = CompensatedSum()
  private var weight = CompensatedSum()

  init(geoms: Geoms, row: Int) {
    self.geoms = geoms
    self.row = row
    let vertices = geoms.coordinates(row)
    origin = geoms.place(vertices.first { !geoms.isEmptyPoint($0) } ?? vertices.lowerBound)
  }

  /// Of the area, of the length where there is no area, of the vertices where there is no length.
  mutating func place(_ poll: inout CancelPoll) -> Place {
    ofArea(&poll) ?? ofLength(&poll) ?? ofVertices(&poll)
  }

  private mutating func ofArea(_ poll: inout CancelPoll) -> Place? {
    reset()
    geoms.forEachPolygon(row) { rings in
      for ring in rings { addRing(geoms.path(row, ring), isShell: ring == rings.lowerBound, &poll) }
    }
    // A ring weighs six times its area over three times its moment: divide by 3.
    return mean(dividingBy: 3)
  }

  private mutating func ofLength(_ poll: inout CancelPoll) -> Place? {
    reset()
    for index in 0..<geoms.pathCount(row) {
      for coordinate in geoms.path(row, index).dropFirst() {
        let (a, b) = (geoms.place(coordinate &- 1), geoms.place(coordinate))
        let length = Plane().distance(a, b)
        x.add(length * ((a.x - origin.x) + (b.x - origin.x)))
        y.add(length * ((a.y - origin.y) + (b.y - origin.y)))
        weight.add(length)
        if poll.tick() { return nil }
      }
    }
    return mean(dividingBy: 2)
  }

  private mutating func ofVertices(_ poll: inout CancelPoll) -> Place {
    reset()
    var count = 0.0
    for coordinate in geoms.coordinates(row) where !geoms.isEmptyPoint(coordinate) {
      x.add(geoms.x(coordinate) - origin.x)
      y.add(geoms.y(coordinate) - origin.y)
      count += 1
      if poll.tick() { break }
    }
    return Place(x: origin.x + x.value / count, y: origin.y + y.value / count)
  }

  private mutating func reset() {
    x = CompensatedSum()
    y = CompensatedSum()
    weight = CompensatedSum()
  }

  /// Adds a ring with the sign that makes shells count and holes not, whatever their winding.
  private mutating func addRing(_ path: Range<Int>, isShell: Bool, _ poll: inout CancelPoll) {
    guard let first = path.first else { return }
    let base = geoms.place(first)
    var (momentX, momentY, twice) = (CompensatedSum(), CompensatedSum(), CompensatedSum())
    for coordinate in path.dropFirst() {
      let (a, b) = (geoms.place(coordinate &- 1), geoms.place(coordinate))
      let (ax, ay, bx, by) = (a.x - base.x, a.y - base.y, b.x - base.x, b.y - base.y)
      let (left, right) = (twoProduct(ax, by), twoProduct(ay, bx))
      let cross = (left.head - right.head) + (left.tail - right.tail)
      momentX.add(cross * (ax + bx))
      momentY.add(cross * (ay + by))
      twice.add(cross)
      if poll.tick() { return }
    }
    // Back from the ring's own base to the row's origin: moment + 3 x twice the area x shift.
    momentX.add(3 * twice.value * (base.x - origin.x))
    momentY.add(3 * twice.value * (base.y - origin.y))
    if isShell == (twice.value >= 0) {
      x.add(momentX)
      y.add(momentY)
      weight.add(twice)
    } else {
      x.subtract(momentX)
      y.subtract(momentY)
      weight.subtract(twice)
    }
  }

  private func mean(dividingBy factor: Double) -> Place? {
    let total = weight.value
    guard total != 0 else { return nil }
    return Place(x: origin.x + x.value / (factor * total), y: origin.y + y.value / (factor * total))
  }
}
