// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// Repairs the rows that a validation has looked at and writes the layer, with a report of what was changed. Everything else
/// is carried over: attributes byte for byte, geometries that are not changed bit-equal, and in GeoJSON features that are not
/// changed byte for byte.
public struct RepairJob {
  private let context: JobContext
  private let options: RepairOptions
  /// nil = a dry run: nothing is written.
  private let output: FeatureOutput?
  /// nil = nobody asks what was changed.
  private let changes: (any Report)?
  private var outcomes = Counts()
  private var left = LeftRows()

  public init(_ context: JobContext, _ options: RepairOptions, output: FeatureOutput?, changes: (any Report)?) {
    self.context = context
    self.options = options
    self.output = output
    self.changes = changes
  }

  /// - Parameter wrong: for each row that is not valid, by its number, its first error in words.
  mutating func repair(_ batch: FeatureBatch, _ wrong: [Int: String], of source: Source) throws(JobError) {
    let model = context.treatment.model(for: source.layer, .editing)
    let (result, faults) = try hosted(source.file, batch: batch) { () throws(MeridianError) in
      try context.repair(batch.geometries, options: options, run: context.run(model))
    }
    context.note(result.answers)
    let unreadable = batch.unreadable
    var fixed = batch
    fixed.geometries = result.set
    for (row, report) in result.reports.enumerated() {
      let number = batch.number(ofRow: row)
      outcomes.add("\(report.outcome)")
      let isChanged = report.outcome == .repaired || report.outcome == .collapsed
      if isChanged {
        fixed.texts?[row] = []
        fixed.attributes[row].dropBounds()
      }
      let isUnreadable = unreadable[number] != nil
      let isLeft = report.outcome == .withheld || (report.outcome == .unchanged && wrong[number] != nil)
      let why =
        isLeft
        ? faults[row]?.message ?? wrong[number] ?? result.statuses[row].reason ?? "the kernel could not" : wrong[number]
      if isLeft, !isUnreadable, let why { left.add(number, why) }
      guard isChanged || isLeft else { continue }
      let name = FeatureName(
        file: source.file, layer: source.layer.name, row: number, id: batch.attributes[row].id)
      try changes?.add(ChangeRow(name: name, report: report, isLeft: isLeft, why: why))
    }
    try changes?.endBatch(batch, of: source)
    try output?.write(fixed, of: source)
  }

  func finish() throws(JobError) {
    try output?.finish()
    try changes?.finish(nil)
  }

  func abandon() {
    output?.abandon()
    changes?.abandon()
  }

  func summarise(_ file: String) {
    if let output { context.tellLosses(of: output) }
    for sentence in left.sentences(file, "is not repaired") { context.messages.warn(sentence) }
    if !outcomes.isEmpty { context.set("repair", outcomes.value) }
  }
}

/// What repair did to one row, or why it did nothing.
public struct ChangeRow: ReportRow {
  let name: FeatureName
  let report: RepairReport
  let isLeft: Bool
  /// The first error of the row as it was.
  let why: String?

  public static let columns =
    FeatureName.columns + [
      "outcome", "rule", "reason", "area_before", "area_after", "vertices_added", "vertices_dropped", "parts_before",
      "parts_after", "collapsed",
    ]

  public var feature: FeatureName? { name }

  public var fields: [Field] {
    let rule = report.rule.map { RepairRuleName.name($0) }
    let head: [Value] = [.text("\(report.outcome)"), Value(isLeft ? nil : rule), Value(why)]
    let numbers: [Value] = [
      .number(report.areaBefore), .number(report.areaAfter), .integer(report.verticesAdded),
      .integer(report.verticesDropped), .integer(report.partsBefore), .integer(report.partsAfter),
      .integer(report.collapsed),
    ]
    // A kernel that leaves a row says nothing of its numbers.
    let values = name.values + head + (isLeft ? numbers.map { _ in .null } : numbers)
    return zip(Self.columns, values).map { Field($0, $1) }
  }

  public var lines: [String] {
    let place = "\(name.layerName):\(name.row): "
    let because = why.map { " (\($0))" } ?? ""
    guard !isLeft else { return [place + "left as it was" + because] }
    let area = "area \(JSONText.numberText(report.areaBefore)) to \(JSONText.numberText(report.areaAfter))"
    let vertices = "\(report.verticesAdded) vertices added, \(report.verticesDropped) dropped"
    let parts = "parts \(report.partsBefore) to \(report.partsAfter)"
    return [place + "\(report.outcome)\(because): \(area), \(vertices), \(parts)"]
  }
}

/// The names of rules, as `--rule` takes them.
public enum RepairRuleName {
  public static let all: [(name: String, rule: RepairRule)] = [
    ("structure", .structure), ("linework", .linework), ("even_odd", .evenOdd), ("nonzero", .nonzero),
  ]

  static func name(_ rule: RepairRule) -> String { all.first { $0.rule == rule }?.name ?? "\(rule)" }
}
