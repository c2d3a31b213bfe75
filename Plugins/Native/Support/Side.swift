// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// Twice the area of the triangle a b c, positive when it runs counter-clockwise, with the sign of exact arithmetic. For
/// coordinates in the domain `plane` whose products stay normal numbers; where the sign alone is asked for, `orientation`
/// serves all finite ones. No fused operations.
func exactSide(_ a: Place, _ b: Place, _ c: Place) -> Double {
  let left = (a.x - c.x) * (b.y - c.y)
  let right = (a.y - c.y) * (b.x - c.x)
  let estimate = left - right
  // Four roundings on differences and products: 3.33e-16 x the magnitude bounds the error (Shewchuk 1997, filter A).
  if estimate.magnitude > 3.3306690738754716e-16 * (left.magnitude + right.magnitude) { return estimate }
  return exactCross(a, b, c)
}

/// The same within an ulp, by exact sums in any case.
func exactCross(_ a: Place, _ b: Place, _ c: Place) -> Double {
  var sum = ExactSum()
  addCross(a, b, &sum)
  addCross(b, c, &sum)
  addCross(c, a, &sum)
  return sum.value
}

private func addCross(_ p: Place, _ q: Place, _ sum: inout ExactSum) {
  let (left, right) = (twoProduct(p.x, q.y), twoProduct(p.y, q.x))
  sum.add(left.tail)
  sum.add(-right.tail)
  sum.add(left.head)
  sum.add(-right.head)
}
