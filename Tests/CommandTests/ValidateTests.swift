// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import meridian_cli

@Suite(.enabled(if: Kernels.has("geos"))) struct ValidateTests {
  @Test func everyRowHasAVerdictInTheDocumentedSchema() throws {
    let answer = try Shell.withKernels(["validate", "--format", "json", Sample.problems])
    #expect(answer.code == 1, "\(answer.err)")
    let rows = try answer.objects()
    #expect(rows.count == 9)
    let names = try #require(answer.lines.first).matches(of: /"([a-z_0-9]+)":/).map { String($0.output.1) }
    #expect(names == ["file", "layer", "row", "id", "valid", "problems"])
    let verdicts = rows.map { $0["valid"] as? Bool }
    #expect(verdicts == [true, false, false, false, nil, false, false, true, true])
    let problem = try #require((rows[1]["problems"] as? [[String: Any]])?.first)
    #expect(
      Set(problem.keys) == ["code", "severity", "message", "part", "ring", "vertex", "x", "y", "other_row", "value"])
    #expect(problem["code"] as? String == "CROSSING")
    #expect(problem["severity"] as? String == "error")
    #expect(problem["x"] as? Double == 25)
    #expect(problem["y"] as? Double == 5)
  }

  @Test func codesOfTheSample() throws {
    let rows = try Shell.withKernels(["validate", "--format", "json", Sample.problems]).objects()
    func code(_ row: Int) -> String? { (rows[row]["problems"] as? [[String: Any]])?.first?["code"] as? String }
    #expect(code(2) == "HOLE_OUTSIDE_SHELL")
    #expect(code(3) == "RING_NOT_CLOSED")
    #expect(code(5) == "NESTED_SHELLS")
  }

  @Test func textIsLikeACompilers() throws {
    let answer = try Shell.withKernels(["validate", Sample.problems])
    #expect(answer.code == 1)
    let line = try #require(answer.lines.first { $0.contains("CROSSING") })
    #expect(line.contains("problems.geojson:1: error CROSSING: ") && line.hasSuffix("at 25 5)"), "\(line)")
    #expect(!answer.out.contains(":0: "))
  }

  @Test func placesOnAMap() throws {
    let answer = try Shell.withKernels(["validate", "--format", "geojson", Sample.problems])
    #expect(answer.code == 1)
    let root = try JSONSerialization.jsonObject(with: Data(answer.out.utf8)) as? [String: Any]
    let features = try #require(root?["features"] as? [[String: Any]])
    let crossing = features.first { ($0["properties"] as? [String: Any])?["code"] as? String == "CROSSING" }
    #expect((crossing?["geometry"] as? [String: Any])?["coordinates"] as? [Double] == [25, 5])
  }

  @Test func tableHasARecordAProblemAndOneForValidRows() throws {
    let answer = try Shell.withKernels(["validate", "--format", "csv", Sample.problems])
    #expect(answer.lines.first == "file,layer,row,id,valid,code,severity,message,part,ring,vertex,x,y,other_row,value")
    #expect(answer.lines.count >= 10)
  }

  @Test func validFileIsFine() throws {
    let text = #"{"type":"Point","coordinates":[1,2]}"#
    let answer = try Shell.withKernels(["validate", "--from", "geojson", "-"], input: text)
    #expect(answer.code == 0, "\(answer.err)")
    #expect(answer.out.isEmpty)
  }

  @Test func unreadableRowIsInvalidAndOthersGoOn() throws {
    let text = """
      {"type":"Feature","id":1,"properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}
      {"type":"Feature","id":2,"properties":{},"geometry":{"type":"Point","coordinates":["a"]}}
      {"type":"Feature","id":3,"properties":{},"geometry":{"type":"Point","coordinates":[3,4]}}

      """
    let words = ["--format", "json", "--from", "geojsonseq", "-"]
    let answer = try Shell.withKernels(["validate"] + words, input: text)
    #expect(answer.code == 1, "\(answer.err)")
    let rows = try answer.objects()
    #expect(rows.map { $0["valid"] as? Bool } == [true, false, true])
    let problem = try #require((rows[1]["problems"] as? [[String: Any]])?.first)
    #expect(problem["code"] as? String == "UNREADABLE")
    #expect(answer.err.contains("-: row 1: line 2: "), "\(answer.err)")

    let measured = try Shell.withKernels(["measure", "--crs", "planar"] + words, input: text)
    #expect(measured.code == 2)
    #expect(try measured.objects().map { $0["status"] as? String } == ["OK", "UNREADABLE", "OK"])
  }

  @Test(arguments: ["structure", "linework"]) func repairGivesAValidFile(rule: String) throws {
    let folder = try Scratch()
    let fixed = folder.path + "/fixed.geojson"
    let answer = try Shell.withKernels(
      ["validate", "--repair", fixed, "--rule", rule, "--format", "json", "--summary", Sample.countries])
    #expect(answer.code == 1, "\(answer.err)")
    let again = try Shell.withKernels(["validate", fixed])
    #expect(again.code == 0, "\(again.out)")
    let text = try folder.read("fixed.geojson")
    #expect(text.contains(#""properties":{"name":"Sudan""#))
    #expect(folder.names == ["fixed.geojson"])
  }

  @Test func firstAndLimitNarrow() throws {
    #expect(try Shell.withKernels(["validate", "--first", Sample.problems]).code == 1)
    #expect(try Shell.withKernels(["validate", "--limit", "1", Sample.problems]).code == 1)
    #expect(try Shell.withKernels(["validate", "--rule", "linework", Sample.problems]).code == 2)
  }

  @Test func rowsOfALayerAgainstEachOther() throws {
    let rows = ["0 0,2 0,2 2,0 2,0 0", "2 0,4 0,4 2,2 2,2 0", "1 2,3 2,3 3,1 3,1 2", "3 1,5 1,5 3,3 3,3 1"]
    let text = rows.map { "POLYGON((\($0)))\n" }.joined()
    func run(_ words: String...) throws -> Outcome {
      try Shell.withKernels(["validate", "--check", "layer", "--from", "wkt"] + words + ["-"], input: text)
    }
    let answer = try run("--format", "csv")
    #expect(answer.code == 1, "\(answer.err)")
    let overlaps = answer.lines.filter { $0.contains("LAYER_OVERLAP") }
    #expect(overlaps.count == 1 && overlaps[0].hasSuffix(",3,1,3,1"), "\(answer.out)")
    #expect(try run().lines.first { $0.contains("OVERLAP") }?.contains("(with row 3, at 3 1)") == true)
    #expect(answer.lines.filter { $0.contains("LAYER_UNMATCHED_EDGE") }.count == 5, "\(answer.out)")
    #expect(try run("--gap-area", "0").code == 2)
    #expect(try Shell.withKernels(["validate", "--gap-width", "1", Sample.problems]).code == 2)
  }
}
