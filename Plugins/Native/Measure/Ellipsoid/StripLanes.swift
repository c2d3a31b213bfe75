// SPDX-License-Identifier: Apache-2.0

/// S12 (Karney 2013, eq. 59), the area between an edge and the equator, positive for an eastward edge north of it:
///
///     S12 = c^2 lambda12 (sin beta1 + sin beta2) / 2 + rest
///
/// The first term, as large as c^2 lambda12, is not computed here: around a ring it becomes a sum of differences of
/// latitude, so that a figure's area is a sum of terms of the figure's own size. Of the rest, the sphere's part is of
/// third order in the length of the edge, and the ellipsoid's has the factor e^2; neither comes from a difference of
/// large numbers.
struct StripLanes {
  /// c^2 (sin beta2 - sin beta1).
  private(set) var rise: Lanes
  private(set) var rest: Lanes

  /// `longitudeStep`: omega12 - lambda12. `series`: the ellipsoid's part of S12.
  @inline(__always)
  init(_ pair: CanonicalPair, longitudeStep: Lanes, series: Lanes, _ geodesics: Geodesics) {
    let triangle = PolarTriangle(pair, longitudeStep)
    var excess = triangle.excess
    let isWide = triangle.isWide
    if any(isWide) { excess = pick(isWide, triangle.wideExcess, excess) }
    rest = pair.signed(area: geodesics.c2 * (excess + triangle.meanSine * longitudeStep) + series)
    rise = pair.signed(rise: geodesics.c2 * triangle.rise)
  }

  /// Puts in what `AntipodalSolver` found.
  mutating func replace(
    _ lane: Int, _ solution: AntipodalSolver.Solution, _ pair: CanonicalPair, _ geodesics: Geodesics
  ) {
    let (south, north) = (pair.sinBeta1[lane], pair.sinBeta2[lane])
    let strip = 0.5 * (south + north) * solution.longitude
    let area = solution.areaIntegral + geodesics.c2 * (solution.turn - strip)
    rest[lane] = pair.signed(area: Lanes(repeating: area))[lane]
    rise[lane] = pair.signed(rise: Lanes(repeating: geodesics.c2 * (north - south)))[lane]
  }
}

/// The triangle that an edge spans with a pole of the auxiliary sphere. With p half the sum and m half the difference of the
/// latitudes, S = sin p / cos m and t = tan(omega12 / 2), the area E between the great circle and the equator is given by
/// tan(E / 2) = S t, and the mean of the sines is S cos^2 m. What is wanted is E - omega12 S cos^2 m.
private struct PolarTriangle {
  let pair: CanonicalPair
  let sinHalf: Lanes
  let cosHalf: Lanes
  /// Numerator and denominator of S, by half angles: 4 cos(beta1 / 2) cos(beta2 / 2) times sin p and cos m.
  let numerator: Lanes
  let denominator: Lanes
  let slope: Lanes
  /// 1 / (2 cos^2 m).
  let over: Lanes

  @inline(__always)
  init(_ pair: CanonicalPair, _ longitudeStep: Lanes) {
    self.pair = pair
    (sinHalf, cosHalf) = pair.half(extra: longitudeStep)
    let (rise1, rise2) = (1 + pair.cosBeta1, 1 + pair.cosBeta2)
    let product = rise1 * rise2
    numerator = pair.sinBeta1 * rise2 + pair.sinBeta2 * rise1
    denominator = pair.sinBeta1 * pair.sinBeta2 + product
    let inverse = 1 / denominator
    slope = numerator * inverse
    over = 2 * product * (inverse * inverse)
  }

  /// sin beta2 - sin beta1.
  var rise: Lanes {
    @inline(__always) get { pair.sinRise * ((pair.cosBeta1 + pair.cosBeta2) * over) }
  }

  var meanSine: Lanes { @inline(__always) get { 0.5 * (pair.sinBeta1 + pair.sinBeta2) } }

  /// Longitude differences above pi / 8: up to there the difference of the two polynomials of `excess` loses nothing that
  /// counts, even beside a pole.
  var isWide: LaneMask { @inline(__always) get { sinHalf .> 0.1989123673796580 * cosHalf } }

  /// With atan x = x + x^3 P(x^2), half of it is S t^3 (S^2 P(S^2 t^2) - P(t^2)) + S sin^2 m omega12 / 2.
  var excess: Lanes {
    @inline(__always) get {
      let square = slope * slope
      let t = sinHalf / cosHalf
      let z = t * t
      let tail = polynomial(z, TrigonometricCoefficients.narrowArcTangent, 0, 8)
      let tailOfSlope = polynomial(square * z, TrigonometricCoefficients.narrowArcTangent, 0, 8)
      let half = t + t * (z * tail)
      let sinSquared = 0.5 * (pair.sinRise * pair.sinRise) * over
      return 2 * (slope * (t * z * (square * tailOfSlope - tail) + sinSquared * half))
    }
  }

  /// The same for long edges and beside a pole. Seen from that pole, the south pole for a canonical pair, with d = 1 - |sin
  /// beta|: omega12 - |E| = 2 y, tan y = (1 - |S|) sin cos / (cos^2 + |S| sin^2) of omega12 / 2, and 1 - |S| = (d1 d2 + cos
  /// beta1 cos beta2) / (2 cos^2 m). Far from it E itself will do.
  var wideExcess: Lanes {
    @inline(never) get {
      let (d1, d2) = (depth(pair.sinBeta1, pair.cosBeta1), depth(pair.sinBeta2, pair.cosBeta2))
      let left = (d1 * d2 + pair.cosBeta1 * pair.cosBeta2) * over
      let isPolar = left .< 0.5
      let y = signedAngle(
        pick(isPolar, left * (sinHalf * cosHalf), -numerator * sinHalf),
        pick(isPolar, cosHalf * cosHalf + (1 - left) * (sinHalf * sinHalf), denominator * cosHalf))
      let half = angle(sinHalf, cosHalf)
      return 2 * pick(isPolar, y - half * (0.5 * (d1 + d2)), -y - half * meanSine)
    }
  }

  /// 1 + sine, with all digits near the south pole.
  @inline(__always)
  private func depth(_ sine: Lanes, _ cosine: Lanes) -> Lanes {
    let isFar = sine .> 0
    return pick(isFar, 1 + sine, cosine * cosine / (1 - pick(isFar, 0, sine)))
  }
}
