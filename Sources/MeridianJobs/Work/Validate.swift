// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// The verdict on one row, with its problems.
public struct ValidateRow: ReportRow {
  /// One problem as it is reported.
  struct Item {
    let code: String
    let severity: String
    let message: String
    var part: Int?
    var ring: Int?
    var vertex: Int?
    var x = Double.nan
    var y = Double.nan
    /// The second row of a problem of a layer.
    var otherRow: Int?
    /// The number that broke the rule.
    var value = Double.nan

    static let columns = ["code", "severity", "message", "part", "ring", "vertex", "x", "y", "other_row", "value"]

    var values: [Value] {
      func index(_ number: Int?) -> Value { number.map { .integer($0) } ?? .null }
      return [
        .text(code), .text(severity), .text(message), index(part), index(ring), index(vertex), .number(x), .number(y),
        index(otherRow), .number(value),
      ]
    }

    /// "(part 0 ring 0 vertex 3 at 25 5)", leaving out what is not known; of a layer "(with row 7, part 0 ... at 25 5)".
    var place: String {
      var words: [String] = []
      if let otherRow { words.append("with row \(otherRow),") }
      if let part { words.append("part \(part)") }
      if let ring { words.append("ring \(ring)") }
      if let vertex { words.append("vertex \(vertex)") }
      if !x.isNaN || !y.isNaN { words.append("at \(JSONText.numberText(x)) \(JSONText.numberText(y))") }
      return words.isEmpty ? "" : " (" + words.joined(separator: " ") + ")"
    }
  }

  let file: String
  let layer: String?
  let row: Int
  let id: [UInt8]?
  /// nil = there is no verdict: a null row, or one that the kernel does not serve.
  package let valid: Bool?
  let items: [Item]

  public static let columns = ["file", "layer", "row", "id", "valid"] + Item.columns

  private var head: [Value] {
    [
      .text(file), Value(layer), .integer(row), id.map { .json($0) } ?? .null, valid.map { .bool($0) } ?? .null,
    ]
  }

  public var fields: [Field] {
    let problems = items.map { Value.object(zip(Item.columns, $0.values).map { Field($0, $1) }) }
    return zip(Self.columns, head).map { Field($0, $1) } + [Field("problems", .list(problems))]
  }

  public var records: [[Value]] {
    let empty = [Value](repeating: .null, count: Item.columns.count)
    return items.isEmpty ? [head + empty] : items.map { head + $0.values }
  }

  public var lines: [String] {
    items.map { "\(file):\(layer.map { $0 + ":" } ?? "")\(row): \($0.severity) \($0.code): \($0.message)\($0.place)" }
  }

  public var places: [Place] {
    items.map { Place(x: $0.x, y: $0.y, fields: zip(Self.columns, head + $0.values).map { Field($0, $1) }) }
  }
}

/// Validates every row of the inputs, and repairs them where a writer is given.
public struct ValidateJob {
  public struct Request: Sendable {
    public var operation = ValidateOperation.valid
    public var options = ValidateOptions()
    public var repair = RepairOptions()
    public init() {}

    /// Full names of the operations that the job asks kernels for.
    public func operations(repairs: Bool) -> [String] {
      ["validate." + operation.name] + (repairs ? ["validate.repair"] : [])
    }
  }

  let context: JobContext
  let request: Request
  private var verdicts = [Int](repeating: 0, count: 3)
  private var codes = Counts()
  private var outcomes = Counts()
  private var left = LeftRows()

  public init(_ context: JobContext, _ request: Request) {
    self.context = context
    self.request = request
  }

  /// Rows that are not valid, unreadable ones among them.
  public var invalidRows: Int { verdicts[Int(Verdict.invalid.rawValue)] }

  /// `repaired` nil = nothing is repaired.
  public mutating func run(_ inputs: Inputs, report: some Report, repaired: FeatureOutput?) throws(JobError) {
    var state = self
    defer { self = state }
    do throws(JobError) {
      // Layer rules hold rows against each other, so they need the layer in one piece.
      let limit = request.operation == .layer ? BatchLimit.wholeLayer : BatchLimit()
      let oneLayer = repaired != nil
      try context.eachBatch(of: inputs, "validating", limit: limit, oneLayer: oneLayer) {
        (source, batch) throws(JobError) in
        let wrong = try state.validate(batch, of: source, report)
        if let repaired { try state.repair(batch, wrong, of: source, to: repaired) }
      }
      try repaired?.finish()
    } catch {
      repaired?.abandon()
      throw error
    }
    if let repaired { context.tellLosses(of: repaired) }
    let file = inputs.files.first ?? "-"
    for sentence in state.left.sentences(file, "is not repaired") { context.messages.warn(sentence) }
    state.summarise(files: inputs.files.count)
  }

  /// - Returns: for each row of the batch that is not valid, the code and the words of its first error.
  private mutating func validate(
    _ batch: FeatureBatch, of source: Source, _ report: some Report
  ) throws(JobError) -> [Int: String] {
    let model = context.treatment.model(for: source.layer, .editing)
    let result = try hosted(source.file, firstRow: batch.firstRow) { () throws(MeridianError) in
      try context.host.validate(request.operation, batch.geometries, options: request.options, run: context.run(model))
    }
    context.note(result.answers)
    let unreadable = batch.unreadable
    var wrong: [Int: String] = [:]
    var next = 0
    for row in 0..<batch.count {
      var items: [ValidateRow.Item] = []
      while next < result.problems.count, result.problems[next].row == row {
        items.append(ValidateRow.Item(result.problems[next], firstRow: batch.firstRow))
        next += 1
      }
      var verdict = result.verdicts[row]
      if let reason = unreadable[batch.firstRow + row] {
        items.insert(ValidateRow.Item(code: RowName.unreadable, severity: "error", message: reason), at: 0)
        verdict = .invalid
      } else if verdict == .unknown, !result.statuses[row].hasResult, result.statuses[row].code != .null {
        items.append(noVerdict(result.statuses[row]))
      }
      if verdict == .invalid, let first = items.first(where: { $0.severity == "error" }) {
        wrong[row] = "\(first.code): \(first.message)"
      }
      count(verdict, items)
      try report.add(
        ValidateRow(
          file: source.file, layer: source.layer.name, row: batch.firstRow + row, id: batch.attributes[row].id,
          valid: verdict == .unknown ? nil : verdict == .valid, items: items))
    }
    try report.endBatch(batch)
    return wrong
  }

  /// A row that the kernel could not judge says why, so that no row is silently left out.
  private func noVerdict(_ status: RowStatus) -> ValidateRow.Item {
    ValidateRow.Item(code: status.name, severity: "info", message: "the kernel gave no verdict")
  }

  private mutating func repair(
    _ batch: FeatureBatch, _ wrong: [Int: String], of source: Source, to output: FeatureOutput
  ) throws(JobError) {
    let model = context.treatment.model(for: source.layer, .editing)
    let result = try hosted(source.file, firstRow: batch.firstRow) { () throws(MeridianError) in
      try context.host.repair(batch.geometries, options: request.repair, run: context.run(model))
    }
    context.note(result.answers)
    let unreadable = batch.unreadable
    for (row, report) in result.reports.enumerated() {
      outcomes.add("\(report.outcome)")
      guard unreadable[batch.firstRow + row] == nil else { continue }
      let isLeft = report.outcome == .withheld || (report.outcome == .unchanged && wrong[row] != nil)
      guard isLeft else { continue }
      let why = wrong[row] ?? result.statuses[row].reason ?? "the kernel could not"
      left.add(batch.firstRow + row, why)
    }
    var fixed = batch
    fixed.geometries = result.set
    try output.write(fixed, of: source)
  }

  private mutating func count(_ verdict: Verdict, _ items: [ValidateRow.Item]) {
    verdicts[Int(verdict.rawValue)] += 1
    for item in items { codes.add(item.code) }
  }

  private func summarise(files: Int) {
    context.setInputTotals(files: files)
    context.set("valid", .integer(verdicts[Int(Verdict.valid.rawValue)]))
    context.set("invalid", .integer(invalidRows))
    context.set("without_verdict", .integer(verdicts[Int(Verdict.unknown.rawValue)]))
    if !codes.isEmpty { context.set("problems", codes.value) }
    if !outcomes.isEmpty { context.set("repair", outcomes.value) }
  }
}

extension ValidateRow.Item {
  init(_ problem: Problem, firstRow: Int) {
    self.init(
      code: problem.code.name, severity: problem.severity.name, message: problem.message, part: problem.part,
      ring: problem.ring, vertex: problem.vertex, x: problem.x, y: problem.y,
      otherRow: problem.otherRow.map { firstRow + $0 }, value: problem.value)
  }
}
