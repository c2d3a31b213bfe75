// SPDX-License-Identifier: Apache-2.0

/// A place in the plane; the doubles are taken as exact.
struct Place: Sendable, Equatable {
  var x: Double
  var y: Double
  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  func distance(to other: Place) -> Double {
    let (dx, dy) = (other.x - x, other.y - y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// 1 where c is left of the line from a to b, -1 right, 0 on it: as real arithmetic says.
  static func side(_ a: Place, _ b: Place, _ c: Place) -> Int {
    let left = (a.x - c.x) * (b.y - c.y)
    let right = (a.y - c.y) * (b.x - c.x)
    let difference = left - right
    // Shewchuk's bound of the rounding of the lines above.
    if abs(difference) > 3.3306690738754716e-16 * (abs(left) + abs(right)) { return difference > 0 ? 1 : -1 }
    return exactSide(a, b, c)
  }

  /// The sign of ax by - ax cy - cx by - ay bx + ay cx + cy bx, summed without rounding.
  private static func exactSide(_ a: Place, _ b: Place, _ c: Place) -> Int {
    var expansion = Expansion()
    for (one, two) in [(a.x, b.y), (-a.x, c.y), (-c.x, b.y), (-a.y, b.x), (a.y, c.x), (c.y, b.x)] {
      let product = DoubleDouble.product(one, two)
      expansion.add(product.low)
      expansion.add(product.high)
    }
    return expansion.sign
  }
}
