// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// On which side its inside lies as one goes along a closed line: 1 left, it runs counter-clockwise; -1 right; 0 no area.
/// Exact for all finite coordinates.
///
/// - Parameters:
///   - origin: a place near the line, best one on it: the estimate is taken about it.
///   - forEachStep: calls its argument with the ends of each edge, every time in the same order.
@inline(__always)
func areaSign(about origin: Place, forEachStep: ((Place, Place) -> Void) -> Void) -> Int {
  var estimate = CompensatedSum()
  var size = 0.0
  forEachStep { a, b in
    let left = (a.x - origin.x) * (b.y - origin.y)
    let right = (a.y - origin.y) * (b.x - origin.x)
    estimate.add(left)
    estimate.add(-right)
    size += left.magnitude + right.magnitude
  }
  // Differences and products round by 3 x 2^-53 of the products, the compensated sum by far less; what falls below the
  // normal numbers is less than 2^-1074 each. After an overflow no comparison holds.
  if estimate.value.magnitude > size * 0x1p-50 + 0x1p-960 && size.isFinite { return estimate.value > 0 ? 1 : -1 }
  return exactAreaSign(forEachStep)
}

@inline(never)
private func exactAreaSign(_ forEachStep: ((Place, Place) -> Void) -> Void) -> Int {
  var isPlain = true
  forEachStep { a, _ in isPlain = isPlain && hasPlainProducts(a) }
  guard isPlain else { return areaSignByWholeNumbers(forEachStep) }
  var sum = ExactSum()
  forEachStep { a, b in
    let (left, right) = (twoProduct(a.x, b.y), twoProduct(a.y, b.x))
    sum.add(left.tail)
    sum.add(-right.tail)
    sum.add(left.head)
    sum.add(-right.head)
  }
  return sum.value > 0 ? 1 : sum.value < 0 ? -1 : 0
}

private func areaSignByWholeNumbers(_ forEachStep: ((Place, Place) -> Void) -> Void) -> Int {
  var unit = Int.max
  forEachStep { a, _ in unit = min(unit, ExactInteger.unitExponent(a.x, a.y)) }
  func whole(_ value: Double) -> ExactInteger { ExactInteger(value, unit: unit) }
  var sum = ExactInteger()
  forEachStep { a, b in sum = sum + whole(a.x) * whole(b.y) - whole(a.y) * whole(b.x) }
  return sum.sign
}
