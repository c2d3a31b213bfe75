// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// A sphere or an ellipsoid with its shortest lines as edges. Longitudes are equal modulo 360.
public protocol GlobeSurface: AreaSurface, ShortestLineSurface {
  /// Area of the whole surface.
  var totalArea: Double { get }
  /// Signed area between an edge and the equator, positive for an eastward edge north of it.
  func areaToEquator(_ a: Place, _ b: Place) -> Double
  /// The highest or lowest latitude inside an edge, rounded outward; nil when the ends are the extremes.
  func extremeLatitude(_ a: Place, _ b: Place) -> Double?
  /// The lowest and highest of `extremeLatitude` on a path; infinities the wrong way round when there are none.
  func extremeLatitudes(_ geoms: Geoms, _ path: Range<Int>, _ poll: inout CancelPoll) -> (low: Double, high: Double)
  /// The signed area of a ring by a method of its own for small figures; nil = use the general one.
  func smallRingArea(_ geoms: Geoms, _ path: Range<Int>, _ poll: inout CancelPoll) -> Double?
}

extension GlobeSurface {
  public func extremeLatitudes(
    _ geoms: Geoms, _ path: Range<Int>, _ poll: inout CancelPoll
  ) -> (low: Double, high: Double) {
    var (low, high) = (Double.infinity, -Double.infinity)
    for coordinate in path.dropFirst() {
      if poll.tick() { break }
      if let extreme = extremeLatitude(geoms.place(coordinate &- 1), geoms.place(coordinate)) {
        (low, high) = (min(low, extreme), max(high, extreme))
      }
    }
    return (low, high)
  }

  public var domain: CoordinateDomain { .globe }
  public var isGlobe: Bool { true }

  public func area(_ geoms: Geoms, _ row: Int, signed: Bool, side: Int32, _ poll: inout CancelPoll) -> Double {
    var total = CompensatedSum()
    geoms.forEachPolygon(row) { rings in
      for ring in rings {
        let area = GlobeRing(surface: self, geoms: geoms, path: geoms.path(row, ring)).area(side: side, &poll)
        if signed {
          total.add(area)
        } else {
          total.add(ring == rings.lowerBound ? area.magnitude : -area.magnitude)
        }
      }
    }
    return total.value
  }
}

/// One ring on the globe.
public struct GlobeRing<S: GlobeSurface> {
  let surface: S
  let geoms: Geoms
  let path: Range<Int>

  public init(surface: S, geoms: Geoms, path: Range<Int>) {
    self.surface = surface
    self.geoms = geoms
    self.path = path
  }

  /// Signed area: SMALLER gives (-A0 / 2, A0 / 2], LEFT gives [0, A0) with the inside on the left.
  public func area(side: Int32, _ poll: inout CancelPoll) -> Double {
    let area = surface.smallRingArea(geoms, path, &poll) ?? integral(&poll).area
    return ringArea(area, ofTotal: surface.totalArea, side: side)
  }

  /// The integral of the winding number that is 0 at the south pole and `polarTurns` at the north pole: the areas between
  /// the edges and the equator, and the northern hemisphere once for each turn around the globe.
  public func integral(_ poll: inout CancelPoll) -> (area: Double, polarTurns: Double) {
    var (area, turn) = (CompensatedSum(), CompensatedSum())
    for coordinate in path.dropFirst() {
      let (a, b) = (geoms.place(coordinate &- 1), geoms.place(coordinate))
      area.add(-surface.areaToEquator(a, b))
      turn.add(longitudeDifference(a.x, b.x))
      if poll.tick() { break }
    }
    let turns = (turn.value / 360).rounded()
    area.add(surface.totalArea / 2 * turns)
    return (area.value, turns)
  }
}

/// An area that is known modulo the whole surface, brought to a side of its ring: SMALLER gives (-total / 2, total / 2],
/// LEFT gives [0, total).
public func ringArea(_ area: Double, ofTotal total: Double, side: Int32) -> Double {
  let rest = area.remainder(dividingBy: total)
  let smaller = rest <= -total / 2 ? rest + total : rest
  return side == MRD_SIDE_LEFT && smaller < 0 ? smaller + total : smaller
}
