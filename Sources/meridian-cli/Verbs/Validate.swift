// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO
import MeridianJobs

extension Option {
  static let check = Option(
    "check", nil, .choice(["valid", "simple", "layer"]),
    meaning:
      "what to look for: validity of each row (default), lines that pass through themselves, rows against each other")
  static let gapArea = Option(
    "gap-area", nil, .number("NUMBER"), meaning: "of a layer: gaps of at most this area, in square coordinate units")
  static let gapWidth = Option(
    "gap-width", nil, .number("NUMBER"),
    meaning: "of a layer: gaps into which no circle of a diameter above this fits, in coordinate units")
  static let dialect = Option(
    "dialect", nil, .choice(["ogc", "esri", "rfc7946", "spherical"]), meaning: "whose rules; default ogc")
  static let first = Option("first", meaning: "one problem a row instead of all")
  static let limit = Option("limit", nil, .integer("N", atLeast: 1), meaning: "at most N problems a row, errors first")
  static let warnings = Option("warnings", "w", meaning: "report warnings too; they make no row invalid")
  static let repair = Option(
    "repair", nil, .file("OUT"), isOutput: true,
    meaning: "write the features to OUT, those that are not valid repaired")
  static let repairRule = Option(
    "rule", nil, .choice(RepairRuleName.all.map(\.name)), meaning: "how to repair; default structure")
  static let changes = Option(
    "changes", nil, .file("FILE"), isOutput: true,
    meaning: "what the repair does to which row, as text, .csv or .json by the name; whole or not at all")
  static let dryRun = Option("dry-run", meaning: "do everything that --repair does, and do not write OUT")
  static let report = Option(
    "report", nil, .formFile(ReportFormat.allCases.map(\.rawValue)), repeats: true, isOutput: true,
    meaning: "write the results in this form to FILE too; may be given again: rows are judged once")
  static let rules = Option(
    "rules", nil, .file("FILE"), meaning: "codes that are off, warnings or errors: {\"rules\": {\"SPIKE\": \"off\"}}")
  static let baseline = Option(
    "baseline", nil, .file("FILE"), meaning: "findings that are known: they are not told and fail no run, new ones do")
  static let writeBaseline = Option(
    "write-baseline", nil, .file("FILE"), isOutput: true,
    meaning: "write today's findings to FILE, for --baseline; they fail no run")
}

extension Verb {
  static let validate = Verb(
    name: "validate",
    summary: "find what is wrong with geometries, and repair it",
    operands: "FILE...",
    operandCount: 1...Int.max,
    notes: [
      "Text shows problems only, a line each; json, csv and --summary count the valid rows too. A row that cannot be",
      "read is invalid with the code UNREADABLE. Exit code 1 = some row is invalid for a reason that no baseline has.",
      "--repair writes one layer: of a file with several --layer chooses it. Rows that a repair gives back as they were",
      "are warned of. --check layer reads a layer whole; every bounded place without a row is a gap, holes too, unless",
      "--gap-area or --gap-width say how small one is.",
    ],
    options: [
      .reportFormat(ReportFormat.allCases.map(\.rawValue)), .output, .report, .summary, .check, .gapArea, .gapWidth,
      .dialect, .first, .limit, .warnings, .rules, .baseline, .writeBaseline, .repair, .repairRule, .changes, .dryRun,
    ] + Option.rowInput + [.crs] + Option.choosing + Option.isolation + Option.ending,
    examples: [
      Example(line: "meridian validate parcels.geojson", meaning: "file:row: error CODE: what and where"),
      Example(
        line: "meridian validate --format json parcels.gpkg --layer parcels", meaning: "an object a row, for a program"),
      Example(
        line: "meridian validate -o problems.html parcels.geojson",
        meaning: "a page with a table and a map, to be opened or sent"),
      Example(
        line: "meridian validate -o problems.gpkg parcels.geojson",
        meaning: "the places of the problems, and the edges that cross, as layers of a map"),
      Example(
        line: "meridian validate --format github --report sarif=geometry.sarif --baseline known.json parcels.geojson",
        meaning: "in a build: annotations, a report for a service, and only what is new fails"),
      Example(
        line: "meridian validate --repair fixed.geojson --rule linework parcels.geojson",
        meaning: "keep every line, dissolve what crosses"),
      Example(
        line: "meridian validate --repair fixed.geojson --changes changes.csv --dry-run parcels.geojson",
        meaning: "what a repair would do"),
      Example(
        line: "meridian validate --check layer --gap-width 0.5 --format geojson -o faults.geojson parcels.geojson",
        meaning: "overlaps, narrow gaps, borders that do not match"),
      Example(line: "meridian validate --kernel geos --summary parcels.geojson", meaning: "by GEOS, with totals"),
    ],
    run: { (arguments) throws(CommandError) in
      let inputs = try arguments.inputs()
      let request = try arguments.validateRequest()
      let repairs = arguments[.repair]
      let output = repairs ? try arguments.featureOutput(.repair) : nil
      if !repairs { try arguments.refuse([.repairRule, .changes, .dryRun], "belongs to --repair OUT") }
      let context = try arguments.context(request.operations(repairs: repairs))
      let columns = request.baseline == nil ? ValidateRow.columns : ValidateRow.columnsWithBaseline
      let report = try arguments.report(columns: columns, map: .places, context.messages)
      let changes = try arguments.changeReport(context.messages)
      let repair = output.map {
        RepairJob(context, request.repair, output: arguments[.dryRun] ? nil : $0, changes: changes)
      }
      var job = ValidateJob(context, request)
      try arguments.reporting(report, context) { () throws(JobError) in
        try job.run(inputs, report: report, repair: repair)
      }
      if context.failedFiles > 0 {
        if request.writesBaseline { context.messages.error("no baseline is written: not all files could be read") }
        return .failure
      }
      guard request.writesBaseline else { return job.failingRows > 0 ? .findings : .fine }
      try arguments.write(job.baselineFound)
      return .fine
    })
}

extension Arguments {
  fileprivate func validateRequest() throws(CommandError) -> ValidateJob.Request {
    var request = ValidateJob.Request()
    request.operation =
      switch text(.check) {
      case "simple": .simple
      case "layer": .layer
      default: .valid
      }
    if request.operation == .layer {
      try refuse([.warnings], "is of rows: --check layer has rules of its own")
      request.options.gapMaxAreaCoord = try window(.gapArea)
      request.options.gapMaxWidthCoord = try window(.gapWidth)
    } else {
      try refuse([.gapArea, .gapWidth], "belongs to --check layer")
    }
    request.options.dialect =
      switch text(.dialect) {
      case "esri": .esri
      case "rfc7946": .rfc7946
      case "spherical": .spherical
      default: .ogc
      }
    request.options.mode = self[.first] ? .first : .all
    request.options.limit = integer(.limit) ?? 0
    request.options.warnings = self[.warnings]
    request.repair.dialect = request.options.dialect
    request.repair.rule = RepairRuleName.all.first { $0.name == text(.repairRule) }?.rule ?? .structure
    if self[.baseline], self[.writeBaseline] {
      throw .usage("--baseline and --write-baseline exclude each other: a new baseline holds all findings")
    }
    request.writesBaseline = self[.writeBaseline]
    try job { () throws(JobError) in try readRulesAndBaseline() }
    if let rules = session.rules { request.rules = rules }
    request.baseline = session.baseline
    return request
  }

  private func readRulesAndBaseline() throws(JobError) {
    if session.rules == nil, let file = text(.rules) { session.rules = try FindingRules(file: file) }
    if session.baseline == nil, let file = text(.baseline) { session.baseline = try Baseline(file: file) }
  }

  /// The report of what a repair changes, in a form that its name promises.
  fileprivate func changeReport(_ messages: Messages) throws(CommandError) -> (any Report)? {
    guard let file = text(.changes) else { return nil }
    let format = ReportFormat(fileName: file) ?? .text
    guard [.text, .json, .csv].contains(format), file != "-" else {
      throw .usage("--changes \(file): changes are written to a file as text, .csv or .json")
    }
    return try job { () throws(JobError) in
      try makeReport(format, to: file, columns: ChangeRow.columns, map: .places, messages)
    }
  }

  fileprivate func write(_ baseline: Baseline) throws(CommandError) {
    guard let file = text(.writeBaseline) else { return }
    try job { () throws(JobError) in try baseline.write(to: file) }
  }

  /// A size above 0; 0 = any.
  private func window(_ option: Option) throws(CommandError) -> Double {
    guard let size = number(option) else { return 0 }
    guard size > 0, size.isFinite else { throw .usage("--\(option.long) is a number above 0") }
    return size
  }
}
