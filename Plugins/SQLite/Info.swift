// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// What this kernel declares of each operation.
private func declare(edges: UInt32, metrics: UInt32, flags: UInt32) -> mrd_op_info {
  var info = mrd_op_info()
  info.struct_size = UInt32(MemoryLayout<mrd_op_info>.size)
  // Ids and their order depend on the input alone; the exact doubles decide every hit.
  info.flags = MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_EXACT_PREDICATES | MRD_OP_CANCELS | flags
  info.edges_mask = edges
  info.metric_mask = metrics
  info.error_unit = MRD_UNIT_NONE
  info.method = method
  return info
}

private nonisolated(unsafe) let method = cString(
  "SQLite R*-tree in 32-bit boxes rounded outward, every hit decided by the exact doubles")

private let planar = UInt32(1) << UInt32(MRD_EDGES_PLANAR)
private let anyEdges =
  planar | UInt32(1) << UInt32(MRD_EDGES_GREAT_CIRCLE) | UInt32(1) << UInt32(MRD_EDGES_GEODESIC)
  | UInt32(1) << UInt32(MRD_EDGES_PLATE_CARREE)
private let coord = UInt32(1) << UInt32(MRD_METRIC_COORD)
/// Windows do not measure: every metric will do.
private let anyMetric = coord | UInt32(1) << UInt32(MRD_METRIC_SPHERE) | UInt32(1) << UInt32(MRD_METRIC_ELLIPSOID)

private nonisolated(unsafe) var build = declare(
  edges: anyEdges, metrics: anyMetric,
  flags: MRD_OP_WHOLE_ARRAY | MRD_OP_PERSISTS | MRD_OP_INSERT_REMOVE | MRD_OP_SERIALISES)
private nonisolated(unsafe) var query = declare(edges: anyEdges, metrics: anyMetric, flags: 0)
private nonisolated(unsafe) var nearest = declare(edges: planar, metrics: coord, flags: 0)
private nonisolated(unsafe) var join = declare(edges: anyEdges, metrics: anyMetric, flags: MRD_OP_WHOLE_ARRAY)
private nonisolated(unsafe) var change = declare(
  edges: anyEdges, metrics: anyMetric, flags: MRD_OP_WHOLE_ARRAY | MRD_OP_INSERT_REMOVE)
private nonisolated(unsafe) var bytes = declare(
  edges: anyEdges, metrics: anyMetric, flags: MRD_OP_WHOLE_ARRAY | MRD_OP_SERIALISES | MRD_OP_PERSISTS)

@c func indexInfo(_ operation: UInt32) -> UnsafePointer<mrd_op_info>? {
  switch operation {
  case MRD_INDEX_BUILD: address(&build)
  case MRD_INDEX_WINDOW: address(&query)
  case MRD_INDEX_NEAREST: address(&nearest)
  case MRD_INDEX_JOIN: address(&join)
  case MRD_INDEX_INSERT, MRD_INDEX_REMOVE: address(&change)
  case MRD_INDEX_SAVE, MRD_INDEX_OPEN: address(&bytes)
  default: nil
  }
}
