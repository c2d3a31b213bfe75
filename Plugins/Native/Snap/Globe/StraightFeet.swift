// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// The closest places of a vector of edges that are straight in longitude and latitude, by geodesics from a point.
///
/// Along an edge the square of the distance changes at twice the rate `pull`: the product of the distance with the part of
/// the way along the geodesic that comes in. Its zero is found by steps of Gauss and Newton, as if the surface were flat, and
/// by secants, which need no such thing, between two shares of the edge that it lies between.
struct StraightFeet {
  private let at: StraightPoint

  /// Pieces from share `low` to share `high` of the edges. Each has one minimum at most, or it is some minimum.
  @inline(never)
  init(_ point: Place, _ edges: StraightLanes, _ geodesics: Geodesics) {
    let way = StraightWay(
      pointX: Lanes(repeating: point.x), pointY: Lanes(repeating: point.y), edges: edges, geodesics: geodesics)
    let (start, end) = (way.point(edges.low), way.point(edges.high))
    var best = start.replaced(by: end, where: end.distance .< start.distance)
    let isOpen = (start.pull .< 0) .& (end.pull .> 0)
    if any(isOpen) {
      let inside = way.minimum(start, end, isOpen)
      best = best.replaced(by: inside, where: isOpen .& (inside.distance .<= best.distance))
    }
    at = best
  }

  func foot(_ lane: Int) -> StraightFoot {
    StraightFoot(distance: at.distance[lane], place: Place(x: at.x[lane], y: at.y[lane]), share: at.share[lane])
  }
}

/// The closest place of one edge. `share` is 0 or 1 at an end, whose coordinates the place has.
struct StraightFoot: BitwiseCopyable {
  var distance = Double.infinity
  var place = Place(x: .nan, y: .nan)
  var share = 0.0
}

/// A vector of pieces of edges.
struct StraightLanes {
  var (aX, aY, bX, bY) = (Lanes(), Lanes(), Lanes(), Lanes())
  var (low, high) = (Lanes(), Lanes())

  mutating func set(_ lane: Int, _ a: Place, _ b: Place, _ low: Double, _ high: Double) {
    (aX[lane], aY[lane], bX[lane], bY[lane]) = (a.x, a.y, b.x, b.y)
    (self.low[lane], self.high[lane]) = (low, high)
  }
}

/// Places on edges, seen from a point.
private struct StraightPoint {
  var share: Lanes
  var x: Lanes
  var y: Lanes
  var distance: Lanes
  /// Half of the derivative of the squared distance.
  var pull: Lanes
  /// Square of the metres that a unit of the share is here.
  var squaredSpeed: Lanes

  @inline(__always)
  func replaced(by other: StraightPoint, where mask: LaneMask) -> StraightPoint {
    StraightPoint(
      share: pick(mask, other.share, share), x: pick(mask, other.x, x), y: pick(mask, other.y, y),
      distance: pick(mask, other.distance, distance), pull: pick(mask, other.pull, pull),
      squaredSpeed: pick(mask, other.squaredSpeed, squaredSpeed))
  }
}

private struct StraightWay {
  let (pointX, pointY): (Lanes, Lanes)
  let edges: StraightLanes
  let geodesics: Geodesics

  /// What the rounding of places and azimuths leaves.
  private var enough: Double { 3e-15 * geodesics.a }

  @inline(never)
  func point(_ share: Lanes) -> StraightPoint {
    let (dx, dy) = (edges.bX - edges.aX, edges.bY - edges.aY)
    // From the nearer end, so that both ends are met to the last digit.
    let isBack = share + share .> 1
    let part = pick(isBack, share - 1, share)
    let x = pick(isBack, edges.bX, edges.aX) + part * dx
    let y = lesser(greater(pick(isBack, edges.bY, edges.aY) + part * dy, Lanes(repeating: -90)), Lanes(repeating: 90))
    let seen = geodesics.inverse(pointY, pointX, y, x)
    let (heading, latitude) = (sineCosine(azimuth: seen.azimuth2), sineCosine(latitude: y))
    let w = 1 - geodesics.e2 * (latitude.sin * latitude.sin)
    let normal = geodesics.a / w.squareRoot()
    let east = normal * latitude.cos * (dx * radiansPerDegree)
    let north = normal * ((1 - geodesics.e2) / w) * (dy * radiansPerDegree)
    let rate = east * heading.sin + north * heading.cos
    return StraightPoint(
      share: share, x: x, y: y, distance: seen.distance,
      pull: pick(seen.distance .> 0, seen.distance * rate, Lanes()), squaredSpeed: east * east + north * north)
  }

  /// The minimum between two shares where the distance falls and rises. Lanes that are done keep all their bits.
  func minimum(_ start: StraightPoint, _ end: StraightPoint, _ isOpen: LaneMask) -> StraightPoint {
    var (low, high) = (start.share, end.share)
    let isNearStart = start.distance .<= end.distance
    var before = start.replaced(by: end, where: isNearStart)
    var here = end.replaced(by: start, where: isNearStart)
    var next = here.share - here.pull / here.squaredSpeed
    var open = isOpen
    var rounds = 0
    while any(open) && rounds < 60 {
      rounds &+= 1
      // Now and then the middle, so that the bracket shrinks whatever the steps do.
      let isOutside = .!((next .> low) .& (next .< high))
      let middle = 0.5 * (low + high)
      let place = point(rounds > 12 && rounds & 1 == 0 ? middle : pick(isOutside, middle, next))
      before = before.replaced(by: here, where: open)
      here = here.replaced(by: place, where: open)
      low = pick(open .& (here.pull .< 0), here.share, low)
      high = pick(open .& (here.pull .>= 0), here.share, high)
      let step = step(before, here)
      next = here.share + step
      let limit = enough * enough
      let (moved, bracket) = (step * step * here.squaredSpeed, (high - low) * (high - low) * here.squaredSpeed)
      open = open .& (moved .> limit) .& (bracket .> limit)
    }
    return here
  }

  @inline(__always)
  private func step(_ before: StraightPoint, _ here: StraightPoint) -> Lanes {
    let (change, way) = (here.pull - before.pull, here.share - before.share)
    let isSecant = change * way .> 0
    return -here.pull * pick(isSecant, way / pick(isSecant, change, Lanes(repeating: 1)), 1 / here.squaredSpeed)
  }
}
