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
    let snapped = try call.host.snap(
      try requireOperation(.snap, op, in: MRD_SNAP_PAIR...MRD_SNAP_GRID), try requireSet(set, "set"),
      targets == nil ? nil : try requireSet(targets, "targets"),
      try read(options, "options", zero: mrd_snap_options()), call.run)
    giveSet(snapped.set, to: out)
    outcomes?.update(from: snapped.outcomes, count: snapped.outcomes.count)
    call.finish(snapped.answers, snapped.statuses)
  }
}

// MARK: - Prepared targets

/// Prepared targets, with the session that their answers are reported to.
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
    for index in 0..<Int(count) { list.append(try targetLayer(layers[index])) }
    let targets = try SnapTargets(host: call.host, layers: list, run: call.run)
    out.pointee = makeHandle(TargetsHandle(targets, call.session))
    call.finish(targets.answers)
  }
}

private func targetLayer(_ layer: UnsafePointer<mrd_target_layer>?) throws(MeridianError) -> TargetLayer {
  let raw = try read(try require(layer, "layer"), "layer", zero: mrd_target_layer())
  guard raw.kinds >> UInt32(MRD_SNAP_KINDS) == 0 else {
    throw MeridianError(.unsupported, "layer.kinds has bits that this version does not know")
  }
  let kinds = SnapKind.allCases.filter { raw.kinds >> UInt32($0.rawValue) & 1 == 1 }
  return TargetLayer(try requireSet(raw.set, "layer.set"), kinds: kinds, priority: Int(raw.priority))
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
      try requireSet(points, "points"), try read(options, "options", zero: mrd_snap_query_options()), call.run)
    let result = ResultHandle()
    result.add(MRD_BUF_ROWS, found.offsets.map { Int64($0) })
    result.addRecords(found.hits)
    out.pointee = makeHandle(result)
    call.finish(handle.targets.answers, found.statuses)
  }
}

@c @implementation
public func mrd_targets_release(_ targets: OpaquePointer?) { releaseHandle(targets, as: TargetsHandle.self) }

@c @implementation
public func mrd_metres_per_point(_ latitude: Double, _ zoom: Double, _ tile: Double) -> Double {
  metresPerPoint(latitude: latitude, zoom: zoom, tile: tile)
}
