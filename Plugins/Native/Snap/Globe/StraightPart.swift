// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// The part of an edge, straight in longitude and latitude, that can come within a cap, and how many pieces it is searched
/// in.
struct StraightPart {
  private(set) var low = 0.0
  private(set) var high = 1.0
  private(set) var pieces = 1

  /// Along an edge the distance s from a point has one critical point at most, its minimum, while
  /// cot(s / R) > 1.09 tan(latitude): at a critical point the second derivative is cot(s / R) / R, less the geodesic
  /// curvature of the edge, which for a line of this kind at azimuth t is sin t (1 + cos^2 t) tan(latitude) / R. With room
  /// for the ellipsoid.
  private static let bend = 1.25
  /// Otherwise, beside a pole or far off, pieces of so many degrees are searched each by itself. Two critical points of one
  /// piece differ in their distances by less than 1e-8 of that to the pole.
  private static let degreesAPiece = 0.25
  private static let mostPieces = 1 << 16

  /// nil where no part does.
  init?(_ a: Place, _ b: Place, _ point: Place, _ cap: GlobeCap, _ geodesics: Geodesics) {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    guard clip(a.y, dy, cap.south, cap.north) else { return nil }
    var isWhole = cap.halfWidth >= 180
    if !isWhole && dx.magnitude + 2 * cap.halfWidth < 360 {
      // Only the window that is next to the middle of the edge can meet it.
      let middle = a.x + dx / 2
      let centre = middle + longitudeDifference(middle, point.x)
      guard clip(a.x, dx, centre - cap.halfWidth, centre + cap.halfWidth) else { return nil }
    } else {
      isWhole = true
    }
    let top = sineCosine(degrees: max((a.y + low * dy).magnitude, (a.y + high * dy).magnitude))
    let radius = min(geodesics.b, geodesics.a / geodesics.f1)
    let arc = cap.extent / radius
    let isSimple =
      !isWhole && arc < Double.pi / 2 && cos(arc) * top.cos > StraightPart.bend * sin(arc) * top.sin.magnitude
    if !isSimple {
      let degrees = max(dx.magnitude, dy.magnitude) * (high - low)
      pieces = Int(max(1, min(Double(StraightPart.mostPieces), (degrees / StraightPart.degreesAPiece).rounded(.up))))
    }
  }

  /// Leaves the shares for which start + share x way lies between two bounds. False when there are none. The window has
  /// room for the rounding of the shares.
  private mutating func clip(_ start: Double, _ way: Double, _ least: Double, _ most: Double) -> Bool {
    guard way != 0 else { return least <= start && start <= most }
    let (one, two) = ((least - start) / way, (most - start) / way)
    low = max(low, min(one, two))
    high = min(high, max(one, two))
    return low <= high
  }
}
