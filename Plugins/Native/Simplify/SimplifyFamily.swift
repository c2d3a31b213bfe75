// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

nonisolated(unsafe) var simplifyTable = mrd_family_simplify(
  struct_size: UInt32(MemoryLayout<mrd_family_simplify>.size), pad0: 0, info: info, simplify: simplify)

nonisolated(unsafe) private var douglasPeuckerInfo = mrd_op_info(
  struct_size: UInt32(MemoryLayout<mrd_op_info>.size),
  flags: MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_CANCELS | MRD_OP_KEPT_VERTICES, type_mask: 0x7e,
  dims_mask: 0x1e, edges_mask: 1 << UInt32(MRD_EDGES_PLANAR), metric_mask: 0x7, dialect_mask: 0,
  error_unit: MRD_UNIT_NONE, error_absolute: 0, error_relative: 0, error_per_vertex: 0, max_flattening: 0,
  ns_per_coord: 0,
  method: cString(
    """
    Douglas, Peucker 1973; closed segments, tolerance in coordinate units; rings from their least vertex and the one \
    farthest from it; distances within 4 ulp of the extent of the run
    """), next: nil)

private func info(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  op == MRD_SIMPLIFY_DOUGLAS_PEUCKER ? address(&douglasPeuckerInfo) : nil
}

private func simplify(
  _ op: UInt32, _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_simplify_options>?,
  _ out: UnsafeMutablePointer<mrd_geoms_out>?, _ outcomes: UnsafeMutablePointer<Int32>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call, let out else { return MRD_E_ARGUMENT }
  guard let geoms = Geoms(input, call) else { return call.failure }
  let size = options?.pointee.struct_size ?? 0
  guard !hasUnknownOptions(options, structSize: size) else {
    return fail(call, MRD_E_UNSUPPORTED, "the options have members that this kernel does not know")
  }
  let options = readOptions(options, structSize: size, zero: mrd_simplify_options())
  guard op == MRD_SIMPLIFY_DOUGLAS_PEUCKER, geoms.model.edges == MRD_EDGES_PLANAR,
    options.unit == MRD_TOLERANCE_COORD, options.flags & ~MRD_SIMPLIFY_WANT_KEPT == 0, options.target_count == 0,
    options.target_share == 0
  else {
    return fail(
      call, MRD_E_UNSUPPORTED, "native simplification is Douglas-Peucker on planar edges by tolerances in coordinates")
  }
  guard (MRD_COLLAPSE_KEEP...MRD_COLLAPSE_DROP).contains(options.collapse), options.n_tolerances > 0,
    let tolerances = options.tolerances, isAscending(tolerances, Int(options.n_tolerances))
  else {
    return fail(call, MRD_E_ARGUMENT, "tolerances must ascend from 0 or more, and the collapse mode must be known")
  }
  guard var run = SimplifyRun(geoms, options, outcomes, call) else {
    return fail(call, MRD_E_MEMORY, "no memory for the vertices' marks")
  }
  for level in 0..<Int(options.n_tolerances) {
    guard run.write(level: level, tolerance: tolerances[level]) else {
      return fail(call, MRD_E_CANCELLED, "cancelled")
    }
  }
  return run.finish(out)
}

private func isAscending(_ tolerances: UnsafePointer<Double>, _ count: Int) -> Bool {
  guard tolerances[0] >= 0 else { return false }
  for index in 1..<max(1, count) where !(tolerances[index] >= tolerances[index - 1]) { return false }
  return true
}
