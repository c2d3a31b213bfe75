// SPDX-License-Identifier: Apache-2.0

/// Two points in canonical order, |lat1| >= |lat2|, lat1 <= 0 and 0 <= lambda12 <= 180 degrees: the order does not depend
/// on which point was named first, so that both ways give the same bits.
struct CanonicalPair {
  /// Sine and cosine of the reduced latitudes beta.
  let sinBeta1: Lanes
  let cosBeta1: Lanes
  let sinBeta2: Lanes
  let cosBeta2: Lanes
  /// sin(beta2 - beta1).
  let sinRise: Lanes
  /// Sine and cosine of half of lambda12.
  let sinHalf: Lanes
  let cosHalf: Lanes

  // How the canonical pair came from the given one.
  let isSwapped: LaneMask
  let isFlipped: LaneMask
  let isWestward: LaneMask
  /// The longitudes are exactly half a turn apart.
  let isHalfTurn: LaneMask

  @inline(__always)
  init(_ one: VertexLanes, _ other: VertexLanes, _ turn: TurnLanes, _ geodesics: Geodesics) {
    isSwapped = magnitude(one.latitude) .< magnitude(other.latitude)
    // The equator counts as north: of two geodesics of one length between points on it, the northern is taken.
    isFlipped = .!(pick(isSwapped, other.latitude, one.latitude) .< 0)
    sinBeta1 = negate(pick(isSwapped, other.sinBeta, one.sinBeta), where: isFlipped)
    sinBeta2 = negate(pick(isSwapped, one.sinBeta, other.sinBeta), where: isFlipped)
    cosBeta1 = pick(isSwapped, other.cosBeta, one.cosBeta)
    cosBeta2 = pick(isSwapped, one.cosBeta, other.cosBeta)
    // sin(beta2 - beta1) = (1 - f) sin(phi2 - phi1) / (w1 w2): the difference of the latitudes themselves keeps the
    // relative accuracy of short lines.
    let rise = magnitude(one.latitude - other.latitude)
    let near = geodesics.f1 * sine(smallDegrees: rise) * (one.scale * other.scale)
    sinRise = pick(rise .< 45, near, sinBeta2 * cosBeta1 - cosBeta2 * sinBeta1)
    (sinHalf, cosHalf) = sineCosine(quadrant: 0.5 * turn.size, tail: 0.5 * turn.tail)
    isWestward = turn.isWestward
    isHalfTurn = turn.isHalfTurn
  }
}

/// A vertex prepared once for all edges that it ends.
struct VertexLanes {
  let latitude: Lanes
  let sinBeta: Lanes
  let cosBeta: Lanes
  /// 1 / w = 1 / sqrt(1 - e^2 sin^2 phi), so that sin beta = (1 - f) sin phi / w and cos beta = cos phi / w.
  let scale: Lanes

  @inline(__always)
  init(latitude: Lanes, _ geodesics: Geodesics) {
    let (sine, cosine) = sineCosine(latitude: latitude)
    self.latitude = latitude
    scale = 1 / (1 - geodesics.e2 * sine * sine).squareRoot()
    sinBeta = geodesics.f1 * sine * scale
    cosBeta = cosine * scale
  }

  @inline(__always)
  init(latitude: Lanes, sinBeta: Lanes, cosBeta: Lanes, scale: Lanes) {
    self.latitude = latitude
    self.sinBeta = sinBeta
    self.cosBeta = cosBeta
    self.scale = scale
  }
}

/// The shorter way from one longitude to another in degrees: size + tail, 0 <= size <= 180, and its direction. An exact
/// half turn goes east.
struct TurnLanes {
  let size: Lanes
  let tail: Lanes
  let isWestward: LaneMask
  let isHalfTurn: LaneMask

  @inline(__always)
  init(from: Lanes, to: Lanes) {
    let (from, to) = (reduced(longitude: from), reduced(longitude: to))
    // Knuth's sum; then a whole turn off, exact by Sterbenz.
    let sum = to - from
    let back = sum + from
    let rounding = (to - back) + (back - sum - from)
    let head = pick(sum .> 180, sum - 360, pick(sum .< -180, sum + 360, sum))
    size = magnitude(head)
    // What is behind half a turn, or before none, is the other way round.
    let outward = flip(rounding, bySignOf: head)
    let isOver = ((size .== 180) .& (outward .> 0)) .| ((size .== 0) .& (outward .< 0))
    isHalfTurn = (size .== 180) .& (outward .== 0)
    tail = pick(isOver, -outward, outward)
    isWestward = ((head .< 0) .^ isOver) .& .!isHalfTurn
  }
}

/// The spherical triangle of the pole and a canonical pair, with the longitude difference omega12 on the auxiliary
/// sphere (Bessel 1825; Karney 2013, fig. 1).
struct Triangle {
  /// cos beta2 sin omega12 and cos beta1 sin beta2 - sin beta1 cos beta2 cos omega12: sin sigma12 times the sine and
  /// cosine of alpha1.
  let east1: Lanes
  let north1: Lanes
  let sinSigma: Lanes
  let cosSigma: Lanes
  /// 1 / sin sigma12, 0 for coincident points.
  let overSinSigma: Lanes
  let sinAlpha0: Lanes
  /// d sin alpha0 / d omega12.
  let slope: Lanes
  /// 1 - cos omega12.
  let versine: Lanes

  @inline(__always)
  init(_ pair: CanonicalPair, sinHalf: Lanes, cosHalf: Lanes) {
    let sinOmega = 2 * sinHalf * cosHalf
    let cosOmega = (cosHalf - sinHalf) * (cosHalf + sinHalf)
    versine = 2 * sinHalf * sinHalf
    east1 = pair.cosBeta2 * sinOmega
    north1 = pair.sinRise + pair.sinBeta1 * pair.cosBeta2 * versine
    let cosines = pair.cosBeta1 * pair.cosBeta2
    sinSigma = (east1 * east1 + north1 * north1).squareRoot()
    cosSigma = pair.sinBeta1 * pair.sinBeta2 + cosines * cosOmega
    overSinSigma = pick(sinSigma .> 0, 1 / sinSigma, Lanes())
    sinAlpha0 = pair.cosBeta1 * east1 * overSinSigma
    slope = (cosines * cosOmega - sinAlpha0 * sinAlpha0 * cosSigma) * overSinSigma
  }

  var cosSquaredAlpha0: Lanes { @inline(__always) get { 1 - sinAlpha0 * sinAlpha0 } }

  /// 1 / cos^2 alpha0; 1 along the equator, where what it multiplies is 0.
  var overCosSquared: Lanes {
    @inline(__always) get {
      let square = cosSquaredAlpha0
      return 1 / pick(square .> 1e-300, square, Lanes(repeating: 1))
    }
  }
}

/// cos 2 sigma_m = cos sigma12 - 2 sin beta1 sin beta2 / cos^2 alpha0 (Vincenty 1975, eq. 18).
@inline(__always)
func cosTwiceMean(_ pair: CanonicalPair, cosSigma: Lanes, overCosSquared: Lanes) -> Lanes {
  let value = cosSigma - 2 * (pair.sinBeta1 * pair.sinBeta2) * overCosSquared
  return greater(lesser(value, Lanes(repeating: 1)), Lanes(repeating: -1))
}

/// The longitude equation to first order in e'^2, for the slope of Newton's steps: omega12 - lambda12 = f F(omega12),
/// F = sin alpha0 I3 with I3 = sigma12 - kappa (cos^2 alpha0 (sigma12 - sin sigma12 cos sigma12)
/// + 2 sin beta1 sin beta2 sin sigma12).
struct LongitudeModel {
  let value: Lanes
  /// dF / d omega12, by d sigma12 / d omega12 = sin alpha0.
  let slope: Lanes
  /// The second derivative without its terms in e'^2.
  let curvature: Lanes

  @inline(__always)
  init(_ pair: CanonicalPair, _ triangle: Triangle, sigma: Lanes, _ geodesics: Geodesics) {
    let (sine, cosine, alpha0, rate) = (
      triangle.sinSigma, triangle.cosSigma, triangle.sinAlpha0, triangle.slope
    )
    let square = triangle.cosSquaredAlpha0
    let sines = 2 * pair.sinBeta1 * pair.sinBeta2
    let excess = sigma - sine * cosine
    let integral = sigma - geodesics.kappa * (square * excess + sines * sine)
    value = alpha0 * integral
    let inner = 2 * (square * (sine * sine) - rate * excess) + sines * cosine
    slope = rate * integral + alpha0 * alpha0 * (1 - geodesics.kappa * inner)
    // d^2 sin alpha0 / d omega^2 = -sin alpha0 cos^2 alpha0 - 3 sin alpha0 slope cot sigma12.
    let bend = -alpha0 * (square + 3 * rate * (cosine * triangle.overSinSigma))
    curvature = bend * sigma + 3 * alpha0 * rate
  }
}
