// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// The area of the triangle that a line loses with a vertex, and that area weighted by the angle.
///
/// Nothing is fused, and both directions of a line give the same bits, so that every machine takes vertices away in the
/// same order. Areas are right to some units of the last place but for slivers, whose relative error is below 2^-30;
/// exactly collinear vertices have area 0, no others.
enum EffectiveArea {
  /// Below this share of what is subtracted, sums are exact.
  private static let sliver = 0x1p-20

  @inline(__always)
  static func plain(_ a: Place, _ b: Place, _ c: Place) -> Double {
    // About b, so that a and c may change places.
    let left = (a.x - b.x) * (c.y - b.y)
    let right = (a.y - b.y) * (c.x - b.x)
    let twice = (left - right).magnitude
    return twice > sliver * (left.magnitude + right.magnitude) ? 0.5 * twice : exact(a, b, c)
  }

  @inline(never)
  private static func exact(_ a: Place, _ b: Place, _ c: Place) -> Double {
    // In one order, so that rounding the sum does not tell a from c.
    let (first, last) = c < a ? (c, a) : (a, c)
    let area = 0.5 * exactCross(first, b, last).magnitude
    if area > 0 || orientation(a, b, c) == 0 { return area }
    return .leastNonzeroMagnitude
  }

  /// 1 - 0.7 cos(angle at b), in a plane where units of x and y are `wide` and `high` long: 0.3 for a spike, 1.7 for a straight
  /// line; 1 where there is no angle.
  @inline(__always)
  static func weight(_ a: Place, _ b: Place, _ c: Place, wide: Double = 1, high: Double = 1) -> Double {
    let (ux, uy) = ((a.x - b.x) * wide, (a.y - b.y) * high)
    let (vx, vy) = ((c.x - b.x) * wide, (c.y - b.y) * high)
    let lengths = (ux * ux + uy * uy).squareRoot() * (vx * vx + vy * vy).squareRoot()
    guard lengths > 0, lengths.isFinite else { return 1 }
    return 1 - 0.7 * ((ux * vx + uy * vy) / lengths)
  }
}
