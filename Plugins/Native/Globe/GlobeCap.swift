// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// Where places within a distance of a place or a box can lie, in latitude and longitude.
///
/// With reduced latitudes as latitudes the ellipsoid becomes the unit sphere, where no line is longer than its length over
/// the lesser half axis. So a cap of the sphere holds what is within the distance, and the window of a cap is elementary.
struct GlobeCap {
  /// Latitudes in degrees, at most the poles.
  let south: Double
  let north: Double
  /// How far the window reaches beyond either side, in degrees of longitude; 180 = all round.
  let halfWidth: Double
  /// Around a point: no place of the window is farther away than this.
  let extent: Double

  /// More than all roundings on the way here, in degrees: a tenth of a millimetre.
  private static let slack = 1e-9

  var isAll: Bool { halfWidth == 180 && south == -90 && north == 90 }

  init(_ point: Place, _ reach: Double, _ geodesics: Geodesics) {
    self.init(from: point.y, to: point.y, reach, geodesics)
  }

  /// Around a box between two latitudes. `reach`: in the unit of the half axes, not negative.
  init(from least: Double, to most: Double, _ reach: Double, _ geodesics: Geodesics) {
    let (a, b) = (geodesics.a, geodesics.b)
    let arc = reach / min(a, b)
    let quarter = Double.pi / 2
    func reduced(_ latitude: Double) -> Double {
      let at = sineCosine(degrees: latitude)
      return atan2(geodesics.f1 * at.sin, at.cos)
    }
    func degrees(_ reduced: Double) -> Double {
      atan2(sin(reduced), geodesics.f1 * cos(reduced)) * degreesPerRadian
    }
    let lowest = reduced(least)
    let highest = least == most ? lowest : reduced(most)
    let (low, high) = (lowest - arc, highest + arc)
    south = low > -quarter ? max(-90, degrees(low) - GlobeCap.slack) : -90
    north = high < quarter ? min(90, degrees(high) + GlobeCap.slack) : 90
    // The latitude nearest to a pole has the widest cap.
    let across = cos(max(lowest.magnitude, highest.magnitude))
    var half = 180.0
    if low > -quarter && high < quarter {
      // From the place to the meridians that touch the cap.
      let leg = sin(arc)
      let other = across * across - leg * leg
      if arc < quarter && other > 0 {
        half = min(180, atan2(leg, other.squareRoot()) * degreesPerRadian * (1 + 1e-12) + GlobeCap.slack)
      }
    }
    halfWidth = half
    extent = max(a, b) * (arc + half * radiansPerDegree * across + 1e-9)
  }

  /// The window around the longitudes from `west` eastward to `east`; endless when it is all round.
  func window(_ west: Double, _ east: Double) -> Box {
    let width = west <= east ? east - west : eastwardWay(west, east)
    guard width + 2 * halfWidth < 360 else { return Box(xmin: -.infinity, ymin: south, xmax: .infinity, ymax: north) }
    return Box(xmin: west - halfWidth, ymin: south, xmax: east + halfWidth, ymax: north)
  }
}

/// The way from one longitude eastward to another, in degrees, 0 to 360.
func eastwardWay(_ west: Double, _ east: Double) -> Double {
  let way = longitudeDifference(west, east)
  return way < 0 ? way + 360 : way
}
