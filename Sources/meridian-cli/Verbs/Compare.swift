// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

extension Option {
  static let operation = Option("op", nil, .text("FAMILY.OPERATION"), meaning: "what both do: measure.area")
  static let pair = Option("kernels", nil, .text("A,B"), meaning: "the two kernels, by id")
  static let repeats = Option(
    "repeat", nil, .integer("N", atLeast: 1), meaning: "runs of each, in turn; the median time counts; default 5")
  static let allow = Option(
    "allow", nil, .number("SHARE"), meaning: "relative differences of numbers up to this are no findings; default 1e-9")
  fileprivate static let compareTolerance = Option(
    "tolerance", "t", .number("NUMBER"), meaning: "for simplify and snap, in coordinate units")
  fileprivate static let compareGrid = Option("grid", "g", .number("SCALE"), meaning: "for snap.grid")
}

extension Verb {
  static let compare = Verb(
    name: "compare",
    summary: "two kernels on the same data: what differs, and how long they take",
    operands: "FILE...",
    operandCount: 1...Int.max,
    notes: [
      "Numbers are compared by value and in ulps, verdicts by row, geometries by Hausdorff distance.",
      "Exit code 1 = they differ by more than is allowed.",
    ],
    options: [
      .operation, .pair, .repeats, .allow, .compareTolerance, .compareGrid, .reportFormat(["text", "json", "csv"]),
      .output, .summary,
    ] + [.filesFrom] + Option.input + Option.treatment + [.plugins, .config, .cpuLevel, .threads] + Option.ending,
    examples: [
      Example(
        line: "meridian compare --op measure.area --kernels native,proj --edges great_circle countries.geojson",
        meaning: "areas on the sphere"),
      Example(
        line: "meridian compare --op simplify.douglas_peucker --tolerance 0.1 --kernels native,geos countries.geojson",
        meaning: "geometries"),
      Example(
        line:
          "meridian compare --op measure.bounds --kernels native,geos --crs planar --format json countries.geojson",
        meaning: "for a program; as a plane, because GEOS knows no other"),
    ],
    run: { (arguments) throws(CommandError) in
      let inputs = try arguments.inputs()
      let request = try arguments.comparison()
      let context = try arguments.context()
      let report = try arguments.report(columns: CompareRow.columns, map: .places, context.messages)
      var job = CompareJob(context, request)
      try arguments.reporting(report, context) { () throws(JobError) in try job.run(inputs, report: report) }
      return context.hasUnreadInput ? .failure : job.findings > 0 ? .findings : .fine
    })
}

extension Arguments {
  fileprivate func comparison() throws(CommandError) -> CompareJob.Request {
    guard let name = text(.operation) else { throw .usage("compare needs --op") }
    guard let operation = Operation.all.first(where: { $0.fullName == name }) else {
      let near = nearest(name, Operation.all.map(\.fullName))
      let names = Operation.all.map(\.fullName)
      let hint = near ?? names.first { $0.hasSuffix("." + name) }
      throw .usage(
        "there is no operation '\(name)'"
          + (hint.map { "; did you mean \($0)?" } ?? "; there are \(names.joined(separator: ", "))"))
    }
    let ids = (text(.pair) ?? "").split(separator: ",").map(String.init)
    guard ids.count == 2 else { throw .usage("compare needs --kernels A,B") }
    var request = CompareJob.Request(operation: operation, kernels: (ids[0], ids[1]))
    let tolerance = try positive(.compareTolerance, orZero: true) ?? 0
    request.options.repeats = integer(.repeats) ?? 5
    request.options.simplify = SimplifyOptions(tolerances: [tolerance])
    request.options.snap.toleranceCoord = tolerance
    request.options.snap.gridScale = try positive(.compareGrid) ?? 0
    request.allowed = try positive(.allow, orZero: true) ?? request.allowed
    return request
  }

  private func positive(_ option: Option, orZero: Bool = false) throws(CommandError) -> Double? {
    guard let number = number(option) else { return nil }
    guard number > 0 || (orZero && number == 0) else {
      throw .usage("--\(option.long) needs a number \(orZero ? "that is not negative" : "above 0")")
    }
    return number
  }
}
