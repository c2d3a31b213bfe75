// SPDX-License-Identifier: Apache-2.0

/// The direct problem for a vector of points (Karney 2013, section 2 and eq. 7 to 26): from the azimuth to the geodesic's
/// equator crossing, along it by the reverted distance series, and back to latitude, longitude and azimuth.
struct DirectLanes {
  let latitude: Lanes
  let longitude: Lanes
  /// In (-180, 180].
  let azimuth: Lanes

  @inline(__always)
  init(
    latitude lat1: Lanes, longitude lon1: Lanes, azimuth alpha1: Lanes, distance: Lanes,
    _ geodesics: Geodesics
  ) {
    let start = StartLanes(VertexLanes(latitude: lat1, geodesics), azimuth: alpha1, geodesics)
    let eps = Epsilon(start.cosAlpha0 * start.cosAlpha0, geodesics)
    let tau = ArcLanes(distance, eps, geodesics)
    // tau1 = sigma1 + B(sigma1), tau2 = tau1 + tau12, sigma2 = tau2 + B'(tau2).
    let before = 0.5 * geodesics.sum(SeriesCoefficients.c1, eps.value, start.sigma.doubled)
    let tau2 = start.sigma.turned(by: before).turned(by: tau.direction)
    let after = 0.5 * geodesics.sum(SeriesCoefficients.c1Reverted, eps.value, tau2.doubled)
    var end = tau2.turned(by: after)
    var sigma12 = tau.value + (before + after)
    if geodesics.isVeryFlat {
      let step = DirectLanes.newtonStep(sigma12, end, before: before, distance, eps, geodesics)
      end = end.turned(by: step)
      sigma12 += step
    }

    let east = start.cosAlpha0 * end.cos
    let cosBeta2 = (start.sinAlpha0 * start.sinAlpha0 + east * east).squareRoot()
    latitude = degrees(signedAngle(start.cosAlpha0 * end.sin, geodesics.f1 * cosBeta2))
    let heading = degrees(signedAngle(start.sinAlpha0, east))
    azimuth = pick(heading .<= -180, 180, heading)

    let cosines = start.sigma.cos * end.cos
    let sines = start.sigma.sin * end.sin
    let harmonics = Harmonics(
      cosTwiceMean: cosines - sines, sin: end.sin * start.sigma.cos - end.cos * start.sigma.sin,
      cos: cosines + sines)
    let integral = geodesics.longitudeIntegral(eps.value, sigma12, harmonics)
    // omega12, as the angle between two directions.
    let (sin2, cos2) = (start.sinAlpha0 * end.sin, end.cos)
    let omega = signedAngle(
      sin2 * start.cosOmega - cos2 * start.sinOmega, cos2 * start.cosOmega + sin2 * start.sinOmega)
    let lambda = omega - geodesics.f * (start.sinAlpha0 * integral)
    longitude = wrapped(reduced(longitude: lon1) + degrees(wrapped(radians: lambda)))
  }

  /// The reverted series errs by up to 220 nm at |f| = 1/50; the distance of what it gives, by eq. 15, corrects it.
  @inline(never)
  private static func newtonStep(
    _ sigma12: Lanes, _ end: DirectionLanes, before: Lanes, _ distance: Lanes, _ eps: Epsilon,
    _ geodesics: Geodesics
  ) -> Lanes {
    let after = 0.5 * geodesics.sum(SeriesCoefficients.c1, eps.value, end.doubled)
    let reached = (1 + eps.a1LessOne) * (sigma12 + (after - before))
    // k^2 = 4 eps / (1 - eps)^2 (eq. 16).
    let k2 = 4 * eps.value * (eps.overOneLess * eps.overOneLess)
    return (distance / geodesics.b - reached) / (1 + k2 * end.sin * end.sin).squareRoot()
  }
}

/// A direction as sine and cosine.
struct DirectionLanes {
  let sin: Lanes
  let cos: Lanes

  @inline(__always)
  init(sin: Lanes, cos: Lanes) {
    self.sin = sin
    self.cos = cos
  }

  /// By a small angle.
  @inline(__always)
  func turned(by step: Lanes) -> DirectionLanes {
    let (sine, less) = sineCosineLessOne(step: step)
    return DirectionLanes(
      sin: sin + (sin * less + cos * sine), cos: cos + (cos * less - sin * sine))
  }

  @inline(__always)
  func turned(by other: DirectionLanes) -> DirectionLanes {
    DirectionLanes(sin: sin * other.cos + cos * other.sin, cos: cos * other.cos - sin * other.sin)
  }

  /// sin 2 l x as the terms of a series in one angle.
  var doubled: Harmonics {
    @inline(__always) get {
      Harmonics(
        cosTwiceMean: Lanes(repeating: 1), sin: 2 * sin * cos, cos: (cos - sin) * (cos + sin))
    }
  }
}

/// Where a geodesic begins, seen from its crossing of the equator (Napier's rules, eq. 10 to 12).
private struct StartLanes {
  let sinAlpha0: Lanes
  let cosAlpha0: Lanes
  /// sigma1.
  let sigma: DirectionLanes
  /// The direction of omega1, not of length 1. cos beta1 is divided out, so that it is defined at a pole.
  let sinOmega: Lanes
  let cosOmega: Lanes

  @inline(__always)
  init(_ vertex: VertexLanes, azimuth: Lanes, _ geodesics: Geodesics) {
    let alpha1 = sineCosine(azimuth: azimuth)
    sinAlpha0 = alpha1.sin * vertex.cosBeta
    let cross = alpha1.sin * vertex.sinBeta
    cosAlpha0 = (alpha1.cos * alpha1.cos + cross * cross).squareRoot()
    let north = alpha1.cos * vertex.cosBeta
    let norm = (vertex.sinBeta * vertex.sinBeta + north * north).squareRoot()
    // Along the equator: sigma and omega count from the point itself.
    let isEquatorial = norm .== 0
    let over = 1 / pick(isEquatorial, 1, norm)
    sigma = DirectionLanes(sin: vertex.sinBeta * over, cos: pick(isEquatorial, 1, north * over))
    sinOmega = cross
    cosOmega = pick(isEquatorial, 1, alpha1.cos)
  }
}

/// tau12 = s12 / (b A1) (eq. 19), as an angle and as a direction.
private struct ArcLanes {
  let value: Lanes
  let direction: DirectionLanes

  @inline(__always)
  init(_ distance: Lanes, _ eps: Epsilon, _ geodesics: Geodesics) {
    let share = eps.a1LessOne / (1 + eps.a1LessOne)
    let plain = distance / geodesics.b
    let arc = plain - plain * share
    // Arcs of more than 16,000 turns have lost their metres.
    let isFar = magnitude(arc) .> 1e5
    value = any(isFar) ? ArcLanes.reduced(arc) : arc
    direction = sineCosine(radians: value)
  }

  @inline(never)
  private static func reduced(_ arcs: Lanes) -> Lanes {
    var result = arcs
    for lane in 0..<Lanes.scalarCount where arcs[lane].magnitude > 1e5 {
      result[lane] = arcs[lane].remainder(dividingBy: 2 * Double.pi)
    }
    return result
  }
}

@inline(__always)
private func degrees(_ radians: Lanes) -> Lanes { radians * (180 / Double.pi) }

/// By at most one turn into [-180, 180].
@inline(__always)
private func wrapped(_ degrees: Lanes) -> Lanes {
  pick(degrees .> 180, degrees - 360, pick(degrees .< -180, degrees + 360, degrees))
}

/// Any number of turns less.
@inline(__always)
private func wrapped(radians: Lanes) -> Lanes {
  let turns = nearestInteger(radians * (0.5 / Double.pi))
  return radians - turns * (2 * Double.pi)
}
