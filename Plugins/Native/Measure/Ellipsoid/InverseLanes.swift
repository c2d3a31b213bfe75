// SPDX-License-Identifier: Apache-2.0

/// What is wanted of a pair beyond its distance.
enum InverseDetail {
  case distance
  case azimuths
  case area
}

/// The inverse problem for a vector of pairs.
///
/// Karney (2013) solves for the azimuth alpha1. Away from the antipode it is cheaper to solve for the longitude difference
/// omega12 on the auxiliary sphere, as Bessel (1825) and Vincenty (1975) do: lambda12 = omega12 - f sin alpha0 I3 (eq. 8).
/// One step of Chebyshev's method of third order from omega12 = lambda12 with a first-order model of I3 leaves an error
/// below 1e-7 mostly; the full series are evaluated once there. What is left of the longitude, D, moves the end point along
/// its parallel: the distance changes by exactly a sin alpha0 d lambda (Clairaut), so it is corrected by D and D^2 and
/// needs no further step. Lanes where D is too large are evaluated again, lanes near the antipode are left to
/// `AntipodalSolver`.
struct InverseLanes {
  /// Lanes that are not solved here.
  private(set) var isLeft: LaneMask
  private var at: Evaluation

  @inline(__always)
  init(_ pair: CanonicalPair, _ geodesics: Geodesics, _ detail: InverseDetail) {
    let start = Triangle(pair, sinHalf: pair.sinHalf, cosHalf: pair.cosHalf)
    isLeft = (start.cosSigma .< 0) .& (start.sinSigma .< geodesics.antipodalSine)
    at = Evaluation(pair, step: InverseLanes.firstStep(pair, start, geodesics), geodesics)
    let limit = detail == .distance ? 2e-6 : geodesics.fineLimit
    var open = isOpen(limit)
    var rounds = 0
    while any(open) && rounds < 3 {
      at = at.improved(where: open, pair, geodesics)
      open = isOpen(limit)
      rounds &+= 1
    }
    isLeft = isLeft .| open
  }

  /// Lanes whose residual is too large to be corrected for. Errors of the corrections grow with 1 / sin sigma12, towards
  /// the antipode with its square.
  @inline(__always)
  private func isOpen(_ limit: Double) -> LaneMask {
    let far = pick(at.triangle.cosSigma .< 0, at.triangle.sinSigma, Lanes(repeating: 1))
    return (magnitude(at.residual) .> limit * (at.triangle.sinSigma * far)) .& .!isLeft
  }

  /// g = omega - f F(omega) - lambda = 0, from omega = lambda.
  @inline(__always)
  private static func firstStep(_ pair: CanonicalPair, _ triangle: Triangle, _ geodesics: Geodesics)
    -> Lanes
  {
    let model = LongitudeModel(
      pair, triangle, sigma: roughAngle(triangle.sinSigma, triangle.cosSigma), geodesics)
    let over = 1 / (1 - geodesics.f * model.slope)
    let newton = geodesics.f * model.value * over
    let step = newton + 0.5 * newton * newton * (geodesics.f * model.curvature * over)
    // Beyond this are only lanes near the antipode, and those that are not numbers.
    return pick(magnitude(step) .< 0.07, step, Lanes())
  }

  /// s12 = b A1 (sigma12 + ...), and what the residual of the longitude adds to it.
  @inline(__always)
  func distance(_ geodesics: Geodesics) -> Lanes {
    let bend = 0.5 * at.triangle.slope * at.overSlope * at.residual
    let extra = geodesics.a * (at.residual * (at.triangle.sinAlpha0 + bend))
    return geodesics.distance(at.eps, at.sigma, at.harmonics, extra: extra)
  }

  /// Forward azimuths at the two points as given, in degrees in (-180, 180].
  @inline(__always)
  func azimuths(_ pair: CanonicalPair) -> (at1: Lanes, at2: Lanes) {
    let (sinHalf, cosHalf) = pair.half(extra: at.refinedStep)
    let versine = 2 * sinHalf * sinHalf
    let sinOmega = 2 * sinHalf * cosHalf
    let alpha1 = angle(
      pair.cosBeta2 * sinOmega, pair.sinRise + pair.sinBeta1 * pair.cosBeta2 * versine)
    let alpha2 = angle(
      pair.cosBeta1 * sinOmega, pair.sinRise - pair.cosBeta1 * pair.sinBeta2 * versine)
    return pair.given(alpha1, alpha2)
  }

  /// The strip between the edge and the equator; see `StripLanes`.
  @inline(__always)
  func strip(_ pair: CanonicalPair, _ geodesics: Geodesics) -> StripLanes {
    let triangle = at.triangle
    // The triangle with the residual applied, to first order; cos^2 alpha0 changes by a share.
    let change = at.residual * at.overSlope
    let rise0 = triangle.slope * change
    let sinAlpha0 = triangle.sinAlpha0 + rise0
    let share = -2 * triangle.sinAlpha0 * rise0 * at.overCosSquared
    let arc = triangle.sinAlpha0 * change
    let cosSigma = triangle.cosSigma - triangle.sinSigma * arc
    let sinSigma = triangle.sinSigma + triangle.cosSigma * arc
    // cos alpha0 (cos sigma2 - cos sigma1) = -(sin beta1 + sin beta2) tan(sigma12 / 2).
    let drop = -(pair.sinBeta1 + pair.sinBeta2) * (sinSigma / (1 + cosSigma))
    let mean = cosTwiceMean(
      pair, cosSigma: cosSigma, overCosSquared: at.overCosSquared - at.overCosSquared * share)
    let series = geodesics.areaIntegral(
      at.eps.value + at.eps.value * share, cosTwiceMean: mean, cosSigma: cosSigma,
      sinAlpha0: sinAlpha0, drop: drop)
    guard geodesics.isVeryFlat else {
      return StripLanes(pair, longitudeStep: at.refinedStep, series: series, geodesics)
    }
    let last = geodesics.lastDegree(
      at.eps.value, sigma: at.sigma.value, at.harmonics, cosTwiceMean: mean, cosSigma: cosSigma)
    return StripLanes(
      pair, longitudeStep: at.refinedStep + geodesics.f * (sinAlpha0 * last.longitude),
      series: series + (geodesics.e2 * geodesics.a * geodesics.a) * (sinAlpha0 * drop * last.area), geodesics)
  }
}

/// The longitude equation at omega12 = lambda12 + step, by the full series.
private struct Evaluation {
  let step: Lanes
  let triangle: Triangle
  let sigma: SplitAngle
  let overCosSquared: Lanes
  let eps: Epsilon
  let harmonics: Harmonics
  /// lambda12 less the longitude that this omega12 belongs to.
  let residual: Lanes
  /// d omega12 / d lambda12.
  let overSlope: Lanes

  @inline(__always)
  init(_ pair: CanonicalPair, step: Lanes, _ geodesics: Geodesics) {
    self.step = step
    let (sinHalf, cosHalf) = pair.half(extra: step)
    triangle = Triangle(pair, sinHalf: sinHalf, cosHalf: cosHalf)
    sigma = SplitAngle(triangle.sinSigma, triangle.cosSigma)
    eps = Epsilon(triangle.cosSquaredAlpha0, geodesics)
    overCosSquared = triangle.overCosSquared
    let mean = cosTwiceMean(pair, cosSigma: triangle.cosSigma, overCosSquared: overCosSquared)
    harmonics = Harmonics(cosTwiceMean: mean, sin: triangle.sinSigma, cos: triangle.cosSigma)
    let arc = sigma.value
    let integral = geodesics.longitudeIntegral(eps.value, arc, harmonics)
    residual = geodesics.f * (triangle.sinAlpha0 * integral) - step
    overSlope = 1 / (1 - geodesics.f * LongitudeModel(pair, triangle, sigma: arc, geodesics).slope)
  }

  /// After one more step of Newton's.
  var refinedStep: Lanes { @inline(__always) get { step + residual * overSlope } }

  /// Lanes that were good keep their step, and with it all their bits, whatever their neighbours need.
  @inline(never)
  func improved(where mask: LaneMask, _ pair: CanonicalPair, _ geodesics: Geodesics) -> Evaluation {
    let next = refinedStep
    return Evaluation(pair, step: pick(mask .& (magnitude(next) .< 0.07), next, step), geodesics)
  }
}

extension CanonicalPair {
  /// Half of omega12 = lambda12 + extra, by turning half of lambda12.
  @inline(__always)
  func half(extra: Lanes) -> (sin: Lanes, cos: Lanes) {
    let (sine, less) = sineCosineLessOne(step: 0.5 * extra)
    return (
      sinHalf + (sinHalf * less + cosHalf * sine), cosHalf + (cosHalf * less - sinHalf * sine)
    )
  }

  /// Canonical azimuths in [0, pi] as those of the pair that was given.
  @inline(__always)
  func given(_ alpha1: Lanes, _ alpha2: Lanes) -> (at1: Lanes, at2: Lanes) {
    let (start, end) = (pick(isSwapped, alpha2, alpha1), pick(isSwapped, alpha1, alpha2))
    return (turned(start), turned(end))
  }

  /// North and south change places by flipping, and by going the other way once more.
  @inline(__always)
  private func turned(_ alpha: Lanes) -> Lanes {
    let degrees = alpha * (180 / Double.pi)
    let mirrored = pick(isFlipped .^ isSwapped, 180 - degrees, degrees)
    return negate(mirrored, where: isWestward .& (mirrored .< 180) .& (mirrored .> 0))
  }

  /// A canonical area as that of the pair that was given.
  @inline(__always)
  func signed(area: Lanes) -> Lanes { negate(area, where: isFlipped .^ isWestward) }

  /// The same for a difference of latitudes.
  @inline(__always)
  func signed(rise: Lanes) -> Lanes { negate(rise, where: isFlipped .^ isSwapped) }
}
