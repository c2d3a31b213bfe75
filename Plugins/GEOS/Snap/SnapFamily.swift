// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

private nonisolated(unsafe) var pairInfo = declare(
  "GEOS 3.11 Snap to the target's vertices; a row that would become invalid or move farther than the tolerance is withheld",
  flags: MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_CANCELS, dims: Takes.withoutM)

private nonisolated(unsafe) var gridInfo = declare(
  "GEOS 3.11 setPrecision (OverlayNG snap rounding), coordinates corrected to k / scale, halves to even but for computed crossings, validity checked on the doubles",
  flags: MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_CANCELS, dims: Takes.withoutM)

func snapInfo(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  switch op {
  case MRD_SNAP_PAIR: address(&pairInfo)
  case MRD_SNAP_GRID: address(&gridInfo)
  default: nil
  }
}

nonisolated(unsafe) var snapFamily = mrd_family_snap(
  struct_size: UInt32(MemoryLayout<mrd_family_snap>.size), pad0: 0, info: snapInfo, open: nil, query: nil, release: nil,
  snap: snapRun)

private func snapRun(
  _ op: UInt32, _ input: UnsafePointer<mrd_geoms>?, _ targets: UnsafePointer<mrd_geoms>?,
  _ options: UnsafePointer<mrd_snap_options>?, _ out: UnsafeMutablePointer<mrd_geoms_out>?,
  _ outcomes: UnsafeMutablePointer<Int32>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let out = knownResult(out, call) else { return call.failure }
  guard let info = snapInfo(op)?.pointee else { return fail(call, MRD_E_UNSUPPORTED, "GEOS 3.11 has no such snapping") }
  guard let known = knownOptions(options, zero: mrd_snap_options(), call) else { return call.failure }
  var status = MRD_OK
  guard let geoms = admit(input, info, call, &status) else { return status }
  guard op == MRD_SNAP_PAIR else { return snapGrid(geoms, known, out, outcomes, call) }
  guard let aims = admit(targets, info, call, &status) else { return status }
  return snapPair(geoms, aims, known, out, outcomes, call)
}
