// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// Edges that are straight in longitude and latitude (RFC 7946, 3.1.1), laid on a sphere or an ellipsoid.
///
/// Longitudes are plain numbers here, as in the plane: an edge from -180 to 180 goes once around the globe, and one over the
/// antimeridian has to be given with longitudes beyond 180. So the rectangle of all longitudes and latitudes has the area
/// of the globe, a ring encloses what its drawing on a map encloses, and there is no other side to take.
struct PlateCarree: Surface {
  let a: Double
  let e2: Double
  /// (1 - f)^2 = 1 - e^2.
  let f1Squared: Double

  /// nil unless the radius is positive and finite and |f| <= 1/50.
  init?(radius: Double, flattening: Double) {
    guard radius > 0, radius.isFinite, flattening.magnitude <= 1.0 / 50 else { return nil }
    a = radius
    e2 = flattening * (2 - flattening)
    f1Squared = (1 - flattening) * (1 - flattening)
  }

  var domain: CoordinateDomain { .globe }
  var isGlobe: Bool { false }

  func line(_ a: Place, _ b: Place) -> PlateCarreeEdge { PlateCarreeEdge(self, a, b) }
  func length(_ line: PlateCarreeEdge) -> Double { line.length }
  func distance(_ a: Place, _ b: Place) -> Double { PlateCarreeEdge(self, a, b).length }

  func place(on line: PlateCarreeEdge, at distance: Double) -> (place: Place, azimuth: Double) {
    line.place(at: distance)
  }
}
