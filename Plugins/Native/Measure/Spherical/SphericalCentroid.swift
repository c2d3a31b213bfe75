// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// CENTROID on the sphere: the direction of the mean position in space of the area, of the length where there is no area,
/// of the vertices where there is no length. DEGENERATE, without a place, when the mean lies within 1e-9 radii of the
/// centre.
func measureSphericalCentroid(
  _ geoms: Geoms, _ side: Int32, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  let loop = RowLoop(geoms, columns, call, domain: .globe, width: 2, emptyValue: .nan)
  return loop.run { row, poll in
    let centroid = SphericalCentroid(geoms: geoms, row: row)
    let mean = centroid.ofArea(side, &poll) ?? centroid.ofLength(&poll) ?? centroid.ofVertices(&poll)
    let isDegenerate = mean.length < 1e-9
    columns.set(0, row, isDegenerate ? .nan : mean.place.x)
    columns.set(1, row, isDegenerate ? .nan : mean.place.y)
    return isDegenerate ? MRD_ITEM_DEGENERATE : MRD_ITEM_OK
  }
}

private struct SphericalCentroid {
  let geoms: Geoms
  let row: Int

  func ofArea(_ side: Int32, _ poll: inout CancelPoll) -> Vector? {
    var moment = Vector()
    var area = CompensatedSum()
    geoms.forEachPolygon(row) { rings in
      for index in rings {
        let path = geoms.path(row, index)
        let signed = GlobeRing(surface: Sphere.unit, geoms: geoms, path: path).area(side: side, &poll)
        let sign = (index == rings.lowerBound) == (signed >= 0) ? 1.0 : -1.0
        moment += SphericalMoment(geoms: geoms, path: path).value(&poll) * sign
        area.add(sign * signed)
      }
    }
    return area.value == 0 ? nil : moment * (1 / area.value)
  }

  /// An arc of angle t has the mean direction of its chord's middle and the moment 2 sin(t / 2).
  func ofLength(_ poll: inout CancelPoll) -> Vector? {
    var moment = Vector()
    var length = CompensatedSum()
    for index in 0..<geoms.pathCount(row) {
      for coordinate in geoms.path(row, index).dropFirst() {
        let (a, b) = (geoms.place(coordinate &- 1), geoms.place(coordinate))
        let angle = GreatCircle(a, b).angle
        if angle > 0 {
          var middle = unitVector(a)
          middle += unitVector(b)
          let chord = middle.length
          if chord > 0 { moment += middle * (2 * sin(angle / 2) / chord) }
        }
        length.add(angle)
        if poll.tick() { return nil }
      }
    }
    return length.value > 0 ? moment * (1 / length.value) : nil
  }

  func ofVertices(_ poll: inout CancelPoll) -> Vector {
    var moment = Vector()
    var count = 0.0
    for coordinate in geoms.coordinates(row) where !geoms.isEmptyPoint(coordinate) {
      if poll.tick() { break }
      moment += unitVector(geoms.place(coordinate))
      count += 1
    }
    return moment * (1 / count)
  }

  private func unitVector(_ place: Place) -> Vector { TangentFrame(place).global(east: 0, north: 0, up: 1) }
}

/// The integral of the position over what lies left of a ring: half the sum over its edges of angle x unit normal.
private struct SphericalMoment {
  let geoms: Geoms
  let path: Range<Int>

  /// In the frame of the first vertex the horizontal parts of the normals are differences of neighbours, which cancel
  /// around the ring, plus terms of third order in the ring's size. Only the latter are summed, so that the centroid of a
  /// small figure is as accurate as its coordinates.
  func value(_ poll: inout CancelPoll) -> Vector {
    guard let first = path.first else { return Vector() }
    let frame = TangentFrame(geoms.place(first))
    var (east, north, up) = (CompensatedSum(), CompensatedSum(), CompensatedSum())
    var p = LocalPlace(east: 0, north: 0, drop: 0)
    for coordinate in path.dropFirst() {
      if poll.tick() { break }
      let q = frame.local(geoms.place(coordinate))
      let excess = angleOverSineLessOne(GreatCircle(geoms.place(coordinate &- 1), geoms.place(coordinate)).angle)
      east.add(excess * (p.north - q.north) - (1 + excess) * (p.north * q.drop - q.north * p.drop))
      north.add(excess * (q.east - p.east) - (1 + excess) * (q.east * p.drop - p.east * q.drop))
      up.add((1 + excess) * (p.east * q.north - p.north * q.east))
      p = q
    }
    return frame.global(east: east.value / 2, north: north.value / 2, up: up.value / 2)
  }
}

/// t / sin t - 1, by its series where the difference would cancel; 0 at the antipode, where the edge has no normal.
private func angleOverSineLessOne(_ t: Double) -> Double {
  if t < 0.05 {
    let s = t * t
    return s * (1.0 / 6 + s * (7.0 / 360 + s * (31.0 / 15120 + s * (127.0 / 604_800))))
  }
  let sine = sin(t)
  return sine > 1e-15 ? (t - sine) / sine : 0
}
