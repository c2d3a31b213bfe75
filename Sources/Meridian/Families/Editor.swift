// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// One change to a geometry under edit.
public struct Edit: Sendable, Equatable {
  public enum Kind: Int32, Sendable { case move = 1, insert, remove }
  public var kind: Kind
  public var part: Int
  public var ring: Int
  public var vertex: Int
  /// The new place; not used by `remove`.
  public var x: Double
  public var y: Double

  public init(_ kind: Kind, part: Int = 0, ring: Int = 0, vertex: Int, x: Double = 0, y: Double = 0) {
    self.kind = kind
    self.part = part
    self.ring = ring
    self.vertex = vertex
    self.x = x
    self.y = y
  }

  var abi: mrd_edit {
    mrd_edit(
      kind: kind.rawValue, pad0: 0, part: Int64(part), ring: Int64(ring), vertex: Int64(vertex), x: x, y: y)
  }
}

/// What the geometry is after some edits.
public struct Edited: Sendable {
  public let verdict: Verdict
  public let problems: [Problem]
  public let status: RowStatus
}

/// A geometry whose validity is kept up to date while it is edited. The kernel that prepared it judges every edit.
///
/// One thread at a time.
public final class Editor {
  /// Which kernel prepared the geometry, and why.
  public let answers: Answers
  private let host: Host
  private let choice: Choice
  private let table: mrd_family_validate
  private let handle: OpaquePointer
  private static let operation = Operation.numbered(.validate, MRD_VALIDATE_PREPARED)

  /// Prepares row `row` of a set, which must be neither null nor a collection. The set may go afterwards.
  public convenience init(
    host: Host, set: GeometrySet, row: Int, options: ValidateOptions = ValidateOptions(), run: Run = Run()
  ) throws(MeridianError) {
    try self.init(host, set, row, options.abi, run)
  }

  convenience init(
    _ host: Host, _ set: GeometrySet, _ row: Int, _ options: mrd_validate_options, _ run: Run
  ) throws(MeridianError) {
    guard row >= 0, row < set.count else { throw MeridianError(.argument, "editor: there is no row \(row)") }
    try set.checkLayout()
    guard case .geometry(let array, let index) = set.place(ofRow: row), !set.arrays[array].isNull(index) else {
      throw MeridianError(.argument, "editor: row \(row) is null or a collection", row: row)
    }
    let state = RunState(host, run, work: 0)
    let choice = try state.choose(
      Self.operation, state.shape(of: set.arrays[array], dialect: options.dialect))
    guard let table = choice.plugin.validate?.pointee, let prepare = table.prepare, table.edit != nil,
      table.release != nil
    else { throw MeridianError(.unsupported, "\(choice.plugin.id) does not offer \(Self.operation.fullName)") }
    let made = try KernelJob(state, Self.operation, choice, items: 1, grain: nil).perform(
      enter: { _, context in
        set.arrays[array].withGeoms(index..<(index + 1), model: run.model) { geoms in
          var options = options
          return prepare(geoms, &options, &context.handle, context.call)
        }
      },
      collect: { _, context throws(MeridianError) in
        guard let handle = context.handle else { throw context.fault("prepared nothing") }
        return HandleBox(handle)
      },
      abandon: { table.release?($0) })
    var answers = Answers()
    answers.add(Self.operation, choice, type: set.arrays[array].type)
    self.init(host, choice, table, made[0].handle, answers)
  }

  private init(
    _ host: Host, _ choice: Choice, _ table: mrd_family_validate, _ handle: OpaquePointer, _ answers: Answers
  ) {
    self.answers = answers
    self.host = host
    self.choice = choice
    self.table = table
    self.handle = handle
  }

  deinit { table.release?(handle) }

  /// Applies the edits in order and judges the geometry. When one is refused none is applied; the error's `row` is then
  /// the number of the edit.
  public func edit(_ edits: [Edit], run: Run = Run()) throws(MeridianError) -> Edited {
    let edits = edits.map { $0.abi }
    let raw = try edits.withUnsafeBufferPointer { (edits) throws(MeridianError) in
      try self.edit(
        edits.baseAddress, size: UInt32(MemoryLayout<mrd_edit>.stride), count: Int64(edits.count), run)
    }
    return Edited(
      verdict: Verdict(rawValue: raw.verdict) ?? .unknown, problems: raw.records.problems, status: raw.status)
  }

  func edit(
    _ edits: UnsafePointer<mrd_edit>?, size: UInt32, count: Int64, _ run: Run
  ) throws(MeridianError) -> (verdict: UInt8, records: ProblemRecords, status: RowStatus) {
    let state = RunState(host, run, work: 0)
    let verdict = VerdictColumn(1)
    let status = ItemColumn(1)
    guard let edit = table.edit else { throw MeridianError(.unsupported, "\(choice.plugin.id) cannot edit") }
    let (edits, handle) = (SendablePointer(UnsafeMutableRawPointer(mutating: edits)), self.handle)
    let records = try KernelJob(state, Self.operation, choice, items: 1, grain: nil).perform(
      prepare: { rows, context throws(MeridianError) in
        try context.lendStatuses(status.column, rows)
        context.problemsOut.verdicts = try context.lend(verdict.column, rows)?.assumingMemoryBound(to: UInt8.self)
      },
      enter: { _, context in
        let edits = UnsafePointer(edits.pointer?.assumingMemoryBound(to: mrd_edit.self))
        return edit(handle, edits, size, 0, count, &context.problemsOut, context.call)
      },
      collect: { _, context throws(MeridianError) in try context.takeProblems(context.problemsOut, rows: 1) })
    return (verdict[0], records[0], RowStatus(rawValue: status[0]))
  }
}
