// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// What sphere and ellipsoid have in common for closest places: rays are meridians.
protocol ClosestGlobe: ClosestSurface, GlobeSurface {
  /// True when the edge from `a` to `b` passes the meridian of `point`, which it meets, north of it.
  func passesNorth(_ a: Place, _ b: Place, of point: Place) -> Bool
}

extension ClosestGlobe {
  /// Pieces of at most 0.4 radians.
  func pieceCount(chord: Double, radius: Double) -> Int {
    let angle = 2 * atan2(chord, max(0, 4 * radius * radius - chord * chord).squareRoot())
    return max(1, min(8, Int((angle / 0.4).rounded(.up))))
  }

  /// Within 20 degrees of each other no edge needs to be cut.
  func mostPieces(_ a: Place, _ b: Place) -> Int {
    (b.y - a.y).magnitude + longitudeDifference(a.x, b.x).magnitude <= 20 ? 1 : 8
  }

  func rayMeets(_ a: Place, _ b: Place, _ point: Place, south: Bool) -> Bool {
    let turn = longitudeDifference(a.x, b.x)
    let end = longitudeDifference(point.x, b.x)
    // From the end and the turn where the start lies far off, whose sign is then that of the way taken.
    let near = longitudeDifference(point.x, a.x)
    let start = near.magnitude < 90 ? near : end - turn
    guard turn > 0 ? start < 0 && end >= 0 : start >= 0 && end < 0 else { return false }
    // The other side of the globe is no meeting.
    guard (end - start - turn).magnitude < 180 else { return false }
    return isNorth(a, b, point, turn) != south
  }

  private func isNorth(_ a: Place, _ b: Place, _ point: Place, _ turn: Double) -> Bool {
    // Within 2 degrees of longitude an edge leaves the latitudes of its ends by less than 0.005 degrees.
    if turn.magnitude <= 2 {
      if point.y < min(a.y, b.y) - 0.01 { return true }
      if point.y > max(a.y, b.y) + 0.01 { return false }
    }
    return passesNorth(a, b, of: point)
  }

  func holdsRayEnd(_ geoms: Geoms, _ path: Range<Int>, side: Int32, south: Bool, _ poll: inout CancelPoll) -> Bool {
    let ring = GlobeRing(surface: self, geoms: geoms, path: path)
    let (integral, turns) = ring.integral(&poll)
    let winding = ((ring.area(side: side, &poll) - integral) / totalArea).rounded()
    return (south ? winding : winding + turns).remainder(dividingBy: 2) != 0
  }
}
