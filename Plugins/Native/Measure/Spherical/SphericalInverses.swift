// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// Distances as everywhere on the sphere, azimuths from half angles: with l the difference of the longitudes, east and
/// north of the unit vector to the other place are
///
///     east1 = cos phi2 sin l      north1 = sin(phi2 - phi1) + 2 sin phi1 cos phi2 sin^2(l / 2)
///     east2 = cos phi1 sin l      north2 = sin(phi2 - phi1) - 2 sin phi2 cos phi1 sin^2(l / 2)
///
/// where nothing cancels between places that are near each other.
extension Sphere: InverseMethod {
  @inline(__always)
  func inverse(_ lat1: Lanes, _ lon1: Lanes, _ lat2: Lanes, _ lon2: Lanes) -> InverseResult {
    let turn = TurnLanes(from: lon1, to: lon2)
    let half = sineCosine(quadrant: 0.5 * turn.size, tail: 0.5 * turn.tail)
    let (start, end) = (sineCosine(latitude: lat1), sineCosine(latitude: lat2))
    let halfRise = sineCosine(latitude: 0.5 * (lat2 - lat1))
    let (turnSine, rise) = (2 * half.sin * half.cos, 2 * halfRise.sin * halfRise.cos)
    let versine = 2 * half.sin * half.sin
    var result = InverseResult(distance: finished(distances(lat1, lat2, turn: turn.size, tail: turn.tail)))
    result.azimuth1 = azimuth(east: end.cos * turnSine, north: rise + versine * start.sin * end.cos, turn)
    result.azimuth2 = azimuth(east: start.cos * turnSine, north: rise - versine * end.sin * start.cos, turn)
    // Between opposite places nothing is left of either direction: over one pole as well as over the other.
    let areOpposite = turn.isHalfTurn .& (lat1 .== -lat2)
    result.azimuth2 = pick(areOpposite, 180 - result.azimuth1, result.azimuth2)
    return result
  }

  /// In (-180, 180].
  @inline(__always)
  private func azimuth(east: Lanes, north: Lanes, _ turn: TurnLanes) -> Lanes {
    let size = angle(east, north) * (180 / Double.pi)
    return negate(size, where: turn.isWestward .& (size .< 180))
  }
}
