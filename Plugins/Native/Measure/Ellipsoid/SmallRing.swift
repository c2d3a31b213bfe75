// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// The signed area of a ring that stays within 1 km of its first vertex, to 1e-11 of itself however small it is.
///
/// The general method has parts of the order of e^2 times a strip down to the equator, so it errs by 1e-7 square metres. Here
/// the whole strip goes down to the parallel of the first vertex: with q(phi) the area per radian of longitude between that parallel
/// and phi, the area is minus the integral of q d lambda around the ring. In the plane of lambda and q an edge is not
/// straight; from the geodesic's equations lambda'' = 2 M sin phi / r phi' lambda' and q'' = -sin phi (M^2 phi'^2 + r^2
/// lambda'^2), M and r the radii of the meridian and of the parallel, the integral over an edge is
///
///     d lambda ((q1 + q2) / 2 + sin phi (r^2 d lambda^2 + 3 M^2 d phi^2) / 12)
///
/// with the values of the middle. What is left out is smaller by the square of the edge in radians.
struct SmallRing {
  private let geodesics: Geodesics
  private let first: Place
  private let sine: Double
  private let cosine: Double
  // Taylor's coefficients of q / b^2 in sin phi - sin phi0: dq = b^2 d sin phi / (1 - e^2 sin^2 phi)^2.
  private let c1: Double
  private let c2: Double
  private let c3: Double
  private let c4: Double

  /// Largest distance from the first vertex in either coordinate, in degrees: 1/6000 of a radian.
  private static let reach = 0.00955
  private static let radians = Double.pi / 180

  init(_ geodesics: Geodesics, first: Place) {
    self.geodesics = geodesics
    self.first = first
    let latitude = sineCosine(degrees: first.y)
    (sine, cosine) = (latitude.sin, latitude.cos)
    let (e2, s) = (geodesics.e2, latitude.sin)
    let over = 1 / (1 - e2 * s * s)
    let square = over * over
    c1 = square
    c2 = 2 * e2 * s * square * over
    c3 = (4 * e2 * square * over + 24 * e2 * e2 * s * s * square * square) / 6
    c4 =
      (72 * e2 * e2 * s * square * square + 192 * e2 * e2 * e2 * s * s * s * square * square * over)
      / 24
  }

  /// nil when a vertex lies too far off, or the ring too near a pole.
  func area(_ geoms: Geoms, _ path: Range<Int>, _ poll: inout CancelPoll) -> Double? {
    guard first.y.magnitude <= 85 else { return nil }
    var sum = CompensatedSum()
    var previous = Vertex(lambda: 0, phi: 0, rise: 0, q: 0)
    for coordinate in path.dropFirst() {
      guard let next = vertex(geoms.place(coordinate)) else { return nil }
      sum.add(strip(previous, next))
      previous = next
      if poll.tick() { return 0 }
    }
    return -sum.value * (geodesics.b * geodesics.b)
  }

  /// A vertex from the first one: radians, difference of sines, q / b^2.
  private struct Vertex {
    let lambda: Double
    let phi: Double
    let rise: Double
    let q: Double
  }

  @inline(__always)
  private func vertex(_ place: Place) -> Vertex? {
    let way = longitudeDifference(first.x, place.x)
    let up = place.y - first.y
    guard way.magnitude <= SmallRing.reach, up.magnitude <= SmallRing.reach else { return nil }
    let phi = up * SmallRing.radians
    let square = phi * phi
    // sin(phi0 + phi) - sin phi0.
    let sineOfStep = phi - phi * square * (1.0 / 6 - square / 120)
    let lost = square * (0.5 - square * (1.0 / 24 - square / 720))
    let rise = cosine * sineOfStep - sine * lost
    return Vertex(
      lambda: way * SmallRing.radians, phi: phi, rise: rise,
      q: rise * (c1 + rise * (c2 + rise * (c3 + rise * c4))))
  }

  /// The integral of q d lambda over an edge, over b^2.
  @inline(__always)
  private func strip(_ a: Vertex, _ b: Vertex) -> Double {
    let (east, north) = (b.lambda - a.lambda, b.phi - a.phi)
    let middle = sine + 0.5 * (a.rise + b.rise)
    let square = middle * middle
    let over = 1 / (1 - geodesics.e2 * square)
    // r^2 / b^2 and M^2 / b^2; b = a (1 - f).
    let parallel = (1 - square) * over * SmallRing.square(1 / geodesics.f1)
    let meridian = over * over * over * SmallRing.square(geodesics.f1)
    let bend = middle * (parallel * east * east + 3 * meridian * north * north) / 12
    return east * (0.5 * (a.q + b.q) + bend)
  }

  @inline(__always)
  private static func square(_ x: Double) -> Double { x * x }
}
