// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

// What the adapter declares: the bounds that the authors of the routines state for |f| <= 1/50 and doubles, which tests
// hold against high-precision values.

private let all: UInt32 = 0x7e  // POINT ... MULTIPOLYGON
private let points: UInt32 = 1 << UInt32(MRD_POINT)
private let lines: UInt32 = 1 << UInt32(MRD_LINESTRING)

/// A declaration for geodesics on the ellipsoid and, behind it, the same for great circles on the sphere, where the
/// routines are those of flattening 0.
private func declare(
  types: UInt32 = all, unit: Int32 = MRD_UNIT_METRE, absolute: Double = 0, relative: Double = 0,
  perVertex: Double = 0, method: StaticString
) -> mrd_op_info {
  var ellipsoid = mrd_op_info(
    struct_size: UInt32(MemoryLayout<mrd_op_info>.size),
    flags: MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_CANCELS, type_mask: types, dims_mask: 0x1e,
    edges_mask: 1 << UInt32(MRD_EDGES_GEODESIC), metric_mask: 1 << UInt32(MRD_METRIC_ELLIPSOID), dialect_mask: 0,
    error_unit: unit, error_absolute: absolute, error_relative: relative, error_per_vertex: perVertex,
    max_flattening: 1.0 / 50, ns_per_coord: 0, method: cString(method), next: nil)
  var sphere = ellipsoid
  sphere.edges_mask = 1 << UInt32(MRD_EDGES_GREAT_CIRCLE)
  sphere.metric_mask = 1 << UInt32(MRD_METRIC_SPHERE)
  sphere.max_flattening = 0
  // One for each global below, for the life of the process.
  let behind = UnsafeMutablePointer<mrd_op_info>.allocate(capacity: 1)
  behind.initialize(to: sphere)
  ellipsoid.next = UnsafePointer(behind)
  return ellipsoid
}

nonisolated(unsafe) private var lengthInfo = declare(
  perVertex: 30e-9, method: "Karney 2013, series of order 6, by PROJ; 15 nm an edge for |f| <= 1/150")
nonisolated(unsafe) private var areaInfo = declare(
  relative: 5e-14, perVertex: 0.1, method: "Karney 2013, series of order 6, by PROJ; typically 1e-4 m2 a vertex")
nonisolated(unsafe) private var boundsInfo = declare(
  unit: MRD_UNIT_DEGREE, absolute: 6e-13,
  method: "vertices, Clairaut's highest latitude rounded outward, poles by winding")
nonisolated(unsafe) private var interpolateInfo = declare(
  types: lines, perVertex: 60e-9, method: "Karney 2013, lengths of the edges, then a place on one of them")
nonisolated(unsafe) private var inverseInfo = declare(
  types: points, absolute: 30e-9,
  method: "Karney 2013, by PROJ; 15 nm for |f| <= 1/150; azimuths x reduced length likewise")
nonisolated(unsafe) private var distanceInfo = declare(
  types: points, absolute: 30e-9, method: "Karney 2013, by PROJ; 15 nm for |f| <= 1/150; between points only")
nonisolated(unsafe) private var directInfo = declare(
  types: points, absolute: 30e-9, method: "Karney 2013, by PROJ; 15 nm for |f| <= 1/150")
nonisolated(unsafe) private var densifyInfo = declare(
  absolute: 60e-9, method: "Karney 2013, equal pieces of each geodesic; input vertices bit-equal")

/// The declaration of an operation, nil = not offered.
func measureInfo(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  switch op {
  case MRD_MEASURE_LENGTH, MRD_MEASURE_PERIMETER: address(&lengthInfo)
  case MRD_MEASURE_AREA, MRD_MEASURE_AREA_SIGNED, MRD_MEASURE_PERIMETER_AREA: address(&areaInfo)
  case MRD_MEASURE_BOUNDS: address(&boundsInfo)
  case MRD_MEASURE_INTERPOLATE: address(&interpolateInfo)
  case MRD_MEASURE_INVERSE: address(&inverseInfo)
  case MRD_MEASURE_DISTANCE: address(&distanceInfo)
  case MRD_MEASURE_DIRECT: address(&directInfo)
  case MRD_MEASURE_DENSIFY: address(&densifyInfo)
  default: nil
  }
}
