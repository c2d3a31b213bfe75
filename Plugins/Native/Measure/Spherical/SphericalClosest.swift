// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Closest places on great circles by Napier's rules: in the frame of an end of the edge, the foot of a place is the
/// direction of its part along the edge.
extension Sphere: ClosestGlobe {
  func positions(_ x: Lanes, _ y: Lanes) -> (x: Lanes, y: Lanes, z: Lanes) {
    let (latitude, longitude) = (sineCosine(latitude: y), sineCosine(azimuth: x))
    let out = latitude.cos * radius
    return (out * longitude.cos, out * longitude.sin, latitude.sin * radius)
  }

  // The sagitta of 0.4 radians over its chord is 1.4% more than that of a short arc.
  var bend: Double { 1.02 / (8 * radius) }
  var tieMargin: Double { 1e-15 * radius }

  func longestChord(_ distance: Double) -> Double {
    guard distance < 3.14 * radius else { return .infinity }
    return 2 * radius * sin(distance / (2 * radius)) + 1e-13 * radius
  }

  func largestDistance(_ chord: Double) -> Double {
    guard chord < 1.99 * radius else { return .infinity }
    return 2 * radius * atan2(chord, (4 * radius * radius - chord * chord).squareRoot()) + 1e-13 * radius
  }

  func pieceCount(chord: Double) -> Int { pieceCount(chord: chord, radius: radius) }

  func feet(_ point: Place, _ batch: PieceBatch) -> InlineArray<16, EdgeFoot> {
    var feet = InlineArray<16, EdgeFoot>(repeating: EdgeFoot())
    for index in 0..<batch.count { feet[index] = foot(point, batch.pieces[index].start, batch.pieces[index].end) }
    return feet
  }

  private func foot(_ point: Place, _ a: Place, _ b: Place) -> EdgeFoot {
    let edge = GreatCircle(a, b)
    let (fromA, fromB) = (GreatCircle(a, point), GreatCircle(b, point))
    let start = EdgeFoot(distance: fromA.angle * radius, place: a)
    guard edge.angle > 0 else { return start }
    let length = edge.angle * radius
    let end = EdgeFoot(distance: fromB.angle * radius, place: b, along: length, kind: MRD_CLOSEST_END)
    let ahead = unitDirection(edge.startDirection)
    let back = unitDirection(edge.endDirection)
    let (parts, others) = (LegParts(fromA, ahead), LegParts(fromB, (-back.east, -back.north)))
    guard parts.along > 0 && others.along > 0 else { return end.distance < start.distance ? end : start }
    // From the nearer end, where less cancels.
    let isNearEnd = end.distance < start.distance
    let nearest = isNearEnd ? others : parts
    let leg = atan2(nearest.along, nearest.cosine) * radius
    let along = isNearEnd ? length - leg : leg
    let heading =
      isNearEnd ? azimuth(east: -back.east, north: -back.north) : azimuth(east: ahead.east, north: ahead.north)
    return EdgeFoot(
      distance: atan2(nearest.across.magnitude, hypot(nearest.along, nearest.cosine)) * radius,
      place: direct(isNearEnd ? b : a, azimuth: heading, distance: leg).place, along: along,
      kind: MRD_CLOSEST_INTERIOR)
  }

  /// True for a direction to the left of another.
  private func isLeft(_ a: Place, _ b: Place, _ c: Place) -> Bool {
    let ahead = unitDirection(GreatCircle(a, b).startDirection)
    return LegParts(GreatCircle(a, c), ahead).across >= 0
  }

  func doCross(_ a: Place, _ b: Place, _ c: Place, _ d: Place) -> Bool {
    let (cLeft, dLeft) = (isLeft(a, b, c), isLeft(a, b, d))
    guard cLeft != dLeft else { return false }
    let (aLeft, bLeft) = (isLeft(c, d, a), isLeft(c, d, b))
    // Of the two meeting points of the circles, the one where both edges are.
    return aLeft != bLeft && aLeft != cLeft
  }

  func passesNorth(_ a: Place, _ b: Place, of point: Place) -> Bool {
    isLeft(a, b, point) != (longitudeDifference(a.x, b.x) > 0)
  }
}

/// The direction with length 1; north for none, between opposite places.
private func unitDirection(_ direction: (east: Double, north: Double)) -> (east: Double, north: Double) {
  let length = hypot(direction.east, direction.north)
  return length > 0 ? (direction.east / length, direction.north / length) : (0, 1)
}

/// The unit vector to a place, in the frame of another: along a direction, to its left, and upward.
private struct LegParts {
  let along: Double
  let across: Double
  let cosine: Double

  init(_ leg: GreatCircle, _ direction: (east: Double, north: Double)) {
    let to = leg.startDirection
    along = to.east * direction.east + to.north * direction.north
    across = direction.east * to.north - direction.north * to.east
    let cosines = leg.a.cos * leg.b.cos
    let sinSquared = leg.halfRise.sin * leg.halfRise.sin + cosines * (leg.halfTurn.sin * leg.halfTurn.sin)
    cosine = 1 - 2 * sinSquared
  }
}
