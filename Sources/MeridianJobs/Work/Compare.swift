// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// What two kernels made of one layer.
public struct CompareRow: ReportRow {
  let file: String
  let layer: String?
  let kernels: (String, String)
  let comparison: Comparison
  let beyondAllowed: Bool

  public static let columns = [
    "file", "layer", "operation", "a", "b", "rows", "columns", "disagreements", "disagreeing_rows", "geometry",
    "status_differences", "seconds_a", "seconds_b", "ratio", "beyond_allowed",
  ]

  public var fields: [Field] {
    let values: [Value] = [
      .text(file), Value(layer), .text(comparison.operation), .text(kernels.0), .text(kernels.1),
      .integer(comparison.rows), .list(comparison.numbers.map { .object($0.fields) }),
      .integer(comparison.disagreements), .list(comparison.disagreeingRows.map { .integer($0) }),
      comparison.geometry.map { .object($0.fields) } ?? .null, .integer(comparison.statusDifferences),
      .number(Double(comparison.nanosecondsA) * 1e-9), .number(Double(comparison.nanosecondsB) * 1e-9),
      .number(comparison.timeRatio), .bool(beyondAllowed),
    ]
    return zip(Self.columns, values).map { Field($0, $1) }
  }

  public var lines: [String] {
    let place = file + (layer.map { ":" + $0 } ?? "")
    var lines = ["\(place): \(comparison.operation), \(kernels.0) against \(kernels.1), \(comparison.rows) rows"]
    for column in comparison.numbers { lines.append("  " + column.sentence) }
    if comparison.numbers.isEmpty, comparison.geometry == nil {
      let rows = comparison.disagreeingRows.map(String.init).joined(separator: ", ")
      lines.append("  \(comparison.disagreements) rows disagree" + (rows.isEmpty ? "" : ": \(rows)"))
    }
    if let geometry = comparison.geometry { lines.append("  " + geometry.sentence) }
    if comparison.statusDifferences > 0 { lines.append("  \(comparison.statusDifferences) rows have another status") }
    let (a, b) = (milliseconds(comparison.nanosecondsA), milliseconds(comparison.nanosecondsB))
    let ratio = JSONText.numberText((comparison.timeRatio * 1000).rounded() / 1000)
    lines.append(
      "  time: \(kernels.0) \(a) ms, \(kernels.1) \(b) ms; run by run \(kernels.1) takes \(ratio) times as long")
    return lines
  }

  private func milliseconds(_ nanoseconds: Int64) -> String {
    JSONText.numberText((Double(nanoseconds) / 1000).rounded() / 1000)
  }
}

extension NumberDifference {
  fileprivate var fields: [Field] {
    [
      Field("column", .text(column)), Field("compared", .integer(compared)), Field("different", .integer(different)),
      Field("only_one", .integer(onlyOne)), Field("largest_difference", .number(maxAbsolute)),
      Field("largest_relative", .number(maxRelative)), Field("largest_ulps", .number(Double(maxULP))),
      Field("row", row.map { .integer($0) } ?? .null),
    ]
  }

  fileprivate var sentence: String {
    let only = onlyOne > 0 ? "; only one has a value in \(onlyOne)" : ""
    guard different > 0 else { return "\(column): equal in \(compared) rows" + only }
    return "\(column): \(different) of \(compared) rows differ, by \(maxAbsolute) at most "
      + "(\(maxRelative) relative, \(maxULP) ulps; row \(row ?? 0))" + only
  }
}

extension GeometryDifference {
  fileprivate var fields: [Field] {
    [
      Field("equal", .integer(equal)), Field("different", .integer(different)), Field("only_one", .integer(onlyOne)),
      Field("different_vertex_count", .integer(differentCount)), Field("largest_hausdorff", .number(maxHausdorff)),
      Field("row", row.map { .integer($0) } ?? .null), Field("rows", .list(rows.map { .integer($0) })),
    ]
  }

  fileprivate var sentence: String {
    guard different > 0 else { return "geometries: equal in \(equal) rows" }
    return
      "geometries: \(different) of \(equal + different) rows differ, by a Hausdorff distance of \(maxHausdorff) at most "
      + "(row \(row ?? 0)); \(differentCount) in the number of vertices"
  }
}

/// Runs one operation with two kernels over the inputs, a layer at a time.
public struct CompareJob {
  public struct Request: Sendable {
    public let operation: Operation
    public let kernels: (String, String)
    public var options = CompareOptions()
    /// Relative differences of numbers up to this are no findings.
    public var allowed = 1e-9

    public init(operation: Operation, kernels: (String, String)) {
      self.operation = operation
      self.kernels = kernels
    }
  }

  let context: JobContext
  let request: Request
  /// Layers in which the kernels differ by more than is allowed.
  public private(set) var findings = 0

  public init(_ context: JobContext, _ request: Request) {
    self.context = context
    self.request = request
  }

  public mutating func run(_ inputs: Inputs, report: some Report) throws(JobError) {
    var state = self
    defer { self = state }
    try context.eachBatch(of: inputs, "comparing", limit: .wholeLayer) { (source, batch) throws(JobError) in
      try state.compare(batch, of: source, report)
    }
    context.setInputTotals(files: inputs.files.count)
  }

  private mutating func compare(_ batch: FeatureBatch, of source: Source, _ report: some Report) throws(JobError) {
    let purpose: Treatment.Purpose =
      switch request.operation.family {
      case .measure: .measuring
      case .index: .indexing
      default: .editing
      }
    let model = context.treatment.model(for: source.layer, purpose)
    if let warning = context.treatment.warning(for: source.layer, of: source.file) { context.messages.warn(warning) }
    let result = try hosted(source.file) { () throws(MeridianError) in
      try context.host.compare(
        request.operation, batch.geometries, a: request.kernels.0, b: request.kernels.1, options: request.options,
        run: context.run(model))
    }
    try hold(result.answersA, request.kernels.0, source.file)
    try hold(result.answersB, request.kernels.1, source.file)
    context.note(result.answersA, model)
    context.note(result.answersB, model)
    let isBeyond = exceeds(result)
    if isBeyond { findings += 1 }
    try report.add(
      CompareRow(
        file: source.file, layer: source.layer.name, kernels: request.kernels, comparison: result,
        beyondAllowed: isBeyond))
    try report.endBatch(batch, of: source)
  }

  /// A kernel that is compared answers itself: another one in its place would make the comparison a lie.
  private func hold(_ answers: Answers, _ kernel: String, _ file: String) throws(JobError) {
    for answer in answers.list {
      guard let unmet = answer.unmet else { continue }
      throw .failed("\(file): \(kernel) does not answer \(answer.operation): \(unmet.why)")
    }
  }

  private func exceeds(_ result: Comparison) -> Bool {
    let numbers = result.numbers.contains { $0.maxRelative > request.allowed || $0.onlyOne > 0 }
    let geometries = result.geometry.map { $0.different > 0 || $0.onlyOne > 0 } ?? false
    return numbers || geometries || result.disagreements > 0 || result.statusDifferences > 0
  }
}
