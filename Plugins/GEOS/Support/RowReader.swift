// SPDX-License-Identifier: Apache-2.0
import CGEOS
import KernelKit
import MeridianABI

/// Coordinates of a geometry of GEOS, valid until the session stages anything else. `zs` holds NaN where there is no Z.
struct CoordinateView {
  let count: Int
  let xs: UnsafePointer<Double>
  let ys: UnsafePointer<Double>
  let zs: UnsafePointer<Double>
}

extension Session {
  func typeOf(_ geometry: Geometry) -> GEOSGeomTypes {
    GEOSGeomTypes(rawValue: UInt32(bitPattern: GEOSGeomTypeId_r(context, geometry)))
  }

  func isEmpty(_ geometry: Geometry) -> Bool { GEOSisEmpty_r(context, geometry) == 1 }

  /// The coordinates of a point, line or ring; nil = no memory.
  func coordinates(_ geometry: Geometry) -> CoordinateView? {
    guard let sequence = GEOSGeom_getCoordSeq_r(context, geometry) else { return nil }
    var size: UInt32 = 0
    guard GEOSCoordSeq_getSize_r(context, sequence, &size) == 1, let staging = stage(Int(size)),
      let xs = staging.column(0), let ys = staging.column(1), let zs = staging.column(2)
    else { return nil }
    guard size == 0 || GEOSCoordSeq_copyToArrays_r(context, sequence, xs, ys, zs, nil) == 1 else { return nil }
    return CoordinateView(count: Int(size), xs: xs, ys: ys, zs: zs)
  }

  /// Calls `body` for each ring of a polygon, the shell first, or once for a point or line. False = stopped.
  func forEachPath(_ geometry: Geometry, _ body: (Geometry) -> Bool) -> Bool {
    guard typeOf(geometry) == GEOS_POLYGON else { return body(geometry) }
    guard !isEmpty(geometry) else { return true }
    guard let shell = GEOSGetExteriorRing_r(context, geometry), body(shell) else { return false }
    for index in 0..<max(0, GEOSGetNumInteriorRings_r(context, geometry)) {
      guard let hole = GEOSGetInteriorRingN_r(context, geometry, index), body(hole) else { return false }
    }
    return true
  }

  /// Calls `body` for each single geometry that is not empty, collections being taken apart at every depth. False =
  /// stopped.
  func forEachSingle(_ geometry: Geometry, _ body: (Geometry) -> Bool) -> Bool {
    let type = typeOf(geometry)
    guard type.rawValue >= GEOS_MULTIPOINT.rawValue else { return isEmpty(geometry) || body(geometry) }
    for index in 0..<max(0, GEOSGetNumGeometries_r(context, geometry)) {
      guard let member = GEOSGetGeometryN_r(context, geometry, index), forEachSingle(member, body) else { return false }
    }
    return true
  }
}

/// The dimension of points, lines and polygons.
func dimension(of type: GEOSGeomTypes) -> Int {
  switch type {
  case GEOS_POINT, GEOS_MULTIPOINT: 0
  case GEOS_LINESTRING, GEOS_LINEARRING, GEOS_MULTILINESTRING: 1
  default: 2
  }
}

/// The dimension of a type of the ABI.
func dimension(of type: Int32) -> Int {
  switch type {
  case MRD_POINT, MRD_MULTIPOINT: 0
  case MRD_LINESTRING, MRD_MULTILINESTRING: 1
  default: 2
  }
}
