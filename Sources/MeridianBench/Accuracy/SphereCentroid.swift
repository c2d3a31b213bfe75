// SPDX-License-Identifier: Apache-2.0
import Meridian

extension SphereTruth {
  /// Longitude and latitude in degrees of the mean position in space of a polygon with great circles as edges. NaN where
  /// its area is 0: means of lines and of points have no oracle here.
  ///
  /// By Stokes' theorem the integral of the position over the left side of a ring is half the sum, over its edges, of the
  /// edge's angle times the unit normal of its plane.
  static func centroid(_ array: GeometryArray, _ row: Int) -> [DoubleDouble] {
    var total = SpherePoint(DoubleDouble(0), DoubleDouble(0), DoubleDouble(0))
    for part in array.parts(ofRow: row) where array.type.single == .polygon {
      for (number, ring) in part.enumerated() {
        let points = points(array, ring)
        let side = signedArea(points).high
        guard side != 0 else { continue }
        // The integral over the whole sphere is 0: that over the other side is the negative.
        total = total + normals(points) * DoubleDouble((side > 0) == (number == 0) ? 1 : -1)
      }
    }
    guard total.length.high > 0 else { return [.nan, .nan] }
    return total.degrees
  }

  private static func normals(_ points: [SpherePoint]) -> SpherePoint {
    var total = SpherePoint(DoubleDouble(0), DoubleDouble(0), DoubleDouble(0))
    for (one, two) in zip(points, points.dropFirst()) {
      let normal = one.cross(two)
      let length = normal.length
      if length.high > 0 { total = total + normal * (one.angle(to: two) / length) }
    }
    return total
  }
}

extension SpherePoint {
  /// Longitude and latitude of the direction.
  var degrees: [DoubleDouble] {
    [
      DoubleDouble.arcTangent(y, x) / .radiansPerDegree,
      DoubleDouble.arcTangent(z, (x * x + y * y).squareRoot()) / .radiansPerDegree,
    ]
  }
}
