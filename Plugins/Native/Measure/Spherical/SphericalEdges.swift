// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// Great circles as vectors, by half angles: with p and m half the sum and half the difference of the latitudes,
///
///     sin^2(d / 2) = sin^2 m + (cos^2 p - sin^2 m) sin^2(dlambda / 2)
///     cos^2(d / 2) = sin^2 p + (cos^2 p - sin^2 m) cos^2(dlambda / 2)
///
/// All terms are positive, so that distances keep their relative accuracy from a nanometre to the antipode. The product of
/// the cosines of the latitudes, cos^2 p - sin^2 m, is also cos^2 m - sin^2 p: the one of the two is taken whose terms are
/// small where it is, near the poles.
extension Sphere: DistanceMethod {
  @inline(__always)
  func distances(_ lat1: Lanes, _ lon1: Lanes, _ lat2: Lanes, _ lon2: Lanes) -> Lanes {
    var turn = twoSum(lon2, -lon1)
    if any(magnitude(turn.head) .> 540) { turn = twoSum(reduced(longitude: lon2), -reduced(longitude: lon1)) }
    // A whole turn off is exact. What is a rounding error below 0 or above 180 does no harm, as only squares are taken.
    let head = pick(turn.head .> 180, turn.head - 360, pick(turn.head .< -180, turn.head + 360, turn.head))
    return distances(lat1, lat2, turn: magnitude(head), tail: flip(turn.tail, bySignOf: head))
  }

  /// sin^2(d / 2), or for distances over a quarter turn -cos^2(d / 2): what is left to half a turn.
  @inline(__always)
  func distances(_ lat1: Lanes, _ lat2: Lanes, turn: Lanes, tail: Lanes) -> Lanes {
    let half = squares(quadrant: 0.5 * turn, tail: 0.5 * tail)
    let rise = squares(quadrant: 0.5 * magnitude(lat2 - lat1), tail: Lanes())
    let sum = twoSum(lat1, lat2)
    let mean = squares(quadrant: 0.5 * magnitude(sum.head), tail: 0.5 * flip(sum.tail, bySignOf: sum.head))
    let cosines = greater(pick(rise.sin .> 0.5, rise.cos - mean.sin, mean.cos - rise.sin), Lanes())
    let sinSquared = rise.sin + cosines * half.sin
    let cosSquared = mean.sin + cosines * half.cos
    // Less than 0 at the antipode, too.
    return pick(sinSquared .> cosSquared, -1e-300 - cosSquared, sinSquared)
  }
}

extension Sphere {
  @inline(__always)
  func finished(_ square: Lanes) -> Lanes {
    let z = magnitude(square)
    let sine = z.squareRoot()
    let half = sine + sine * (z * polynomial(z, TrigonometricCoefficients.arcSine, 0, 19))
    return pick(square .< 0, Double.pi / 2 - half, half) * (2 * radius)
  }
}

/// Squares of sine and cosine of x + tail degrees, 0 <= x <= 90, the lesser one with all its digits.
@inline(__always)
private func squares(quadrant x: Lanes, tail: Lanes) -> (sin: Lanes, cos: Lanes) {
  let isUpper = x .> 45
  let sine = sine(smallDegrees: pick(isUpper, 90 - x, x) + negate(tail, where: isUpper))
  let square = sine * sine
  return (pick(isUpper, 1 - square, square), pick(isUpper, square, 1 - square))
}

/// Lengths and strips as vectors; strips on the unit sphere.
extension Sphere: EdgeMethod {
  static var isFinishedApart: Bool { true }
  static var isPeriodic: Bool { true }

  @inline(__always)
  func lengths(_ vertices: VertexColumns, _ index: Int) -> EdgeLanes {
    let turn = TurnLanes(from: vertices.lanes(0, index), to: vertices.lanes(0, index &+ 1))
    let length = distances(vertices.lanes(1, index), vertices.lanes(1, index &+ 1), turn: turn.size, tail: turn.tail)
    return EdgeLanes(length: length, turn: turn.value)
  }

  @inline(__always)
  func edges(_ vertices: VertexColumns, _ index: Int) -> EdgeLanes {
    let turn = TurnLanes(from: vertices.lanes(0, index), to: vertices.lanes(0, index &+ 1))
    let (start, end) = (vertices.lanes(1, index), vertices.lanes(1, index &+ 1))
    let length = finished(distances(start, end, turn: turn.size, tail: turn.tail))
    let strip = SphericalStrip(start, end, turn)
    return EdgeLanes(length: length, turn: turn.value, rise: strip.rise, rest: strip.rest)
  }

  func area(_ ring: RingEdges, _ geoms: Geoms, side: Int32, _ poll: inout CancelPoll) -> Double {
    ringArea(area(of: ring), ofTotal: totalArea, side: side)
  }
}
