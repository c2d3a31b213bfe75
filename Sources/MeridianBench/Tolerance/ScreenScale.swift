// SPDX-License-Identifier: Apache-2.0
import Meridian

/// The scale of a map: metres of the ground that one screen point covers.
///
/// T_m = T_pt x S, with S = 2 pi 6378137 cos(latitude) / (tile x 2^zoom) for Web Mercator. That S is the sphere's. On the
/// ellipsoid a point covers S x N / a metres from east to west and S x M / a from south to north, with M and N the radii
/// of curvature; they differ by at most 0.67%.
package struct ScreenScale: Equatable, Sendable {
  package let metresPerPoint: Double
  /// Where the scale comes from one.
  package let zoom: Double?
  package let latitude: Double?

  package init(metresPerPoint: Double) {
    self.metresPerPoint = metresPerPoint
    zoom = nil
    latitude = nil
  }

  /// Of Web Mercator. `tile`: screen points a tile.
  package init(zoom: Double, latitude: Double, tile: Double = 512) {
    metresPerPoint = Meridian.metresPerPoint(latitude: latitude, zoom: zoom, tile: tile)
    self.zoom = zoom
    self.latitude = latitude
  }
}
