// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import meridian_cli

@Suite struct TransformTests {
  @Test(arguments: ["geojson", "geojsonseq", "wkt", "wkb", "csv"]) func convertKeepsEveryRow(format: String) throws {
    let answer = try Shell.withKernels(["convert", "--format", format, Sample.countries])
    #expect(answer.code == 0, "\(answer.err)")
    if format == "geojsonseq" { #expect(answer.lines.count == 177) }
    if format == "csv" { #expect(answer.lines.count == 178) }
  }

  @Test func convertThereAndBackIsTheSame() throws {
    let folder = try Scratch()
    let seq = folder.path + "/a.geojsonl"
    let back = folder.path + "/b.geojson"
    #expect(try Shell.withKernels(["convert", "-o", seq, Sample.countries]).code == 0)
    #expect(try Shell.withKernels(["convert", "-o", back, seq]).code == 0)
    let original = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: Sample.countries)))
    let copy = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: back)))
    #expect((original as? NSDictionary)?["features"] as? NSArray == (copy as? NSDictionary)?["features"] as? NSArray)
    #expect(folder.names == ["a.geojsonl", "b.geojson"])
  }

  @Test(.enabled(if: Kernels.has("native"))) func aBoxThatIsNotTrueAnyMoreGoes() throws {
    let text = """
      {"type":"Feature","a":1,"bbox":[0,-1,4,9],"\\u0062":[2, 3],"properties":{},"geometry":{"type":"LineString",\
      "coordinates":[[0,0],[1,9],[2,0],[3,-1],[4,0]]}}
      """
    let words = ["simplify", "--from", "geojson", "--format", "geojsonseq", "--tolerance"]
    let changed = try Shell.withKernels(words + ["20", "-"], input: text)
    #expect(changed.out.hasSuffix("\"properties\":{},\"a\":1,\"\\u0062\":[2, 3]}\n"), "\(changed.out)")
    let same = try Shell.withKernels(words + ["0.1", "-"], input: text)
    #expect(same.out.contains("\"bbox\":[0,-1,4,9]"), "\(same.out)")
    guard Kernels.has("geos", "snap.grid") else { return }
    let snapped = try Shell.withKernels(["snap", "--grid", "0.3", "--from", "geojson", "-"], input: text)
    #expect(snapped.code == 0 && !snapped.out.contains("bbox"), "\(snapped.out)\(snapped.err)")
  }

  @Test(
    .enabled(if: Kernels.has("native", "simplify.douglas_peucker") || Kernels.has("geos", "simplify.douglas_peucker")))
  func simplifyDropsVerticesAndKeepsProperties() throws {
    let text = """
      {"type":"Feature","id":"r","properties":{"name":"road"},"geometry":{"type":"LineString",\
      "coordinates":[[0,0],[1,0.001],[2,0],[3,1],[4,0]]}}
      """
    let words = ["simplify", "--from", "geojson", "--format", "geojsonseq", "-"]
    let coarse = try Shell.withKernels(words + ["--tolerance", "0.01", "--summary"], input: text)
    #expect(coarse.code == 0, "\(coarse.err)")
    #expect(coarse.out.contains("[[0,0],[2,0],[3,1],[4,0]]"), "\(coarse.out)")
    #expect(coarse.out.contains(#""properties":{"name":"road"}"#) && coarse.out.contains(#""id":"r""#))
    #expect(coarse.err.contains("vertices_out: 4"), "\(coarse.err)")
  }

  @Test(.enabled(if: Kernels.has("geos", "snap.grid"))) func snapToAGrid() throws {
    let text = #"{"type":"LineString","coordinates":[[0.12,0.49],[1.04,0.96]]}"#
    let answer = try Shell.withKernels(
      ["snap", "--grid", "10", "--from", "geojson", "--format", "wkt", "-"], input: text)
    #expect(answer.code == 0, "\(answer.err)")
    #expect(answer.out.contains("0.1 0.5, 1 1") || answer.out.contains("0.1 0.5,1 1"), "\(answer.out)")
  }

  @Test(.enabled(if: Kernels.has("geos", "snap.layer"))) func snapToAFile() throws {
    let folder = try Scratch()
    let target = try folder.write(#"{"type":"LineString","coordinates":[[0,0],[10,0]]}"#, to: "target.geojson")
    let answer = try Shell.withKernels(
      ["snap", "--to", target, "--tolerance", "0.1", "--from", "geojson", "--format", "wkt", "-"],
      input: #"{"type":"LineString","coordinates":[[0.01,0.02],[5,5]]}"#)
    #expect(answer.code == 0, "\(answer.err)")
    #expect(answer.out.contains("(0 0"), "\(answer.out)")
  }

  @Test(.enabled(if: Kernels.has("geos", "snap.pair"))) func snapInPairs() throws {
    let folder = try Scratch()
    let target = try folder.write("LINESTRING (0 0, 10 0)\nLINESTRING (0 100, 10 100)", to: "target.wkt")
    let answer = try Shell.withKernels(
      ["snap", "--pairs", target, "--tolerance", "0.1", "--from", "wkt", "--format", "wkt", "-"],
      input: "LINESTRING (0.01 0.02, 5 5)\nLINESTRING (0.01 0.02, 5 5)")
    #expect(answer.code == 0, "\(answer.err)")
    let rows = answer.out.split(separator: "\n")
    #expect(rows.count == 2 && rows[0].contains("(0 0") && rows[1].contains("(0.01 0.02"), "\(answer.out)")
  }

  @Test func metresNeedTheGlobe() throws {
    let answer = try Shell.withKernels(
      ["simplify", "--unit", "m", "--tolerance", "5", "--from", "wkt", "-"], input: "LINESTRING (0 0, 1 1, 2 2)")
    #expect(answer.code == 2)
    #expect(answer.err.contains("--crs lonlat"), "\(answer.err)")
  }
}
