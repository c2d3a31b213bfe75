// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// One edge of any length, by quadrature over panels: halved until each keeps 4 times its own half width from the
/// singularities of the integrand, which makes 10 nodes right to 1e-18 of it.
struct PlateCarreeEdge {
  private let model: PlateCarree
  private let start: Place
  private let end: Place
  // Differences end - start in degrees, as sums of two doubles.
  private let east: (head: Double, tail: Double)
  private let north: (head: Double, tail: Double)
  /// The same in radians.
  private let l: Double
  private let p: Double
  private(set) var length = 0.0
  /// See `PlateCarreeLanes`.
  private(set) var rise = 0.0
  private(set) var rest = 0.0

  init(_ model: PlateCarree, _ start: Place, _ end: Place) {
    self.model = model
    self.start = start
    self.end = end
    east = twoSum(end.x, -start.x)
    north = twoSum(end.y, -start.y)
    l = east.head * radiansPerDegree + east.tail * radiansPerDegree
    p = north.head * radiansPerDegree + north.tail * radiansPerDegree
    let sums = sums
    let scale = model.a * model.a * model.f1Squared
    length = model.a * sums.length
    rise = scale * (p * sums.area)
    rest = -scale * (l * p * sums.skew)
  }

  /// The place at `distance` from the start and the azimuth of the edge there; ends come out exact.
  func place(at distance: Double) -> (place: Place, azimuth: Double) {
    guard length.isFinite else { return (start, .nan) }
    if !(distance > 0) { return (start, heading(at: Panel.start)) }
    if !(distance < length) { return (end, heading(at: Panel.end)) }
    let wanted = distance / model.a
    var before = 0.0
    var found = Panel.end
    forEachPanel { panel in
      let whole = integrals(over: panel).length
      guard before + whole >= wanted else {
        before += whole
        return true
      }
      found = self.panel(panel, wanted - before, of: whole)
      return false
    }
    return (position(of: found), heading(at: found))
  }

  /// The part of a panel, from its start, that has the length `wanted`, as a panel of no width at its end. Newton's method;
  /// the slope is the speed.
  private func panel(_ panel: Panel, _ wanted: Double, of whole: Double) -> Panel {
    var share = wanted / whole
    for _ in 0..<20 {
      let slope = node(panel.place(share)).speed * panel.width
      guard slope > 0 else { break }
      let step = (integrals(over: panel.first(share)).length - wanted) / slope
      share = min(1, max(0, share - step))
      if step.magnitude * slope <= 2e-16 * whole { break }
    }
    return panel.place(share)
  }

  // MARK: Quadrature

  /// NaN where a difference overflows.
  private var sums: Sums {
    guard l.isFinite, p.isFinite else { return Sums(length: .nan, area: .nan, skew: .nan) }
    var sums = Sums()
    forEachPanel { panel in
      sums.add(integrals(over: panel))
      return true
    }
    return sums
  }

  /// A stretch of the edge. `centre`: from the start of the edge where not negative, else from its end; the whole edge
  /// counts 1. So places beside either end keep all their digits.
  private struct Panel {
    var centre: Double
    var isFromEnd: Bool
    var width: Double

    static var start: Panel { Panel(centre: 0, isFromEnd: false, width: 0) }
    static var end: Panel { Panel(centre: 0, isFromEnd: true, width: 0) }

    /// At a share of its width.
    func place(_ share: Double) -> Panel {
      Panel(centre: centre + (share - 0.5) * width, isFromEnd: isFromEnd, width: 0)
    }

    func first(_ share: Double) -> Panel {
      Panel(centre: centre + (0.5 * share - 0.5) * width, isFromEnd: isFromEnd, width: share * width)
    }
  }

  private struct Sums {
    var length = 0.0
    /// Integrals of M r / b^2 and of that times t, t from -1/2 to 1/2.
    var area = 0.0
    var skew = 0.0

    mutating func add(_ other: Sums) {
      length += other.length
      area += other.area
      skew += other.skew
    }
  }

  /// Panels from start to end, until `body` answers false. Halving stops at 2^-52, where what is left beside a pole counts
  /// no more; the sizes grow in both directions from there, so that an edge has a few hundred panels at most.
  private func forEachPanel(_ body: (Panel) -> Bool) {
    var (depth, index) = (0, Int64(0))
    while true {
      let count = Int64(1) << Int64(depth)
      let width = 1 / Double(count)
      let isFromEnd = 2 * index >= count
      let centre = (Double(isFromEnd ? index - count : index) + 0.5) * width
      let panel = Panel(centre: centre, isFromEnd: isFromEnd, width: width)
      if depth < 52 && !isFine(panel) {
        depth += 1
        index *= 2
        continue
      }
      guard body(panel) else { return }
      index += 1
      while depth > 0 && index & 1 == 0 {
        index >>= 1
        depth -= 1
      }
      if depth == 0 { return }
    }
  }

  /// Singularities lie where the latitude passes a pole, at an imaginary distance of about 1 / l in units of the edge, and
  /// those of the ellipsoid more than 2 radians off.
  private func isFine(_ panel: Panel) -> Bool {
    guard p.magnitude * panel.width <= 0.5 else { return false }
    if l.magnitude * panel.width <= 0.5 { return true }
    let (head, tail) = latitude(panel)
    let fromPole = (90 - head.magnitude) - (head < 0 ? -tail : tail)
    return fromPole * radiansPerDegree >= 2 * p.magnitude * panel.width
  }

  private func integrals(over panel: Panel) -> Sums {
    var sums = Sums()
    for index in 0..<5 {
      let step = GaussLegendre.tenNodes[index] * panel.width
      let weight = GaussLegendre.tenWeights[index]
      let far = Panel(centre: panel.centre + step, isFromEnd: panel.isFromEnd, width: 0)
      let near = Panel(centre: panel.centre - step, isFromEnd: panel.isFromEnd, width: 0)
      let (ahead, behind) = (node(far), node(near))
      sums.length += weight * (ahead.speed + behind.speed)
      sums.area += weight * (ahead.area + behind.area)
      sums.skew += weight * (ahead.area * along(far) + behind.area * along(near))
    }
    return Sums(length: sums.length * panel.width, area: sums.area * panel.width, skew: sums.skew * panel.width)
  }

  /// t from -1/2 to 1/2.
  private func along(_ place: Panel) -> Double { place.isFromEnd ? 0.5 + place.centre : place.centre - 0.5 }

  /// The latitude in degrees as a sum of two doubles, from the nearer end.
  private func latitude(_ place: Panel) -> (head: Double, tail: Double) {
    let anchor = place.isFromEnd ? end.y : start.y
    let sum = twoSum(anchor, place.centre * north.head)
    return (sum.head, sum.tail + place.centre * north.tail)
  }

  /// Sine and cosine of the latitude.
  private func direction(_ place: Panel) -> (sin: Double, cos: Double) {
    let (head, tail) = latitude(place)
    let (sine, cosine) = sineCosine(degrees: head)
    let rest = tail * radiansPerDegree
    return (sine + cosine * rest, max(0, cosine - sine * rest))
  }

  /// sqrt((M p)^2 + (r l)^2) / a and M r / b^2.
  private func node(_ place: Panel) -> (speed: Double, area: Double) {
    let (sine, cosine) = direction(place)
    let over = 1 / (1 - model.e2 * sine * sine)
    let (north, east) = (model.f1Squared * over * p, cosine * l)
    return ((over * (north * north + east * east)).squareRoot(), cosine * (over * over))
  }

  private func position(of panel: Panel) -> Place {
    let anchor = panel.isFromEnd ? end : start
    return Place(
      x: anchor.x + (panel.centre * east.head + panel.centre * east.tail),
      y: max(-90, min(90, anchor.y + (panel.centre * north.head + panel.centre * north.tail))))
  }

  /// Clockwise from north, in (-180, 180].
  private func heading(at panel: Panel) -> Double {
    let (sine, cosine) = direction(panel)
    // M p and r l over a (1 - e^2) / W^3.
    let scale = (1 - model.e2 * sine * sine) / model.f1Squared
    return azimuth(east: scale * (cosine * l), north: p)
  }
}
