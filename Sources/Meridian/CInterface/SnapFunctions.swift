// SPDX-License-Identifier: Apache-2.0
import MeridianABI

@c @implementation
public func mrd_snap(
  _ session: OpaquePointer?, _ op: UInt32, _ set: OpaquePointer?, _ targets: OpaquePointer?,
  _ options: UnsafePointer<mrd_snap_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ outcomes: UnsafeMutablePointer<Int32>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let call = try CallArguments(session, run)
    let out = try require(out, "out")
    let targets = try targets.map { (handle) throws(MeridianError) in try requireSet(handle, "targets") }
    let snapped = try call.host.snap(
      try requireOperation(op, as: SnapOperation.self), try requireSet(set, "set"), targets: targets,
      options: try snapOptions(options), run: call.run)
    giveSet(snapped.set, to: out)
    if let outcomes {
      for (row, outcome) in snapped.outcomes.enumerated() { outcomes[row] = outcome.rawValue }
    }
    call.finish(snapped.statuses, snapped.answers)
  }
}

private func snapOptions(_ options: UnsafePointer<mrd_snap_options>?) throws(MeridianError) -> SnapOptions {
  let raw = try read(options, "options", zero: mrd_snap_options())
  let flags = MRD_SNAP_VERTICES_ONLY | MRD_SNAP_END_POINTS_ONLY | MRD_SNAP_INSERT_VERTICES | MRD_SNAP_KEEP_COLLAPSED
  try checkFlags(raw.flags, known: flags, "options.flags")
  var options = SnapOptions()
  options.toleranceCoord = raw.tolerance_coord
  options.toleranceMetres = raw.tolerance_m
  options.gridScale = raw.grid_scale
  options.verticesOnly = raw.flags & MRD_SNAP_VERTICES_ONLY != 0
  options.endPointsOnly = raw.flags & MRD_SNAP_END_POINTS_ONLY != 0
  options.insertVertices = raw.flags & MRD_SNAP_INSERT_VERTICES != 0
  options.keepCollapsed = raw.flags & MRD_SNAP_KEEP_COLLAPSED != 0
  return options
}

// MARK: - Prepared targets

private final class TargetsHandle {
  let targets: SnapTargets
  let session: SessionHandle

  init(_ targets: SnapTargets, _ session: SessionHandle) {
    self.targets = targets
    self.session = session
  }
}

@c @implementation
public func mrd_targets_create(
  _ session: OpaquePointer?, _ layers: UnsafePointer<UnsafePointer<mrd_target_layer>?>?, _ count: UInt32,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let call = try CallArguments(session, run)
    let out = try require(out, "out")
    guard let layers, count > 0 else { throw MeridianError(.argument, "layers is NULL or empty") }
    var list: [TargetLayer] = []
    for index in 0..<Int(count) {
      let raw = try read(try require(layers[index], "layer"), "layer", zero: mrd_target_layer())
      let kinds = SnapKind.allCases.filter { raw.kinds & (1 << UInt32($0.rawValue)) != 0 }
      try checkFlags(raw.kinds, known: (1 << UInt32(MRD_SNAP_KINDS)) - 1, "layer.kinds")
      list.append(TargetLayer(try requireSet(raw.set, "layer.set"), kinds: kinds, priority: Int(raw.priority)))
    }
    let targets = try SnapTargets(call.host, list, run: call.run)
    out.pointee = makeHandle(TargetsHandle(targets, call.session))
    call.finish([], targets.answers)
  }
}

@c @implementation
public func mrd_targets_query(
  _ targets: OpaquePointer?, _ points: OpaquePointer?, _ options: UnsafePointer<mrd_snap_query_options>?,
  _ hits: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let handle = try require(targets, "targets", as: TargetsHandle.self)
    let call = try CallArguments(handle.session, run)
    let out = try require(hits, "hits")
    let found = try handle.targets.query(
      try requireSet(points, "points"), options: try queryOptions(options), run: call.run)
    let result = ResultHandle()
    result.add(MRD_BUF_ROWS, found.offsets.map { Int64($0) })
    result.addRecords(found.hits.map(record))
    out.pointee = makeHandle(result)
    call.finish(found.statuses, found.answers)
  }
}

@c @implementation
public func mrd_targets_release(_ targets: OpaquePointer?) { releaseHandle(targets, as: TargetsHandle.self) }

@c @implementation
public func mrd_metres_per_point(_ latitude: Double, _ zoom: Double, _ tile: Double) -> Double {
  metresPerPoint(latitude: latitude, zoom: zoom, tile: tile)
}

private func queryOptions(_ options: UnsafePointer<mrd_snap_query_options>?) throws(MeridianError) -> SnapQueryOptions {
  let raw = try read(options, "options", zero: mrd_snap_query_options())
  var options = SnapQueryOptions()
  options.toleranceCoord = raw.tolerance_coord
  options.toleranceMetres = raw.tolerance_m
  options.maxCandidates = Int(raw.max_candidates)
  options.kindFactors = copyArray(raw.kind_factor, Int(MRD_SNAP_KINDS))
  options.kindPriorities = copyArray(raw.kind_priority, Int(MRD_SNAP_KINDS))
  options.screenMetric = copyArray(raw.screen_metric, 4)
  let exclusions = try readRecords(
    raw.exclusions, step: Int(raw.exclusion_size), count: raw.n_exclusions, "exclusions", zero: mrd_snap_exclusion())
  options.exclusions = exclusions.map {
    SnapExclusion(
      layer: Int($0.layer), feature: Int($0.feature), part: $0.part < 0 ? nil : Int($0.part), ring: Int($0.ring),
      vertex: Int($0.vertex))
  }
  return options
}

private func record(_ hit: SnapHit) -> mrd_snap_hit {
  mrd_snap_hit(
    kind: hit.kind, group: hit.group, layer: Int64(hit.layer), feature: Int64(hit.feature), part: orNone(hit.part),
    ring: orNone(hit.ring), vertex: orNone(hit.vertex), other_feature: orNone(hit.otherFeature),
    other_vertex: orNone(hit.otherVertex), x: hit.x, y: hit.y, z: hit.z, distance: hit.distance)
}
