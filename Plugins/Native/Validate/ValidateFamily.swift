// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

nonisolated(unsafe) var validateTable = mrd_family_validate(
  struct_size: UInt32(MemoryLayout<mrd_family_validate>.size), pad0: 0, info: info, check: check,
  repair: validateRepair, prepare: validatePrepare, edit: validateEdit, release: validateRelease)

private let common =
  MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_EXACT_PREDICATES | MRD_OP_CANCELS | MRD_OP_ALL_PROBLEMS

nonisolated(unsafe) private var validInfo = mrd_op_info(
  struct_size: UInt32(MemoryLayout<mrd_op_info>.size), flags: common | MRD_OP_PARALLEL, type_mask: 0x7e,
  dims_mask: 0x1e, edges_mask: 1 << UInt32(MRD_EDGES_PLANAR), metric_mask: 0x7,
  dialect_mask: 1 << UInt32(MRD_DIALECT_OGC) | 1 << UInt32(MRD_DIALECT_ESRI) | 1 << UInt32(MRD_DIALECT_RFC7946)
    | 1 << UInt32(MRD_DIALECT_SPHERICAL),
  error_unit: MRD_UNIT_NONE, error_absolute: 0, error_relative: 0, error_per_vertex: 0, max_flattening: 0,
  ns_per_coord: 0,
  method: cString(
    """
    OGC 06-103r4, 6.1; all problems in one pass; blocks of edges in a frame of floats, exact decisions; places of \
    crossings rounded to nearest
    """), next: nil)

nonisolated(unsafe) private var simpleInfo = mrd_op_info(
  struct_size: UInt32(MemoryLayout<mrd_op_info>.size), flags: common | MRD_OP_PARALLEL, type_mask: 0x7e,
  dims_mask: 0x1e,
  edges_mask: 1 << UInt32(MRD_EDGES_PLANAR), metric_mask: 0x7, dialect_mask: 1 << UInt32(MRD_DIALECT_OGC),
  error_unit: MRD_UNIT_NONE, error_absolute: 0, error_relative: 0, error_per_vertex: 0, max_flattening: 0,
  ns_per_coord: 0, method: cString("OGC 06-103r4, 6.1.5 and 6.1.6; all meetings; exact decisions"), next: nil)

nonisolated(unsafe) private var layerInfo = mrd_op_info(
  struct_size: UInt32(MemoryLayout<mrd_op_info>.size), flags: common | MRD_OP_WHOLE_ARRAY, type_mask: 0x7e,
  dims_mask: 0x1e, edges_mask: 1 << UInt32(MRD_EDGES_PLANAR), metric_mask: 0x7,
  dialect_mask: 1 << UInt32(MRD_DIALECT_OGC), error_unit: MRD_UNIT_NONE, error_absolute: 0, error_relative: 0,
  error_per_vertex: 0, max_flattening: 0, ns_per_coord: 0,
  method: cString(
    """
    planar graph of all rows, exact and without moving a point; faces without a row are gaps, with several overlaps; \
    vertices inside edges of other rows; ends of lines; rows of one point set
    """), next: nil)

private func info(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  switch op {
  case MRD_VALIDATE_VALID: address(&validInfo)
  case MRD_VALIDATE_REPAIR: address(&repairInfo)
  case MRD_VALIDATE_SIMPLE: address(&simpleInfo)
  case MRD_VALIDATE_LAYER: address(&layerInfo)
  case MRD_VALIDATE_PREPARED: address(&preparedInfo)
  default: nil
  }
}

private func check(
  _ op: UInt32, _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_validate_options>?,
  _ out: UnsafeMutablePointer<mrd_problems_out>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call, let out, out.pointee.struct_size >= UInt32(MemoryLayout<mrd_problems_out>.size) else {
    return MRD_E_ABI
  }
  guard let geoms = Geoms(input, call) else { return call.failure }
  guard op != MRD_VALIDATE_PREPARED, let options = acceptedOptions(op, geoms, options, call) else {
    return op == MRD_VALIDATE_PREPARED
      ? fail(call, MRD_E_UNSUPPORTED, "a prepared geometry is edited, not checked") : call.failure
  }
  var judged = geoms
  if options.flags & MRD_VALIDATE_AT_DECIMALS != 0 {
    guard (0...AtDecimals.most).contains(options.decimals) else {
      return fail(call, MRD_E_ARGUMENT, "decimals are 0 to 17")
    }
    var poll = CancelPoll(call)
    guard let rounded = AtDecimals.round(geoms, options.decimals, &poll, call) else {
      return poll.isCancelled
        ? fail(call, MRD_E_CANCELLED, "cancelled") : fail(call, MRD_E_MEMORY, "no memory for the rounded coordinates")
    }
    judged = rounded
  }
  if options.dialect == MRD_DIALECT_SPHERICAL {
    var poll = CancelPoll(call)
    guard let canonical = CanonicalPlaces.of(judged, &poll, call) else {
      return poll.isCancelled
        ? fail(call, MRD_E_CANCELLED, "cancelled") : fail(call, MRD_E_MEMORY, "no memory for the unit vectors")
    }
    judged = canonical
  }
  if op == MRD_VALIDATE_LAYER {
    var run = LayerRun(judged, options, call)
    return run.run(out)
  }
  var run = ValidateRun(op, judged, options, call)
  return run.run(out)
}

/// The options of a call; nil, with the call's error filled, when they are refused.
func acceptedOptions(
  _ op: UInt32, _ geoms: Geoms, _ options: UnsafePointer<mrd_validate_options>?, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_validate_options? {
  guard let options = knownOptions(options, zero: mrd_validate_options(), call) else { return nil }
  if let reason = refusal(op, geoms, options) {
    _ = fail(call, MRD_E_UNSUPPORTED, reason)
    return nil
  }
  guard options.mode >= MRD_MODE_ALL, options.mode <= MRD_MODE_VERDICT, options.limit >= 0, areThresholds(options)
  else {
    _ = fail(call, MRD_E_ARGUMENT, "the mode, the limit of problems or a threshold is outside its domain")
    return nil
  }
  return options
}

/// What this kernel does not serve, or nil.
private func refusal(_ op: UInt32, _ geoms: Geoms, _ options: mrd_validate_options) -> StaticString? {
  guard let info = info(op)?.pointee else { return "native validation has no such check" }
  if geoms.model.edges != MRD_EDGES_PLANAR { return "native validation knows planar edges only" }
  guard (MRD_DIALECT_OGC...MRD_DIALECT_SPHERICAL).contains(options.dialect),
    info.dialect_mask & (1 << UInt32(options.dialect)) != 0
  else { return "native validation does not know this dialect" }
  if options.flags & ~(MRD_VALIDATE_WARNINGS | MRD_VALIDATE_AT_DECIMALS) != 0 {
    return "the options have flags that this kernel does not know"
  }
  if op == MRD_VALIDATE_LAYER {
    let isPlain = options.flags & MRD_VALIDATE_WARNINGS == 0 && !hasThresholds(options)
    return isPlain ? nil : "a layer is judged by its own rules: warnings and their thresholds are of rows"
  }
  if options.dialect == MRD_DIALECT_SPHERICAL && hasThresholds(options) {
    return "thresholds are lengths, angles and areas of the plane"
  }
  let isPlain = options.gap_max_area_coord == 0 && options.gap_max_width_coord == 0
  return isPlain ? nil : "gaps are of layers"
}

/// Whether some warning is asked for by a threshold.
func hasThresholds(_ options: mrd_validate_options) -> Bool {
  options.near_repeated_coord != 0 || options.min_angle_deg != 0 || options.min_edge_coord != 0
    || options.min_area_coord != 0 || options.min_sliver_ratio != 0 || options.min_clearance_coord != 0
}

/// Thresholds are not negative, and numbers.
private func areThresholds(_ options: mrd_validate_options) -> Bool {
  options.near_repeated_coord >= 0 && options.min_angle_deg >= 0 && options.min_edge_coord >= 0
    && options.min_area_coord >= 0 && options.min_sliver_ratio >= 0 && options.min_clearance_coord >= 0
    && options.gap_max_area_coord >= 0 && options.gap_max_width_coord >= 0
}
