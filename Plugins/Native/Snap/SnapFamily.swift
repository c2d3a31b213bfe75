// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

nonisolated(unsafe) var snapTable = mrd_family_snap(
  struct_size: UInt32(MemoryLayout<mrd_family_snap>.size), pad0: 0, info: info, open: open, query: query,
  release: release, snap: nil)

nonisolated(unsafe) private var queryInfo = mrd_op_info(
  struct_size: UInt32(MemoryLayout<mrd_op_info>.size),
  flags: MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_EXACT_PREDICATES | MRD_OP_CANCELS, type_mask: 0x7e,
  dims_mask: 0x1e, edges_mask: 1 << UInt32(MRD_EDGES_PLANAR), metric_mask: 1 << UInt32(MRD_METRIC_COORD),
  dialect_mask: KindMask.offered, error_unit: MRD_UNIT_ULP, error_absolute: 1, error_relative: 0, error_per_vertex: 0,
  max_flattening: 0, ns_per_coord: 0,
  method: cString(
    "packed Hilbert tree of edges; feet and crossings rounded to nearest from two doubles, else whole numbers; no metres"
  ),
  next: nil)

private func info(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  op == MRD_SNAP_QUERY ? address(&queryInfo) : nil
}

private func open(
  _ layers: UnsafePointer<UnsafePointer<mrd_snap_layer>?>?, _ count: UInt32, _ pad: UInt32,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call, let out else { return MRD_E_ARGUMENT }
  out.pointee = nil
  guard let targets = PreparedTargets.open(layers, Int(count), call) else { return call.failure }
  out.pointee = OpaquePointer(Unmanaged.passRetained(targets).toOpaque())
  return MRD_OK
}

private func release(_ snapper: OpaquePointer?) {
  if let snapper { Unmanaged<PreparedTargets>.fromOpaque(UnsafeRawPointer(snapper)).release() }
}

private func query(
  _ snapper: OpaquePointer?, _ points: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_snap_query_options>?,
  _ out: UnsafeMutablePointer<mrd_snap_hits_out>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let out, out.pointee.struct_size >= UInt32(MemoryLayout<mrd_snap_hits_out>.size) else {
    return fail(call, MRD_E_ABI, "the place for the result is missing or its struct_size is too small")
  }
  guard let snapper else { return fail(call, MRD_E_ARGUMENT, "no targets") }
  let targets = Unmanaged<PreparedTargets>.fromOpaque(UnsafeRawPointer(snapper)).takeUnretainedValue()
  guard let geoms = Geoms(points, call) else { return call.failure }
  guard geoms.type == MRD_POINT, hasPlanarModel(geoms) else {
    return fail(call, MRD_E_UNSUPPORTED, "a snapping query takes points with planar edges and coordinate units")
  }
  guard let options = QueryOptions(options, targets.layers, call) else { return call.failure }
  guard var batch = PointBatch(geoms, targets, options, call) else {
    return fail(call, MRD_E_MEMORY, "no memory for the query")
  }
  return batch.run(out)
}
