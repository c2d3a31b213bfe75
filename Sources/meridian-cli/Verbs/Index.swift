// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO
import MeridianJobs

extension Option {
  static let window = Option(
    "window", nil, .text("XMIN,YMIN,XMAX,YMAX"), repeats: true, meaning: "rows whose boxes meet it; touching counts")
  static let count = Option("count", "c", meaning: "how many instead of which")
  static let point = Option("point", nil, .text("X,Y"), repeats: true, meaning: "rows nearest to it")
  static let neighbours = Option(
    "neighbours", "k", .integer("N", atLeast: 1), meaning: "how many neighbours a point; default 1")
  static let maxDistance = Option(
    "max-distance", nil, .number("NUMBER"), meaning: "none farther than this, in coordinate units (--metric: metres)")
}

extension Verb {
  static let indexBuild = Verb(
    name: "index build",
    summary: "build a box index of a layer, or a store of all layers, and write it",
    operands: "FILE...",
    operandCount: 1...Int.max,
    notes: [
      "The file holds relocatable bytes, or is an SQLite database where the sqlite kernel is chosen. Row numbers are ids.",
      "A name that ends in .gpkg makes a store instead: a GeoPackage of all layers of the files, with R-trees and a",
      "revision, which is copied, worked on by SQLite programs, and published back (store publish).",
    ],
    options: [.output, .summary] + Option.input + Option.treatment + Option.choosing + Option.ending,
    examples: [
      Example(line: "meridian index build -o countries.mrdx countries.geojson", meaning: "by the preferred kernel"),
      Example(
        line: "meridian index build --kernel index=sqlite -o countries.sqlite countries.geojson",
        meaning: "an R-tree in a database"),
      Example(
        line: "meridian index build -o town.gpkg parcels.geojson roads.geojson", meaning: "a store of two layers"),
    ],
    run: { (arguments) throws(CommandError) in
      guard let output = arguments.text(.output) else { throw .usage("index build needs -o FILE") }
      let inputs = try arguments.inputs()
      if Format(fileName: output) == .gpkg { return try arguments.buildStore(inputs, output) }
      guard inputs.files.count == 1 else {
        throw .usage("an index is of one layer of one file; several files go into a store, -o NAME.gpkg")
      }
      let context = try arguments.context(["index.build", "index.save", "measure.bounds"])
      try job { () throws(JobError) in try IndexJob(context).build(inputs, to: output) }
      return arguments.finish(context)
    })

  static let indexQuery = Verb(
    name: "index query",
    summary: "rows whose boxes meet a window",
    operands: "INDEX|FILE",
    operandCount: 1...1,
    notes: ["A file of features is indexed on the fly. Rows ascend inside a window."],
    options: [.window, .count, .reportFormat(["text", "json", "csv"]), .output, .summary] + Option.input
      + Option.treatment + Option.choosing + Option.ending,
    examples: [
      Example(line: "meridian index query --window 5,45,11,48 countries.mrdx", meaning: "row numbers"),
      Example(
        line: "meridian index query --window -10,35,30,70 --count --format json countries.geojson",
        meaning: "a number, from the features themselves"),
    ],
    run: { (arguments) throws(CommandError) in
      let windows = try arguments.boxes(.window) { QueryBox(window: $0) }
      let inputs = try arguments.inputs()
      let context = try arguments.context(["index.build", "index.open", "measure.bounds"])
      let columns = arguments[.count] ? CountRow.columns : WindowRow.columns
      let report = try arguments.report(columns: columns, map: .places, context.messages)
      try arguments.reporting(report, context) { () throws(JobError) in
        let work = IndexJob(context)
        try work.query(try work.open(inputs), windows: windows, count: arguments[.count], report: report)
      }
      return context.hasUnreadInput ? .failure : .fine
    })

  static let indexNearest = Verb(
    name: "index nearest",
    summary: "rows whose boxes are nearest to a point",
    operands: "INDEX|FILE",
    operandCount: 1...1,
    notes: ["Ordered by (distance, row): ties go to the lower row. Distances are those of boxes, 0 inside."],
    options: [.point, .neighbours, .maxDistance, .reportFormat(["text", "json", "csv"]), .output, .summary]
      + Option.input + Option.treatment + Option.choosing + Option.ending,
    examples: [
      Example(line: "meridian index nearest --point 7.4,46.9 -k 3 countries.mrdx", meaning: "row and distance"),
      Example(
        line: "meridian index nearest --point 0,0 --max-distance 10 -k 5 --format json countries.geojson",
        meaning: "at most 10 degrees away"),
    ],
    run: { (arguments) throws(CommandError) in
      let points = try arguments.boxes(.point) { QueryBox(point: $0) }
      let inputs = try arguments.inputs()
      let options = try arguments.nearestOptions()
      let context = try arguments.context(["index.build", "index.open", "measure.bounds"])
      let report = try arguments.report(columns: NearestRow.columns, map: .places, context.messages)
      try arguments.reporting(report, context) { () throws(JobError) in
        let work = IndexJob(context)
        try work.nearest(try work.open(inputs), points: points, options: options, report: report)
      }
      return context.hasUnreadInput ? .failure : .fine
    })
}

extension Arguments {
  fileprivate func buildStore(_ inputs: Inputs, _ output: String) throws(CommandError) -> ExitCode {
    try refuse(Option.treatment, "says what an index measures; a store keeps coordinates as they are")
    let context = try context()
    try job { () throws(JobError) in try StoreBuild(context).run(inputs, to: output) }
    return finish(context)
  }

  fileprivate func boxes(_ option: Option, _ parse: (String) -> QueryBox?) throws(CommandError) -> [QueryBox] {
    let texts = texts(option)
    guard !texts.isEmpty else { throw .usage("\(verb.name) needs --\(option.long)") }
    var boxes: [QueryBox] = []
    for text in texts {
      guard let box = parse(text) else {
        let order = "; a minimum may not be above its maximum, and across the 180th meridian two windows are asked for"
        throw .usage(
          "--\(option.long) is \(option.valueWord), not '\(text)'" + (option.long == Option.window.long ? order : ""))
      }
      boxes.append(box)
    }
    return boxes
  }

  fileprivate func nearestOptions() throws(CommandError) -> NearestOptions {
    var options = NearestOptions(count: integer(.neighbours) ?? 1)
    if let limit = number(.maxDistance) {
      guard limit > 0 else { throw .usage("--max-distance needs a number above 0") }
      let isMetric = text(.metric).map { $0 != "coord" } ?? false
      if isMetric { options.maxDistanceMetres = limit } else { options.maxDistanceCoord = limit }
    }
    return options
  }
}
