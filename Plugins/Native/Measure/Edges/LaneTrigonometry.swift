// SPDX-License-Identifier: Apache-2.0

// Sine, cosine and arc tangent of vectors: the polynomials of Coefficients.swift after exact reductions. Errors stay
// under 2 units in the last place; multiples of 90 degrees give exact zeros and ones.

/// pi / 180 in two doubles.
private let radiansInDegree = 0.017453292519943295
private let radiansInDegreeTail = 2.9486522708701687e-19

@inline(__always)
private func radians(_ degrees: Lanes) -> Lanes {
  degrees * radiansInDegree + degrees * radiansInDegreeTail
}

/// The same of a sum; the tail is a rounding error.
@inline(__always)
func radians(_ degrees: Lanes, tail: Lanes) -> Lanes {
  degrees * radiansInDegree + (degrees * radiansInDegreeTail + tail * radiansInDegree)
}

/// Sine and cosine of |x| <= pi / 4.
@inline(__always)
func sineCosine(small x: Lanes) -> (sin: Lanes, cos: Lanes) {
  let z = x * x
  let sine = x + x * (z * polynomial(z, TrigonometricCoefficients.sine, 0, 6))
  let cosine = (1 - 0.5 * z) + z * z * polynomial(z, TrigonometricCoefficients.cosine, 0, 6)
  return (sine, cosine)
}

/// Sine of angles in degrees, |x| <= 45.
@inline(__always)
func sine(smallDegrees x: Lanes) -> Lanes {
  let angle = radians(x)
  let z = angle * angle
  return angle + angle * (z * polynomial(z, TrigonometricCoefficients.sine, 0, 6))
}

/// Sine and cosine of x + tail degrees, 0 <= x <= 90; the tail is a rounding error of x.
@inline(__always)
func sineCosine(quadrant x: Lanes, tail: Lanes) -> (sin: Lanes, cos: Lanes) {
  // 90 - x is exact above 45 (Sterbenz).
  let isUpper = x .> 45
  let rest = pick(isUpper, 90 - x, x)
  let small = sineCosine(small: radians(rest + negate(tail, where: isUpper)))
  return (pick(isUpper, small.cos, small.sin), pick(isUpper, small.sin, small.cos))
}

/// Sine and cosine of latitudes, -90 <= x <= 90.
@inline(__always)
func sineCosine(latitude x: Lanes) -> (sin: Lanes, cos: Lanes) {
  let (sine, cosine) = sineCosine(quadrant: magnitude(x), tail: Lanes())
  return (flip(sine, bySignOf: x), cosine)
}

/// Sine, and cosine less 1, of |x| < 0.04, by their series; for steps of a longitude on the auxiliary sphere.
@inline(__always)
func sineCosineLessOne(step x: Lanes) -> (sin: Lanes, cosLessOne: Lanes) {
  let z = x * x
  return (x + x * (z * polynomial(z, sineSeries, 0, 4)), z * polynomial(z, cosineSeries, 0, 4))
}

private let sineSeries: InlineArray<4, Double> = [-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362_880]
private let cosineSeries: InlineArray<4, Double> = [-1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320]

/// The angle of (x, y) for y >= 0, in [0, pi]; 0 for (0, 0).
@inline(__always)
func angle(_ y: Lanes, _ x: Lanes) -> Lanes { SplitAngle(y, x).value }

/// The angle of (x, y) for y >= 0 as a sum, so that one rounding remains when it is multiplied: `eighths` times pi / 4,
/// 0 to 4, and a rest of at most pi / 8.
struct SplitAngle {
  let eighths: Lanes
  let rest: Lanes

  @inline(__always)
  init(_ y: Lanes, _ x: Lanes) {
    let reduced = ReducedTangent(y, x)
    let z = reduced.tangent * reduced.tangent
    rest =
      reduced.tangent + reduced.tangent
      * (z * polynomial(z, TrigonometricCoefficients.arcTangent, 0, 12))
    eighths = reduced.eighths
  }

  var value: Lanes {
    @inline(__always) get { eighths * SplitAngle.unit + (rest + eighths * SplitAngle.unitTail) }
  }

  /// pi / 4 with three spare bits, so that its multiples are exact, and what it lacks.
  private static let unit = 0x1.921fb54442d18p-1
  private static let unitTail = 0x1.1a62633145c07p-55
}

/// The angle to 1e-8.
@inline(__always)
func roughAngle(_ y: Lanes, _ x: Lanes) -> Lanes {
  let reduced = ReducedTangent(y, x)
  let z = reduced.tangent * reduced.tangent
  let tail = reduced.tangent * (z * polynomial(z, TrigonometricCoefficients.roughArcTangent, 0, 5))
  return reduced.eighths * (Double.pi / 4) + (reduced.tangent + tail)
}

/// An angle in [0, pi] as a multiple of pi / 4 and an arc with |tangent| <= tan(pi / 8).
private struct ReducedTangent {
  let tangent: Lanes
  let eighths: Lanes

  @inline(__always)
  init(_ y: Lanes, _ x: Lanes) {
    let width = magnitude(x)
    let (isSteep, isObtuse) = (y .> width, x .< 0)
    let (low, high) = (pick(isSteep, width, y), pick(isSteep, y, width))
    let isShifted = low .> high * 0.41421356237309503
    // high = 0 only where both are 0: divide by 1 there.
    let divisor = pick(isShifted, low + high, pick(high .== 0, 1, high))
    let acute = pick(isShifted, low - high, low) / divisor
    let shift = pick(isShifted, 1, Lanes())
    let quadrant = pick(isSteep, 2 - shift, shift)
    eighths = pick(isObtuse, 4 - quadrant, quadrant)
    tangent = negate(acute, where: isSteep .^ isObtuse)
  }
}

/// The angle of (x, y) in [-pi, pi].
@inline(__always)
func signedAngle(_ y: Lanes, _ x: Lanes) -> Lanes { flip(angle(magnitude(y), x), bySignOf: y) }

/// The nearest whole number of |x| < 2^51, by adding what has no room for fractions; ties to even.
@inline(__always)
func nearestInteger(_ x: Lanes) -> Lanes { (x + 0x1.8p52) - 0x1.8p52 }

/// Sine and cosine of |x| <= 1e5 radians; pi / 2 is taken off in three parts of 33 bits, exact but for the last (Cody and
/// Waite 1980).
@inline(__always)
func sineCosine(radians x: Lanes) -> DirectionLanes {
  let quarter = nearestInteger(x * (2 / Double.pi))
  let rest =
    ((x - quarter * 0x1.921fb544p0) - quarter * 0x1.0b4611a6p-34) - quarter * 0x1.3198a2e037073p-69
  let small = sineCosine(small: rest)
  // quarter modulo 4 as -2 ... 2.
  let phase = quarter - 4 * nearestInteger(0.25 * quarter)
  let isOdd = magnitude(phase) .== 1
  let (sine, cosine) = (pick(isOdd, small.cos, small.sin), pick(isOdd, small.sin, small.cos))
  let isHalf = magnitude(phase) .== 2
  return DirectionLanes(
    sin: negate(sine, where: isHalf .| (phase .== -1)),
    cos: negate(cosine, where: isHalf .| (phase .== 1)))
}

/// Sine and cosine of any finite azimuth in degrees; the reductions are exact.
@inline(__always)
func sineCosine(azimuth x: Lanes) -> DirectionLanes {
  let inside = reduced(longitude: x)
  let head = pick(inside .> 180, inside - 360, pick(inside .< -180, inside + 360, inside))
  let size = magnitude(head)
  let isBack = size .> 90
  let (sine, cosine) = sineCosine(quadrant: pick(isBack, 180 - size, size), tail: Lanes())
  return DirectionLanes(sin: flip(sine, bySignOf: head), cos: negate(cosine, where: isBack))
}

/// Degrees of other turns brought near: unchanged up to 270, else by whole turns into [-180, 180]. Exact.
@inline(__always)
func reduced(longitude x: Lanes) -> Lanes { any(magnitude(x) .> 270) ? remainders(x) : x }

@inline(never)
private func remainders(_ x: Lanes) -> Lanes {
  var result = x
  for lane in 0..<Lanes.scalarCount where x[lane].magnitude > 270 {
    result[lane] = x[lane].remainder(dividingBy: 360)
  }
  return result
}
