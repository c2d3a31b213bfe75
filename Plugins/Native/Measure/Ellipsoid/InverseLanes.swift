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
  let geodesics: Geodesics
  let pair: CanonicalPair
  /// Lanes that are not solved here.
  private(set) var isLeft: LaneMask
  /// omega12 - lambda12.
  private var step: Lanes
  private(set) var triangle: Triangle
  private var sigma: SplitAngle
  private var residual = Lanes()
  private var eps: Epsilon
  private var harmonics: Harmonics
  private var overSlope = Lanes()

  @inline(__always)
  init(_ pair: CanonicalPair, _ geodesics: Geodesics, _ detail: InverseDetail) {
    self.geodesics = geodesics
    self.pair = pair
    triangle = Triangle(pair, sinHalf: pair.sinHalf, cosHalf: pair.cosHalf)
    isLeft = (triangle.cosSigma .< 0) .& (triangle.sinSigma .< geodesics.antipodalSine)
    step = InverseLanes.firstStep(pair, triangle, geodesics)
    (eps, harmonics) = InverseLanes.series(pair, triangle, geodesics)
    sigma = SplitAngle(triangle.sinSigma, triangle.cosSigma)
    evaluate()
    let limit = detail == .distance ? 2e-6 : geodesics.fineLimit
    var open = isOpen(limit)
    var rounds = 0
    while any(open) && rounds < 3 {
      improve(where: open)
      open = isOpen(limit)
      rounds &+= 1
    }
    isLeft = isLeft .| open
  }

  /// Lanes whose residual is too large to be corrected for. Errors of the corrections grow with 1 / sin sigma12, towards
  /// the antipode with its square.
  @inline(__always)
  private func isOpen(_ limit: Double) -> LaneMask {
    let far = pick(triangle.cosSigma .< 0, triangle.sinSigma, Lanes(repeating: 1))
    return (magnitude(residual) .> limit * (triangle.sinSigma * far)) .& .!isLeft
  }

  /// g = omega - f F(omega) - lambda = 0, from omega = lambda.
  @inline(__always)
  private static func firstStep(_ pair: CanonicalPair, _ triangle: Triangle, _ geodesics: Geodesics) -> Lanes {
    let model = LongitudeModel(
      pair, triangle, sigma: roughAngle(triangle.sinSigma, triangle.cosSigma), geodesics)
    let over = 1 / (1 - geodesics.f * model.slope)
    let newton = geodesics.f * model.value * over
    let step = newton + 0.5 * newton * newton * (geodesics.f * model.curvature * over)
    // Beyond this are only lanes near the antipode, and those that are not numbers.
    return pick(magnitude(step) .< 0.07, step, Lanes())
  }

  @inline(__always)
  private static func series(
    _ pair: CanonicalPair, _ triangle: Triangle, _ geodesics: Geodesics
  ) -> (Epsilon, Harmonics) {
    (
      Epsilon(triangle.cosSquaredAlpha0, geodesics),
      Harmonics(cosTwiceMean: triangle.cosTwiceMean(pair), sin: triangle.sinSigma, cos: triangle.cosSigma)
    )
  }

  /// Half of omega12 = lambda12 + extra, by turning half of lambda12.
  @inline(__always)
  private func half(_ extra: Lanes) -> (sin: Lanes, cos: Lanes) {
    let (sine, less) = sineCosineLessOne(step: 0.5 * extra)
    return (
      pair.sinHalf + (pair.sinHalf * less + pair.cosHalf * sine),
      pair.cosHalf + (pair.cosHalf * less - pair.sinHalf * sine)
    )
  }

  @inline(__always)
  private mutating func evaluate() {
    let (sinHalf, cosHalf) = half(step)
    triangle = Triangle(pair, sinHalf: sinHalf, cosHalf: cosHalf)
    sigma = SplitAngle(triangle.sinSigma, triangle.cosSigma)
    (eps, harmonics) = InverseLanes.series(pair, triangle, geodesics)
    let arc = sigma.value
    let integral = geodesics.longitudeIntegral(eps.value, arc, harmonics)
    residual = geodesics.f * (triangle.sinAlpha0 * integral) - step
    let model = LongitudeModel(pair, triangle, sigma: arc, geodesics)
    overSlope = 1 / (1 - geodesics.f * model.slope)
  }

  @inline(never)
  private mutating func improve(where mask: LaneMask) {
    let next = step + residual * overSlope
    step = pick(mask .& (magnitude(next) .< 0.07), next, step)
    // Lanes that were good keep their step, and with it all their bits, whatever their neighbours need.
    evaluate()
  }

  /// s12 = b A1 (sigma12 + ...), and what the residual of the longitude adds to it.
  var distance: Lanes {
    @inline(__always) get {
      let bend = 0.5 * triangle.slope * overSlope * residual
      let extra = geodesics.a * (residual * (triangle.sinAlpha0 + bend))
      return geodesics.distance(eps, sigma, harmonics, extra: extra)
    }
  }

  /// The triangle with the residual applied, as far as directions and areas need it.
  private var refinedStep: Lanes {
    @inline(__always) get { step + residual * overSlope }
  }

  /// Forward azimuths at the two points as given, in degrees in (-180, 180].
  @inline(__always)
  func azimuths() -> (at1: Lanes, at2: Lanes) {
    let (sinHalf, cosHalf) = half(refinedStep)
    let final = Triangle(pair, sinHalf: sinHalf, cosHalf: cosHalf)
    let east2 = 2 * pair.cosBeta1 * (sinHalf * cosHalf)
    let north2 = pair.sinRise - pair.cosBeta1 * pair.sinBeta2 * final.versine
    return given(
      angle(final.east1, final.north1), angle(east2, north2))
  }

  /// Canonical azimuths in [0, pi] as those of the pair that was given.
  @inline(__always)
  func given(_ alpha1: Lanes, _ alpha2: Lanes) -> (at1: Lanes, at2: Lanes) {
    let (start, end) = (pick(pair.isSwapped, alpha2, alpha1), pick(pair.isSwapped, alpha1, alpha2))
    return (turned(start), turned(end))
  }

  /// North and south change places by flipping, and by going the other way once more.
  @inline(__always)
  private func turned(_ alpha: Lanes) -> Lanes {
    let degrees = alpha * (180 / Double.pi)
    let mirrored = pick(pair.isFlipped .^ pair.isSwapped, 180 - degrees, degrees)
    return negate(mirrored, where: pair.isWestward .& (mirrored .< 180) .& (mirrored .> 0))
  }

  /// S12 of eq. 59: the area between the edge and the equator, positive for an eastward edge north of it.
  var area: Lanes {
    @inline(__always) get {
      let change = residual * overSlope
      let (sinHalf, cosHalf) = half(refinedStep)
      // alpha2 - alpha1 (eq. 65), all terms of one sign.
      let (rise1, rise2) = (1 + pair.cosBeta1, 1 + pair.cosBeta2)
      let turn =
        2
        * angle(
          -sinHalf * (pair.sinBeta1 * rise2 + pair.sinBeta2 * rise1),
          cosHalf * (pair.sinBeta1 * pair.sinBeta2 + rise1 * rise2))
      let sinAlpha0 = triangle.sinAlpha0 + triangle.slope * change
      let arc = triangle.sinAlpha0 * change
      let cosSigma = triangle.cosSigma - triangle.sinSigma * arc
      let sinSigma = triangle.sinSigma + triangle.cosSigma * arc
      // cos alpha0 (cos sigma2 - cos sigma1) = -(sin beta1 + sin beta2) tan(sigma12 / 2).
      let drop = -(pair.sinBeta1 + pair.sinBeta2) * (sinSigma / (1 + cosSigma))
      let series = geodesics.areaIntegral(
        eps.value, cosTwiceMean: triangle.cosTwiceMean(pair), cosSigma: cosSigma, sinAlpha0: sinAlpha0, drop: drop)
      return signed(series - geodesics.c2 * turn)
    }
  }

  /// A canonical S12 as that of the pair that was given.
  @inline(__always)
  func signed(_ area: Lanes) -> Lanes { negate(area, where: pair.isFlipped .^ pair.isWestward) }
}
