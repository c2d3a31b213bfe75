// SPDX-License-Identifier: Apache-2.0
import MeridianJobs

extension Verb {
  static let convert = Verb(
    name: "convert",
    summary: "write the features in another format",
    operands: "FILE...",
    operandCount: 1...Int.max,
    notes: ["Coordinates, ids and properties stay as they are; nothing is transformed."],
    options: [.output, .writeFormat, .summary] + Option.rowInput + Option.choosing + Option.ending,
    examples: [
      Example(line: "meridian convert -o parcels.gpkg parcels.geojson", meaning: "the format follows from the name"),
      Example(line: "meridian convert --layer roads --format geojsonseq town.gpkg", meaning: "one layer, streamed"),
      Example(line: "meridian convert --from wkb --format wkt - < shapes.hex", meaning: "from standard input"),
    ],
    run: { (arguments) throws(CommandError) in
      let inputs = try arguments.inputs()
      let context = try arguments.context()
      let output = try arguments.featureOutput()
      try job { () throws(JobError) in
        var job = TransformJob(context, .none)
        try job.run(inputs, to: output)
      }
      return arguments.finish(context)
    })
}
