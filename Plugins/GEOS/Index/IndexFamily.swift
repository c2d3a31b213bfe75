// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

private let flags = UInt32(MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT)

/// Boxes have no geometry type and no dimensions.
private func declareIndex(_ method: StaticString) -> mrd_op_info {
  declare(
    method, flags: flags | UInt32(MRD_OP_EXACT_PREDICATES), types: 0, dims: 0, metrics: Takes.bit(MRD_METRIC_COORD))
}

private nonisolated(unsafe) var buildInfo = declareIndex("GEOS 3.11 STR-tree, node capacity 10; true boxes kept beside")
private nonisolated(unsafe) var windowInfo = declareIndex("GEOS 3.11 STR-tree query, then the true boxes")
private nonisolated(unsafe) var nearestInfo = declareIndex(
  "growing window queries of the GEOS 3.11 STR-tree, distances computed by the adapter from the true boxes")
private nonisolated(unsafe) var joinInfo = declareIndex(
  "one GEOS 3.11 STR-tree query for each box, then the true boxes")

private func indexInfo(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  switch op {
  case MRD_INDEX_BUILD: address(&buildInfo)
  case MRD_INDEX_WINDOW: address(&windowInfo)
  case MRD_INDEX_NEAREST: address(&nearestInfo)
  case MRD_INDEX_JOIN: address(&joinInfo)
  default: nil
  }
}

nonisolated(unsafe) var indexFamily = mrd_family_index(
  struct_size: UInt32(MemoryLayout<mrd_family_index>.size), pad0: 0, info: indexInfo, build: indexBuild,
  release: indexRelease, facts: indexFacts, window: indexWindow, nearest: indexNearest, join: indexJoin, insert: nil,
  remove: nil, save: nil, open: nil, open_file: nil)

private func indexBuild(
  _ boxes: UnsafePointer<mrd_boxes>?, _ options: UnsafePointer<mrd_index_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call, let out else { return MRD_E_ABI }
  guard let known = knownOptions(options, zero: mrd_index_options(), call) else { return call.failure }
  guard known.flags & ~UInt32(MRD_INDEX_BORROW_BOXES | MRD_INDEX_READ_ONLY) == 0 else {
    return fail(call, MRD_E_UNSUPPORTED, "an option flag is not known")
  }
  guard known.path == nil else {
    return fail(call, MRD_E_UNSUPPORTED, "GEOS's tree lives in memory only")
  }
  var status = MRD_OK
  guard let source = BoxArray(planar: boxes, call) else { return call.failure }
  guard let session = Session(call) else { return MRD_E_MEMORY }
  guard let tree = Tree.build(source, session, &status) else { return status }
  out.pointee = OpaquePointer(Unmanaged.passRetained(tree).toOpaque())
  return MRD_OK
}

private func indexRelease(_ index: OpaquePointer?) {
  if let index { Unmanaged<Tree>.fromOpaque(UnsafeRawPointer(index)).release() }
}

private func indexFacts(
  _ index: OpaquePointer?, _ out: UnsafeMutablePointer<mrd_index_facts>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  guard let tree = tree(index), let out, out.pointee.struct_size >= UInt32(MemoryLayout<mrd_index_facts>.size) else {
    return mrd_fail(error, MRD_E_ARGUMENT, -1, -1, cString("no index, or too small a record for its facts"))
  }
  out.pointee.flags = 0
  out.pointee.boxes = Int64(tree.count)
  out.pointee.never_hit = Int64(tree.neverHit)
  out.pointee.bytes = -1
  out.pointee.bounds = (tree.bounds.xmin, tree.bounds.ymin, tree.bounds.xmax, tree.bounds.ymax)
  return MRD_OK
}
