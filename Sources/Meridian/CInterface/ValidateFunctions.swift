// SPDX-License-Identifier: Apache-2.0
import MeridianABI

@c @implementation
public func mrd_validate(
  _ session: OpaquePointer?, _ op: UInt32, _ set: OpaquePointer?, _ options: UnsafePointer<mrd_validate_options>?,
  _ verdicts: UnsafeMutablePointer<UInt8>?, _ problems: UnsafeMutablePointer<OpaquePointer?>?,
  _ run: UnsafeMutablePointer<mrd_run>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let call = try CallArguments(session, run)
    let validation = try call.host.validate(
      try requireOperation(op, as: ValidateOperation.self), try requireSet(set, "set"),
      options: try validateOptions(options), run: call.run)
    give(validation, verdicts, problems)
    call.finish(validation.statuses, validation.answers)
  }
}

@c @implementation
public func mrd_repair(
  _ session: OpaquePointer?, _ set: OpaquePointer?, _ options: UnsafePointer<mrd_repair_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ reports: UnsafeMutablePointer<mrd_repair_report>?,
  _ reportSize: UInt32, _ run: UnsafeMutablePointer<mrd_run>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let call = try CallArguments(session, run)
    let out = try require(out, "out")
    let raw = try read(options, "options", zero: mrd_repair_options())
    try checkFlags(raw.flags, known: 0, "options.flags")
    var options = RepairOptions()
    options.rule = try requireCase(raw.rule, "options.rule", as: RepairRule.self)
    options.dialect = try requireCase(raw.dialect, "options.dialect", as: Dialect.self)
    let repaired = try call.host.repair(try requireSet(set, "set"), options: options, run: call.run)
    giveSet(repaired.set, to: out)
    if let reports { writeRecords(repaired.reports.map(record), to: reports, step: Int(reportSize)) }
    call.finish(repaired.statuses, repaired.answers)
  }
}

// MARK: - Editing

/// A geometry under edit, with the session that its answers are reported to.
private final class EditorHandle {
  let editor: Editor
  let session: SessionHandle

  init(_ editor: Editor, _ session: SessionHandle) {
    self.editor = editor
    self.session = session
  }
}

@c @implementation
public func mrd_editor_create(
  _ session: OpaquePointer?, _ set: OpaquePointer?, _ row: Int64, _ options: UnsafePointer<mrd_validate_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?, _ run: UnsafeMutablePointer<mrd_run>?,
  _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let call = try CallArguments(session, run)
    let set = try requireSet(set, "set")
    let out = try require(out, "out")
    guard row >= 0, row < Int64(set.count) else { throw MeridianError(.argument, "the set has no row \(row)") }
    let editor = try Editor(call.host, set, row: Int(row), options: try validateOptions(options), run: call.run)
    out.pointee = makeHandle(EditorHandle(editor, call.session))
    call.finish([], editor.answers)
  }
}

@c @implementation
public func mrd_editor_edit(
  _ editor: OpaquePointer?, _ edits: UnsafePointer<mrd_edit>?, _ editSize: UInt32, _ count: Int64,
  _ verdict: UnsafeMutablePointer<UInt8>?, _ problems: UnsafeMutablePointer<OpaquePointer?>?,
  _ run: UnsafeMutablePointer<mrd_run>?, _ error: UnsafeMutablePointer<mrd_error>?
) -> mrd_status {
  report(to: error) { () throws(MeridianError) in
    let handle = try require(editor, "editor", as: EditorHandle.self)
    let call = try CallArguments(handle.session, run)
    let records = try readRecords(edits, step: Int(editSize), count: count, "edits", zero: mrd_edit())
    let validation = try handle.editor.edit(try records.map(edit), run: call.run)
    give(validation, verdict, problems)
    call.finish(validation.statuses, validation.answers)
  }
}

@c @implementation
public func mrd_editor_release(_ editor: OpaquePointer?) { releaseHandle(editor, as: EditorHandle.self) }

private func edit(_ raw: mrd_edit) throws(MeridianError) -> Edit {
  Edit(
    try requireCase(raw.kind, "edit.kind", as: Edit.Kind.self), part: Int(clamping: raw.part),
    ring: Int(clamping: raw.ring), vertex: Int(clamping: raw.vertex), x: raw.x, y: raw.y)
}

// MARK: - Structs

private func validateOptions(_ options: UnsafePointer<mrd_validate_options>?) throws(MeridianError) -> ValidateOptions {
  let raw = try read(options, "options", zero: mrd_validate_options())
  try checkFlags(raw.flags, known: MRD_VALIDATE_WARNINGS | MRD_VALIDATE_AT_DECIMALS, "options.flags")
  var options = ValidateOptions()
  options.dialect = try requireCase(raw.dialect, "options.dialect", as: Dialect.self)
  options.mode = try requireCase(raw.mode, "options.mode", as: ValidateOptions.Mode.self)
  options.warnings = raw.flags & MRD_VALIDATE_WARNINGS != 0
  options.limit = Int(clamping: raw.limit)
  options.decimals = raw.flags & MRD_VALIDATE_AT_DECIMALS != 0 ? Int(raw.decimals) : nil
  options.nearRepeatedCoord = raw.near_repeated_coord
  options.minAngleDegrees = raw.min_angle_deg
  options.minEdgeCoord = raw.min_edge_coord
  options.minAreaCoord = raw.min_area_coord
  options.minSliverRatio = raw.min_sliver_ratio
  options.minClearanceCoord = raw.min_clearance_coord
  options.gapMaxAreaCoord = raw.gap_max_area_coord
  options.gapMaxWidthCoord = raw.gap_max_width_coord
  return options
}

/// Hands out verdicts and, when wanted, the problems as records with their messages.
private func give(
  _ validation: Validation, _ verdicts: UnsafeMutablePointer<UInt8>?,
  _ problems: UnsafeMutablePointer<OpaquePointer?>?
) {
  if let verdicts {
    for (row, verdict) in validation.verdicts.enumerated() { verdicts[row] = verdict.rawValue }
  }
  guard let problems else { return }
  let result = ResultHandle()
  let text = result.add(MRD_BUF_BYTES)
  var records: [mrd_problem] = []
  for problem in validation.problems {
    let start = text.count
    for byte in problem.message.utf8 { text.append(byte) }
    records.append(record(problem, text: start..<text.count))
  }
  result.addRecords(records)
  problems.pointee = makeHandle(result)
}

private func record(_ problem: Problem, text: Range<Int>) -> mrd_problem {
  mrd_problem(
    code: problem.code.rawValue, severity: problem.severity.rawValue, row: Int64(problem.row),
    part: orNone(problem.part), ring: orNone(problem.ring), vertex: orNone(problem.vertex),
    other_row: orNone(problem.otherRow), other_part: orNone(problem.otherPart), other_ring: orNone(problem.otherRing),
    other_vertex: orNone(problem.otherVertex), x: problem.x, y: problem.y, value: problem.value,
    threshold: problem.threshold, jts_code: problem.jtsCode, text_length: UInt32(text.count),
    text_offset: Int64(text.lowerBound))
}

private func record(_ report: RepairReport) -> mrd_repair_report {
  mrd_repair_report(
    outcome: report.outcome.rawValue, rule: report.rule?.rawValue ?? -1, area_before: report.areaBefore,
    area_after: report.areaAfter, vertices_added: Int64(report.verticesAdded),
    vertices_dropped: Int64(report.verticesDropped), parts_before: Int64(report.partsBefore),
    parts_after: Int64(report.partsAfter), collapsed: Int64(report.collapsed))
}
