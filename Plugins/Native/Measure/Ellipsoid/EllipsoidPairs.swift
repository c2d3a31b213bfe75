// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

extension Geodesics: DistanceMethod, InverseMethod {
  @inline(__always)
  func distances(_ lat1: Lanes, _ lon1: Lanes, _ lat2: Lanes, _ lon2: Lanes) -> Lanes {
    let pair = CanonicalPair(
      VertexLanes(latitude: lat1, self), VertexLanes(latitude: lat2, self),
      TurnLanes(from: lon1, to: lon2), self)
    return distances(pair)
  }

  @inline(__always)
  func distances(_ pair: CanonicalPair) -> Lanes {
    let solved = InverseLanes(pair, self, .distance)
    var distance = solved.distance(self)
    if any(solved.isLeft) { finish(pair, solved.isLeft, &distance) }
    return distance
  }

  /// Distances, and the strips between the edges and the equator.
  @inline(__always)
  func distancesAndStrips(_ pair: CanonicalPair) -> (distance: Lanes, strip: StripLanes) {
    let solved = InverseLanes(pair, self, .area)
    var (distance, strip) = (solved.distance(self), solved.strip(pair, self))
    if any(solved.isLeft) { finish(pair, solved.isLeft, &distance, &strip) }
    return (distance, strip)
  }

  @inline(__always)
  func inverse(_ lat1: Lanes, _ lon1: Lanes, _ lat2: Lanes, _ lon2: Lanes) -> InverseResult {
    let pair = CanonicalPair(
      VertexLanes(latitude: lat1, self), VertexLanes(latitude: lat2, self),
      TurnLanes(from: lon1, to: lon2), self)
    let solved = InverseLanes(pair, self, .azimuths)
    var result = InverseResult(distance: solved.distance(self))
    (result.azimuth1, result.azimuth2) = solved.azimuths(pair)
    // Away from the antipode the reduced length of a line over 2 m is over 1 m.
    result.isIllConditioned = result.distance .< 1
    if any(solved.isLeft) { finish(pair, solved.isLeft, &result) }
    return result
  }

  /// Near-antipodal lanes, one by one.
  @inline(never)
  func finish(_ pair: CanonicalPair, _ isLeft: LaneMask, _ distance: inout Lanes) {
    for lane in 0..<Lanes.scalarCount where isLeft[lane] {
      distance[lane] = AntipodalSolver(pair, lane: lane, self).solve().distance
    }
  }

  @inline(never)
  func finish(
    _ pair: CanonicalPair, _ isLeft: LaneMask, _ distance: inout Lanes, _ strip: inout StripLanes
  ) {
    for lane in 0..<Lanes.scalarCount where isLeft[lane] {
      let solution = AntipodalSolver(pair, lane: lane, self).solve()
      distance[lane] = solution.distance
      strip.replace(lane, solution, pair, self)
    }
  }

  @inline(never)
  func finish(_ pair: CanonicalPair, _ isLeft: LaneMask, _ result: inout InverseResult) {
    var alpha1 = Lanes()
    var alpha2 = Lanes()
    for lane in 0..<Lanes.scalarCount where isLeft[lane] {
      let solution = AntipodalSolver(pair, lane: lane, self).solve()
      result.distance[lane] = solution.distance
      result.isIllConditioned[lane] = solution.reducedLength < 1
      alpha1[lane] = atan2(solution.sinAlpha1, solution.cosAlpha1)
      alpha2[lane] = atan2(solution.sinAlpha2, solution.cosAlpha2)
    }
    let given = pair.given(alpha1, alpha2)
    result.azimuth1 = pick(isLeft, given.at1, result.azimuth1)
    result.azimuth2 = pick(isLeft, given.at2, result.azimuth2)
  }
}
