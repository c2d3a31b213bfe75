// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

nonisolated(unsafe) var indexTable = mrd_family_index(
  struct_size: UInt32(MemoryLayout<mrd_family_index>.size), pad0: 0, info: info, build: build, release: release,
  facts: facts, window: window, nearest: nearest, join: join, insert: nil, remove: nil, save: save,
  open: open, open_file: nil)

private let curvedEdges =
  UInt32(1) << UInt32(MRD_EDGES_GREAT_CIRCLE) | UInt32(1) << UInt32(MRD_EDGES_GEODESIC)
  | UInt32(1) << UInt32(MRD_EDGES_PLATE_CARREE)
private let planarEdges = UInt32(1) << UInt32(MRD_EDGES_PLANAR)
private let coordinates = UInt32(1) << UInt32(MRD_METRIC_COORD)
private let metres = UInt32(1) << UInt32(MRD_METRIC_SPHERE) | UInt32(1) << UInt32(MRD_METRIC_ELLIPSOID)

private func declare(
  edges: UInt32, metrics: UInt32, flags: UInt32 = MRD_OP_CANCELS | MRD_OP_EXACT_PREDICATES,
  error: Double = 0, _ method: StaticString, next: UnsafePointer<mrd_op_info>? = nil
) -> mrd_op_info {
  mrd_op_info(
    struct_size: UInt32(MemoryLayout<mrd_op_info>.size),
    flags: flags | MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_SERIALISES, type_mask: 0, dims_mask: 0,
    edges_mask: edges, metric_mask: metrics, dialect_mask: 0, error_unit: error > 0 ? MRD_UNIT_METRE : MRD_UNIT_NONE,
    error_absolute: error, error_relative: 0, error_per_vertex: 0, max_flattening: error > 0 ? 1.0 / 50 : 0,
    ns_per_coord: 0, method: cString(method), next: next)
}

/// Windows do not measure: every metric will do.
nonisolated(unsafe) private var treeInfo = declare(
  edges: planarEdges | curvedEdges, metrics: coordinates | metres,
  "packed tree of boxes along a Hilbert curve, 16 children a node")
/// Of SAVE and OPEN: one copy, or one look at the bytes, which nothing interrupts.
nonisolated(unsafe) private var bytesInfo = declare(
  edges: planarEdges | curvedEdges, metrics: coordinates | metres, flags: MRD_OP_EXACT_PREDICATES,
  "packed tree of boxes along a Hilbert curve, 16 children a node")
nonisolated(unsafe) private var globeNearestInfo = declare(
  edges: planarEdges | curvedEdges, metrics: metres, flags: MRD_OP_CANCELS, error: 3e-8,
  "packed tree of boxes along a Hilbert curve, caps that grow; geodesics to the nearest meridian of a box")
nonisolated(unsafe) private var nearestInfo = declare(
  edges: planarEdges, metrics: coordinates, "packed tree of boxes along a Hilbert curve, the near nodes first",
  next: address(&globeNearestInfo))

private func info(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  switch op {
  case MRD_INDEX_BUILD, MRD_INDEX_WINDOW, MRD_INDEX_JOIN: address(&treeInfo)
  case MRD_INDEX_NEAREST: address(&nearestInfo)
  case MRD_INDEX_SAVE, MRD_INDEX_OPEN: address(&bytesInfo)
  default: nil
  }
}

/// Boxes that are compared with those of a tree; nil, with the call's error filled, when their edges are of another kind.
private func comparable(
  _ boxes: UnsafePointer<mrd_boxes>?, with tree: BoxTree, _ call: UnsafeMutablePointer<mrd_call>
) -> BoxArray? {
  guard let boxes = BoxArray(anyEdges: boxes, call) else { return nil }
  guard boxes.isCurved == tree.isCurved else {
    _ = failMixedEdges(call)
    return nil
  }
  return boxes
}

private func failMixedEdges(_ call: UnsafeMutablePointer<mrd_call>) -> mrd_status {
  fail(
    call, MRD_E_ARGUMENT, "planar and curved boxes do not compare: one side has planar edges, the other not")
}

private func tree(_ index: OpaquePointer?) -> BoxTree? {
  index.map { Unmanaged<BoxTree>.fromOpaque(UnsafeRawPointer($0)).takeUnretainedValue() }
}

private func build(
  _ boxes: UnsafePointer<mrd_boxes>?, _ options: UnsafePointer<mrd_index_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call, let out else { return MRD_E_ARGUMENT }
  out.pointee = nil
  guard let known = knownOptions(options, zero: mrd_index_options(), call) else { return call.failure }
  guard known.flags & ~(MRD_INDEX_BORROW_BOXES | MRD_INDEX_READ_ONLY) == 0 else {
    return fail(call, MRD_E_UNSUPPORTED, "an option flag is not known")
  }
  guard known.path == nil else { return fail(call, MRD_E_UNSUPPORTED, "the native index does not live in a file") }
  guard let boxes = BoxArray(anyEdges: boxes, call) else { return call.failure }
  var poll = CancelPoll(call)
  guard boxes.count <= TreeShape.mostItems else {
    return fail(call, MRD_E_UNSUPPORTED, "the native index holds fewer than 2^32 boxes")
  }
  var builder = TreeBuilder(boxes, call)
  guard let tree = builder.build(&poll) else {
    return poll.isCancelled
      ? fail(call, MRD_E_CANCELLED, "cancelled") : fail(call, MRD_E_MEMORY, "no memory for the index")
  }
  out.pointee = OpaquePointer(Unmanaged.passRetained(tree).toOpaque())
  return MRD_OK
}

private func release(_ index: OpaquePointer?) {
  if let index { Unmanaged<BoxTree>.fromOpaque(UnsafeRawPointer(index)).release() }
}

private func facts(
  _ index: OpaquePointer?, _ out: UnsafeMutablePointer<mrd_index_facts>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  guard let tree = tree(index), let out, out.pointee.struct_size >= UInt32(MemoryLayout<mrd_index_facts>.size) else {
    return mrd_fail(error, MRD_E_ARGUMENT, -1, -1, cString("no index, or facts of an older size"))
  }
  out.pointee.flags = MRD_OP_SERIALISES
  out.pointee.boxes = Int64(tree.given)
  out.pointee.never_hit = Int64(tree.neverHit)
  out.pointee.bytes = Int64(tree.ownBytes)
  let bounds = tree.bounds
  out.pointee.bounds = (bounds.xmin, bounds.ymin, bounds.xmax, bounds.ymax)
  return MRD_OK
}

private func window(
  _ index: OpaquePointer?, _ windows: UnsafePointer<mrd_boxes>?, _ options: UnsafePointer<mrd_window_options>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let options = knownOptions(options, zero: mrd_window_options(), call) else { return call.failure }
  guard let tree = tree(index) else { return fail(call, MRD_E_ARGUMENT, "no index") }
  guard let windows = comparable(windows, with: tree, call) else { return call.failure }
  return queryWindows(tree, windows, options, call)
}

private func nearest(
  _ index: OpaquePointer?, _ queries: UnsafePointer<mrd_boxes>?, _ options: UnsafePointer<mrd_nearest_options>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let options = knownOptions(options, zero: mrd_nearest_options(), call) else { return call.failure }
  guard let tree = tree(index) else { return fail(call, MRD_E_ARGUMENT, "no index") }
  guard let queries = comparable(queries, with: tree, call) else { return call.failure }
  return queryNearest(tree, queries, options, call)
}

private func join(
  _ a: OpaquePointer?, _ b: OpaquePointer?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let a = tree(a) else { return fail(call, MRD_E_ARGUMENT, "no index") }
  let b = tree(b)
  if let b, b.isCurved != a.isCurved { return failMixedEdges(call) }
  return joinTrees(a, b, call)
}

private func save(_ index: OpaquePointer?, _ call: UnsafeMutablePointer<mrd_call>?) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let tree = tree(index) else { return fail(call, MRD_E_ARGUMENT, "no index") }
  guard let bytes = call.pointee.grow(call, MRD_BUF_BYTES, Int64(tree.shape.bytes)) else {
    return fail(call, MRD_E_MEMORY, "no memory for the bytes of the index")
  }
  tree.save(to: bytes)
  return MRD_OK
}

private func open(
  _ bytes: UnsafeRawPointer?, _ size: Int64, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call, let out else { return MRD_E_ARGUMENT }
  out.pointee = nil
  guard let bytes, size >= 0, UInt(bitPattern: bytes) % 8 == 0 else {
    return fail(call, MRD_E_ARGUMENT, "the bytes are NULL or not 8-byte aligned")
  }
  if let objection = TreeHeader.objection(to: bytes, size: Int(size)) {
    return fail(call, MRD_E_ARGUMENT, objection)
  }
  let count = bytes.load(as: TreeHeader.self).count
  let tree = BoxTree(BoxTree.shape(count: Int(count)), bytes, nil)
  if let objection = tree.objection { return fail(call, MRD_E_ARGUMENT, objection) }
  out.pointee = OpaquePointer(Unmanaged.passRetained(tree).toOpaque())
  return MRD_OK
}
