// SPDX-License-Identifier: Apache-2.0
import CGEOS
import KernelKit
import MeridianABI

/// The verdict of one row.
enum Verdict {
  case good
  case bad
  /// The row status says why.
  case unknown

  var byte: UInt8 {
    switch self {
    case .good: UInt8(MRD_VERDICT_VALID)
    case .bad: UInt8(MRD_VERDICT_INVALID)
    case .unknown: UInt8(MRD_VERDICT_UNKNOWN)
    }
  }
}

func validateCheck(
  _ op: UInt32, _ input: UnsafePointer<mrd_geoms>?, _ options: UnsafePointer<mrd_validate_options>?,
  _ out: UnsafeMutablePointer<mrd_problems_out>?, _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call, let out, out.pointee.struct_size >= UInt32(MemoryLayout<mrd_problems_out>.size) else {
    return MRD_E_ABI
  }
  guard let info = validateInfo(op)?.pointee, op != MRD_VALIDATE_REPAIR else {
    return fail(call, MRD_E_UNSUPPORTED, "GEOS 3.11 has no such check")
  }
  guard let known = knownOptions(options, zero: mrd_validate_options(), call) else { return call.failure }
  if let reason = refusal(known) { return fail(call, MRD_E_UNSUPPORTED, reason) }
  guard known.mode >= MRD_MODE_ALL, known.mode <= MRD_MODE_VERDICT, known.limit >= 0 else {
    return fail(call, MRD_E_ARGUMENT, "the mode or the limit of problems is outside its domain")
  }
  var status = MRD_OK
  guard let geoms = admit(input, info, call, &status) else { return status }
  guard let session = Session(call) else { return MRD_E_MEMORY }
  var checker = Checker(session: session, geoms: geoms, op: op, options: known)
  return checker.run(out)
}

/// What GEOS cannot do, or nil.
private func refusal(_ options: mrd_validate_options) -> StaticString? {
  if options.dialect != MRD_DIALECT_OGC, options.dialect != MRD_DIALECT_ESRI { return "GEOS knows OGC and Esri rules" }
  if options.flags != 0 { return "GEOS reports no warnings and judges coordinates as they are" }
  let thresholds = [
    options.near_repeated_coord, options.min_angle_deg, options.min_edge_coord, options.min_area_coord,
    options.min_sliver_ratio, options.min_clearance_coord, options.gap_max_area_coord, options.gap_max_width_coord,
  ]
  return thresholds.contains { $0 != 0 } ? "GEOS's validator has no thresholds" : nil
}

/// Judges the rows of one call.
private struct Checker {
  let session: Session
  let geoms: Geoms
  let op: UInt32
  let wantsRecords: Bool
  let validFlags: Int32
  let builder: RowBuilder
  var problems: Problems

  init(session: Session, geoms: Geoms, op: UInt32, options: mrd_validate_options) {
    self.session = session
    self.geoms = geoms
    self.op = op
    wantsRecords = options.mode != MRD_MODE_VERDICT
    validFlags =
      options.dialect == MRD_DIALECT_ESRI
      ? Int32(GEOSVALID_ALLOW_SELFTOUCHING_RING_FORMING_HOLE.rawValue) : 0
    // GEOSisSimple reads the place of every member of a multipoint, of an empty one too, and crashes.
    builder = RowBuilder(session, geoms, skipsEmptyPoints: op == MRD_VALIDATE_SIMPLE)
    problems = Problems(session.call)
  }

  mutating func run(_ out: UnsafeMutablePointer<mrd_problems_out>) -> mrd_status {
    for row in 0..<geoms.count {
      if session.call.isCancelled { return session.cancelled() }
      let verdict = judge(row)
      if session.call.isCancelled { return session.cancelled() }
      out.pointee.verdicts?[row] = verdict.byte
    }
    return problems.finish(out, session.call)
  }

  private mutating func judge(_ row: Int) -> Verdict {
    if geoms.isNull(row) {
      session.call.setStatus(row, MRD_ITEM_NULL)
      return .unknown
    }
    if let fault = findFault(geoms, row) { return report(fault, row) }
    guard let geometry = builder.geometry(row) else {
      session.markFailed(row)
      return .unknown
    }
    return session.consume(geometry) { op == MRD_VALIDATE_VALID ? judgeValid($0, row) : judgeSimple($0, row) }
  }

  /// A row that GEOS cannot take: not valid, and for SIMPLE not to be judged.
  private mutating func report(_ fault: Fault, _ row: Int) -> Verdict {
    guard op == MRD_VALIDATE_VALID else {
      session.call.setStatus(row, fault.itemStatus)
      return .unknown
    }
    if wantsRecords {
      let place = findPlace(geoms, row) { $0 == fault.coordinate }
      let reason = Reason.of(fault)
      problems.append(
        code: fault.code, jtsCode: reason.jtsCode, row: row, place: place, x: geoms.x(fault.coordinate),
        y: geoms.y(fault.coordinate), words: cString(reason.phrase))
    }
    return .bad
  }

  private mutating func judgeValid(_ geometry: Geometry, _ row: Int) -> Verdict {
    guard wantsRecords else { return judgeValidOnly(geometry, row) }
    var words: UnsafeMutablePointer<CChar>?
    var location: Geometry?
    let answer = GEOSisValidDetail_r(session.context, geometry, validFlags, &words, &location)
    defer {
      if let words { GEOSFree_r(session.context, words) }
      session.destroy(location)
    }
    switch answer {
    case 1: return .good
    case 0:
      reportInvalid(row, words.map { UnsafePointer($0) } ?? cString("Topology Validation Error"), location)
      return .bad
    default:
      session.markFailed(row)
      return .unknown
    }
  }

  private func judgeValidOnly(_ geometry: Geometry, _ row: Int) -> Verdict {
    switch GEOSisValidDetail_r(session.context, geometry, validFlags, nil, nil) {
    case 1: return .good
    case 0: return .bad
    default:
      session.markFailed(row)
      return .unknown
    }
  }

  private mutating func reportInvalid(_ row: Int, _ words: UnsafePointer<CChar>, _ location: Geometry?) {
    var x = Double.nan
    var y = Double.nan
    if let location {
      _ = GEOSGeomGetX_r(session.context, location, &x)
      _ = GEOSGeomGetY_r(session.context, location, &y)
    }
    let reason = Reason.read(words)
    let place = findPlace(geoms, row) { geoms.x($0) == x && geoms.y($0) == y }
    problems.append(code: reason.code, jtsCode: reason.jtsCode, row: row, place: place, x: x, y: y, words: words)
  }

  /// GEOS 3.11 tells no place of a self-intersection of a line.
  private mutating func judgeSimple(_ geometry: Geometry, _ row: Int) -> Verdict {
    switch GEOSisSimple_r(session.context, geometry) {
    case 1: return .good
    case 0:
      if wantsRecords {
        let repeated = dimension(of: geoms.type) == 0
        problems.append(
          code: repeated ? MRD_PROBLEM_NOT_SIMPLE_REPEATED : MRD_PROBLEM_NOT_SIMPLE_CROSSING, jtsCode: MRD_JTS_NONE,
          row: row, place: Indices(), x: .nan, y: .nan)
      }
      return .bad
    default:
      session.markFailed(row)
      return .unknown
    }
  }
}
