// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// CENTROID on the ellipsoid: the mean position in space of the area, of the length where there is no area, of the vertices
/// where there is no length, brought back along the normal. DEGENERATE, without a place, when the mean lies within 1e-9 a of
/// the centre.
func measureGeodesicCentroid(
  _ geodesics: Geodesics, _ geoms: Geoms, _ side: Int32, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  let moments = EdgeMoments(geodesics: geodesics, geoms: geoms)
  let loop = RowLoop(geoms, columns, call, domain: .globe, width: 2, emptyValue: .nan)
  return loop.run { row, poll in
    let centroid = GeodesicCentroid(geodesics: geodesics, geoms: geoms, row: row, side: side, moments: moments)
    let mean = centroid.ofArea(&poll) ?? centroid.ofLength(&poll) ?? centroid.ofVertices(&poll)
    let isDegenerate = !(mean.norm >= 1e-9 * geodesics.a)
    let place = isDegenerate ? Place(x: .nan, y: .nan) : geodesics.place(below: mean)
    columns.set(0, row, place.x)
    columns.set(1, row, place.y)
    return isDegenerate ? MRD_ITEM_DEGENERATE : MRD_ITEM_OK
  }
}

/// Means are summed relative to the first vertex of the row, so that small figures lose nothing.
private struct GeodesicCentroid {
  let geodesics: Geodesics
  let geoms: Geoms
  let row: Int
  let side: Int32
  let moments: EdgeMoments

  private var origin: Vector {
    let vertices = geoms.coordinates(row)
    return geodesics.position(geoms.place(vertices.first { !geoms.isEmptyPoint($0) } ?? vertices.lowerBound))
  }

  func ofArea(_ poll: inout CancelPoll) -> Vector? {
    guard geoms.isPolygonal else { return nil }
    let origin = origin
    var sum = VectorSum()
    var (area, perimeter) = (CompensatedSum(), 0.0)
    geoms.forEachPolygon(row) { rings in
      for index in rings {
        let path = geoms.path(row, index)
        let ring = moments.ring(path, &poll)
        perimeter += ring.length
        // The moment about the centre is that of the ring itself: the whole surface has none.
        let signed = ringArea(ring.area, ofTotal: geodesics.totalArea, side: side)
        let sign = (index == rings.lowerBound) == (signed >= 0) ? 1.0 : -1.0
        sum.add(ring.moment, times: sign)
        sum.add(ring.origin - origin, times: sign * ring.area)
        sum.add(origin, times: sign * (ring.area - signed))
        area.add(sign * signed)
      }
    }
    // Thinner than what a vertex may err by is no area.
    guard area.value.magnitude > 1e-15 * geodesics.a * perimeter else { return nil }
    return origin + sum.value * (1 / area.value)
  }

  func ofLength(_ poll: inout CancelPoll) -> Vector? {
    let origin = origin
    var (sum, length) = (VectorSum(), CompensatedSum())
    for index in 0..<geoms.pathCount(row) {
      let line = moments.line(geoms.path(row, index), from: origin, &poll)
      sum.add(line.moment, times: 1)
      length.add(line.length)
    }
    return length.value > 0 ? origin + sum.value * (1 / length.value) : nil
  }

  func ofVertices(_ poll: inout CancelPoll) -> Vector {
    let origin = origin
    var (sum, count) = (VectorSum(), 0.0)
    for coordinate in geoms.coordinates(row) where !geoms.isEmptyPoint(coordinate) {
      if poll.tick() { break }
      sum.add(geodesics.position(geoms.place(coordinate)) - origin, times: 1)
      count += 1
    }
    return origin + sum.value * (1 / count)
  }
}

/// A sum of vectors in two doubles each.
struct VectorSum {
  private var (x, y, z) = (CompensatedSum(), CompensatedSum(), CompensatedSum())

  mutating func add(_ vector: Vector, times factor: Double) {
    x.add(vector.x * factor)
    y.add(vector.y * factor)
    z.add(vector.z * factor)
  }
  var value: Vector { Vector(x: x.value, y: y.value, z: z.value) }
}

extension Geodesics {
  /// A place as a point in space.
  func position(_ place: Place) -> Vector {
    let vertex = VertexLanes(latitude: Lanes(repeating: place.y), self)
    let longitude = sineCosine(azimuth: Lanes(repeating: place.x))
    let out = a * vertex.cosBeta[0]
    return Vector(x: out * longitude.cos[0], y: out * longitude.sin[0], z: b * vertex.sinBeta[0])
  }

  /// The place whose normal a point in space lies on, the nearest one: the largest root t of (a r / (t + a^2))^2
  /// + (b z / (t + b^2))^2 = 1, by Newton's method from the left, where the function is convex and falls.
  func place(below point: Vector) -> Place {
    let (r, z) = (hypot(point.x, point.y), point.z.magnitude)
    if r == 0 { return Place(x: 0, y: point.z < 0 ? -90 : 90) }
    let longitude = atan2(point.y, point.x) * degreesPerRadian
    if z == 0 { return Place(x: longitude, y: 0) }
    let (a2, b2) = (a * a, b * b)
    // To the right of both poles of the function and where one of its terms is 1 already.
    var t = max(a * r - a2, b * z - b2)
    for _ in 0..<100 {
      let (first, second) = (a * r / (t + a2), b * z / (t + b2))
      let value = first * first + second * second - 1
      let slope = 2 * (first * first / (t + a2) + second * second / (t + b2))
      guard value > 0, slope > 0, slope.isFinite else { break }
      let next = t + value / slope
      if !(next > t) { break }
      t = next
    }
    let latitude = atan2(z * (t + a2), r * (t + b2)) * degreesPerRadian
    return Place(x: longitude, y: point.z < 0 ? -latitude : latitude)
  }
}
