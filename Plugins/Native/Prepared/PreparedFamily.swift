// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

nonisolated(unsafe) var preparedInfo = mrd_op_info(
  struct_size: UInt32(MemoryLayout<mrd_op_info>.size),
  flags: MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_EXACT_PREDICATES | MRD_OP_CANCELS
    | MRD_OP_ALL_PROBLEMS,
  type_mask: 1 << UInt32(MRD_LINESTRING) | 1 << UInt32(MRD_POLYGON) | 1 << UInt32(MRD_MULTILINESTRING)
    | 1 << UInt32(MRD_MULTIPOLYGON), dims_mask: 0x1e, edges_mask: 1 << UInt32(MRD_EDGES_PLANAR), metric_mask: 0x7,
  dialect_mask: 1 << UInt32(MRD_DIALECT_OGC) | 1 << UInt32(MRD_DIALECT_ESRI) | 1 << UInt32(MRD_DIALECT_RFC7946),
  error_unit: MRD_UNIT_NONE, error_absolute: 0, error_relative: 0, error_per_vertex: 0, max_flattening: 0,
  ns_per_coord: 0,
  method: cString(
    """
    contacts of edges, renewed where an edit touches them; from the beginning where they do not decide: several rings \
    that meet or lie near the edit, other dialects than OGC, warnings
    """), next: nil)

func validatePrepare(
  _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_validate_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call, let out else { return MRD_E_ABI }
  out.pointee = nil
  guard let geoms = Geoms(input, call) else { return call.failure }
  guard let options = acceptedOptions(MRD_VALIDATE_PREPARED, geoms, options, call) else { return call.failure }
  guard geoms.count > 0, !geoms.isNull(0) else {
    return fail(call, MRD_E_ARGUMENT, "there is no geometry to be prepared")
  }
  let wantsHeights = geoms.hasZ && options.flags & MRD_VALIDATE_WARNINGS != 0
  guard !geoms.isPuntal, !wantsHeights, options.flags & MRD_VALIDATE_AT_DECIMALS == 0 else {
    return fail(
      call, MRD_E_UNSUPPORTED, "points, warnings of Z and coordinates as they will be written are not kept up to date")
  }
  var poll = CancelPoll(call)
  guard let prepared = PreparedRow(geoms, options, &poll) else {
    return fail(call, MRD_E_MEMORY, "no memory for the geometry")
  }
  if poll.isCancelled { return fail(call, MRD_E_CANCELLED, "cancelled") }
  out.pointee = OpaquePointer(Unmanaged.passRetained(prepared).toOpaque())
  return MRD_OK
}

func validateEdit(
  _ prepared: OpaquePointer?, _ edits: UnsafePointer<mrd_edit>?, _ editSize: UInt32, _ pad: UInt32, _ count: Int64,
  _ out: UnsafeMutablePointer<mrd_problems_out>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call, let out, out.pointee.struct_size >= UInt32(MemoryLayout<mrd_problems_out>.size) else {
    return MRD_E_ABI
  }
  guard let prepared, count >= 0, count == 0 || edits != nil else {
    return fail(call, MRD_E_ARGUMENT, "there is no prepared geometry, or there are no edits")
  }
  guard count == 0 || Int(editSize) >= MemoryLayout<mrd_edit>.size else {
    return fail(call, MRD_E_ABI, "the edits are shorter than this kernel knows them")
  }
  let row = Unmanaged<PreparedRow>.fromOpaque(UnsafeRawPointer(prepared)).takeUnretainedValue()
  let list = EditList(start: edits.map { UnsafeRawPointer($0) }, size: Int(editSize), count: Int(count))
  if let index = row.refused(list) {
    return fail(call, MRD_E_ARGUMENT, "the edit is of no known kind, or names no vertex", item: index)
  }
  guard row.apply(list) else { return fail(call, MRD_E_MEMORY, "no memory for further vertices", item: 0) }
  return row.judge(out, call)
}

func validateRelease(_ prepared: OpaquePointer?) {
  if let prepared { Unmanaged<PreparedRow>.fromOpaque(UnsafeRawPointer(prepared)).release() }
}
