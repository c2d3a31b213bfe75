// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// A sphere: edges are the shorter great circles, longitude and latitude in degrees, lengths in the radius's unit.
struct Sphere: GlobeSurface {
  struct Line {
    let start: Place
    let azimuth: Double
    let length: Double
  }

  let radius: Double

  /// nil unless the radius is positive and finite.
  init?(radius: Double) {
    guard radius > 0, radius.isFinite else { return nil }
    self.radius = radius
  }

  private init(unchecked radius: Double) { self.radius = radius }
  /// Lengths in radians, areas in steradians.
  static var unit: Sphere { Sphere(unchecked: 1) }

  func distance(_ a: Place, _ b: Place) -> Double { GreatCircle(a, b).angle * radius }

  func inverse(_ a: Place, _ b: Place) -> (distance: Double, azimuth1: Double, azimuth2: Double) {
    let edge = GreatCircle(a, b)
    guard edge.angle > 0 else { return (0, 0, 0) }
    let (start, end) = (edge.startDirection, edge.endDirection)
    return (
      edge.angle * radius, azimuth(east: start.east, north: start.north), azimuth(east: end.east, north: end.north)
    )
  }

  func direct(_ a: Place, azimuth direction: Double, distance: Double) -> (place: Place, azimuth: Double) {
    let way = sineCosine(degrees: distance / radius * degreesPerRadian)
    let heading = sineCosine(degrees: direction)
    let latitude = sineCosine(degrees: a.y)
    // The end point in the frame of the start's meridian: x towards (lon, 0), y east, z north.
    let x = way.cos * latitude.cos - way.sin * heading.cos * latitude.sin
    let y = way.sin * heading.sin
    let z = way.cos * latitude.sin + way.sin * heading.cos * latitude.cos
    let turn = atan2(y, x) * degreesPerRadian
    // Reduced first: a sum with many turns in it would round away the place.
    let end = Place(
      x: normalizedLongitude(normalizedLongitude(a.x) + turn), y: atan2(z, hypot(x, y)) * degreesPerRadian)
    return (
      end,
      azimuth(
        east: heading.sin * latitude.cos,
        north: way.cos * heading.cos * latitude.cos - way.sin * latitude.sin)
    )
  }

  func line(_ a: Place, _ b: Place) -> Line {
    let (distance, azimuth, _) = inverse(a, b)
    return Line(start: a, azimuth: azimuth, length: distance)
  }
  func length(_ line: Line) -> Double { line.length }
  func place(on line: Line, at distance: Double) -> (place: Place, azimuth: Double) {
    direct(line.start, azimuth: line.azimuth, distance: distance)
  }
}

/// The shorter great circle between two places, by half angles: no formula here subtracts numbers that are nearly equal,
/// so results keep their relative accuracy from a nanometre to the antipode.
struct GreatCircle {
  let a: (sin: Double, cos: Double)
  let b: (sin: Double, cos: Double)
  /// Sine and cosine of half the longitude difference, of half the latitude difference, of half the latitude sum.
  let halfTurn: (sin: Double, cos: Double)
  let halfRise: (sin: Double, cos: Double)
  let halfSum: (sin: Double, cos: Double)

  init(_ start: Place, _ end: Place) {
    a = sineCosine(degrees: start.y)
    b = sineCosine(degrees: end.y)
    halfTurn = sineCosine(degrees: longitudeDifference(start.x, end.x) / 2)
    halfRise = sineCosine(degrees: (end.y - start.y) / 2)
    halfSum = sineCosine(degrees: (start.y + end.y) / 2)
  }

  /// Central angle in radians. Both squares are sums of positive terms: sin^2 and cos^2 of half the angle.
  var angle: Double {
    let cosines = a.cos * b.cos
    let sinSquared = halfRise.sin * halfRise.sin + cosines * (halfTurn.sin * halfTurn.sin)
    let cosSquared = halfSum.sin * halfSum.sin + cosines * (halfTurn.cos * halfTurn.cos)
    return 2 * atan2(sinSquared.squareRoot(), cosSquared.squareRoot())
  }

  /// Sine of the whole longitude difference.
  private var turnSine: Double { 2 * halfTurn.sin * halfTurn.cos }
  private var riseSine: Double { 2 * halfRise.sin * halfRise.cos }

  /// East and north components, at the start, of the unit vector to the end.
  var startDirection: (east: Double, north: Double) {
    (b.cos * turnSine, riseSine + 2 * a.sin * b.cos * (halfTurn.sin * halfTurn.sin))
  }
  /// The same at the end, looking onward.
  var endDirection: (east: Double, north: Double) {
    (a.cos * turnSine, riseSine - 2 * b.sin * a.cos * (halfTurn.sin * halfTurn.sin))
  }

  /// Signed area in steradians between the edge and the equator: positive for an eastward edge north of it. In
  /// [-pi, pi]; an edge over a pole has the half lune's area.
  var areaToEquator: Double {
    // Opposite points of the equator: the edge leads over the north pole, as its azimuth of 0 says.
    if halfTurn.cos == 0 && halfSum.sin == 0 && halfRise.cos != 0 { return .pi }
    return 2 * atan2(halfTurn.sin * halfSum.sin, halfTurn.cos * halfRise.cos)
  }
}
