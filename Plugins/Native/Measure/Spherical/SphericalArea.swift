// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

extension Sphere {
  /// Twice the cap of a parallel that is the equator, to the last bit.
  var totalArea: Double { 4 * .pi * (radius * radius) }

  func areaToEquator(_ a: Place, _ b: Place) -> Double { GreatCircle(a, b).areaToEquator * radius * radius }

  /// From the strips of its edges, and for each turn around the globe what lies between the parallel of the first vertex
  /// and its nearer pole.
  func area(of ring: RingEdges) -> Double {
    ring.area(cap: ring.turns == 0 ? 0 : cap(latitude: ring.first.y)) * (radius * radius)
  }

  private func cap(latitude: Double) -> Double {
    let (sine, cosine) = sineCosine(latitude: Lanes(repeating: latitude))
    return polarCap(sine: sine[0], cosine: cosine[0], squaredRadius: 1)
  }

  /// The same for one ring apart from its array; never nil.
  func smallRingArea(_ geoms: Geoms, _ path: Range<Int>, _ poll: inout CancelPoll) -> Double? {
    guard let first = path.first.map(geoms.place) else { return 0 }
    var ring = RingEdges(path: path, first: first)
    var start = path.lowerBound
    while start < path.upperBound &- 1 && !poll.tick(Lanes.scalarCount) {
      let count = min(Lanes.scalarCount, path.upperBound &- 1 &- start)
      let (from, to) = (geoms.lanes(start, count), geoms.lanes(start &+ 1, count))
      let turn = TurnLanes(from: from.x, to: to.x)
      let (strip, turns) = (SphericalStrip(from.y, to.y, turn), turn.value)
      for lane in 0..<count { ring.add(rise: strip.rise[lane], rest: strip.rest[lane], turn: turns[lane]) }
      start &+= count
    }
    return area(of: ring)
  }
}

/// A unit vector in the east, north, up frame of another place; up = 1 - drop, so that small distances stay exact.
struct LocalPlace {
  let east: Double
  let north: Double
  let drop: Double
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
