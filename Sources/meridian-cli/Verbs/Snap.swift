// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO
import MeridianJobs

extension Option {
  static let grid = Option(
    "grid", "g", .number("SCALE"), meaning: "snap to multiples of 1/SCALE: 1e7 = seven decimals; the result is valid")
  static let snapTo = Option("to", nil, .file("FILE"), meaning: "snap to the features of this file, within --tolerance")
  static let snapPairs = Option(
    "pairs", nil, .file("FILE"), meaning: "snap row i to row i of this file, within --tolerance")
  static let snapSelf = Option("self", meaning: "snap the layer to itself, within --tolerance")
  static let snapUnit = Option(
    "unit", "u", .choice(["coord", "m"]), meaning: "what the tolerance is in: coordinate units (default) or metres")
}

extension Verb {
  static let snap = Verb(
    name: "snap",
    summary: "move geometries onto a grid, onto others, or onto each other",
    operands: "FILE...",
    operandCount: 1...Int.max,
    notes: [
      "Nothing moves farther than the tolerance; a row that would break stays as it is and is counted.",
      "--grid needs a kernel with snap.grid, --to snap.layer, --pairs snap.pair, --self snap.self: see 'meridian kernels'.",
    ],
    options: [.grid, .snapTo, .snapPairs, .snapSelf, .tolerance, .snapUnit, .output, .writeFormat, .summary]
      + Option.rowInput + [.crs]
      + Option.choosing + Option.isolation + Option.ending,
    examples: [
      Example(
        line: "meridian snap --grid 1e6 -o rounded.geojson parcels.geojson", meaning: "six decimals, still valid"),
      Example(
        line: "meridian snap --pairs surveyed.geojson --tolerance 0.0001 -o snapped.geojson drawn.geojson",
        meaning: "each drawn row onto the surveyed row of its number"),
    ],
    run: { (arguments) throws(CommandError) in
      let inputs = try arguments.inputs()
      let change = try arguments.snapping()
      let context = try arguments.context(change.operations)
      let output = try arguments.featureOutput()
      try job { () throws(JobError) in
        var job = TransformJob(context, change)
        try job.run(inputs, to: output)
      }
      return arguments.finish(context)
    })
}

extension Arguments {
  fileprivate func snapping() throws(CommandError) -> TransformJob.Change {
    let ways = [Option.grid, .snapTo, .snapPairs, .snapSelf].filter { self[$0] }
    guard ways.count == 1 else { throw .usage("snap needs exactly one of --grid, --to, --pairs and --self") }
    var options = SnapOptions()
    if let scale = number(.grid) {
      guard scale > 0, scale.isFinite else { throw .usage("--grid needs a scale above 0") }
      guard !self[.tolerance] else { throw .usage("--grid takes no --tolerance: nothing moves farther than a cell") }
      guard !self[.snapUnit] else { throw .usage("--grid takes no --unit: the grid is in coordinate units") }
      options.gridScale = scale
      return .snapToGrid(options)
    }
    guard let tolerance = number(.tolerance), tolerance > 0, tolerance.isFinite else {
      throw .usage("--to, --pairs and --self need a --tolerance above 0")
    }
    if text(.snapUnit) == "m" { options.toleranceMetres = tolerance } else { options.toleranceCoord = tolerance }
    if !self[.snapTo] { try refuse([.whereInvalid], "would leave out rows that others snap to") }
    guard let file = text(.snapTo) ?? text(.snapPairs) else { return .snapToSelf(options) }
    if file == "-" { throw .usage("the file to snap to cannot be standard input") }
    let targets = Inputs(files: [file])
    return self[.snapTo] ? .snapToFile(targets, options) : .snapToPairs(targets, options)
  }
}
