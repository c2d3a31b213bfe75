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
      try requireOperation(.validate, op, in: MRD_VALIDATE_VALID...MRD_VALIDATE_LAYER), try requireSet(set, "set"),
      try read(options, "options", zero: mrd_validate_options()), call.run)
    verdicts?.update(from: validation.verdicts, count: validation.verdicts.count)
    problems?.pointee = makeHandle(ResultHandle(validation.records))
    call.finish(validation.answers, validation.statuses)
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
    let repaired = try call.host.repair(
      try requireSet(set, "set"), try read(options, "options", zero: mrd_repair_options()), call.run)
    giveSet(repaired.set, to: out)
    if let reports { writeRecords(repaired.reports, to: reports, step: Int(reportSize)) }
    call.finish(repaired.answers, repaired.statuses)
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
    let out = try require(out, "out")
    let editor = try Editor(
      call.host, try requireSet(set, "set"), Int(row), try read(options, "options", zero: mrd_validate_options()),
      call.run)
    out.pointee = makeHandle(EditorHandle(editor, call.session))
    call.finish(editor.answers)
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
    guard count == 0 || (count > 0 && edits != nil && editSize > 0) else {
      throw MeridianError(.argument, "edits is NULL, has no record size or a negative count")
    }
    let edited = try handle.editor.edit(edits, size: editSize, count: count, call.run)
    verdict?.pointee = edited.verdict
    problems?.pointee = makeHandle(ResultHandle(edited.records))
    call.finish(handle.editor.answers, [edited.status])
  }
}

@c @implementation
public func mrd_editor_release(_ editor: OpaquePointer?) { releaseHandle(editor, as: EditorHandle.self) }

extension ResultHandle {
  /// Problems as records, with the text that they point into.
  fileprivate convenience init(_ problems: ProblemRecords) {
    self.init()
    addRecords(problems.records)
    add(MRD_BUF_BYTES, problems.text.values(UInt8.self))
  }
}
