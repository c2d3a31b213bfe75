// SPDX-License-Identifier: Apache-2.0
import MeridianABI

@c @implementation
public func mrd_measure(
  _ session: OpaquePointer?, _ op: UInt32, _ set: OpaquePointer?, _ options: UnsafePointer<mrd_measure_options>?,
  _ out: UnsafePointer<mrd_columns>?, _ run: UnsafeMutablePointer<mrd_run>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let call = try CallArguments(session, run)
    let set = try requireSet(set, "set")
    let columns = try ColumnTargets(out, rows: set.count)
    let measured = try call.host.measure(
      try requireOperation(op, as: MeasureOperation.self), set, options: try measureOptions(options, rows: set.count),
      run: call.run)
    columns.write(measured)
    call.finish(measured.statuses, measured.answers)
  }
}

@c @implementation
public func mrd_measure_pair(
  _ session: OpaquePointer?, _ op: UInt32, _ a: OpaquePointer?, _ b: OpaquePointer?,
  _ options: UnsafePointer<mrd_measure_options>?, _ out: UnsafePointer<mrd_columns>?,
  _ run: UnsafeMutablePointer<mrd_run>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let call = try CallArguments(session, run)
    let a = try requireSet(a, "a")
    let b = try requireSet(b, "b")
    let columns = try ColumnTargets(out, rows: a.count)
    let raw = try read(options, "options", zero: mrd_measure_options())
    let broadcast = raw.flags & MRD_MEASURE_BROADCAST_B != 0
    guard broadcast ? b.count == 1 : a.count == b.count else {
      throw MeridianError(.argument, broadcast ? "b has not exactly one row" : "a and b differ in their number of rows")
    }
    let measured = try call.host.measurePair(
      try requireOperation(op, as: PairOperation.self), a, b, broadcast: broadcast,
      options: try measureOptions(options, rows: a.count), run: call.run)
    columns.write(measured)
    call.finish(measured.statuses, measured.answers)
  }
}

@c @implementation
public func mrd_measure_direct(
  _ session: OpaquePointer?, _ points: OpaquePointer?, _ azimuth: UnsafePointer<Double>?,
  _ distance: UnsafePointer<Double>?, _ options: UnsafePointer<mrd_measure_options>?,
  _ out: UnsafePointer<mrd_columns>?, _ run: UnsafeMutablePointer<mrd_run>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let call = try CallArguments(session, run)
    let points = try requireSet(points, "points")
    let columns = try ColumnTargets(out, rows: points.count)
    guard let azimuths = copyArray(azimuth, points.count), let distances = copyArray(distance, points.count) else {
      throw MeridianError(.argument, "azimuth or distance is NULL")
    }
    let measured = try call.host.measureDirect(
      points, azimuths: azimuths, distances: distances, options: try measureOptions(options, rows: points.count),
      run: call.run)
    columns.write(measured)
    call.finish(measured.statuses, measured.answers)
  }
}

@c @implementation
public func mrd_measure_build(
  _ session: OpaquePointer?, _ op: UInt32, _ set: OpaquePointer?, _ options: UnsafePointer<mrd_measure_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let call = try CallArguments(session, run)
    let set = try requireSet(set, "set")
    let out = try require(out, "out")
    guard op == MRD_MEASURE_DENSIFY else {
      throw MeridianError(.argument, "this function has no operation number \(op)")
    }
    let densified = try call.host.densify(set, options: try measureOptions(options, rows: set.count), run: call.run)
    giveSet(densified.set, to: out)
    call.finish(densified.statuses, densified.answers)
  }
}

private func measureOptions(
  _ options: UnsafePointer<mrd_measure_options>?, rows: Int
) throws(MeridianError) -> MeasureOptions {
  let raw = try read(options, "options", zero: mrd_measure_options())
  try checkFlags(raw.flags, known: MRD_MEASURE_BROADCAST_B, "options.flags")
  var options = MeasureOptions()
  options.side = try requireCase(raw.side, "options.side", as: MeasureOptions.Side.self)
  options.maxEdgeMetres = raw.max_edge_m
  options.maxEdgeCoord = raw.max_edge_coord
  options.atFraction = copyArray(raw.at_fraction, rows)
  options.atDistance = copyArray(raw.at_distance, rows)
  return options
}

/// The caller's columns, checked.
private struct ColumnTargets {
  private let targets: [UnsafeMutablePointer<Double>?]

  init(_ out: UnsafePointer<mrd_columns>?, rows: Int) throws(MeridianError) {
    let raw = try read(try require(out, "out"), "out", zero: mrd_columns())
    guard raw.length == Int64(rows) else { throw MeridianError(.argument, "out.length is not the number of rows") }
    guard raw.count == 0 || raw.values != nil else { throw MeridianError(.argument, "out.values is NULL") }
    var targets: [UnsafeMutablePointer<Double>?] = []
    for index in 0..<Int(raw.count) { targets.append(raw.values[index]) }
    self.targets = targets
  }

  func write(_ measured: Measured) {
    for (target, column) in zip(targets, measured.columns) {
      guard let target else { continue }
      for (row, value) in column.enumerated() { target[row] = value }
    }
  }
}
