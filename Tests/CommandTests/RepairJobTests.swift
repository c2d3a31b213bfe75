// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import MeridianIO
import TestSupport
import Testing

/// `validate --repair` as a job: what is right is carried over to the byte, and a second run changes nothing.
@Suite(.enabled(if: Kernels.has("native", "validate.repair"))) struct RepairJobTests {
  /// Features whose text no writer would write.
  private static let right = [
    #"{ "geometry" : {"coordinates":[1.50, 2e0], "type":"Point"}, "type":"Feature", "properties":{"a" : 1.0} }"#,
    #"{"type":"Feature","bbox":[0,0,9,9],"id":"\u0061","properties":{"a":1,"a":2},"geometry":{"type":"Polygon","coordinates":[[[0.0,0],[9,0],[9,9.000],[0,9],[0.0,0]]]},"more":[1, 2]}"#,
    #"{"type":"Feature","properties":null,"geometry":null}"#,
    #"{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[0,0,1,2,3],[1,1,1,1,1]]}}"#,
  ]
  private static let unreadable =
    #"{"type":"Feature","id":"bad","properties":{"keep":true},"geometry":{"type":"Point","coordinates":["x"]}}"#
  private static let bowTie =
    #"{"type":"Feature","id":5,"properties":{"n" : "e"},"geometry":{"type":"Polygon","coordinates":[[[20.0,0],[30,10],[30,0],[20,10],[20.0,0]]]},"bbox":[20,0,30,10],"extra":"x"}"#

  private func repair(_ file: String, to out: String, _ more: [String] = []) throws -> Outcome {
    try Shell.withKernels(["validate", "--repair", out] + more + [file])
  }

  @Test(arguments: ["geojson", "geojsonl"]) func whatIsNotChangedIsCarriedOverByteForByte(ending: String) throws {
    let folder = try Scratch()
    let lines = Self.right + [Self.unreadable, Self.bowTie]
    let text =
      ending == "geojson"
      ? "{\"type\":\"FeatureCollection\",\"features\":[\n\(lines.joined(separator: ",\n"))\n]}\n"
      : lines.joined(separator: "\n") + "\n"
    let file = try folder.write(text, to: "in.\(ending)")
    let out = folder.path + "/out.\(ending)"
    #expect(try repair(file, to: out).code == 1)
    let written = try folder.read("out.\(ending)").split(separator: "\n").map { line in
      line.hasSuffix(",") ? String(line.dropLast()) : String(line)
    }
    for line in Self.right + [Self.unreadable] { #expect(written.contains(line), "\(line)") }
    let fixed = try #require(written.first { $0.contains("\"id\":5,") })
    #expect(fixed.contains("\"properties\":{\"n\" : \"e\"},\"extra\":\"x\"}") && fixed.contains("MultiPolygon"))
    #expect(fixed.contains("[25,5]") || fixed.contains("[25.0,5.0]"), "\(fixed)")
  }

  /// The other formats keep coordinates bit-equal, and properties.
  @Test(arguments: ["gpkg", "csv", "geojsonl"]) func otherFormatsKeepCoordinatesAndProperties(ending: String) throws {
    let folder = try Scratch()
    let file = folder.path + "/in.\(ending)"
    #expect(try Shell.withKernels(["convert", "-o", file, Sample.countries]).code == 0)
    let out = folder.path + "/out.\(ending)"
    #expect(try repair(file, to: out).code == 1)
    let (before, after) = (try Self.features(file), try Self.features(out))
    #expect(before.count == after.count && before.count == 177)
    let changed = before.indices.filter { before[$0].geometry != after[$0].geometry }
    #expect(changed.count == 1, "the file has one row that is not valid")
    for index in before.indices { #expect(before[index].properties == after[index].properties) }
  }

  private static func features(_ file: String) throws -> [(geometry: [UInt8], properties: [UInt8])] {
    let reader = try openReader(file)
    var list: [(geometry: [UInt8], properties: [UInt8])] = []
    while let batch = try reader.next(BatchLimit()) {
      for row in 0..<batch.count {
        var bytes: [UInt8] = []
        _ = WKBWriter.append(row: row, of: batch.geometries, to: &bytes)
        list.append((bytes, batch.attributes[row].properties))
      }
    }
    return list
  }

  /// Rings of few random points on a small grid: nearly all are broken, in every way.
  private static func randomFile(_ seed: Int, _ folder: Scratch) throws -> String {
    var random = TestRandom(seed: UInt64(seed))
    func ring(_ random: inout TestRandom) -> String {
      var points = (0..<Int.random(in: 3...9, using: &random)).map { _ in
        "[\(Int.random(in: 0...8, using: &random)),\(Int.random(in: 0...8, using: &random))]"
      }
      if Bool.random(using: &random) || points.count < 4 { points.append(points[0]) }
      return "[" + points.joined(separator: ",") + "]"
    }
    func polygon(_ random: inout TestRandom) -> String {
      "[" + (0..<Int.random(in: 1...3, using: &random)).map { _ in ring(&random) }.joined(separator: ",") + "]"
    }
    let rows = (0..<60).map { row in
      let isMulti = row % 3 == 0
      let coordinates = isMulti ? "[\(polygon(&random)),\(polygon(&random))]" : polygon(&random)
      return "{\"type\":\"Feature\",\"id\":\(row),\"properties\":{\"row\":\(row)},\"geometry\":"
        + "{\"type\":\"\(isMulti ? "MultiPolygon" : "Polygon")\",\"coordinates\":\(coordinates)}}\n"
    }
    return try folder.write(rows.joined(), to: "random-\(seed).geojsonl")
  }

  @Test(arguments: ["structure", "linework", "even_odd", "nonzero"]) func aSecondRunChangesNothing(rule: String) throws
  {
    let folder = try Scratch()
    let files = try [Sample.problems, Sample.countries] + (1...5).map { try Self.randomFile($0, folder) }
    for file in files {
      let ending = file.hasSuffix("l") ? "geojsonl" : "geojson"
      let (one, two) = (folder.path + "/one.\(ending)", folder.path + "/two.\(ending)")
      let changes = folder.path + "/changes.json"
      _ = try repair(file, to: one, ["--rule", rule])
      let again = try repair(one, to: two, ["--rule", rule, "--changes", changes, "--summary"])
      #expect(again.code == 0, "\(rule) \(file): \(again.out)")
      #expect(try folder.bytes("one.\(ending)") == folder.bytes("two.\(ending)"), "\(rule) \(file)")
      #expect(try folder.read("changes.json").isEmpty, "\(rule) \(file)")
      #expect(again.out.contains("repair: {\"unchanged\":"), "\(again.out)")
    }
  }

  @Test func aDryRunTellsTheSameAndWritesNothing() throws {
    let folder = try Scratch()
    let out = folder.path + "/out.geojson"
    let dry = try repair(Sample.problems, to: out, ["--dry-run", "--changes", folder.path + "/dry.csv", "--summary"])
    #expect(dry.code == 1 && folder.names == ["dry.csv"], "\(dry.err)")
    let real = try repair(Sample.problems, to: out, ["--changes", folder.path + "/real.csv", "--summary"])
    #expect(folder.names == ["dry.csv", "out.geojson", "real.csv"])
    #expect(dry.out == real.out && dry.err == real.err && dry.code == real.code)
    #expect(try folder.bytes("dry.csv") == folder.bytes("real.csv"))
    for option in [["--dry-run"], ["--changes", folder.path + "/x.csv"]] {
      let alone = try Shell.withKernels(["validate"] + option + [Sample.problems])
      #expect(alone.code == 2 && alone.err.contains("belongs to --repair OUT"), "\(alone.err)")
    }
    let form = try repair(Sample.problems, to: out, ["--changes", folder.path + "/x.gpkg"])
    #expect(form.code == 2 && form.err.contains("text, .csv or .json"), "\(form.err)")
  }

  @Test func changesSayWhatWasDoneToWhichRow() throws {
    let folder = try Scratch()
    let (out, changes) = (folder.path + "/out.geojson", folder.path + "/changes.json")
    _ = try repair(Sample.problems, to: out, ["--changes", changes])
    let rows = try folder.read("changes.json").split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(rows.map { $0["row"] as? Int } == [1, 2, 3, 5, 6])
    #expect(rows.allSatisfy { $0["outcome"] as? String == "repaired" && $0["rule"] as? String == "structure" })
    let bowTie = rows[0]
    #expect(bowTie["id"] as? String == "bow-tie" && bowTie["reason"] as? String == "CROSSING: Edges cross")
    // Two triangles of area 25 for a figure whose signed areas cancel.
    #expect(bowTie["area_before"] as? Double == 0 && bowTie["area_after"] as? Double == 50)
    #expect(bowTie["parts_before"] as? Int == 1 && bowTie["parts_after"] as? Int == 2)
    // What is left as it was is told with its reason.
    let geos = ["--kernel", "validate.repair=geos", "--changes", changes]
    guard Kernels.has("geos", "validate.repair") else { return }
    _ = try repair(Sample.problems, to: out, geos)
    let left = try folder.read("changes.json").split(separator: "\n").first { $0.contains("\"row\":3,") }
    #expect(left?.contains("\"reason\":\"RING_NOT_CLOSED: ") == true && left?.contains("\"area_after\":null") == true)
  }

  /// A layer that breaks off is not the layer: what lies under the names stays.
  @Test(arguments: [[], ["--dry-run"]]) func whatIsReadInPartIsNotWritten(more: [String]) throws {
    let folder = try Scratch()
    let good = #"{"type":"Feature","id":1,"properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    let whole = "{\"type\":\"FeatureCollection\",\"features\":[\n\(good),\n\(Self.bowTie)\n]}\n"
    let cut = try folder.write(String(whole.prefix(whole.count - 60)), to: "cut.geojson")
    let missing = folder.path + "/missing.geojson"
    for input in [cut, missing] {
      let out = try folder.write("as it was", to: "out.geojson")
      let changes = try folder.write("as it was", to: "changes.csv")
      let report = folder.path + "/report.json"
      let before = folder.names
      let answer = try repair(input, to: out, more + ["--changes", changes, "--report", "json=" + report, "--summary"])
      #expect(answer.code == 2 && answer.err.contains("nothing is repaired"), "\(input): \(answer.err)")
      #expect(try folder.read("out.geojson") == "as it was" && folder.read("changes.csv") == "as it was")
      // The report tells what was seen, and that a file failed.
      #expect(Set(folder.names) == Set(before + ["report.json"]), "\(folder.names)")
      #expect(answer.out.contains("failed_files: 1") && !answer.out.contains("repair: {"), "\(answer.out)")
    }
  }
}
