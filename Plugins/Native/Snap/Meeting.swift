// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// The one place where two edges meet, the exact one rounded to nearest. nil when they do not meet, when they overlap, and
/// when an end of one is an end of the other: that is a vertex of both.
///
/// Zero-length edges meet nothing. Decisions are exact.
func meetingPlace(_ a: Place, _ b: Place, _ c: Place, _ d: Place) -> (place: Place, share: Double)? {
  guard overlap(a.x, b.x, c.x, d.x), overlap(a.y, b.y, c.y, d.y), a != c, a != d, b != c, b != d else { return nil }
  let (sideC, sideD) = (exactSideSign(a, b, c), exactSideSign(a, b, d))
  if sideC * sideD > 0 || (sideC == 0 && sideD == 0) { return nil }
  let (sideA, sideB) = (exactSideSign(c, d, a), exactSideSign(c, d, b))
  if sideA * sideB > 0 { return nil }
  if sideC == 0 || sideD == 0 {
    let place = sideC == 0 ? c : d
    return sideA == 0 || sideB == 0 ? nil : (place, share(of: place, on: a, b))
  }
  if sideA == 0 { return (a, 0) }
  if sideB == 0 { return (b, 1) }
  return crossingByTwoDoubles(a, b, c, d) ?? exactCrossing(a, b, c, d)
}

@inline(__always)
private func overlap(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Bool {
  max(a, b) >= min(c, d) && max(c, d) >= min(a, b)
}

/// Where along a place of the edge lies, plainly, by the longer ordinate.
private func share(of place: Place, on a: Place, _ b: Place) -> Double {
  let (dx, dy) = (b.x - a.x, b.y - a.y)
  return dx.magnitude > dy.magnitude ? (place.x - a.x) / dx : (place.y - a.y) / dy
}

/// a + (b - a) t, t = (c - a) x (d - c) / (b - a) x (d - c). nil where two doubles cannot tell which double is nearest.
private func crossingByTwoDoubles(_ a: Place, _ b: Place, _ c: Place, _ d: Place) -> (place: Place, share: Double)? {
  let (ux, uy) = (TwoDoubles(b.x, minus: a.x), TwoDoubles(b.y, minus: a.y))
  let (vx, vy) = (TwoDoubles(d.x, minus: c.x), TwoDoubles(d.y, minus: c.y))
  let (wx, wy) = (TwoDoubles(c.x, minus: a.x), TwoDoubles(c.y, minus: a.y))
  let determinant = ux * vy - uy * vx
  let size = { (x: TwoDoubles, y: TwoDoubles) in (x.head * vy.head).magnitude + (y.head * vx.head).magnitude }
  let terms = size(ux, uy) + size(wx, wy)
  guard determinant.head.magnitude > 0x1p-600, terms < 0x1p900, determinant.head.magnitude > terms * 0x1p-60 else {
    return nil
  }
  let share = (wx * vy - wy * vx) / determinant
  let error = terms * 0x1p-97 / determinant.head.magnitude + 0x1p-98
  func ordinate(_ start: Double, _ step: TwoDoubles) -> Double? {
    step.head == 0
      ? start
      : (TwoDoubles(start) + share * step).rounded(
        within: step.head.magnitude * error + start.magnitude * 0x1p-100 + 0x1p-1000)
  }
  guard let x = ordinate(a.x, ux), let y = ordinate(a.y, uy) else { return nil }
  return (Place(x: x, y: y), share.head)
}

private func exactCrossing(_ a: Place, _ b: Place, _ c: Place, _ d: Place) -> (place: Place, share: Double) {
  let unit = ExactInteger.unitExponent(a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y)
  func whole(_ value: Double) -> ExactInteger { ExactInteger(value, unit: unit) }
  let (ax, ay, cx, cy) = (whole(a.x), whole(a.y), whole(c.x), whole(c.y))
  let (ux, uy) = (whole(b.x) - ax, whole(b.y) - ay)
  let (vx, vy) = (whole(d.x) - cx, whole(d.y) - cy)
  var determinant = ux * vy - uy * vx
  var along = (cx - ax) * vy - (cy - ay) * vx
  if determinant.sign < 0 { (determinant, along) = (ExactInteger() - determinant, ExactInteger() - along) }
  let place = Place(
    x: ExactInteger.quotient(ax * determinant + along * ux, determinant, unit: unit),
    y: ExactInteger.quotient(ay * determinant + along * uy, determinant, unit: unit))
  return (place, ExactInteger.quotient(along, determinant, unit: 0))
}
