// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// A vector of edges, solved once.
struct GeodesicEdges {
  let (aX, aY, bX, bY): (Lanes, Lanes, Lanes, Lanes)
  let length: Lanes
  let (azimuth1, azimuth2): (Lanes, Lanes)

  @inline(never)
  init(_ aX: Lanes, _ aY: Lanes, _ bX: Lanes, _ bY: Lanes, _ geodesics: Geodesics) {
    (self.aX, self.aY, self.bX, self.bY) = (aX, aY, bX, bY)
    let edge = geodesics.inverse(aY, aX, bY, bX)
    length = edge.distance
    (azimuth1, azimuth2) = (edge.azimuth1, edge.azimuth2)
  }
}

/// The closest places of a vector of pieces of geodesics, at most 0.4 radians long, each to its point.
///
/// Along an edge the distance from a point changes at the rate cos(angle between the two geodesics). It falls and then
/// rises where its second derivative, sin^2 times M21 / m12 of Karney (2013), is positive: up to about a quarter of the way
/// round. There the zero of the rate is found from the right triangle of the sphere, step = R atan(tan(d / R) cos(angle)),
/// which is exact there and leaves a share of the order of the flattening here; later steps take the slope from the last
/// two places instead. A bracket of both signs is kept. Beyond a quarter an end is closest.
///
/// Places are reached from the nearer end of the edge, so that both ends are met to the last digit.
struct GeodesicFeet {
  /// Lanes whose distance hardly changes along the piece.
  let isFlat: LaneMask
  private let at: EdgePoint
  /// Longer edges end so near to opposite their start that 15 nm there are more in their middle.
  private let longest: Double

  @inline(never)
  init(
    _ pointX: Lanes, _ pointY: Lanes, _ edge: GeodesicEdges, _ first: Lanes, _ last: Lanes, _ geodesics: Geodesics
  ) {
    let way = Way(pointX: pointX, pointY: pointY, edge: edge, geodesics: geodesics)
    let (low, high) = (edge.length * first, edge.length * last)
    let (start, end) = (way.point(low), way.point(high))
    var best = start.replaced(by: end, where: end.distance .< start.distance)
    let isOpen = (start.rate .< 0) .& (end.rate .> 0)
    if any(isOpen) {
      let inside = way.minimum(start, end, isOpen)
      // The foot in between is the nearest of the three but for rounding.
      best = best.replaced(by: inside, where: isOpen .& (inside.distance .<= best.distance))
    }
    at = best
    longest = 0.95 * Double.pi * way.radius
    let quarter = 0.5 * Double.pi * way.radius
    let margin = 0.035 * way.radius
    let isNearQuarter =
      (magnitude(start.distance - quarter) .< margin) .| (magnitude(end.distance - quarter) .< margin)
    isFlat = isNearQuarter .& (high - low .> 0.03 * way.radius)
  }

  func foot(_ lane: Int, _ edge: GeodesicEdges) -> EdgeFoot {
    let (along, length) = (at.along[lane], edge.length[lane])
    let isEnd = along >= length
    return EdgeFoot(
      distance: at.distance[lane], place: Place(x: at.x[lane], y: at.y[lane]), along: along,
      kind: along <= 0 ? MRD_CLOSEST_START : isEnd ? MRD_CLOSEST_END : MRD_CLOSEST_INTERIOR,
      isIllConditioned: along > 0 && !isEnd && length > longest)
  }
}

/// Places on edges, seen from points.
private struct EdgePoint {
  var along: Lanes
  var x: Lanes
  var y: Lanes
  var distance: Lanes
  /// d distance / d along.
  var rate: Lanes

  @inline(__always)
  func replaced(by other: EdgePoint, where mask: LaneMask) -> EdgePoint {
    EdgePoint(
      along: pick(mask, other.along, along), x: pick(mask, other.x, x), y: pick(mask, other.y, y),
      distance: pick(mask, other.distance, distance), rate: pick(mask, other.rate, rate))
  }
}

private struct Way {
  let (pointX, pointY): (Lanes, Lanes)
  let edge: GeodesicEdges
  let geodesics: Geodesics

  var radius: Double { 0.5 * (geodesics.a + geodesics.b) }

  @inline(never)
  func point(_ along: Lanes) -> EdgePoint {
    // From the nearer end; at an end its coordinates themselves.
    let isBack = along + along .> edge.length
    let way = pick(isBack, along - edge.length, along)
    let place = DirectLanes(
      latitude: pick(isBack, edge.bY, edge.aY), longitude: pick(isBack, edge.bX, edge.aX),
      azimuth: pick(isBack, edge.azimuth2, edge.azimuth1), distance: way, geodesics)
    let isEnd = way .== 0
    let x = pick(isEnd, pick(isBack, edge.bX, edge.aX), place.longitude)
    let y = pick(isEnd, pick(isBack, edge.bY, edge.aY), place.latitude)
    let heading = pick(isEnd, pick(isBack, edge.azimuth2, edge.azimuth1), place.azimuth)
    let seen = geodesics.inverse(pointY, pointX, y, x)
    let rate = sineCosine(azimuth: heading - seen.azimuth2).cos
    return EdgePoint(
      along: along, x: x, y: y, distance: seen.distance, rate: pick(seen.distance .> 0, rate, Lanes()))
  }

  /// How far the foot lies from a place, by the right triangle on a sphere.
  @inline(__always)
  private func step(_ place: EdgePoint) -> Lanes {
    let arc = sineCosine(radians: place.distance / radius)
    return -radius * signedAngle(arc.sin * place.rate, arc.cos)
  }

  /// The minimum between two places where the distance falls and rises. Lanes that are done keep all their bits.
  func minimum(_ start: EdgePoint, _ end: EdgePoint, _ isOpen: LaneMask) -> EdgePoint {
    var (low, high) = (start.along, end.along)
    let isNearStart = start.distance .<= end.distance
    var before = end.replaced(by: start, where: isNearStart)
    var here = before
    var next = before.along + step(before)
    var open = isOpen
    var rounds = 0
    while any(open) && rounds < 60 {
      rounds &+= 1
      // Now and then the middle, so that the bracket shrinks whatever the steps do.
      let isOutside = .!((next .> low) .& (next .< high))
      let middle = 0.5 * (low + high)
      let along = rounds > 12 && rounds & 1 == 0 ? middle : pick(isOutside, middle, next)
      let place = point(along)
      before = before.replaced(by: here, where: open)
      here = here.replaced(by: place, where: open)
      low = pick(open .& (here.rate .< 0), here.along, low)
      high = pick(open .& (here.rate .>= 0), here.along, high)
      let step = refinedStep(before, here)
      next = here.along + step
      // What the rounding of a place and of azimuths leaves, more where the distance hardly changes.
      let arc = sineCosine(radians: here.distance / radius)
      let enough = (8e-16 * radius) / greater(arc.cos, Lanes(repeating: 1e-3))
      open = open .& (magnitude(step) .> enough) .& (high - low .> 8e-16 * radius)
    }
    let along = greater(lesser(next, end.along), start.along)
    here.along = pick(magnitude(along - here.along) .< 1e-6 * radius, along, here.along)
    return here
  }

  /// From the change of the rate between the last two places where it is nearly linear, else by the sphere.
  @inline(__always)
  private func refinedStep(_ before: EdgePoint, _ here: EdgePoint) -> Lanes {
    let change = here.rate - before.rate
    let way = here.along - before.along
    let isLinear = (magnitude(here.rate) .< 0.1) .& (magnitude(before.rate) .< 0.3) .& (change * way .> 0)
    let secant = -here.rate * (way / pick(change .== 0, 1, change))
    return pick(isLinear .& (magnitude(way) .> 1e-8 * radius), secant, step(here))
  }
}
