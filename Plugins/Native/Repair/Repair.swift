// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// `validate.repair`: rules structure, linework, even_odd and nonzero, to the rules of OGC.
func validateRepair(
  _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_repair_options>?,
  _ out: UnsafeMutablePointer<mrd_geoms_out>?, _ reports: UnsafeMutablePointer<mrd_repair_report>?,
  _ reportSize: UInt32, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ARGUMENT }
  guard let out = knownResult(out, call) else { return call.failure }
  guard let geoms = Geoms(input, call) else { return call.failure }
  guard let known = knownOptions(options, zero: mrd_repair_options(), call) else { return call.failure }
  guard known.flags == 0, known.dialect == MRD_DIALECT_OGC,
    (MRD_REPAIR_STRUCTURE...MRD_REPAIR_NONZERO).contains(known.rule), geoms.model.edges == MRD_EDGES_PLANAR
  else {
    return fail(call, MRD_E_UNSUPPORTED, "native repair is for planar edges, by four rules, to the rules of OGC")
  }
  do throws(Stop) {
    var run = try RepairRun(geoms, reports: RepairReports(reports, size: reportSize, rule: known.rule), call)
    return try run.run(out)
  } catch {
    return error == .cancelled
      ? fail(call, MRD_E_CANCELLED, "cancelled") : fail(call, MRD_E_MEMORY, "no memory for the rings of a row")
  }
}

nonisolated(unsafe) var repairInfo = mrd_op_info(
  struct_size: UInt32(MemoryLayout<mrd_op_info>.size),
  flags: MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_EXACT_PREDICATES | MRD_OP_CANCELS, type_mask: 0x7e,
  dims_mask: 0x1e, edges_mask: 1 << UInt32(MRD_EDGES_PLANAR), metric_mask: 0x7,
  dialect_mask: 1 << UInt32(MRD_REPAIR_STRUCTURE) | 1 << UInt32(MRD_REPAIR_LINEWORK)
    | 1 << UInt32(MRD_REPAIR_EVEN_ODD) | 1 << UInt32(MRD_REPAIR_NONZERO), error_unit: MRD_UNIT_ULP, error_absolute: 4,
  error_relative: 0, error_per_vertex: 0, max_flattening: 0, ns_per_coord: 0,
  method: cString(
    """
    planar graph of all rings, noded exactly at crossings rounded to nearest; faces by winding numbers, or by peeling \
    for linework; untouched rings bit-equal; no point farther than 4 ulp of the largest ordinate from its edge
    """), next: nil)
