// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

nonisolated(unsafe) var snapTable = mrd_family_snap(
  struct_size: UInt32(MemoryLayout<mrd_family_snap>.size), pad0: 0, info: info, open: open, query: query,
  release: release, snap: nil)

/// One declaration for each kind of model: edges and metrics that go together, the kinds that are found, how right.
private func declare(
  _ edges: UInt32, _ metrics: UInt32, _ kinds: KindMask, flags: UInt32 = 0, unit: Int32 = MRD_UNIT_METRE,
  absolute: Double = 3e-8, relative: Double = 0, flattening: Double = 1.0 / 50, _ method: StaticString,
  next: UnsafePointer<mrd_op_info>?
) -> mrd_op_info {
  mrd_op_info(
    struct_size: UInt32(MemoryLayout<mrd_op_info>.size),
    flags: flags | MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_CANCELS, type_mask: 0x7e, dims_mask: 0x1e,
    edges_mask: edges, metric_mask: metrics, dialect_mask: kinds.bits, error_unit: unit, error_absolute: absolute,
    error_relative: relative, error_per_vertex: 0, max_flattening: flattening, ns_per_coord: 0,
    method: cString(method), next: next)
}

private func bit(_ value: Int32) -> UInt32 { 1 << UInt32(value) }

nonisolated(unsafe) private var greatCircleQuery = declare(
  bit(MRD_EDGES_GREAT_CIRCLE), bit(MRD_METRIC_SPHERE), .shortest,
  "packed Hilbert tree; places and edges a vector at a time",
  next: nil)
nonisolated(unsafe) private var geodesicQuery = declare(
  bit(MRD_EDGES_GEODESIC), bit(MRD_METRIC_ELLIPSOID), .shortest,
  "packed Hilbert tree; geodesics a vector at a time, Bessel's equation, series of order 6 (Karney 2013)",
  next: address(&greatCircleQuery))
nonisolated(unsafe) private var straightQuery = declare(
  bit(MRD_EDGES_PLANAR) | bit(MRD_EDGES_PLATE_CARREE), bit(MRD_METRIC_SPHERE) | bit(MRD_METRIC_ELLIPSOID), .straight,
  relative: 1e-8, "packed Hilbert tree; edges straight in longitude and latitude, distances along geodesics",
  next: address(&geodesicQuery))
nonisolated(unsafe) private var planeQuery = declare(
  bit(MRD_EDGES_PLANAR), bit(MRD_METRIC_COORD), .plane, flags: MRD_OP_EXACT_PREDICATES, unit: MRD_UNIT_ULP, absolute: 1,
  flattening: 0,
  "packed Hilbert tree of edges; feet and crossings rounded to nearest from two doubles, else whole numbers",
  next: address(&straightQuery))

private func info(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  op == MRD_SNAP_QUERY ? address(&planeQuery) : nil
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
  guard geoms.type == MRD_POINT, haveOneMetric(geoms.model, targets.model ?? geoms.model) else {
    return fail(call, MRD_E_UNSUPPORTED, "a snapping query takes points whose distances are those of the targets")
  }
  guard let options = QueryOptions(options, targets.layers, inMetres: targets.isInMetres, call) else {
    return call.failure
  }
  switch targets.tree {
  case .plane(let memory):
    guard let search = PointSearch(targets, memory.tree, options, call) else {
      return fail(call, MRD_E_MEMORY, "no memory for the query")
    }
    var batch = PointBatch(geoms, targets, search, call)
    return batch.run(out)
  case .globe(let globe):
    var batch = PointBatch(geoms, targets, GlobeSearch(targets, globe, options, call), call)
    return batch.run(out)
  }
}
