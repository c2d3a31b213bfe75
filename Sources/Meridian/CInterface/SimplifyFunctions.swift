// SPDX-License-Identifier: Apache-2.0
import MeridianABI

@c @implementation
public func mrd_simplify(
  _ session: OpaquePointer?, _ op: UInt32, _ set: OpaquePointer?, _ options: UnsafePointer<mrd_simplify_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ outcomes: UnsafeMutablePointer<Int32>?,
  _ kept: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let call = try CallArguments(session, run)
    let set = try requireSet(set, "set")
    let out = try require(out, "out")
    var options = try simplifyOptions(options, set)
    options.wantKept = options.wantKept || kept != nil
    let simplified = try call.host.simplify(
      try requireOperation(op, as: SimplifyOperation.self), set, options: options, run: call.run)
    giveSet(simplified.set, to: out)
    if let outcomes {
      for (row, outcome) in simplified.outcomes.enumerated() { outcomes[row] = outcome.rawValue }
    }
    if let kept, let vertices = simplified.kept {
      let result = ResultHandle()
      result.add(MRD_BUF_ROWS, vertices.offsets)
      result.add(MRD_BUF_IDS, vertices.ids)
      kept.pointee = makeHandle(result)
    }
    call.finish(simplified.statuses, simplified.answers)
  }
}

private func simplifyOptions(
  _ options: UnsafePointer<mrd_simplify_options>?, _ set: GeometrySet
) throws(MeridianError) -> SimplifyOptions {
  let raw = try read(options, "options", zero: mrd_simplify_options())
  let flags = MRD_SIMPLIFY_WEIGHTED | MRD_SIMPLIFY_NO_CROSSING | MRD_SIMPLIFY_FIXED_BOUNDARY | MRD_SIMPLIFY_WANT_KEPT
  try checkFlags(raw.flags, known: flags, "options.flags")
  guard raw.n_tolerances == 0 || raw.tolerances != nil else {
    throw MeridianError(.argument, "options.tolerances is NULL")
  }
  var options = SimplifyOptions(tolerances: copyArray(raw.tolerances, Int(raw.n_tolerances)) ?? [])
  options.unit = try requireCase(raw.unit, "options.unit", as: SimplifyOptions.Unit.self)
  options.measure = try requireCase(raw.measure, "options.measure", as: SimplifyOptions.Measure.self)
  options.collapse = try requireCase(raw.collapse, "options.collapse", as: SimplifyOptions.Collapse.self)
  options.weighted = raw.flags & MRD_SIMPLIFY_WEIGHTED != 0
  options.noCrossing = raw.flags & MRD_SIMPLIFY_NO_CROSSING != 0
  options.fixedBoundary = raw.flags & MRD_SIMPLIFY_FIXED_BOUNDARY != 0
  options.wantKept = raw.flags & MRD_SIMPLIFY_WANT_KEPT != 0
  options.targetCount = Int(clamping: raw.target_count)
  options.targetShare = raw.target_share
  options.zoom = raw.zoom
  options.tileSize = raw.tile_size
  options.pixelFactor = raw.pixel_factor
  options.maxDistance = raw.max_distance
  if let bits = raw.protected_vertices {
    guard set.arrays.count == 1 else {
      throw MeridianError(.unsupported, "options.protected_vertices needs a set of one array")
    }
    options.protectedVertices = copyArray(bits, (set.arrays[0].coordinateCount + 7) / 8)
  }
  return options
}
