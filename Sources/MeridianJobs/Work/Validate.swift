// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// Validates every row of the inputs, and repairs them where it is asked to.
public struct ValidateJob {
  public struct Request: Sendable {
    public var operation = ValidateOperation.valid
    public var options = ValidateOptions()
    public var repair = RepairOptions()
    public var rules = FindingRules()
    /// Findings that fail no run; nil = none.
    public var baseline: Baseline?
    /// `baselineFound` is wanted.
    public var writesBaseline = false
    public init() {}

    /// Full names of the operations that the job asks kernels for.
    public func operations(repairs: Bool) -> [String] {
      ["validate." + operation.name] + (repairs ? ["validate.repair"] : [])
    }
  }

  let context: JobContext
  let request: Request
  private var judge: Judge
  private var verdicts = [Int](repeating: 0, count: 3)
  private var codes = Counts()
  private var isPartlyBlind = false
  private var onlyInvalid = false

  public init(_ context: JobContext, _ request: Request) {
    self.context = context
    self.request = request
    judge = Judge(request)
  }

  /// Rows that are not valid, unreadable ones among them.
  public var invalidRows: Int { verdicts[Int(Verdict.invalid.rawValue)] }
  /// Rows that fail the run: those that are not valid for another reason than a known finding.
  public private(set) var failingRows = 0
  /// All findings, for a baseline.
  public var baselineFound: Baseline { judge.found ?? Baseline() }

  /// `repair` nil = nothing is repaired. A selection of rows that are not valid goes by the verdicts of the job itself.
  public mutating func run(_ inputs: Inputs, report: some Report, repair: RepairJob? = nil) throws(JobError) {
    var inputs = inputs
    onlyInvalid = inputs.selection.onlyInvalid
    inputs.selection.onlyInvalid = false
    var state = self
    var repair = repair
    defer { self = state }
    do throws(JobError) {
      // Layer rules hold rows against each other, so they need the layer in one piece.
      let limit = request.operation == .layer ? BatchLimit.wholeLayer : BatchLimit()
      let isRepair = repair != nil
      try context.eachBatch(of: inputs, "validating", limit: limit, oneLayer: isRepair, keepsText: isRepair) {
        (source, batch) throws(JobError) in
        let found = try state.validate(batch, of: source, report)
        guard isRepair else { return }
        let wrong = found.firstErrors
        let rows = state.onlyInvalid ? (0..<batch.count).filter { wrong[batch.number(ofRow: $0)] != nil } : nil
        try repair?.repair(rows.map { batch.selecting($0) } ?? batch, wrong, of: source)
      }
      if let unwritten = repair, context.failedFiles > 0 {
        // A layer that ends where reading failed would stand for the whole one.
        unwritten.abandon()
        repair = nil
        context.messages.error("nothing is repaired: the input could not be read to its end")
      }
      try repair?.finish()
    } catch {
      repair?.abandon()
      throw error
    }
    state.summarise(files: inputs.files)
    repair?.summarise(inputs.files.first ?? "-")
  }

  /// - Returns: what was found, whatever the rules and the baseline make of it.
  private mutating func validate(
    _ batch: FeatureBatch, of source: Source, _ report: some Report
  ) throws(JobError) -> FoundRows {
    let model = context.treatment.model(for: source.layer, .editing)
    var options = request.options
    request.rules.apply(to: &options)
    let (result, isFull, faults) = try hosted(source.file, batch: batch) { () throws(MeridianError) in
      try context.validate(request.operation, batch.geometries, options: options, run: context.run(model))
    }
    context.note(result.answers)
    context.faultyRows += faults.count
    if !isFull { isPartlyBlind = true }
    let found = FoundRows(Self.rows(of: result, faults, in: batch, of: source, isFull: isFull), in: batch)
    for row in judge.rows(found.rows, in: batch) {
      count(row)
      if !onlyInvalid || row.valid == false { try report.add(row) }
    }
    try report.endBatch(batch, of: source)
    return found
  }

  /// What the kernel found, row by row, and rows that could not be read.
  private static func rows(
    of result: Validation, _ faults: [Int: Fault], in batch: FeatureBatch, of source: Source, isFull: Bool
  ) -> [FoundRow] {
    let unreadable = batch.unreadable
    var next = 0
    return (0..<batch.count).map { row in
      var findings: [Finding] = []
      while next < result.problems.count, result.problems[next].row == row {
        findings.append(Finding(result.problems[next], of: batch))
        next += 1
      }
      let status = result.statuses[row]
      var verdict = result.verdicts[row]
      let reason = unreadable[batch.number(ofRow: row)]
      if let reason {
        findings.insert(Finding(code: RowName.unreadable, severity: .error, message: reason), at: 0)
        verdict = .invalid
      } else if let fault = faults[row] {
        findings.append(Finding(code: fault.code, severity: .error, message: fault.message))
        verdict = .invalid
      } else if verdict == .unknown, !status.hasResult, status.code != .null {
        // A row that the kernel could not judge says why, so that no row is silently left out.
        findings.append(Finding(code: status.code.name, severity: .info, message: FindingCode.noVerdict))
      }
      let name = FeatureName(
        file: source.file, layer: source.layer.name, row: batch.number(ofRow: row), id: batch.attributes[row].id)
      let sawAll = isFull && reason == nil && faults[row] == nil && status.rawValue & RowStatus.truncated.rawValue == 0
      return FoundRow(name: name, verdict: verdict, findings: findings, sawAll: sawAll)
    }
  }

  private mutating func count(_ row: ValidateRow) {
    let verdict: Verdict = row.valid.map { $0 ? .valid : .invalid } ?? .unknown
    verdicts[Int(verdict.rawValue)] += 1
    for finding in row.findings { codes.add(finding.code) }
    context.findings = (context.findings ?? 0) + row.findings.count
    guard verdict == .invalid else { return }
    let errors = row.allFindings.filter { $0.severity == .error }
    if errors.isEmpty || errors.contains(where: \.fails) { failingRows += 1 }
  }

  private func summarise(files: [String]) {
    context.setInputTotals(files: files.count)
    context.set("valid", .integer(verdicts[Int(Verdict.valid.rawValue)]))
    context.set("invalid", .integer(invalidRows))
    context.set("without_verdict", .integer(verdicts[Int(Verdict.unknown.rawValue)]))
    if !codes.isEmpty { context.set("problems", codes.value) }
    if let left = judge.baseline {
      context.set("known", .integer(judge.known))
      context.set("gone", .integer(left.left(of: files)))
    }
    if isPartlyBlind, request.writesBaseline {
      context.messages.warn(
        "not every problem of a row was asked for or can be found by the kernel: the baseline lacks what lies behind the "
          + "ones that were named")
    }
    if isPartlyBlind, request.baseline != nil || request.rules.mayExcuse {
      context.messages.warn(
        "not every problem of a row was asked for or can be found by the kernel: what lies behind a known one, or one that "
          + "is no error by the rules, is not seen")
    }
  }
}
