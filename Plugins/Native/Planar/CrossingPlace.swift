// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// The place where the edges a b and c d, which cross inside both, meet: each ordinate the exact one rounded to nearest, so
/// the place lies in the boxes of both edges and does not depend on their order or directions. And which share of a b lies
/// before it, good to a few ulp.
func crossingPlace(_ a: Place, _ b: Place, _ c: Place, _ d: Place) -> (place: Place, share: Double) {
  CrossingEstimate(a, b, c, d)?.rounded ?? ExactCrossing(a, b, c, d).rounded
}

/// The order along a b, from a on, of the exact points where it crosses c d and where it crosses e f: -1 when that of c d
/// comes first, 0 when they are one point.
func compareCrossings(
  along a: Place, _ b: Place, _ c: Place, _ d: Place, _ e: Place, _ f: Place
) -> Int {
  if let first = CrossingEstimate(a, b, c, d), let second = CrossingEstimate(a, b, e, f) {
    let way = first.share - second.share
    if way.head.magnitude > 2 * (first.error + second.error) { return way.head < 0 ? -1 : 1 }
  }
  // Where a b crosses c d, on which side of e f is it? The same as a's: it comes before e f.
  let side = ExactCrossing(a, b, c, d).side(of: e, f)
  if side == 0 { return 0 }
  return side == orientation(e, f, a) ? -1 : 1
}

/// Where two edges cross, as an offset from the double place that the exact point rounds to: what tells crossings apart that
/// round to one place.
struct CrossingOffset: BitwiseCopyable {
  private let x: Double
  private let y: Double
  /// How far each may be off; infinite where two doubles know nothing.
  private let xError: Double
  private let yError: Double

  init(_ a: Place, _ b: Place, _ c: Place, _ d: Place, from place: Place) {
    guard let estimate = CrossingEstimate(a, b, c, d) else {
      (x, y, xError, yError) = (0, 0, .infinity, .infinity)
      return
    }
    let (exactX, exactY) = (estimate.x, estimate.y)
    // The heads are the place or its neighbours.
    (x, y) = ((exactX.value.head - place.x) + exactX.value.tail, (exactY.value.head - place.y) + exactY.value.tail)
    (xError, yError) = (2 * exactX.error, 2 * exactY.error)
  }

  /// The order by x, then y: -1 or 1; 0 where only exact arithmetic can tell.
  func compare(_ other: CrossingOffset) -> Int {
    let (dx, dy) = (x - other.x, y - other.y)
    if dx.magnitude > xError + other.xError { return dx < 0 ? -1 : 1 }
    // Equal ordinates of edges along an axis are known.
    if xError + other.xError == 0 && dy.magnitude > yError + other.yError { return dy < 0 ? -1 : 1 }
    return 0
  }
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

  fileprivate struct Ratio {
    let x: ExactInteger
    let y: ExactInteger
    /// Positive.
    let denominator: ExactInteger
    /// Which share of a b lies before the point, times the denominator.
    let along: ExactInteger
  }

  fileprivate var unit: Int { ExactInteger.unitExponent(a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y) }

  /// In units of 2^unit: the point is a + (b - a) along / denominator.
  fileprivate func ratio(unit: Int) -> Ratio {
    func whole(_ value: Double) -> ExactInteger { ExactInteger(value, unit: unit) }
    let (ax, ay, cx, cy) = (whole(a.x), whole(a.y), whole(c.x), whole(c.y))
    let (ux, uy) = (whole(b.x) - ax, whole(b.y) - ay)
    let (vx, vy) = (whole(d.x) - cx, whole(d.y) - cy)
    var determinant = ux * vy - uy * vx
    var along = (cx - ax) * vy - (cy - ay) * vx
    if determinant.sign < 0 { (determinant, along) = (ExactInteger() - determinant, ExactInteger() - along) }
    return Ratio(
      x: ax * determinant + along * ux, y: ay * determinant + along * uy, denominator: determinant, along: along)
  }

  /// On which side of the line from `e` to `f` the point lies: 1 left, -1 right, 0 on it.
  func side(of e: Place, _ f: Place) -> Int {
    let unit = min(self.unit, ExactInteger.unitExponent(e.x, e.y, f.x, f.y))
    func whole(_ value: Double) -> ExactInteger { ExactInteger(value, unit: unit) }
    let (ex, ey, p) = (whole(e.x), whole(e.y), ratio(unit: unit))
    let (wx, wy) = (whole(f.x) - ex, whole(f.y) - ey)
    return (wx * (p.y - ey * p.denominator) - wy * (p.x - ex * p.denominator)).sign
  }

  /// The order of two points by x, then y: -1, 0 when they are one, 1.
  func compare(_ other: ExactCrossing) -> Int {
    let unit = min(self.unit, other.unit)
    let (p, q) = (ratio(unit: unit), other.ratio(unit: unit))
    let order = (p.x * q.denominator - q.x * p.denominator).sign
    return order != 0 ? order : (p.y * q.denominator - q.y * p.denominator).sign
  }

  /// The double place nearest to the point, and the share of a b before it.
  fileprivate var rounded: (place: Place, share: Double) {
    let unit = self.unit
    let p = ratio(unit: unit)
    let place = Place(
      x: ExactInteger.quotient(p.x, p.denominator, unit: unit),
      y: ExactInteger.quotient(p.y, p.denominator, unit: unit))
    return (place, ExactInteger.quotient(p.along, p.denominator, unit: 0))
  }
}

/// A crossing as two doubles know it: a + (b - a) t, t = (c - a) x (d - c) / (b - a) x (d - c).
private struct CrossingEstimate {
  /// t, and how far it may be off.
  let share: TwoDoubles
  let error: Double
  private let a: Place
  private let step: (x: TwoDoubles, y: TwoDoubles)

  /// nil where the determinant cancels, or products overflow or vanish.
  init?(_ a: Place, _ b: Place, _ c: Place, _ d: Place) {
    let (ux, uy) = (TwoDoubles(b.x, minus: a.x), TwoDoubles(b.y, minus: a.y))
    let (vx, vy) = (TwoDoubles(d.x, minus: c.x), TwoDoubles(d.y, minus: c.y))
    let (wx, wy) = (TwoDoubles(c.x, minus: a.x), TwoDoubles(c.y, minus: a.y))
    let determinant = ux * vy - uy * vx
    let size = { (x: TwoDoubles, y: TwoDoubles) in (x.head * vy.head).magnitude + (y.head * vx.head).magnitude }
    let terms = size(ux, uy) + size(wx, wy)
    guard determinant.head.magnitude > 0x1p-600, terms < 0x1p900, determinant.head.magnitude > terms * 0x1p-60 else {
      return nil
    }
    share = (wx * vy - wy * vx) / determinant
    error = terms * 0x1p-97 / determinant.head.magnitude + 0x1p-98
    self.a = a
    step = (x: ux, y: uy)
  }

  /// An ordinate and how far it may be off.
  var x: (value: TwoDoubles, error: Double) { ordinate(a.x, step.x) }
  var y: (value: TwoDoubles, error: Double) { ordinate(a.y, step.y) }

  private func ordinate(_ start: Double, _ step: TwoDoubles) -> (value: TwoDoubles, error: Double) {
    step.head == 0
      ? (TwoDoubles(start), 0)
      : (
        TwoDoubles(start) + share * step, step.head.magnitude * error + start.magnitude * 0x1p-100 + 0x1p-1000
      )
  }

  /// nil where two doubles cannot tell which double is nearest.
  var rounded: (place: Place, share: Double)? {
    let (x, y) = (x, y)
    guard let px = x.value.rounded(within: x.error), let py = y.value.rounded(within: y.error) else { return nil }
    return (Place(x: px, y: py), share.head)
  }
}
