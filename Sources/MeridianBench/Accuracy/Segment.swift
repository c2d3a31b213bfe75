// SPDX-License-Identifier: Apache-2.0

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

  /// Where two segments that cross meet, in double-double, rounded.
  func crossing(_ other: Segment) -> Place {
    let (dx, dy) = (DoubleDouble.sum(b.x, -a.x), DoubleDouble.sum(b.y, -a.y))
    let (ex, ey) = (DoubleDouble.sum(other.b.x, -other.a.x), DoubleDouble.sum(other.b.y, -other.a.y))
    let (px, py) = (DoubleDouble.sum(other.a.x, -a.x), DoubleDouble.sum(other.a.y, -a.y))
    let share = (px * ey - py * ex) / (dx * ey - dy * ex)
    return Place((DoubleDouble(a.x) + share * dx).high, (DoubleDouble(a.y) + share * dy).high)
  }

  func boxHolds(_ place: Place) -> Bool {
    min(a.x, b.x) <= place.x && place.x <= max(a.x, b.x) && min(a.y, b.y) <= place.y && place.y <= max(a.y, b.y)
  }

  /// The place at a share of the way from a to b.
  func place(at share: Double) -> Place { Place(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)) }

  /// The place of the segment, ends included, that is nearest to another one, in doubles.
  func nearest(to other: Place) -> Place {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let square = dx * dx + dy * dy
    let along = square > 0 ? ((other.x - a.x) * dx + (other.y - a.y) * dy) / square : 0
    return place(at: min(max(along, 0), 1))
  }

  /// Distance of a place from the segment, ends included, in doubles: a few roundings of the coordinates' differences,
  /// where the distance from `nearest` has one of the coordinates themselves.
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
