// SPDX-License-Identifier: Apache-2.0

/// A place in the plane; the doubles are taken as exact.
struct Place: Sendable, Equatable {
  var x: Double
  var y: Double
  init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
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

/// A sum of doubles without rounding, as parts that do not overlap (Shewchuk).
struct Expansion {
  private var parts: [Double] = []

  mutating func add(_ value: Double) {
    var carried = value
    var kept: [Double] = []
    for part in parts {
      let sum = DoubleDouble.sum(carried, part)
      if sum.low != 0 { kept.append(sum.low) }
      carried = sum.high
    }
    if carried != 0 { kept.append(carried) }
    parts = kept
  }

  /// Of the largest part, which outweighs all others.
  var sign: Int { parts.last.map { $0 > 0 ? 1 : -1 } ?? 0 }
}

/// A closed segment.
struct Segment: Sendable {
  var a: Place
  var b: Place
  init(_ a: Place, _ b: Place) {
    self.a = a
    self.b = b
  }

  /// The interiors meet in one point, and neither end of one is on the other.
  func crosses(_ other: Segment) -> Bool {
    let (one, two) = (Place.side(a, b, other.a), Place.side(a, b, other.b))
    guard one * two < 0 else { return false }
    return Place.side(other.a, other.b, a) * Place.side(other.a, other.b, b) < 0
  }

  /// The segments have a point in common.
  func meets(_ other: Segment) -> Bool {
    let (one, two) = (Place.side(a, b, other.a), Place.side(a, b, other.b))
    let (three, four) = (Place.side(other.a, other.b, a), Place.side(other.a, other.b, b))
    if one * two < 0 && three * four < 0 { return true }
    return (one == 0 && boxHolds(other.a)) || (two == 0 && boxHolds(other.b)) || (three == 0 && other.boxHolds(a))
      || (four == 0 && other.boxHolds(b))
  }

  func boxHolds(_ place: Place) -> Bool {
    min(a.x, b.x) <= place.x && place.x <= max(a.x, b.x) && min(a.y, b.y) <= place.y && place.y <= max(a.y, b.y)
  }

  /// Distance of a place from the segment, ends included, in doubles: a few roundings of the coordinates' differences.
  func distance(to place: Place) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let (px, py) = (place.x - a.x, place.y - a.y)
    let square = dx * dx + dy * dy
    let share = square > 0 ? min(max((px * dx + py * dy) / square, 0), 1) : 0
    let (ex, ey) = (px - share * dx, py - share * dy)
    return (ex * ex + ey * ey).squareRoot()
  }

  /// The same in double-double.
  func exactDistance(to place: Place) -> DoubleDouble {
    let (dx, dy) = (DoubleDouble.sum(b.x, -a.x), DoubleDouble.sum(b.y, -a.y))
    let (px, py) = (DoubleDouble.sum(place.x, -a.x), DoubleDouble.sum(place.y, -a.y))
    let square = dx * dx + dy * dy
    let along = px * dx + py * dy
    if square.high <= 0 || along.high <= 0 { return (px * px + py * py).squareRoot() }
    if (along - square).high >= 0 {
      let (qx, qy) = (DoubleDouble.sum(place.x, -b.x), DoubleDouble.sum(place.y, -b.y))
      return (qx * qx + qy * qy).squareRoot()
    }
    return (px * dy - py * dx).magnitude / square.squareRoot()
  }
}
