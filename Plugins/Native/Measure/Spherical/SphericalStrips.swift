// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// Strips of great circles on the unit sphere, a vector at a time. With p half the sum and m half the difference of the
/// latitudes, S = sin p / cos m and h half the difference of the longitudes, the area E between the edge and the equator is
/// given by tan(E / 2) = S tan h, and the mean of the sines of the latitudes is S cos^2 m. So
///
///     rise = sin phi2 - sin phi1 = 2 cos p sin m
///     rest = E - 2 h S cos^2 m = 2 (atan(S tan h) - S h) + 2 h S sin^2 m
///
/// The first part of the rest is of third order in h and has the factor 1 - S^2 = cos phi1 cos phi2 / cos^2 m. It is computed
/// as such, so that figures keep their relative accuracy at any size and beside the poles.
struct SphericalStrip {
  let rise: Lanes
  let rest: Lanes

  @inline(__always)
  init(_ lat1: Lanes, _ lat2: Lanes, _ turn: TurnLanes) {
    let (climb, sum) = (lat2 - lat1, twoSum(lat1, lat2))
    let m = sineCosine(quadrant: 0.5 * magnitude(climb), tail: Lanes())
    let p = sineCosine(quadrant: 0.5 * magnitude(sum.head), tail: 0.5 * flip(sum.tail, bySignOf: sum.head))
    rise = flip(2 * p.cos * m.sin, bySignOf: climb)
    // Between the poles S = 0: half of the way on either side of the equator.
    let inverse = 1 / pick(m.cos .== 0, 1, m.cos)
    let bend = StripBend(
      slope: p.sin * inverse, lost: cosines(p, m) * (inverse * inverse),
      half: sineCosine(quadrant: 0.5 * turn.size, tail: 0.5 * turn.tail),
      arc: radians(0.5 * turn.size, tail: 0.5 * turn.tail))
    let size = 2 * (bend.value + bend.slope * (m.sin * m.sin) * bend.arc)
    // Opposite places count as north, as the azimuths between them do.
    rest = negate(size, where: (sum.head .< 0) .^ turn.isWestward)
  }
}

/// cos phi1 cos phi2 = cos^2 p - sin^2 m = cos^2 m - sin^2 p: of the two the one whose terms are small where it is.
@inline(__always)
private func cosines(_ p: (sin: Lanes, cos: Lanes), _ m: (sin: Lanes, cos: Lanes)) -> Lanes {
  let isSteep = m.sin .> 0.7071067811865476
  let (high, low) = (pick(isSteep, m.cos, p.cos), pick(isSteep, p.sin, m.sin))
  return greater((high - low) * (high + low), Lanes())
}

/// atan(S tan h) - S h for 0 <= S <= 1, 0 <= h <= pi / 2.
private struct StripBend {
  let slope: Lanes
  /// 1 - S^2.
  let lost: Lanes
  /// Sine and cosine of h.
  let half: (sin: Lanes, cos: Lanes)
  /// h.
  let arc: Lanes

  /// With t = tan h and atan x = x + x Q(x^2) it is S t (Q(S^2 t^2) - Q(t^2)), the difference being -(1 - S^2) t^2 times
  /// the divided difference of Q.
  var value: Lanes {
    @inline(__always) get {
      let t = half.sin / half.cos
      let square = t * t
      let short = -(slope * t * (lost * square * dividedArcTangent(slope * slope * square, square)))
      let isWide = half.sin .> 0.1989123673796580 * half.cos
      return any(isWide) ? pick(isWide, wide, short) : short
    }
  }

  /// Beside a pole from h - atan(S t) = atan((1 - S) sin h cos h / (cos^2 h + S sin^2 h)), which takes half a turn over the
  /// pole; far from one as it stands, so that the equator has no area below it.
  private var wide: Lanes {
    @inline(never) get {
      let share = lost / (1 + slope)
      let (sine, cosine) = half
      let isPolar = (share .< 0.5) .| (cosine .== 0)
      let turned = angle(
        pick(isPolar, share * (sine * cosine), slope * sine),
        pick(isPolar, cosine * cosine + slope * (sine * sine), cosine))
      return pick(isPolar, share * arc - turned, turned - slope * arc)
    }
  }
}

/// (Q(u) - Q(z)) / (u - z), where atan x = x + x Q(x^2): by Horner's scheme for u, whose steps are the coefficients of the
/// quotient in z.
@inline(__always)
private func dividedArcTangent(_ u: Lanes, _ z: Lanes) -> Lanes {
  var step = Lanes(repeating: TrigonometricCoefficients.narrowArcTangent[7])
  var sum = step
  for power in stride(from: 6, through: 0, by: -1) {
    step = step * u + TrigonometricCoefficients.narrowArcTangent[power]
    sum = sum * z + step
  }
  return sum
}
