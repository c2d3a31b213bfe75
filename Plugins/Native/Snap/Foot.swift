// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// The place of an edge that is nearest to a point, each ordinate the exact one rounded to nearest: so it lies in the
/// edge's box, and edges that are equal have equal feet, whatever their direction.
struct Foot {
  enum Spot { case start, interior, end }

  let place: Place
  /// Where it is. A place inside the edge that rounds to an end is that end.
  let spot: Spot
  /// Share of the edge before it, in [0, 1]; good to a few ulp.
  let share: Double

  private init(_ place: Place, _ spot: Spot, _ share: Double) {
    self.place = place
    self.spot = spot
    self.share = share
  }

  /// `a` and `b` differ.
  init(of q: Place, on a: Place, _ b: Place, _ metric: ScreenMetric) {
    if !metric.isScreen, let end = Foot.clearEnd(q, a, b) {
      self = end
    } else {
      self = Foot.byTwoDoubles(q, a, b, metric) ?? Foot.exact(q, a, b, metric)
    }
  }

  /// The end that is nearest, where plain arithmetic is sure that the edge runs away from the point.
  @inline(__always)
  private static func clearEnd(_ q: Place, _ a: Place, _ b: Place) -> Foot? {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let (px, py) = (dx * (q.x - a.x), dy * (q.y - a.y))
    // Differences, products and sums round six times: 2^-49 of the terms is more than they can lose.
    let (along, error) = (px + py, (px.magnitude + py.magnitude) * 0x1p-49)
    guard error > 0x1p-900 else { return nil }
    if along < -error { return Foot(a, .start, 0) }
    let squared = dx * dx + dy * dy
    return along - squared > error + squared * 0x1p-49 ? Foot(b, .end, 1) : nil
  }

  /// nil where two doubles cannot tell which double is nearest.
  private static func byTwoDoubles(_ q: Place, _ a: Place, _ b: Place, _ metric: ScreenMetric) -> Foot? {
    let (dx, dy) = (TwoDoubles(b.x, minus: a.x), TwoDoubles(b.y, minus: a.y))
    let (wx, wy) = (TwoDoubles(q.x, minus: a.x), TwoDoubles(q.y, minus: a.y))
    let (d, w) = (metric.image(dx, dy), metric.image(wx, wy))
    let along = d.x * w.x + d.y * w.y
    let squared = d.x * d.x + d.y * d.y
    // The magnitudes that went in, before anything cancelled; all errors together are below 2^-97 of them.
    let (sizeX, sizeY) = (size(dx, dy, metric.xx, metric.xy), size(dx, dy, metric.yx, metric.yy))
    let terms =
      sizeX * (sizeX + size(wx, wy, metric.xx, metric.xy)) + sizeY * (sizeY + size(wx, wy, metric.yx, metric.yy))
    let error = terms * 0x1p-97
    guard squared.head > 0x1p-600, terms < 0x1p900 else { return nil }
    if along.head < -error { return Foot(a, .start, 0) }
    if (along - squared).head > error { return Foot(b, .end, 1) }
    guard along.head > error, (squared - along).head > error else { return nil }
    let share = along / squared
    let shareError = error / squared.head + 0x1p-98
    guard let x = ordinate(a.x, dx, share, shareError), let y = ordinate(a.y, dy, share, shareError) else { return nil }
    return Foot(rounded: Place(x: x, y: y), a, b, share.head)
  }

  @inline(__always)
  private static func size(_ x: TwoDoubles, _ y: TwoDoubles, _ a: Double, _ b: Double) -> Double {
    (a * x.head).magnitude + (b * y.head).magnitude
  }

  @inline(__always)
  private static func ordinate(_ start: Double, _ step: TwoDoubles, _ share: TwoDoubles, _ error: Double) -> Double? {
    if step.head == 0 { return start }
    // 2^-1000 covers products below the normal numbers.
    return (TwoDoubles(start) + share * step).rounded(
      within: step.head.magnitude * error + start.magnitude * 0x1p-100 + 0x1p-1000)
  }

  /// With whole numbers: a + d (M d . M w) / (M d . M d).
  private static func exact(_ q: Place, _ a: Place, _ b: Place, _ metric: ScreenMetric) -> Foot {
    let unit = ExactInteger.unitExponent(a.x, a.y, b.x, b.y, q.x, q.y)
    let matrixUnit = ExactInteger.unitExponent(metric.xx, metric.xy, metric.yx, metric.yy)
    func whole(_ value: Double) -> ExactInteger { ExactInteger(value, unit: unit) }
    func image(_ x: ExactInteger, _ y: ExactInteger, _ p: Double, _ q: Double) -> ExactInteger {
      ExactInteger(p, unit: matrixUnit) * x + ExactInteger(q, unit: matrixUnit) * y
    }
    let (ax, ay) = (whole(a.x), whole(a.y))
    let (dx, dy) = (whole(b.x) - ax, whole(b.y) - ay)
    let (wx, wy) = (whole(q.x) - ax, whole(q.y) - ay)
    let (first, second) = (image(dx, dy, metric.xx, metric.xy), image(dx, dy, metric.yx, metric.yy))
    let along = first * image(wx, wy, metric.xx, metric.xy) + second * image(wx, wy, metric.yx, metric.yy)
    let squared = first * first + second * second
    if along.sign <= 0 { return Foot(a, .start, 0) }
    if (squared - along).sign <= 0 { return Foot(b, .end, 1) }
    let place = Place(
      x: ExactInteger.quotient(ax * squared + along * dx, squared, unit: unit),
      y: ExactInteger.quotient(ay * squared + along * dy, squared, unit: unit))
    return Foot(rounded: place, a, b, ExactInteger.quotient(along, squared, unit: 0))
  }

  /// A place inside the edge, or the end that it rounds to.
  private init(rounded place: Place, _ a: Place, _ b: Place, _ share: Double) {
    if place == a {
      self.init(a, .start, 0)
    } else if place == b {
      self.init(b, .end, 1)
    } else {
      self.init(place, .interior, share)
    }
  }
}
