// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Where tolerances are held against distances.
///
/// Nothing here is fused and no function of the C library is called, so the numbers are the same on every machine.
enum TolerancePlane {
  /// The plane of the coordinates themselves.
  case coordinates
  /// The plane that touches the ellipsoid at each vertex: degrees there are M and N cos(latitude) long, M and N being the
  /// ellipsoid's radii of curvature.
  case metres(semiMajor: Double, flattening: Double)
  /// The Web Mercator plane in pixels, so many around the equator. Latitudes beyond the square's edge lie on it.
  case pixels(around: Double)

  /// Degrees of latitude where the square of Web Mercator ends.
  private static let edge = 85.05112877980659

  /// True when lengths differ from vertex to vertex.
  var isScaled: Bool { if case .metres = self { true } else { false } }

  var isOnGlobe: Bool { if case .coordinates = self { false } else { true } }

  var domain: CoordinateDomain { if case .coordinates = self { .plane } else { .globe } }

  /// What can be said of a row before it is simplified.
  func inspect(_ geoms: Geoms, _ row: Int, _ poll: inout CancelPoll) -> mrd_item_status {
    let status = geoms.inspect(row, domain, &poll)
    // Degrees are numbers of the plane as well.
    return status == MRD_ITEM_OK && isOnGlobe ? geoms.inspect(row, .plane, &poll) : status
  }

  typealias Scales = (wide: UnsafeMutablePointer<Double>, high: UnsafeMutablePointer<Double>)

  /// Brings vertices into the plane, or finds their scales.
  func enter(
    _ x: UnsafeMutablePointer<Double>, _ y: UnsafeMutablePointer<Double>, _ range: Range<Int>, _ scales: Scales?
  ) {
    switch self {
    case .coordinates: return
    case .metres(let semiMajor, let flattening):
      guard let scales else { return }
      forEachLanes(y, range) { index, count, latitude in
        let scale = TolerancePlane.metresPerDegree(latitude, semiMajor, flattening)
        scale.wide.store(scales.wide, index, count)
        scale.high.store(scales.high, index, count)
      }
    case .pixels(let around):
      forEachLanes(x, range) { index, count, longitude in (longitude * (around / 360)).store(x, index, count) }
      forEachLanes(y, range) { index, count, latitude in
        (TolerancePlane.mercator(latitude) * (around / (2 * Double.pi))).store(y, index, count)
      }
    }
  }

  private func forEachLanes(
    _ values: UnsafeMutablePointer<Double>, _ range: Range<Int>, _ body: (Int, Int, Lanes) -> Void
  ) {
    var index = range.lowerBound
    while index < range.upperBound {
      let count = min(Lanes.scalarCount, range.upperBound &- index)
      body(index, count, Lanes(values, 8, index, count))
      index &+= count
    }
  }

  /// N cos(latitude) and M, for a degree.
  @inline(__always)
  static func metresPerDegree(_ latitude: Lanes, _ semiMajor: Double, _ flattening: Double) -> (
    wide: Lanes, high: Lanes
  ) {
    let (sine, cosine) = sineCosine(latitude: latitude)
    let eccentricity2 = flattening * (2 - flattening)
    let rest = 1 - eccentricity2 * (sine * sine)
    let prime = (semiMajor * radiansPerDegree) / rest.squareRoot()
    return (prime * cosine, prime * ((1 - eccentricity2) / rest))
  }

  /// The ordinate of a latitude on a globe of radius 1, asinh(tan(latitude)) = ln((1 + t) / (1 - t)), t being the tangent of
  /// half the latitude; odd in the latitude.
  @inline(__always)
  static func mercator(_ latitude: Lanes) -> Lanes {
    let size = lesser(magnitude(latitude), Lanes(repeating: edge))
    let (sine, cosine) = sineCosine(latitude: size)
    let tangent = sine / (1 + cosine)
    // The ratio lies in [1, 24): five halvings bring it below the square root of two.
    var ratio = (1 + tangent) / (1 - tangent)
    var halvings = Lanes()
    for _ in 0..<5 {
      let isLarge = ratio .> 1.4142135623730951
      ratio = pick(isLarge, 0.5 * ratio, ratio)
      halvings = pick(isLarge, halvings + 1, halvings)
    }
    // ln r = 2 atanh((r - 1) / (r + 1)); the argument is below 0.172.
    let s = (ratio - 1) / (ratio + 1)
    let z = s * s
    var series = Lanes(repeating: 1.0 / 23)
    var divisor = 21.0
    while divisor > 1 {
      series = series * z + 1 / divisor
      divisor -= 2
    }
    let logarithm = 2 * (s + s * (z * series)) + halvings * 0.6931471805599453
    return flip(logarithm, bySignOf: latitude)
  }
}
