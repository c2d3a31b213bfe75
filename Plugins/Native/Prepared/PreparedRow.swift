// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A geometry under edit and what is known of it. The answer is always that of a check from the beginning: where what is
/// known does not decide it, there is one.
final class PreparedRow {
  private var row: EditedRow
  private var live = LiveContacts()
  private let options: mrd_validate_options
  /// Edits for which the contacts are not looked for again, as there were too many.
  private var pause = 0

  private init(_ row: EditedRow, _ options: mrd_validate_options, _ poll: inout CancelPoll) {
    self.row = row
    self.options = options
    if isServed { live.build(row, &poll) }
  }

  /// nil = no memory.
  convenience init?(_ geoms: Geoms, _ options: mrd_validate_options, _ poll: inout CancelPoll) {
    guard let row = EditedRow(geoms, 0) else { return nil }
    self.init(row, options, &poll)
  }

  /// The rules whose contacts are kept up to date.
  private var isServed: Bool {
    options.dialect == MRD_DIALECT_OGC && options.flags == 0 && !hasThresholds(options)
  }

  // MARK: Edits

  /// The number of the first edit that cannot be made, given those before it; nil when all can.
  func refused(_ edits: EditList) -> Int? {
    var (counted, size, isClosed) = (-1, 0, false)
    func count(_ edit: mrd_edit) {
      size &+= edit.kind == MRD_EDIT_INSERT ? 1 : edit.kind == MRD_EDIT_REMOVE ? -1 : 0
      isClosed = isClosed && size > 1
    }
    for index in 0..<edits.count {
      let edit = edits[index]
      guard let path = row.path(of: edit) else { return index }
      // Edits that follow each other are nearly always of one path.
      if path != counted {
        (counted, size, isClosed) = (path, row.span(path).count, row.areClosed[path])
        for former in 0..<index where row.path(of: edits[former]) == path { count(edits[former]) }
      }
      let vertex = Int(edit.vertex)
      switch edit.kind {
      case MRD_EDIT_MOVE, MRD_EDIT_REMOVE: if vertex < 0 || vertex >= size { return index }
      case MRD_EDIT_INSERT: if vertex < 0 || vertex > (isClosed ? size &- 1 : size) { return index }
      default: return index
      }
      count(edit)
    }
    return nil
  }

  /// False = no memory, and nothing was done.
  func apply(_ edits: EditList) -> Bool {
    guard row.reserve(edits.count) else { return false }
    for index in 0..<edits.count { apply(edits[index]) }
    return true
  }

  private func apply(_ edit: mrd_edit) {
    guard let path = row.path(of: edit) else { return }
    let place = Place(x: edit.x, y: edit.y)
    let vertex = Int(edit.vertex)
    let step: LiveContacts.Step =
      edit.kind == MRD_EDIT_MOVE ? .move : edit.kind == MRD_EDIT_INSERT ? .insert : .remove
    let at = step == .insert ? row.span(path).lowerBound &+ vertex : row.stored(vertex, path)
    live.forget(step, at, path, row)
    switch step {
    case .move: row.move(at, path, to: place)
    case .insert: row.insert(place, at: at, path)
    case .remove: row.remove(at, path)
    }
    live.note(step, at, path)
    live.renew(step, at, path, row)
  }

  // MARK: Answers

  func judge(_ out: UnsafeMutablePointer<mrd_problems_out>, _ call: UnsafeMutablePointer<mrd_call>) -> mrd_status {
    let status = row.withGeoms(call) { geoms -> mrd_status in
      var run = ValidateRun(MRD_VALIDATE_VALID, geoms, options, call)
      if isDecided { return run.run(out, live.edges(row), live.contacts) }
      let status = run.run(out)
      if status == MRD_OK { learn(isValid: run.isValid, call) }
      return status
    }
    return status ?? call.failure
  }

  /// Whether the contacts that are known say all.
  private var isDecided: Bool {
    guard live.isReady else { return false }
    if live.chains.count == 1 { return true }
    guard live.isNestingKnown else { return false }
    for index in 0..<live.contacts.count where live.contacts[index].kind != .touch { return false }
    return true
  }

  private func learn(isValid: Bool, _ call: UnsafeMutablePointer<mrd_call>) {
    guard isServed else { return }
    if !live.isReady {
      pause -= 1
      if pause > 0 { return }
      var poll = CancelPoll(call)
      live.build(row, &poll)
      if !live.isReady { pause = 16 }
    }
    live.isNestingKnown = live.isReady && isValid
  }
}

/// The edits of a call, which lie `size` bytes apart.
struct EditList {
  let start: UnsafeRawPointer?
  let size: Int
  let count: Int

  subscript(index: Int) -> mrd_edit {
    start.unsafelyUnwrapped.loadUnaligned(fromByteOffset: index &* size, as: mrd_edit.self)
  }
}
