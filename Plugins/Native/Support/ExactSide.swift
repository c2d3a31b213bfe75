// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// The sign of `exactSide` for all coordinates in the plane's domain, those whose products would fall below the normal
/// numbers too: 1 left of the line from `a` to `b`, -1 right, 0 on it.
func exactSideSign(_ a: Place, _ b: Place, _ c: Place) -> Int {
  if hasNormalProducts(a) && hasNormalProducts(b) && hasNormalProducts(c) {
    let side = exactSide(a, b, c)
    return side > 0 ? 1 : side < 0 ? -1 : 0
  }
  let unit = ExactInteger.unitExponent(a.x, a.y, b.x, b.y, c.x, c.y)
  func whole(_ value: Double) -> ExactInteger { ExactInteger(value, unit: unit) }
  let left = (whole(a.x) - whole(c.x)) * (whole(b.y) - whole(c.y))
  let right = (whole(a.y) - whole(c.y)) * (whole(b.x) - whole(c.x))
  return (left - right).sign
}

/// Products of such ordinates are multiples of 2^-1074, so that their rounding errors are numbers.
@inline(__always)
private func hasNormalProducts(_ place: Place) -> Bool {
  (place.x == 0 || place.x.magnitude >= 0x1p-450) && (place.y == 0 || place.y.magnitude >= 0x1p-450)
}
