// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

extension Sphere {
  var totalArea: Double { 4 * .pi * radius * radius }

  func areaToEquator(_ a: Place, _ b: Place) -> Double { GreatCircle(a, b).areaToEquator * radius * radius }

  /// For rings within 60 degrees of their first vertex: the sum of the signed triangles that it spans with the edges.
  /// Small figures keep their relative accuracy, since every term is of the figure's own size. nil for wider rings.
  func smallRingArea(_ geoms: Geoms, _ path: Range<Int>, _ poll: inout CancelPoll) -> Double? {
    guard let first = path.first else { return 0 }
    var sum = CompensatedSum()
    let frame = TangentFrame(geoms.place(first))
    var previous = LocalPlace(east: 0, north: 0, drop: 0)
    for coordinate in path.dropFirst() {
      let next = frame.local(geoms.place(coordinate))
      if next.drop > 0.5 { return nil }
      sum.add(triangle(previous, next))
      previous = next
      if poll.tick() { break }
    }
    return sum.value * radius * radius
  }

  /// Signed area of the triangle from the frame's origin to two places (van Oosterom, Strackee 1983):
  /// tan(E / 2) = triple product / (1 + the three cosines).
  private func triangle(_ p: LocalPlace, _ q: LocalPlace) -> Double {
    let tripleProduct = p.east * (q.north - p.north) - p.north * (q.east - p.east)
    let cosines = (1 - p.drop) + (1 - q.drop) + p.dot(q)
    return 2 * atan2(tripleProduct, 1 + cosines)
  }
}

/// A unit vector in the east, north, up frame of another place; up = 1 - drop, so that small distances stay exact.
struct LocalPlace {
  let east: Double
  let north: Double
  let drop: Double

  func dot(_ other: LocalPlace) -> Double {
    east * other.east + north * other.north + (1 - drop) * (1 - other.drop)
  }
}

/// The east, north, up frame at a place.
struct TangentFrame {
  let origin: Place

  init(_ origin: Place) { self.origin = origin }

  func local(_ place: Place) -> LocalPlace {
    let edge = GreatCircle(origin, place)
    let direction = edge.startDirection
    let halfSquared =
      edge.halfRise.sin * edge.halfRise.sin + edge.a.cos * edge.b.cos * (edge.halfTurn.sin * edge.halfTurn.sin)
    return LocalPlace(east: direction.east, north: direction.north, drop: 2 * halfSquared)
  }

  /// A vector of this frame (east, north, up) in the frame of the globe: x to (0, 0), y to (90, 0), z to the north pole.
  func global(east: Double, north: Double, up: Double) -> Vector {
    let (longitude, latitude) = (
      sineCosine(degrees: origin.x.remainder(dividingBy: 360)), sineCosine(degrees: origin.y)
    )
    let outward = up * latitude.cos - north * latitude.sin
    return Vector(
      x: outward * longitude.cos - east * longitude.sin, y: outward * longitude.sin + east * longitude.cos,
      z: up * latitude.sin + north * latitude.cos)
  }
}

struct Vector {
  var x = 0.0
  var y = 0.0
  var z = 0.0

  var length: Double { hypot(hypot(x, y), z) }

  static func += (a: inout Vector, b: Vector) { a = Vector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  static func * (a: Vector, factor: Double) -> Vector { Vector(x: a.x * factor, y: a.y * factor, z: a.z * factor) }

  /// Longitude and latitude of the direction.
  var place: Place {
    Place(x: atan2(y, x) * degreesPerRadian, y: atan2(z, hypot(x, y)) * degreesPerRadian)
  }
}
