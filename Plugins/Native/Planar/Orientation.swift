// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// On which side of the line from `a` to `b` the place `c` lies: 1 left, -1 right, 0 on it. The sign is that of exact
/// arithmetic for all finite coordinates.
///
/// A filter answers nearly always (Shewchuk 1997, filter A); where differences are exact, as on grids, two products with
/// their errors do; the rest goes to sums without rounding or whole numbers.
@inline(__always)
func orientation(_ a: Place, _ b: Place, _ c: Place) -> Int {
  let left = (a.x - c.x) * (b.y - c.y)
  let right = (a.y - c.y) * (b.x - c.x)
  let estimate = left - right
  // 2^-1000 covers products below the normal numbers; after an overflow no comparison holds.
  let error = 3.3306690738754716e-16 * (left.magnitude + right.magnitude) + 0x1p-1000
  if estimate > error { return 1 }
  if estimate < -error { return -1 }
  return orientationWithoutFilter(a, b, c)
}

@inline(never)
private func orientationWithoutFilter(_ a: Place, _ b: Place, _ c: Place) -> Int {
  guard hasPlainProducts(a) && hasPlainProducts(b) && hasPlainProducts(c) else {
    return orientationByExponents(a, b, c) ?? orientationByWholeNumbers(a, b, c)
  }
  let (ax, ay) = (twoSum(a.x, -c.x), twoSum(a.y, -c.y))
  let (bx, by) = (twoSum(b.x, -c.x), twoSum(b.y, -c.y))
  if ax.tail == 0 && ay.tail == 0 && bx.tail == 0 && by.tail == 0 {
    // Rounding keeps order, so the heads decide unless they are equal.
    let (left, right) = (twoProduct(ax.head, by.head), twoProduct(ay.head, bx.head))
    if left.head != right.head { return left.head > right.head ? 1 : -1 }
    return left.tail == right.tail ? 0 : left.tail > right.tail ? 1 : -1
  }
  let side = exactCross(a, b, c)
  return side > 0 ? 1 : side < 0 ? -1 : 0
}

/// Products of such ordinates neither overflow nor lose bits below the normal numbers.
@inline(__always)
func hasPlainProducts(_ place: Place) -> Bool {
  func isPlain(_ value: Double) -> Bool { value == 0 || (value.magnitude >= 0x1p-400 && value.magnitude <= 0x1p400) }
  return isPlain(place.x) && isPlain(place.y)
}

/// The same filter for numbers of any size: products as numbers around 1 and their exponents, which neither overflow nor vanish.
/// nil = the products are too near each other, or a difference overflows.
private func orientationByExponents(_ a: Place, _ b: Place, _ c: Place) -> Int? {
  let (ax, ay, bx, by) = (a.x - c.x, a.y - c.y, b.x - c.x, b.y - c.y)
  guard ax.isFinite && ay.isFinite && bx.isFinite && by.isFinite else { return nil }
  // Differences of numbers are never 0 when these differ, and right to half an ulp however small they are.
  let (left, right) = (ax.sign == by.sign ? 1 : -1, ay.sign == bx.sign ? 1 : -1)
  if ax == 0 || by == 0 { return ay == 0 || bx == 0 ? 0 : 0 &- right }
  if ay == 0 || bx == 0 || left != right { return left }
  let shift = (ax.exponent &+ by.exponent) &- (ay.exponent &+ bx.exponent)
  // Both significands are from 1 to below 4.
  if shift.magnitude > 2 { return shift > 0 ? left : 0 &- left }
  let own = ax.significand * by.significand * Double(sign: .plus, exponent: Int(shift), significand: 1)
  let others = ay.significand * bx.significand
  if (own - others).magnitude <= 1e-15 * (own + others) { return nil }
  return own > others ? left : 0 &- left
}

private func orientationByWholeNumbers(_ a: Place, _ b: Place, _ c: Place) -> Int {
  let unit = ExactInteger.unitExponent(a.x, a.y, b.x, b.y, c.x, c.y)
  func whole(_ value: Double) -> ExactInteger { ExactInteger(value, unit: unit) }
  let left = (whole(a.x) - whole(c.x)) * (whole(b.y) - whole(c.y))
  let right = (whole(a.y) - whole(c.y)) * (whole(b.x) - whole(c.x))
  return (left - right).sign
}

extension Place {
  /// The order of places by x, then by y.
  @inline(__always)
  static func < (a: Place, b: Place) -> Bool { a.x < b.x || (a.x == b.x && a.y < b.y) }

  @inline(__always)
  static func <= (a: Place, b: Place) -> Bool { a.x < b.x || (a.x == b.x && a.y <= b.y) }
}

/// True when the ways from `p` to `u` and to `v`, which are not `p`, point the same way.
func haveSameDirection(_ p: Place, _ u: Place, _ v: Place) -> Bool {
  // On one line, the order of the line tells; which is cheaper than the side.
  (p < u) == (p < v) && orientation(p, u, v) == 0
}

/// True when the way from `p` to `v` points strictly into the sector that a turn counter-clockwise from `u` to `w` sweeps.
/// No two of the three ways point the same way.
func isInSector(_ p: Place, from u: Place, to w: Place, _ v: Place) -> Bool {
  let whole = orientation(p, u, w)
  if whole == 0 { return orientation(p, u, v) > 0 }
  let (first, second) = (orientation(p, u, v), orientation(p, v, w))
  return whole > 0 ? first > 0 && second > 0 : !(orientation(p, w, v) > 0 && orientation(p, v, u) > 0)
}
