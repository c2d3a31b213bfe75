// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// The place where the edges a b and c d, which cross inside both, meet: each ordinate the exact one rounded to nearest, so
/// the place lies in the boxes of both edges and does not depend on their order or directions. And which share of a b lies
/// before it, good to a few ulp.
func crossingPlace(_ a: Place, _ b: Place, _ c: Place, _ d: Place) -> (place: Place, share: Double) {
  crossingByTwoDoubles(a, b, c, d) ?? exactCrossing(a, b, c, d)
}

/// True when the exact point where a b and c d cross lies on the line through e and f.
func crossingLies(_ a: Place, _ b: Place, _ c: Place, _ d: Place, onLine e: Place, _ f: Place) -> Bool {
  ExactCrossing(a, b, c, d).side(of: e, f) == 0
}

/// The order along a b, from a on, of the exact points where it crosses c d and where it crosses e f: -1 when that of c d
/// comes first, 0 when they are one point.
func compareCrossings(
  along a: Place, _ b: Place, _ c: Place, _ d: Place, _ e: Place, _ f: Place
) -> Int {
  let first = ExactCrossing(a, b, c, d)
  // Where a b crosses c d, on which side of e f is it? The same as a's: it comes before e f.
  let side = first.side(of: e, f)
  if side == 0 { return 0 }
  return side == orientation(e, f, a) ? -1 : 1
}

/// The order of two places of the edge a b, from a on: -1, 0, 1. They may be exact places rounded to nearest: those that
/// differ are in the order of the exact ones, and of those that are equal nothing is said.
func orderAlong(_ a: Place, _ b: Place, _ p: Place, _ q: Place) -> Int {
  if p == q { return 0 }
  if p.x != q.x { return (p.x < q.x) == (a.x < b.x) ? -1 : 1 }
  // A vertical edge, or a steep one on which rounding made the x equal.
  return (p.y < q.y) == (a.y < b.y) ? -1 : 1
}

/// The point where two edges cross, as whole numbers: (x, y) / denominator in units of a power of two.
struct ExactCrossing {
  private let a: Place
  private let b: Place
  private let c: Place
  private let d: Place

  init(_ a: Place, _ b: Place, _ c: Place, _ d: Place) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

  /// On which side of the line from `e` to `f` the point lies: 1 left, -1 right, 0 on it.
  func side(of e: Place, _ f: Place) -> Int {
    let unit = min(
      ExactInteger.unitExponent(a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y), ExactInteger.unitExponent(e.x, e.y, f.x, f.y))
    func whole(_ value: Double) -> ExactInteger { ExactInteger(value, unit: unit) }
    let (ax, ay, cx, cy) = (whole(a.x), whole(a.y), whole(c.x), whole(c.y))
    let (ux, uy) = (whole(b.x) - ax, whole(b.y) - ay)
    let (vx, vy) = (whole(d.x) - cx, whole(d.y) - cy)
    let (ex, ey) = (whole(e.x), whole(e.y))
    let (wx, wy) = (whole(f.x) - ex, whole(f.y) - ey)
    let determinant = ux * vy - uy * vx
    let along = (cx - ax) * vy - (cy - ay) * vx
    // With p = a + u along / determinant: (p - e) seen from w, times the determinant.
    let scaled = wx * ((ay - ey) * determinant + along * uy) - wy * ((ax - ex) * determinant + along * ux)
    return scaled.sign * determinant.sign
  }
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
