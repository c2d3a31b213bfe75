// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO
import MeridianJobs

extension Option {
  static let unit = Option(
    "unit", "u", .choice(["coord", "m", "px"]),
    meaning: "what the tolerance is in: coordinate units (default), metres, or pixels of a web map at --zoom")
  static let zoom = Option(
    "zoom", "z", .number("LEVEL"), meaning: "zoom level for --unit px, from 0 to 30; may be fractional")
  static let method = Option(
    "method", "m", .choice(["douglas-peucker", "visvalingam", "topology", "coverage"]),
    meaning: "default douglas-peucker; topology keeps rows valid; coverage keeps shared borders shared")
}

extension Verb {
  static let simplify = Verb(
    name: "simplify",
    summary: "fewer vertices within a tolerance",
    operands: "FILE...",
    operandCount: 1...Int.max,
    notes: [
      "Properties and ids stay; what is kept of a row is bit-equal to the input, Z and M with it.",
      "Which methods and units there are depends on the kernels: 'meridian kernels info ID' tells.",
    ],
    options: [.tolerance, .unit, .zoom, .method, .output, .writeFormat, .summary] + Option.rowInput + [.crs]
      + Option.choosing + Option.isolation + Option.ending,
    examples: [
      Example(
        line: "meridian simplify --tolerance 0.1 -o small.geojson countries.geojson",
        meaning: "a tenth of a degree, Douglas-Peucker"),
      Example(
        line: "meridian simplify --method topology --tolerance 0.05 --summary -o small.gpkg countries.geojson",
        meaning: "valid in, valid out; and who did it"),
      Example(
        line: "meridian simplify --kernel geos --tolerance 0.1 --format wkt countries.geojson",
        meaning: "by another kernel, to standard output"),
    ],
    run: { (arguments) throws(CommandError) in
      let inputs = try arguments.inputs()
      let change = try arguments.simplification()
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
  fileprivate func simplification() throws(CommandError) -> TransformJob.Change {
    guard let tolerance = number(.tolerance) else { throw .usage("simplify needs --tolerance") }
    guard tolerance >= 0 else { throw .usage("--tolerance may not be negative") }
    var options = SimplifyOptions(tolerances: [tolerance])
    switch text(.unit) {
    case "m": options.unit = .metres
    case "px":
      options.unit = .pixels
      guard let zoom = number(.zoom) else { throw .usage("--unit px needs --zoom") }
      guard zoom >= 0, zoom <= 30 else {
        throw .usage("--zoom needs a level from 0 to 30, not '\(text(.zoom) ?? "")'")
      }
      options.zoom = zoom
    default: options.unit = .coord
    }
    if options.unit != .pixels, self[.zoom] { throw .usage("--zoom belongs to --unit px") }
    let operation: SimplifyOperation =
      switch text(.method) {
      case "visvalingam": .visvalingam
      case "topology": .topologyPreserving
      case "coverage": .coverage
      default: .douglasPeucker
      }
    if operation == .coverage { try refuse([.whereInvalid], "would leave out the neighbours of a coverage") }
    return .simplify(operation, options)
  }
}
