// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

extension Sphere {
  /// The highest or lowest point of a great circle lies inside an edge that leaves its start towards that side and
  /// reaches its end from there. By Clairaut, cos(highest) = sin(azimuth) cos(latitude).
  func extremeLatitude(_ a: Place, _ b: Place) -> Double? {
    let edge = GreatCircle(a, b)
    let (start, end) = (edge.startDirection, edge.endDirection)
    let sign = start.north > 0 ? 1.0 : -1.0
    guard start.north * sign > 0, end.north * sign < 0 else { return nil }
    let latitude =
      atan2(hypot(start.north, start.east * edge.a.sin), start.east.magnitude * edge.a.cos) * degreesPerRadian
    // Outward by more than the formula can be wrong (8 roundings of 2^-53), and at most the pole.
    return sign * min(90, latitude + latitude * 0x1p-49)
  }
}
