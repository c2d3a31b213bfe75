// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

// What the native measures declare: the plane first, then sphere and ellipsoid, each with its own bound.

private let all: UInt32 = 0x7e  // POINT ... MULTIPOLYGON
private let points: UInt32 = 1 << UInt32(MRD_POINT)
private let lines: UInt32 = 1 << UInt32(MRD_LINESTRING)
private let anyMetric: UInt32 = 0x7

private func declare(
  types: UInt32, edges: UInt32, metrics: UInt32, exact: Bool = false, unit: Int32, absolute: Double, relative: Double,
  perVertex: Double, flattening: Double = 0, method: StaticString, next: UnsafePointer<mrd_op_info>?
) -> mrd_op_info {
  let flags = MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_CANCELS
  return mrd_op_info(
    struct_size: UInt32(MemoryLayout<mrd_op_info>.size), flags: exact ? flags | MRD_OP_EXACT_PREDICATES : flags,
    type_mask: types, dims_mask: 0x1e, edges_mask: edges, metric_mask: metrics, dialect_mask: 0, error_unit: unit,
    error_absolute: absolute, error_relative: relative, error_per_vertex: perVertex, max_flattening: flattening,
    ns_per_coord: 0,
    method: cString(method), next: next)
}

/// Straight edges in coordinate units.
private func plane(
  types: UInt32 = all, metrics: UInt32 = 1 << UInt32(MRD_METRIC_COORD), exact: Bool = false,
  unit: Int32 = MRD_UNIT_COORD, relative: Double = 0, _ method: StaticString,
  next: UnsafePointer<mrd_op_info>? = nil
) -> mrd_op_info {
  declare(
    types: types, edges: 1 << UInt32(MRD_EDGES_PLANAR), metrics: metrics, exact: exact, unit: unit, absolute: 0,
    relative: relative, perVertex: 0, method: method, next: next)
}

/// Great circles in metres.
private func sphere(
  types: UInt32 = all, metrics: UInt32 = 1 << UInt32(MRD_METRIC_SPHERE), unit: Int32 = MRD_UNIT_METRE,
  absolute: Double = 0, relative: Double = 0, perVertex: Double = 0, _ method: StaticString,
  next: UnsafePointer<mrd_op_info>? = nil
) -> mrd_op_info {
  declare(
    types: types, edges: 1 << UInt32(MRD_EDGES_GREAT_CIRCLE), metrics: metrics, unit: unit, absolute: absolute,
    relative: relative, perVertex: perVertex, method: method, next: next)
}

/// Geodesics in metres. The bound that holds to |f| = 1/150 stands before the one to 1/50.
private func ellipsoid(
  types: UInt32 = all, unit: Int32 = MRD_UNIT_METRE, absolute: Double = 0, relative: Double = 0, perVertex: Double = 0,
  flattening: Double = 1.0 / 50, _ method: StaticString, next: UnsafePointer<mrd_op_info>? = nil
) -> mrd_op_info {
  declare(
    types: types, edges: 1 << UInt32(MRD_EDGES_GEODESIC), metrics: 1 << UInt32(MRD_METRIC_ELLIPSOID), unit: unit,
    absolute: absolute, relative: relative, perVertex: perVertex, flattening: flattening, method: method, next: next)
}

/// Edges straight in longitude and latitude, in metres on the sphere or the ellipsoid.
private func plateCarree(
  types: UInt32 = all, metrics: UInt32 = 1 << UInt32(MRD_METRIC_SPHERE) | 1 << UInt32(MRD_METRIC_ELLIPSOID),
  exact: Bool = false, unit: Int32 = MRD_UNIT_METRE, absolute: Double = 0, relative: Double = 0, perVertex: Double = 0,
  _ method: StaticString, next: UnsafePointer<mrd_op_info>? = nil
) -> mrd_op_info {
  declare(
    types: types, edges: 1 << UInt32(MRD_EDGES_PLATE_CARREE), metrics: metrics, exact: exact, unit: unit,
    absolute: absolute, relative: relative, perVertex: perVertex, flattening: 1.0 / 50, method: method, next: next)
}

private let geodesicMethod: StaticString =
  "Bessel's equation on the auxiliary sphere, series of order 6 (Karney 2013), near the antipode his method"

nonisolated(unsafe) private var plateCarreeLength = plateCarree(
  relative: 1e-15, perVertex: 15e-9, "Gauss-Legendre quadrature along the edge")
nonisolated(unsafe) private var flatLength = ellipsoid(
  perVertex: 30e-9, geodesicMethod, next: address(&plateCarreeLength))
nonisolated(unsafe) private var geodesicLength = ellipsoid(
  perVertex: 15e-9, flattening: 1.0 / 150, geodesicMethod, next: address(&flatLength))
nonisolated(unsafe) private var sphereLength = sphere(
  relative: 4e-15, "half-angle formula; compensated sums", next: address(&geodesicLength))
nonisolated(unsafe) private var length = plane(
  relative: 1e-15, "square roots; compensated sums", next: address(&sphereLength))

nonisolated(unsafe) private var plateCarreeArea = plateCarree(
  relative: 5e-14, perVertex: 0.1,
  """
  strips from the parallel of the first vertex, Gauss-Legendre quadrature; compact figures within 1e-4 m2 a vertex and \
  1e-11 of their area
  """)
nonisolated(unsafe) private var geodesicArea = ellipsoid(
  relative: 5e-14, perVertex: 0.1,
  """
  strips from the parallel of the first vertex, series of order 6 (Karney 2013), sums in two doubles; compact figures \
  within 1e-4 m2 a vertex
  """, next: address(&plateCarreeArea))
nonisolated(unsafe) private var sphereArea = sphere(
  relative: 1e-11, perVertex: 0.1,
  """
  strips from the parallel of the first vertex by half angles, sums in two doubles; compact figures (perimeter^2 <= 100 area) \
  within 1e-11 of their area
  """, next: address(&geodesicArea))
nonisolated(unsafe) private var area = plane(
  relative: 1e-15, "shoelace in two doubles, exact sums where they do not suffice", next: address(&sphereArea))

nonisolated(unsafe) private var plateCarreeBounds = plateCarree(
  metrics: anyMetric, exact: true, unit: MRD_UNIT_DEGREE, "vertices")
nonisolated(unsafe) private var geodesicBounds = ellipsoid(
  unit: MRD_UNIT_DEGREE, absolute: 6e-13, "vertices, Clairaut's highest latitude rounded outward, poles by winding",
  next: address(&plateCarreeBounds))
nonisolated(unsafe) private var sphereBounds = sphere(
  metrics: anyMetric, unit: MRD_UNIT_DEGREE, relative: 4e-15,
  "vertices, Clairaut's highest latitude rounded outward, poles by winding", next: address(&geodesicBounds))
nonisolated(unsafe) private var bounds = plane(
  metrics: anyMetric, exact: true, "vertices", next: address(&sphereBounds))

nonisolated(unsafe) private var geodesicCentroid = ellipsoid(
  absolute: 1e-7,
  """
  mean position in space: fans of triangles by Gauss's quadrature, wide rings by Green's theorem; for means that lie half a \
  radius from the centre, perimeter^2 <= 1000 area
  """)
nonisolated(unsafe) private var sphereCentroid = sphere(
  unit: MRD_UNIT_NONE, "mean position in space (Stokes)", next: address(&geodesicCentroid))
nonisolated(unsafe) private var centroid = plane(
  unit: MRD_UNIT_NONE, "moments about the first vertex", next: address(&sphereCentroid))

nonisolated(unsafe) private var counts = declare(
  types: all, edges: 0x1f, metrics: anyMetric, exact: true, unit: MRD_UNIT_NONE, absolute: 0, relative: 0, perVertex: 0,
  method: "counted from the offsets", next: nil)

nonisolated(unsafe) private var plateCarreeInterpolate = plateCarree(
  types: lines, relative: 1e-15, perVertex: 60e-9, "length of the edges, then Newton's method along one of them")
nonisolated(unsafe) private var geodesicInterpolate = ellipsoid(
  types: lines, perVertex: 60e-9, "length of the edges, then the place on one of them (Karney 2013)",
  next: address(&plateCarreeInterpolate))
nonisolated(unsafe) private var sphereInterpolate = sphere(
  types: lines, unit: MRD_UNIT_NONE, "length of the edges, then the place on one of them",
  next: address(&geodesicInterpolate))
nonisolated(unsafe) private var interpolate = plane(
  types: lines, unit: MRD_UNIT_NONE, "length of the edges, then the place on one of them",
  next: address(&sphereInterpolate))

// Azimuths err by the same bound over the reduced length.
nonisolated(unsafe) private var flatInverse = ellipsoid(types: points, absolute: 30e-9, geodesicMethod)
nonisolated(unsafe) private var geodesicInverse = ellipsoid(
  types: points, absolute: 15e-9, flattening: 1.0 / 150, geodesicMethod, next: address(&flatInverse))
nonisolated(unsafe) private var sphereInverse = sphere(
  types: points, relative: 4e-15,
  "half-angle formula; azimuths within 1e-13 degrees where the reduced length is over 1 m",
  next: address(&geodesicInverse))
nonisolated(unsafe) private var inverse = plane(
  types: points, relative: 1e-15, "Euclid", next: address(&sphereInverse))

private let closestMethod: StaticString =
  """
  bounds by chords and balls of 64 edges; by the rate of the distance from the right triangle and secants; edges under \
  19,000 km, longer ones warn
  """
private let distanceMethod: StaticString =
  """
  any type against any, 0 where they meet; points by Bessel's equation, else closest places of vertices; edges under \
  19,000 km, longer ones warn
  """

nonisolated(unsafe) private var flatDistance = ellipsoid(absolute: 30e-9, distanceMethod)
nonisolated(unsafe) private var geodesicDistance = ellipsoid(
  absolute: 15e-9, flattening: 1.0 / 150, distanceMethod, next: address(&flatDistance))
nonisolated(unsafe) private var sphereDistance = sphere(
  absolute: 15e-9, relative: 4e-15,
  "any type against any, 0 where they meet; points by half angles, else Napier's rules from vertices",
  next: address(&geodesicDistance))
nonisolated(unsafe) private var distance = plane(
  relative: 1e-15, "any type against any, 0 where they meet, decided exactly; exact cross products over lengths",
  next: address(&sphereDistance))

// The bounds are those of the distances; places err by as much, and by more where the distance hardly changes.
nonisolated(unsafe) private var flatClosest = ellipsoid(types: points, absolute: 30e-9, closestMethod)
nonisolated(unsafe) private var geodesicClosest = ellipsoid(
  types: points, absolute: 15e-9, flattening: 1.0 / 150, closestMethod, next: address(&flatClosest))
nonisolated(unsafe) private var sphereClosest = sphere(
  types: points, absolute: 15e-9, relative: 4e-15, "bounds by chords and balls of 64 edges; Napier's rules",
  next: address(&geodesicClosest))
nonisolated(unsafe) private var closest = plane(
  types: points, relative: 1e-15, "bounds by balls of 64 edges; exact cross products; inside by exact crossings",
  next: address(&sphereClosest))

nonisolated(unsafe) private var flatDirect = ellipsoid(
  types: points, absolute: 30e-9, "reverted series of order 6 and one step of Newton's (Karney 2013)")
nonisolated(unsafe) private var geodesicDirect = ellipsoid(
  types: points, absolute: 15e-9, flattening: 1.0 / 150, "reverted series of order 6 (Karney 2013)",
  next: address(&flatDirect))
nonisolated(unsafe) private var sphereDirect = sphere(
  types: points, absolute: 15e-9, "rotation, atan2", next: address(&geodesicDirect))
nonisolated(unsafe) private var direct = plane(
  types: points, unit: MRD_UNIT_NONE, "one step", next: address(&sphereDirect))

nonisolated(unsafe) private var plateCarreeDensify = plateCarree(
  absolute: 60e-9, relative: 1e-15, "pieces of equal length of each edge; input vertices bit-equal")
nonisolated(unsafe) private var geodesicDensify = ellipsoid(
  absolute: 60e-9, "equal pieces of each geodesic (Karney 2013); input vertices bit-equal",
  next: address(&plateCarreeDensify))
nonisolated(unsafe) private var sphereDensify = sphere(
  unit: MRD_UNIT_NONE, "equal pieces of each edge; input vertices bit-equal", next: address(&geodesicDensify))
nonisolated(unsafe) private var densify = plane(
  unit: MRD_UNIT_NONE, "equal pieces of each edge; input vertices bit-equal", next: address(&sphereDensify))

/// The declaration of an operation, nil = not offered.
func measureInfo(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  switch op {
  case MRD_MEASURE_LENGTH, MRD_MEASURE_PERIMETER: address(&length)
  case MRD_MEASURE_AREA, MRD_MEASURE_AREA_SIGNED, MRD_MEASURE_PERIMETER_AREA: address(&area)
  case MRD_MEASURE_BOUNDS: address(&bounds)
  case MRD_MEASURE_CENTROID: address(&centroid)
  case MRD_MEASURE_COUNTS: address(&counts)
  case MRD_MEASURE_INTERPOLATE: address(&interpolate)
  case MRD_MEASURE_INVERSE: address(&inverse)
  case MRD_MEASURE_DISTANCE: address(&distance)
  case MRD_MEASURE_CLOSEST: address(&closest)
  case MRD_MEASURE_DIRECT: address(&direct)
  case MRD_MEASURE_DENSIFY: address(&densify)
  default: nil
  }
}
