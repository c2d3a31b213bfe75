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
  static let limit = Option("limit", nil, .integer("N", atLeast: 1), meaning: "at most N problems a row")
  static let warnings = Option("warnings", "w", meaning: "report warnings too; they make no row invalid")
  static let repair = Option(
    "repair", nil, .file("OUT"), meaning: "write the features to OUT, those that are not valid repaired")
  static let repairRule = Option(
    "rule", nil, .choice(["structure", "linework", "even_odd", "nonzero"]), meaning: "how to repair; default structure")
}

extension Verb {
  static let validate = Verb(
    name: "validate",
    summary: "find what is wrong with geometries, and repair it",
    operands: "FILE...",
    operandCount: 1...Int.max,
    notes: [
      "Text shows problems only, a line each; json, csv and --summary count the valid rows too. A row that cannot be read",
      "is invalid with the code UNREADABLE. Exit code 1 = some row is invalid. --repair writes one layer: of a file with",
      "several --layer chooses it. Rows that a repair gives back as they were are warned of. --check layer reads a layer whole;",
      "every bounded place without a row is a gap, holes too, unless --gap-area or --gap-width say how small one is.",
    ],
    options: [
      .reportFormat(["text", "json", "csv", "geojson"]), .output, .summary, .check, .gapArea, .gapWidth, .dialect,
      .first, .limit,
      .warnings, .repair, .repairRule,
    ] + Option.input + [.crs] + Option.choosing + Option.ending,
    examples: [
      Example(line: "meridian validate parcels.geojson", meaning: "file:row: error CODE: what and where"),
      Example(
        line: "meridian validate --format json parcels.gpkg --layer parcels", meaning: "an object a row, for a program"),
      Example(
        line: "meridian validate --format geojson -o problems.geojson parcels.geojson",
        meaning: "the places of the problems as points on a map"),
      Example(
        line: "meridian validate --repair fixed.geojson --rule linework parcels.geojson",
        meaning: "keep every line, dissolve what crosses"),
      Example(
        line: "meridian validate --check layer --gap-width 0.5 --format geojson -o faults.geojson parcels.geojson",
        meaning: "overlaps, narrow gaps, borders that do not match"),
      Example(line: "meridian validate --kernel geos --summary parcels.geojson", meaning: "by GEOS, with totals"),
    ],
    run: { (arguments) throws(CommandError) in
      let inputs = try arguments.inputs()
      let request = try arguments.validateRequest()
      let repaired = arguments[.repair] ? try arguments.featureOutput(.repair) : nil
      if repaired != nil, inputs.files.count > 1 { throw .usage("--repair takes one file") }
      if repaired == nil, arguments[.repairRule] { throw .usage("--rule belongs to --repair OUT") }
      let context = try arguments.context(request.operations(repairs: repaired != nil))
      let report = try arguments.report(columns: ValidateRow.columns, map: .places, context.messages)
      var job = ValidateJob(context, request)
      try arguments.reporting(report, context) { () throws(JobError) in
        try job.run(inputs, report: report, repaired: repaired)
      }
      return context.failedFiles > 0 ? .failure : job.invalidRows > 0 ? .findings : .fine
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
    request.repair.rule =
      switch text(.repairRule) {
      case "linework": .linework
      case "even_odd": .evenOdd
      case "nonzero": .nonzero
      default: .structure
      }
    return request
  }

  /// A size above 0; 0 = any.
  private func window(_ option: Option) throws(CommandError) -> Double {
    guard let size = number(option) else { return 0 }
    guard size > 0, size.isFinite else { throw .usage("--\(option.long) is a number above 0") }
    return size
  }
}
