// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Masks of what GEOS takes.
enum Takes {
  static let lines = bit(MRD_LINESTRING) | bit(MRD_MULTILINESTRING)
  static let polygons = bit(MRD_POLYGON) | bit(MRD_MULTIPOLYGON)
  static let points = bit(MRD_POINT) | bit(MRD_MULTIPOINT)
  static let everyType = lines | polygons | points
  static let everyDimension = bit(MRD_XY) | bit(MRD_XYZ) | bit(MRD_XYM) | bit(MRD_XYZM)
  /// GEOS 3.11 has no M.
  static let withoutM = bit(MRD_XY) | bit(MRD_XYZ)
  /// What happens in coordinate units does not depend on the metric.
  static let everyMetric = bit(MRD_METRIC_COORD) | bit(MRD_METRIC_SPHERE) | bit(MRD_METRIC_ELLIPSOID)

  static func bit(_ value: Int32) -> UInt32 { value >= 0 && value < 32 ? 1 << UInt32(value) : 0 }
}

/// The declaration of one operation on planar edges. GEOS states no error bounds, so none is declared unless given.
func declare(
  _ method: StaticString, flags: UInt32, types: UInt32 = Takes.everyType, dims: UInt32 = Takes.everyDimension,
  metrics: UInt32 = Takes.everyMetric, dialects: UInt32 = 0, errorUnit: Int32 = MRD_UNIT_NONE
) -> mrd_op_info {
  mrd_op_info(
    struct_size: UInt32(MemoryLayout<mrd_op_info>.size), flags: flags, type_mask: types, dims_mask: dims,
    edges_mask: Takes.bit(MRD_EDGES_PLANAR), metric_mask: metrics, dialect_mask: dialects, error_unit: errorUnit,
    error_absolute: 0, error_relative: 0, error_per_vertex: 0, max_flattening: 0, ns_per_coord: 0,
    method: cString(method), next: nil)
}
