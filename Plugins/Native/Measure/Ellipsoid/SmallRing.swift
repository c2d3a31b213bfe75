// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// The signed area of a ring that stays near its first vertex, to 1e-11 of itself however small it is and wherever it lies.
///
/// The general method has parts of the order of e^2 times a strip down to the parallel of the first vertex: it errs by 1e-7
/// square metres, and by 1e-4 where a ring has the pole beside it or inside. Here the ring is laid square onto the plane that
/// touches the ellipsoid at its first vertex. With x east and y north, and the curvatures k1 across and k2 along the
/// meridian, the surface lies (k1 x^2 + k2 y^2) / 2 below that plane, so that
///
///     area = integral over the image of 1 + (k1^2 x^2 + k2^2 y^2) / 2
///
/// and a geodesic leaves the chord of its image with the acceleration -(k1 x, k2 y) (k1 x'^2 + k2 y'^2), towards the first
/// vertex. What is left out is of third order in the ring's size over the radius, with the factor e^2 cos(latitude), and of
/// fourth order. Only the offsets x and y need all their digits.
struct SmallRing {
  private let plane: TouchingPlane
  /// Square of the largest distance from the first vertex, in metres.
  private let reachSquared: Double

  init(_ geodesics: Geodesics, first: Place) {
    plane = TouchingPlane(geodesics, first)
    // Beside a pole the general method needs the larger one, and what is left out of third order is small there.
    let reach = geodesics.a * (first.y.magnitude > 85 ? 1.0 / 1000 : 1.0 / 6000)
    reachSquared = reach * reach
  }

  /// nil when a vertex lies too far off.
  func area(_ geoms: Geoms, _ path: Range<Int>, _ poll: inout CancelPoll) -> Double? {
    var sum = CompensatedSum()
    var previous = (x: 0.0, y: 0.0)
    for coordinate in path.dropFirst() {
      guard let next = plane.offset(geoms.place(coordinate)),
        next.x * next.x + next.y * next.y <= reachSquared
      else { return nil }
      sum.add(sector(previous, next))
      previous = next
      if poll.tick() { return 0 }
    }
    return sum.value
  }

  /// The area between an edge and the first vertex.
  @inline(__always)
  private func sector(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double)) -> Double {
    let (k1, k2) = (plane.k1, plane.k2)
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let (squareX, squareY) = (a.x * a.x + a.x * b.x + b.x * b.x, a.y * a.y + a.y * b.y + b.y * b.y)
    let slope = (k1 * k1 * squareX + k2 * k2 * squareY) / 24
    // A twelfth of the acceleration at the middle, across the chord.
    let bulge = (k1 * dx * dx + k2 * dy * dy) * (k1 * (a.x + b.x) * dy - k2 * (a.y + b.y) * dx) / 24
    let cross = a.x * dy - a.y * dx
    return cross * (0.5 + slope) + bulge
  }
}

/// The plane that touches the ellipsoid at a place, and where other places lie on it, seen square from above. The offsets keep
/// their relative accuracy: they come from the differences of the coordinates.
private struct TouchingPlane {
  let k1: Double
  let k2: Double
  private let origin: Place
  private let sine: Double
  private let cosine: Double
  /// Radius of the parallel; radius of the meridian and its derivatives by the latitude.
  private let parallel: Double
  private let meridian: Double
  private let slope: Double
  private let bend: Double

  /// Largest difference of latitude in degrees, more than any reach: the series of the meridian err by 1e-12 there.
  private static let largestRise = 0.06

  init(_ geodesics: Geodesics, _ place: Place) {
    origin = place
    let (s, c) = sineCosine(degrees: place.y)
    (sine, cosine) = (s, c)
    let over = 1 / (1 - geodesics.e2 * s * s)
    let across = geodesics.a * over.squareRoot()
    parallel = across * c
    meridian = across * (1 - geodesics.e2) * over
    slope = 3 * geodesics.e2 * s * c * over * meridian
    bend = 3 * geodesics.e2 * over * meridian * (c * c - s * s + 5 * geodesics.e2 * s * s * c * c * over)
    (k1, k2) = (1 / across, 1 / meridian)
  }

  /// East and north of the origin in metres; nil for latitudes that lie too far off.
  @inline(__always)
  func offset(_ place: Place) -> (x: Double, y: Double)? {
    let rise = place.y - origin.y
    guard rise.magnitude <= TouchingPlane.largestRise else { return nil }
    let (north, drop) = alongMeridian(rise * radiansPerDegree)
    let turn = Turn(longitudeDifference(origin.x, place.x))
    let radius = parallel - (sine * north + cosine * drop)
    return (radius * turn.sine, north + sine * (radius * turn.versine))
  }

  /// North and below of the origin after `t` radians along its meridian: integrals of M cos and M sin.
  @inline(__always)
  private func alongMeridian(_ t: Double) -> (north: Double, drop: Double) {
    let z = t * t
    let north = t * (meridian * (1 - z * (1.0 / 6 - z / 120)) + t * (slope * (0.5 - z / 8) + t * (bend / 6)))
    let drop = z * (meridian * (0.5 - z / 24) + t * (slope / 3))
    return (north, drop)
  }
}

/// Sine of a difference of longitudes, and 1 less its cosine.
private struct Turn {
  let sine: Double
  let versine: Double

  @inline(__always)
  init(_ degrees: Double) {
    if degrees.magnitude <= 0.5 {
      let x = degrees * radiansPerDegree
      let z = x * x
      sine = x - x * (z * (1.0 / 6 - z * (1.0 / 120 - z / 5040)))
      versine = z * (0.5 - z * (1.0 / 24 - z * (1.0 / 720 - z / 40320)))
    } else {
      let half = sineCosine(degrees: 0.5 * degrees)
      sine = 2 * half.sin * half.cos
      versine = 2 * half.sin * half.sin
    }
  }
}
