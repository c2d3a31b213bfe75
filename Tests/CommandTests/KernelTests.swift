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

  private static let line = #"{"type":"LineString","coordinates":[[0,0],[1,0.1],[2,0]]}"#

  /// The warnings of a run that is fine otherwise.
  private func warnings(
    _ words: [String], _ environment: [String: String] = [:]
  ) throws -> [String] {
    let answer = try Shell.withKernels(words + ["--from", "geojson", "-"], environment: environment, input: Self.line)
    #expect(answer.code == 0, "\(answer.err)")
    return answer.err.split(separator: "\n").filter { $0.contains("warning: ") }.map(String.init)
  }

  /// Who names a kernel that does not serve the call learns that another one answered, however the kernel was named.
  @Test(.enabled(if: Kernels.has("native", "validate.valid") && Kernels.has("proj")))
  func aKernelThatDoesNotAnswerIsToldAtOnce() throws {
    let told =
      "meridian: warning: validate=proj: validate.valid is answered by meridian.native, "
      + "because proj does not offer validate.valid"
    #expect(try warnings(["validate", "--kernel", "proj"]) == [told])
    #expect(try warnings(["validate", "--kernel", "proj", "--quiet"]) == [])
    let elsewhere = told.replacing("validate=proj:", with: "validate=proj in MERIDIAN_KERNEL:")
    #expect(try warnings(["validate"], ["MERIDIAN_KERNEL": "validate=proj"]) == [elsewhere])
    let folder = try Scratch()
    let config = try folder.write("validate=proj\n", to: "config")
    #expect(
      try warnings(["validate", "--config", config])
        == [told.replacing("validate=proj:", with: "validate=proj in \(config):")])
    #expect(
      try warnings(["validate", "--prefer", "proj"]) == [told.replacing("validate=proj:", with: "prefer proj:")])
    // The second of an order is what an order is for, and the kernel that was asked for is none to warn of.
    #expect(try warnings(["validate", "--prefer", "proj,native"]) == [])
    #expect(try warnings(["validate", "--kernel", "native"]) == [])
  }

  @Test(.enabled(if: Kernels.has("native")))
  func everyVerbTells() throws {
    // On the globe geodesics are asked for; the columns beside them, which any kernel gives, are not warned of.
    if Kernels.has("geos") {
      let lines = try warnings(["measure", "--kernel", "geos"])
      #expect(lines.count == 3 && lines.allSatisfy { $0.contains("is answered by meridian.native") }, "\(lines)")
    }
    #expect(try warnings(["measure", "--kernel", "native"]) == [])
    if Kernels.has("proj") {
      #expect(try warnings(["measure", "--kernel", "proj"]) == [])
      #expect(try warnings(["simplify", "--kernel", "proj", "--tolerance", "1"]).count == 1)
    }
    if Kernels.has("geos", "snap.grid") {
      #expect(try warnings(["snap", "--kernel", "native", "--grid", "10"]).count == 1)
    }
    if Kernels.has("proj"), Kernels.has("native", "index.window") {
      #expect(try warnings(["index", "query", "--kernel", "proj", "--window", "0,0,1,1"]).count == 1)
    }
  }

  /// A rule of the command line that no call of the verb can follow is a mistake; one of the environment is for others.
  @Test(.enabled(if: Kernels.has("native", "simplify.douglas_peucker")))
  func aRuleForAnotherVerbIsTold() throws {
    let measure = ["measure", "--edges", "planar"]
    let asked = "has no effect: measure asks kernels for measure.length, measure.perimeter, measure.area"
    #expect(
      try warnings(measure + ["--kernel", "simplify=native"]) == ["meridian: warning: simplify=native " + asked])
    #expect(
      try warnings(measure + ["--kernel", "measure=native; measure.bounds=native"])
        == ["meridian: warning: measure.bounds=native " + asked])
    #expect(
      try warnings(measure + ["--require", "simplify deterministic"])
        == ["meridian: warning: require simplify deterministic " + asked])
    #expect(try warnings(measure, ["MERIDIAN_KERNEL": "simplify=native"]) == [])
    for rule in ["native", "measure=native", "measure.length=native"] {
      #expect(try warnings(measure + ["--kernel", rule]) == [])
    }
    #expect(
      try warnings(["simplify", "--tolerance", "1", "--kernel", "simplify.douglas_peucker=native"]) == [])
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

  /// Who is compared answers itself, for every example of the help too.
  @Test(.enabled(if: Kernels.has("geos", "index.window") && Kernels.has("sqlite") && Kernels.has("native")))
  func indexesAreComparedByTheKernelsThatAreNamed() throws {
    for (operation, pair) in [("window", "native,geos"), ("nearest", "native,sqlite"), ("window", "geos,sqlite")] {
      let answer = try Shell.withKernels(
        ["compare", "--op", "index.\(operation)", "--kernels", pair, "--repeat", "1", "--summary", Sample.countries])
      #expect(answer.code == 0 && answer.err.isEmpty, "\(operation): \(answer.err) \(answer.out)")
      for kernel in pair.split(separator: ",") {
        #expect(answer.lines.contains { $0.contains("by meridian.\(kernel)") }, "\(answer.out)")
      }
    }
    let refused = try Shell.withKernels(
      ["compare", "--op", "index.nearest", "--kernels", "native,geos", "--metric", "ellipsoid", Sample.countries])
    #expect(refused.code == 2 && refused.err.contains("geos"), "\(refused.err)")
  }

  @Test(.enabled(if: Kernels.has("geos") && Kernels.has("proj") && Kernels.has("native")))
  func examplesOfComparisonsRun() throws {
    for example in Verb.compare.examples {
      let words = example.line.split(separator: " ").dropFirst()
        .map { $0 == "countries.geojson" ? Sample.countries : String($0) }
      let answer = try Shell.withKernels(words)
      #expect(answer.code < 2, "\(example.line): \(answer.err)")
    }
  }

  @Test(.enabled(if: Kernels.has("geos", "validate.valid"))) func aDialectIsCalledAsTheUserCallsIt() throws {
    let answer = try Shell.withKernels(["validate", "--kernel", "geos", "--dialect", "spherical", Sample.problems])
    // Another kernel answers, and that is told.
    #expect(answer.code == 1)
    #expect(answer.err.contains("geos does not serve the dialect spherical"), "\(answer.err)")
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
