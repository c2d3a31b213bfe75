// SPDX-License-Identifier: Apache-2.0
import MeridianJobs

extension Verb {
  static let measure = Verb(
    name: "measure",
    summary: "length, perimeter and area of every row",
    operands: "FILE...",
    operandCount: 1...Int.max,
    notes: [
      "Longitude and latitude are measured along geodesics of WGS84, in metres; other coordinates as a plane, in their",
      "own units. The planar values of longitude and latitude are given too, in degrees. Measuring does not validate.",
    ],
    options: [.reportFormat(["text", "json", "csv", "geojson"]), .output, .summary] + Option.rowInput + Option.treatment
      + Option.choosing + Option.isolation + Option.ending,
    examples: [
      Example(line: "meridian measure countries.geojson", meaning: "a line a country"),
      Example(
        line: "meridian measure --format json --summary countries.geojson",
        meaning: "JSON lines, totals, and which kernel answered"),
      Example(
        line: "meridian measure --kernel measure.area=proj --format csv -o areas.csv parcels.gpkg",
        meaning: "areas by PROJ's geodesics, as a table"),
      Example(
        line: "meridian measure --edges great_circle countries.geojson", meaning: "on the sphere; needs no library"),
      Example(line: "meridian measure --from wkt - < lines.wkt", meaning: "from standard input"),
    ],
    run: { (arguments) throws(CommandError) in
      let inputs = try arguments.inputs()
      let context = try arguments.context(["measure.length", "measure.perimeter", "measure.area"])
      let report = try arguments.report(columns: MeasureRow.columns, map: .features, context.messages)
      try arguments.reporting(report, context) { () throws(JobError) in
        var job = MeasureJob(context)
        try job.run(inputs, report: report)
      }
      return context.hasUnreadInput ? .failure : .fine
    })
}
