// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO
import MeridianJobs

extension Option {
  static let grid = Option(
    "grid", "g", .number("SCALE"), meaning: "snap to multiples of 1/SCALE: 1e7 = seven decimals; the result is valid")
  static let snapTo = Option("to", nil, .file("FILE"), meaning: "snap to the features of this file, within --tolerance")
  static let snapSelf = Option("self", meaning: "snap the layer to itself, within --tolerance")
  static let snapUnit = Option(
    "unit", "u", .choice(["coord", "m"]), meaning: "what the tolerance is in: coordinate units (default) or metres")
}

extension Verb {
  static let snap = Verb(
    name: "snap",
    summary: "move geometries onto a grid, onto others, or onto each other",
    operands: "FILE",
    operandCount: 1...1,
    notes: ["Nothing moves farther than the tolerance; a row that would break stays as it is and is counted."],
    options: [.grid, .snapTo, .snapSelf, .tolerance, .snapUnit, .output, .writeFormat, .summary] + Option.input + [.crs]
      + Option.choosing + Option.ending,
    examples: [
      Example(
        line: "meridian snap --grid 1e6 -o rounded.geojson parcels.geojson", meaning: "six decimals, still valid"),
      Example(
        line: "meridian snap --to roads.geojson --tolerance 0.0001 -o snapped.geojson stops.geojson",
        meaning: "stops onto roads"),
      Example(
        line: "meridian snap --self --tolerance 0.00001 --summary -o clean.gpkg parcels.gpkg",
        meaning: "close the small gaps between neighbours"),
    ],
    run: { (arguments) throws(CommandError) in
      let inputs = try arguments.inputs()
      let change = try arguments.snapping()
      let context = try arguments.context(.snap)
      try job { () throws(JobError) in
        var job = TransformJob(context, change)
        try job.run(inputs, to: arguments.featureOutput())
      }
      return arguments.finish(context)
    })
}

extension Arguments {
  fileprivate func snapping() throws(CommandError) -> TransformJob.Change {
    let ways = [Option.grid, .snapTo, .snapSelf].filter { self[$0] }
    guard ways.count == 1 else { throw .usage("snap needs exactly one of --grid, --to and --self") }
    var options = SnapOptions()
    if let scale = number(.grid) {
      guard scale > 0, scale.isFinite else { throw .usage("--grid needs a scale above 0") }
      guard !self[.tolerance] else { throw .usage("--grid takes no --tolerance: nothing moves farther than a cell") }
      options.gridScale = scale
      return .snapToGrid(options)
    }
    guard let tolerance = number(.tolerance), tolerance > 0, tolerance.isFinite else {
      throw .usage("--to and --self need a --tolerance above 0")
    }
    if text(.snapUnit) == "m" { options.toleranceMetres = tolerance } else { options.toleranceCoord = tolerance }
    guard let file = text(.snapTo) else { return .snapToSelf(options) }
    if file == "-" { throw .usage("--to cannot be standard input") }
    return .snapToFile(Inputs(files: [file]), options)
  }
}
