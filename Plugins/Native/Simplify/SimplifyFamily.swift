// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

nonisolated(unsafe) var simplifyTable = mrd_family_simplify(
  struct_size: UInt32(MemoryLayout<mrd_family_simplify>.size), pad0: 0, info: info, simplify: simplify)

private let flags = MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_CANCELS | MRD_OP_KEPT_VERTICES

nonisolated(unsafe) private var douglasPeuckerInfo = declare(
  flags | MRD_OP_EXACT_PREDICATES,
  """
  Douglas, Peucker 1973; distances to closed segments, exact decisions; rings from their least vertex and the one \
  farthest from it; blocks of vertices are passed over by bounds
  """)

nonisolated(unsafe) private var visvalingamInfo = declare(
  flags,
  """
  Visvalingam, Whyatt 1993; areas never count less than one removed beside them; a radix heap; rings keep a triangle
  """)

nonisolated(unsafe) private var topologyPreservingInfo = declare(
  flags | MRD_OP_EXACT_PREDICATES,
  """
  Douglas, Peucker 1973 with chords that pass no vertex (Saalfeld 1999); touch points stay; rings keep a triangle; rows whose \
  edges cross, overlap or touch in one ring are given unchanged
  """)

nonisolated(unsafe) private var coverageInfo = declare(
  flags | MRD_OP_WHOLE_ARRAY,
  """
  Visvalingam, Whyatt 1993 on the graph of all borders, in one queue; triangles that hold no other point; nodes stay; the \
  order of rows does not matter
  """)

private func declare(_ flags: UInt32, _ method: StaticString) -> mrd_op_info {
  mrd_op_info(
    struct_size: UInt32(MemoryLayout<mrd_op_info>.size), flags: flags, type_mask: 0x7e, dims_mask: 0x1e,
    edges_mask: 1 << UInt32(MRD_EDGES_PLANAR), metric_mask: 0x7,
    dialect_mask: 1 << UInt32(MRD_TOLERANCE_COORD) | 1 << UInt32(MRD_TOLERANCE_METRES)
      | 1 << UInt32(MRD_TOLERANCE_PIXELS), error_unit: MRD_UNIT_NONE, error_absolute: 0, error_relative: 0,
    error_per_vertex: 0, max_flattening: 0, ns_per_coord: 0, method: cString(method), next: nil)
}

private func info(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  switch op {
  case MRD_SIMPLIFY_DOUGLAS_PEUCKER: address(&douglasPeuckerInfo)
  case MRD_SIMPLIFY_VISVALINGAM: address(&visvalingamInfo)
  case MRD_SIMPLIFY_TOPOLOGY_PRESERVING: address(&topologyPreservingInfo)
  case MRD_SIMPLIFY_COVERAGE: address(&coverageInfo)
  default: nil
  }
}

private func simplify(
  _ op: UInt32, _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_simplify_options>?,
  _ out: UnsafeMutablePointer<mrd_geoms_out>?, _ outcomes: UnsafeMutablePointer<Int32>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let out = knownResult(out, call) else { return call.failure }
  guard info(op) != nil else { return fail(call, MRD_E_UNSUPPORTED, "not an operation of the native kernel") }
  guard let geoms = Geoms(input, call), let options = SimplifyOptions(op, options, geoms, call) else {
    return call.failure
  }
  switch op {
  case MRD_SIMPLIFY_VISVALINGAM where options.has(MRD_SIMPLIFY_NO_CROSSING):
    let run = RowRun(geoms, options, outcomes, call) { GuardedMarker(geoms, options, $1, call) }
    guard var run else { return call.failure }
    return run.perform(out)
  case MRD_SIMPLIFY_COVERAGE:
    guard var run = CoverageRun(geoms, options, outcomes, call) else { return call.failure }
    return run.perform(out)
  case MRD_SIMPLIFY_VISVALINGAM where options.hasTarget:
    let run = RowRun(geoms, options, outcomes, call) { VisvalingamMarker(geoms, options, $0, $1, call) }
    guard var run else { return call.failure }
    return run.perform(out)
  case MRD_SIMPLIFY_VISVALINGAM:
    let run = BatchRun(geoms, options, outcomes, call) { VisvalingamPaths($0, options, capacity: $1, paths: $2, call) }
    guard var run else { return call.failure }
    return run.perform(out)
  case MRD_SIMPLIFY_TOPOLOGY_PRESERVING:
    let run = RowRun(geoms, options, outcomes, call) { TopologyMarker(geoms, options, $0, $1, call) }
    guard var run else { return call.failure }
    return run.perform(out)
  default:
    let run = BatchRun(geoms, options, outcomes, call) { store, capacity, _ in
      DouglasPeucker(store, options, capacity: capacity, call)
    }
    guard var run else { return call.failure }
    return run.perform(out)
  }
}
