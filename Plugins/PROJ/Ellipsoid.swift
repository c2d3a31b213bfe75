// SPDX-License-Identifier: Apache-2.0
import CPROJ
import KernelKit
import KernelMath
import MeridianABI

/// An ellipsoid of revolution with PROJ's constants for it, in scratch memory of the call. A sphere is flattening 0.
struct Ellipsoid: GlobeSurface {
  typealias Line = geod_geodesicline

  let geodesic: UnsafePointer<geod_geodesic>

  /// nil = no memory.
  init?(radius: Double, flattening: Double, _ call: UnsafeMutablePointer<mrd_call>) {
    let size = Int64(MemoryLayout<geod_geodesic>.stride)
    guard let memory = call.pointee.scratch(call, size, UInt32(MemoryLayout<geod_geodesic>.alignment)) else {
      return nil
    }
    let constants = memory.bindMemory(to: geod_geodesic.self, capacity: 1)
    geod_init(constants, radius, flattening)
    geodesic = UnsafePointer(constants)
  }

  /// Longitudes for PROJ: an exact half turn is handed over such that it goes east, whatever the two numbers were.
  @inline(__always)
  private func longitudes(_ a: Place, _ b: Place) -> (Double, Double) {
    isHalfTurn(a.x, b.x) ? (-90, 90) : (a.x, b.x)
  }

  func distance(_ a: Place, _ b: Place) -> Double {
    var distance = 0.0
    let (lon1, lon2) = longitudes(a, b)
    geod_inverse(geodesic, a.y, lon1, b.y, lon2, &distance, nil, nil)
    return distance
  }

  func inverse(_ a: Place, _ b: Place) -> (distance: Double, azimuth1: Double, azimuth2: Double) {
    var (distance, azimuth1, azimuth2) = (0.0, 0.0, 0.0)
    let (lon1, lon2) = longitudes(a, b)
    geod_inverse(geodesic, a.y, lon1, b.y, lon2, &distance, &azimuth1, &azimuth2)
    return distance == 0 ? (0, 0, 0) : (distance, upToHalfTurn(azimuth1), upToHalfTurn(azimuth2))
  }

  func direct(_ a: Place, azimuth: Double, distance: Double) -> (place: Place, azimuth: Double) {
    var (latitude, longitude, azimuth2) = (0.0, 0.0, 0.0)
    geod_direct(geodesic, a.y, a.x, azimuth, distance, &latitude, &longitude, &azimuth2)
    return (Place(x: longitude, y: latitude), upToHalfTurn(azimuth2))
  }

  func line(_ a: Place, _ b: Place) -> Line {
    var line = geod_geodesicline()
    let (lon1, lon2) = longitudes(a, b)
    geod_inverseline(&line, geodesic, a.y, lon1, b.y, lon2, 0)
    line.lon1 = a.x
    return line
  }
  func length(_ line: Line) -> Double { line.s13 }

  func place(on line: Line, at distance: Double) -> (place: Place, azimuth: Double) {
    var (latitude, longitude, azimuth) = (0.0, 0.0, 0.0)
    withUnsafePointer(to: line) { geod_position($0, distance, &latitude, &longitude, &azimuth) }
    return (Place(x: longitude, y: latitude), upToHalfTurn(azimuth))
  }

  var totalArea: Double { 4 * .pi * geodesic.pointee.c2 }

  func areaToEquator(_ a: Place, _ b: Place) -> Double {
    var area = 0.0
    let (lon1, lon2) = longitudes(a, b)
    geod_geninverse(geodesic, a.y, lon1, b.y, lon2, nil, nil, nil, nil, nil, nil, &area)
    return area
  }

  func smallRingArea(_ geoms: Geoms, _ path: Range<Int>, _ poll: inout CancelPoll) -> Double? { nil }

  /// A geodesic has its highest latitude inside an edge that leaves the start towards that pole and reaches the end from
  /// there. By Clairaut on the reduced latitude, cos(highest) = sin(azimuth) cos(reduced latitude).
  func extremeLatitude(_ a: Place, _ b: Place) -> Double? {
    let (distance, azimuth1, azimuth2) = inverse(a, b)
    guard distance > 0, (azimuth1.magnitude < 90) == (azimuth2.magnitude > 90), azimuth1.magnitude != 90 else {
      return nil
    }
    let sign = azimuth1.magnitude < 90 ? 1.0 : -1.0
    let f1 = geodesic.pointee.f1
    let (azimuth, latitude) = (azimuth1 * radiansPerDegree, a.y * radiansPerDegree)
    let reduced = atan2(f1 * sin(latitude), cos(latitude))
    let highest = atan2(
      hypot(cos(azimuth), sin(azimuth) * sin(reduced)), f1 * (sin(azimuth) * cos(reduced)).magnitude)
    // Outward by 33 nm, more than azimuth and formula can be wrong, and at most the pole.
    return sign * min(90, highest / radiansPerDegree + 3e-13)
  }

  private func upToHalfTurn(_ azimuth: Double) -> Double { azimuth <= -180 ? 180 : azimuth }
}

private let radiansPerDegree = Double.pi / 180
