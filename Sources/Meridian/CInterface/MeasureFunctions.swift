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
    let answers = try call.host.measure(
      try requireOperation(.measure, op, in: MRD_MEASURE_LENGTH...MRD_MEASURE_INTERPOLATE), set,
      try measureOptions(options), try columns(out, rows: set.count), call.statuses, call.run)
    call.finish(answers)
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
    let answers = try call.host.measurePair(
      try requireOperation(.measure, op, in: MRD_MEASURE_INVERSE...MRD_MEASURE_CLOSEST), a, try requireSet(b, "b"),
      try measureOptions(options), try columns(out, rows: a.count), call.statuses, call.run)
    call.finish(answers)
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
    let answers = try call.host.measureDirect(
      points, try require(azimuth, "azimuth"), try require(distance, "distance"), try measureOptions(options),
      try columns(out, rows: points.count), call.statuses, call.run)
    call.finish(answers)
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
    let out = try require(out, "out")
    let (made, statuses, answers) = try call.host.build(
      try requireOperation(.measure, op, in: MRD_MEASURE_DENSIFY...MRD_MEASURE_DENSIFY), try requireSet(set, "set"),
      try measureOptions(options), call.run)
    giveSet(made, to: out)
    call.finish(answers, statuses)
  }
}

private func measureOptions(
  _ options: UnsafePointer<mrd_measure_options>?
) throws(MeridianError) -> mrd_measure_options {
  try read(options, "options", zero: mrd_measure_options())
}

/// The caller's columns, checked.
private func columns(_ out: UnsafePointer<mrd_columns>?, rows: Int) throws(MeridianError) -> MeasureColumnsOut {
  let raw = try read(try require(out, "out"), "out", zero: mrd_columns())
  guard raw.length == Int64(rows) else { throw MeridianError(.argument, "out.length is not the number of rows") }
  guard raw.count > 0 else { return MeasureColumnsOut(values: []) }
  guard let values = raw.values else { throw MeridianError(.argument, "out.values is NULL") }
  return MeasureColumnsOut(values: (0..<Int(raw.count)).map { values[$0] })
}
