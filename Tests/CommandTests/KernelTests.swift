// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import meridian_cli

@Suite struct KernelTests {
  @Test func listIsATableAndObjects() throws {
    let table = try Shell.withKernels(["kernels"])
    #expect(table.code == 0)
    #expect(table.lines.first?.hasPrefix("ID") == true)
    #expect(table.lines.contains { $0.hasPrefix("native ") && $0.contains("measure") && $0.contains("no") })
    let rows = try Shell.withKernels(["kernels", "--format", "json"]).objects()
    let native = try #require(rows.first { $0["id"] as? String == "meridian.native" })
    #expect((native["families"] as? [String])?.contains("measure") == true)
    #expect(native["loaded"] as? Bool == false)
  }

  @Test func explainNamesEveryPathWithItsReason() throws {
    let folder = try Scratch()
    try folder.write("{ not json", to: "broken.meridian.json")
    let answer = try Shell.withKernels(
      ["kernels", "--explain"],
      environment: ["MERIDIAN_PLUGIN_ONLY": folder.path + ":" + BuiltKernels.path])
    #expect(answer.code == 0)
    #expect(answer.out.contains("broken.meridian.json: MALFORMED_MANIFEST: "), "\(answer.out)")
    #expect(answer.out.contains("ACCEPTED"))
  }

  @Test func infoShowsDeclarations() throws {
    let text = try Shell.withKernels(["kernels", "info", "native"])
    #expect(text.code == 0, "\(text.err)")
    #expect(text.lines.contains("measure.area"))
    let rows = try Shell.withKernels(["kernels", "info", "--format", "json", "native"]).objects()
    let area = try #require(rows.first { $0["operation"] as? String == "measure.area" })
    #expect((area["edges"] as? [String])?.contains("planar") == true)
  }

  @Test func withoutKernelsTheListSaysSo() throws {
    let folder = try Scratch()
    let answer = try Shell.withKernels(["kernels"], environment: ["MERIDIAN_PLUGIN_ONLY": folder.path])
    #expect(answer.code == 0)
    #expect(answer.err.contains("no kernels found"))
    let measured = try Shell.withKernels(
      ["measure", Sample.problems], environment: ["MERIDIAN_PLUGIN_ONLY": folder.path])
    #expect(measured.code == 2)
  }

  /// By flag, by environment and by configuration file: another kernel answers, and the summary says so.
  @Test(
    .enabled(if: Kernels.has("geos", "simplify.douglas_peucker") && Kernels.has("native", "simplify.douglas_peucker")))
  func swappingKernelsShowsInTheSummary() throws {
    let words = ["simplify", "--tolerance", "1", "--summary", Sample.countries]
    func answers(_ more: [String] = [], _ environment: [String: String] = [:]) throws -> String {
      let answer = try Shell.withKernels(words + more, environment: environment)
      #expect(answer.code == 0, "\(answer.err)")
      return try #require(answer.err.split(separator: "\n").first { $0.contains("kernel: ") }.map(String.init))
    }
    let folder = try Scratch()
    let config = try folder.write("simplify=geos\n", to: "config")
    #expect(try answers().contains("by meridian.native"))
    #expect(try answers(["--kernel", "geos"]).contains("by meridian.geos"))
    #expect(try answers(["--kernel", "simplify.douglas_peucker=geos"]).contains("by meridian.geos"))
    #expect(try answers([], ["MERIDIAN_KERNEL": "simplify=geos"]).contains("by meridian.geos"))
    #expect(try answers(["--config", config]).contains("by meridian.geos"))
    // The environment wins over the file, the flag over the environment.
    #expect(try answers(["--config", config], ["MERIDIAN_KERNEL": "simplify=native"]).contains("by meridian.native"))
    #expect(try answers(["--kernel", "geos"], ["MERIDIAN_KERNEL": "simplify=native"]).contains("by meridian.geos"))
  }

  @Test(
    .enabled(if: Kernels.has("geos", "simplify.douglas_peucker") && Kernels.has("native", "simplify.douglas_peucker")))
  func comparison() throws {
    let words = ["compare", "--kernels", "native,geos", "--repeat", "2", "--format", "json"]
    let same = try Shell.withKernels(
      words + ["--op", "simplify.douglas_peucker", "--tolerance", "0.5", "--from", "geojson", "-"],
      input: #"{"type":"LineString","coordinates":[[0,0],[1,0.1],[2,0],[3,5]]}"#)
    #expect(same.code == 0, "\(same.err) \(same.out)")
    let row = try #require(try same.objects().first)
    #expect((row["geometry"] as? [String: Any])?["equal"] as? Int == 1)
    #expect((row["ratio"] as? Double ?? 0) > 0)
    #expect(row["beyond_allowed"] as? Bool == false)
  }

  @Test func comparisonNeedsTwoKernelsAndAnOperation() throws {
    for words in [["--op", "measure.area"], ["--kernels", "a,b"], ["--op", "measure.aera", "--kernels", "a,b"]] {
      let answer = try Shell.withKernels(["compare"] + words + [Sample.problems])
      #expect(answer.code == 2)
    }
    let unknown = try Shell.withKernels(["compare", "--op", "measure.aera", "--kernels", "a,b", Sample.problems])
    #expect(unknown.err.contains("did you mean measure.area?"), "\(unknown.err)")
  }
}
