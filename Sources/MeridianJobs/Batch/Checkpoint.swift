// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianIO

/// What a run over many files has done, in a file that outlives the run however it ends: a line of JSON for each file that is
/// done, written when its results have their names. A later run of the same job goes on with the others.
///
///     {"meridian_checkpoint":1,"job":["validate","--format=csv","--output=reports/"]}
///     {"temporary":"reports/.meridian-x3kW9q"}
///     {"done":"a.geojson","size":93000,"modified":1790000000000000000,"code":1,"outputs":["reports/a.csv"],...}
///
/// One run at a time holds it. A line that a crash cut short counts for nothing.
public final class Checkpoint {
  private static let version = 1

  /// A file that is done.
  public struct Record {
    public let code: Int
    public let totals: JobTotals
    fileprivate let identity: Identity
    fileprivate let outputs: [String]
  }

  /// By what a file is known to be as it was.
  fileprivate struct Identity: Equatable {
    let size: Int
    /// Nanoseconds since 1970.
    let modified: Int

    /// nil = there is no such file.
    init?(_ file: String) {
      var status = stat()
      guard stat(file, &status) == 0 else { return nil }
      self.init(
        size: Int(status.st_size), modified: Int(status.st_mtim.tv_sec) * 1_000_000_000 + Int(status.st_mtim.tv_nsec))
    }

    init(size: Int, modified: Int) {
      self.size = size
      self.modified = modified
    }
  }

  private let file: String
  private let descriptor: Int32
  private var records: [String: Record] = [:]

  /// Opens or begins a checkpoint, and removes what a killed run left behind.
  /// - Parameter job: the verb and the options that results depend on. A checkpoint of another job is refused.
  public init(_ file: String, job: [String]) throws(JobError) {
    self.file = file
    descriptor = mrdp_open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .failed("\(file): \(lastError())") }
    guard mrdp_lock_file(descriptor) == 0 else { throw .failed("\(file): another run goes on with this checkpoint") }
    let text = try formatted { () throws(FormatError) in try readWholeFile(file) }
    let whole = text.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    if whole < text.count, ftruncate(descriptor, off_t(whole)) != 0 { throw .failed("\(file): \(lastError())") }
    let lines = text[..<whole].split(separator: 0x0A).map { Array($0) }
    if let first = lines.first { try check(first, job) } else { try begin(job) }
    for line in lines.dropFirst() { try read(line) }
    TemporaryFiles.tell { [descriptor] in Self.append([Field("temporary", .text($0))], to: descriptor) }
  }

  deinit {
    TemporaryFiles.tell(nil)
    close(descriptor)
  }

  // MARK: - What is done

  /// The record of a file that is done: neither it nor its results have changed since; nil = it is to be done.
  public func record(of file: String, outputs: [String]) -> Record? {
    guard let record = records[file], record.outputs == outputs, Identity(file) == record.identity,
      outputs.allSatisfy({ access($0, F_OK) == 0 })
    else { return nil }
    return record
  }

  /// The file as it is now. Asked before it is read, so that one that changes meanwhile counts as not done.
  public struct Stamp { fileprivate let identity: Identity? }
  public func stamp(_ file: String) -> Stamp { Stamp(identity: Identity(file)) }

  /// Notes that a file is done. Results are on the disk before the note is.
  public func note(
    _ file: String, _ stamp: Stamp, code: Int, outputs: [String], totals: JobTotals
  ) throws(JobError) {
    guard let identity = stamp.identity else { return }
    for output in outputs { try bringToDisk(output) }
    let line: [Field] = [
      Field("done", .text(file)), Field("size", .integer(identity.size)),
      Field("modified", .integer(identity.modified)),
      Field("code", .integer(code)), Field("outputs", .list(outputs.map { .text($0) })),
      Field("totals", Self.pairs(totals.fields)), Field("kernels", .list(totals.kernels.map { .text($0) })),
    ]
    guard Self.append(line, to: descriptor), fsync(descriptor) == 0 else {
      throw .failed("\(self.file): \(lastError())")
    }
  }

  /// Removes the checkpoint: every file is done.
  public func remove() { unlink(file) }

  private func bringToDisk(_ output: String) throws(JobError) {
    let open = mrdp_open(output, O_RDONLY | O_CLOEXEC, 0)
    guard open >= 0 else { throw .failed("\(output): \(lastError())") }
    defer { close(open) }
    guard fsync(open) == 0 else { throw .failed("\(output): \(lastError())") }
  }

  // MARK: - Lines

  private func begin(_ job: [String]) throws(JobError) {
    let line: [Field] = [
      Field("meridian_checkpoint", .integer(Self.version)), Field("job", .list(job.map { .text($0) })),
    ]
    guard Self.append(line, to: descriptor) else { throw .failed("\(file): \(lastError())") }
  }

  /// One `write`: a line is there or not, but for a crash in the midst of it.
  @discardableResult
  private static func append(_ fields: [Field], to descriptor: Int32) -> Bool {
    var line: [UInt8] = []
    fields.appendJSON(to: &line)
    line.append(0x0A)
    return write(descriptor, line, line.count) == line.count
  }

  private func parsed(_ line: [UInt8]) throws(JobError) -> JSONNode {
    try formatted { () throws(FormatError) in try JSONSource(text: line, file: file).parsed() }
  }

  private func check(_ line: [UInt8], _ job: [String]) throws(JobError) {
    // Nothing else may be in the file, least of all data that was named by mistake.
    guard let node = try? parsed(line), node["meridian_checkpoint"]?.integer == Self.version else {
      throw .failed("\(file) is no checkpoint of version \(Self.version)")
    }
    let before = node["job"]?.texts ?? []
    guard before == job else {
      throw .failed(
        "\(file) is the checkpoint of another job ('\(before.joined(separator: " "))'): remove it to begin anew")
    }
  }

  private func read(_ line: [UInt8]) throws(JobError) {
    let node = try parsed(line)
    if let temporary = node["temporary"]?.string {
      for ending in ["", "-journal", "-wal", "-shm"] { unlink(temporary + ending) }
    } else if let done = node["done"]?.string, let size = node["size"]?.integer,
      let modified = node["modified"]?.integer
    {
      records[done] = Record(
        code: node["code"]?.integer ?? 0,
        totals: JobTotals(fields: Self.fields(node["totals"]), kernels: node["kernels"]?.texts ?? []),
        identity: Identity(size: size, modified: modified), outputs: node["outputs"]?.texts ?? [])
    }
  }

  /// Fields as a list of pairs, because the order counts; doubles as text, which tells them from whole numbers.
  private static func pairs(_ fields: [Field]) -> Value {
    .list(
      fields.map { field in
        let value: Value =
          switch field.value {
          case .object(let members): pairs(members)
          case .number: .text(field.value.json)
          default: field.value
          }
        return .list([.text(field.name), value])
      })
  }

  private static func fields(_ node: JSONNode?) -> [Field] {
    (node?.items ?? []).compactMap { pair in
      guard pair.items.count == 2, let name = pair.items[0].string else { return nil }
      switch pair.items[1].content {
      case .number: return pair.items[1].integer.map { Field(name, .integer($0)) }
      case .string(let text): return Double(text).map { Field(name, .number($0)) }
      case .list: return Field(name, .object(fields(pair.items[1])))
      default: return nil
      }
    }
  }
}

extension JSONNode {
  fileprivate var string: String? { if case .string(let text) = content { text } else { nil } }
  fileprivate var integer: Int? { if case .number(let text) = content { Int(text) } else { nil } }
  fileprivate var items: [JSONNode] { if case .list(let items) = content { items } else { [] } }
  fileprivate var texts: [String] { items.compactMap(\.string) }
}
