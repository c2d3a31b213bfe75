// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

// What the native measures declare. A bound covers both surfaces, so it is that of the sphere, the weaker one; the plane's
// own is in the method's text.

private let all: UInt32 = 0x7e  // POINT ... MULTIPOLYGON
private let points: UInt32 = 1 << UInt32(MRD_POINT)
private let lines: UInt32 = 1 << UInt32(MRD_LINESTRING)
private let flags = MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_CANCELS

private func declare(
  types: UInt32 = all, edges: UInt32 = 1 << UInt32(MRD_EDGES_PLANAR) | 1 << UInt32(MRD_EDGES_GREAT_CIRCLE),
  metrics: UInt32 = 1 << UInt32(MRD_METRIC_COORD) | 1 << UInt32(MRD_METRIC_SPHERE), unit: Int32 = MRD_UNIT_METRE,
  absolute: Double = 0, relative: Double = 0, perVertex: Double = 0, exact: Bool = false, method: StaticString
) -> mrd_op_info {
  mrd_op_info(
    struct_size: UInt32(MemoryLayout<mrd_op_info>.size), flags: exact ? flags | MRD_OP_EXACT_PREDICATES : flags,
    type_mask: types, dims_mask: 0x1e, edges_mask: edges, metric_mask: metrics, dialect_mask: 0, error_unit: unit,
    error_absolute: absolute, error_relative: relative, error_per_vertex: perVertex, max_flattening: 0, ns_per_coord: 0,
    method: cString(method))
}

private let anyMetric: UInt32 = 0x7

nonisolated(unsafe) private var lengthInfo = declare(
  relative: 4e-15, method: "plane: square roots, 1e-15 relative; sphere: half-angle formula; compensated sums")
nonisolated(unsafe) private var areaInfo = declare(
  absolute: 0, relative: 1e-11, perVertex: 0.1,
  method: """
    plane: shoelace in two doubles, exact sums where they do not suffice, 1e-15 relative; sphere: signed triangles within \
    60 degrees (1e-11 relative where perimeter^2 <= 100 area), else excess against the equator
    """)
nonisolated(unsafe) private var boundsInfo = declare(
  metrics: anyMetric, unit: MRD_UNIT_DEGREE, relative: 4e-15,
  method: "plane: vertices, exact; sphere: vertices, Clairaut's highest latitude rounded outward, poles by winding")
nonisolated(unsafe) private var centroidInfo = declare(
  unit: MRD_UNIT_NONE, method: "plane: moments about the first vertex; sphere: mean position in space (Stokes)")
nonisolated(unsafe) private var countsInfo = declare(
  edges: 0x1f, metrics: anyMetric, unit: MRD_UNIT_NONE, exact: true, method: "counted from the offsets")
nonisolated(unsafe) private var interpolateInfo = declare(
  types: lines, unit: MRD_UNIT_NONE, method: "length of the edges, then the place on one of them")
nonisolated(unsafe) private var inverseInfo = declare(
  types: points, relative: 4e-15,
  method:
    "plane: Euclid; sphere: half-angle formula (distance; azimuths within 1e-13 degrees where the reduced length is over 1 m)"
)
nonisolated(unsafe) private var distanceInfo = declare(
  types: points, relative: 4e-15, method: "plane: Euclid; sphere: half-angle formula; between points only")
nonisolated(unsafe) private var closestInfo = declare(
  types: points, edges: 1 << UInt32(MRD_EDGES_PLANAR), metrics: 1 << UInt32(MRD_METRIC_COORD), unit: MRD_UNIT_NONE,
  method: "plane: every edge; inside by exact crossings")
nonisolated(unsafe) private var directInfo = declare(
  types: points, unit: MRD_UNIT_METRE, absolute: 15e-9, method: "plane: one step; sphere: rotation, atan2")
nonisolated(unsafe) private var densifyInfo = declare(
  unit: MRD_UNIT_NONE, method: "equal pieces of each edge; input vertices bit-equal")

/// The declaration of an operation, nil = not offered.
func measureInfo(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  switch op {
  case MRD_MEASURE_LENGTH, MRD_MEASURE_PERIMETER: address(&lengthInfo)
  case MRD_MEASURE_AREA, MRD_MEASURE_AREA_SIGNED, MRD_MEASURE_PERIMETER_AREA: address(&areaInfo)
  case MRD_MEASURE_BOUNDS: address(&boundsInfo)
  case MRD_MEASURE_CENTROID: address(&centroidInfo)
  case MRD_MEASURE_COUNTS: address(&countsInfo)
  case MRD_MEASURE_INTERPOLATE: address(&interpolateInfo)
  case MRD_MEASURE_INVERSE: address(&inverseInfo)
  case MRD_MEASURE_DISTANCE: address(&distanceInfo)
  case MRD_MEASURE_CLOSEST: address(&closestInfo)
  case MRD_MEASURE_DIRECT: address(&directInfo)
  case MRD_MEASURE_DENSIFY: address(&densifyInfo)
  default: nil
  }
}
