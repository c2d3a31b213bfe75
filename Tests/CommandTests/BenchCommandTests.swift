// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `meridian bench` as a user runs it, on tiny workloads: what is measured, not how fast.
@Suite struct BenchCommandTests {
  private func bench(_ words: [String]) throws -> Outcome {
    try Shell.meridian(["bench"] + words, environment: Kernels.environment)
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func theListRunsNothing() throws {
    let answer = try bench(["--list"])
    #expect(answer.code == 0)
    #expect(answer.lines.contains("measure.area/G2/planar") && answer.lines.contains("abi.index.window/batch"))
    #expect(answer.lines.contains("jobs.validate.valid/big.geojson"))
    #expect(try bench(["index", "--list", "--only", "B2"]).lines.allSatisfy { $0.hasPrefix("index.") })
    #expect(try bench(["--list", "--only", "nothing"]).out == "\n")
  }

  @Test(.enabled(if: BuiltKernels.has("native"))) func aCaseIsMeasuredAndJudged() throws {
    let answer = try bench([
      "measure", "--only", "area/G1/planar", "--scale", "0.001", "--rounds", "7", "--kernels", "native",
      "--format", "json", "--seed", "42",
    ])
    #expect(answer.code == 0, "\(answer.err)")
    let report = try object(answer.out)
    let context = try #require(report["context"] as? [String: Any])
    #expect(context["seed"] as? Int == 42)
    #expect((context["command"] as? String)?.contains("--only area/G1/planar") == true)
    let cases = try #require(report["cases"] as? [[String: Any]])
    let one = try #require(cases.first { $0["name"] as? String == "measure.area/G1/planar" })
    let kernel = try #require((one["kernels"] as? [[String: Any]])?.first)
    #expect((kernel["times"] as? [Double])?.count == 7)
    let accuracy = try #require(kernel["accuracy"] as? [String: Any])
    #expect(accuracy["violations"] as? Int == 0 && accuracy["wrong"] as? Int == 0)
  }

  @Test(.enabled(if: BuiltKernels.has("native"))) func aFileOfTheUsers() throws {
    let answer = try bench([
      "--data", Shell.root + "/Examples/data/ne_110m_admin_0_countries.geojson", "--only", "bounds", "--rounds", "3",
      "--kernels", "native", "--format", "csv",
    ])
    #expect(answer.code == 0, "\(answer.err)")
    #expect(answer.out.contains("measure.bounds/ne_110m_admin_0_countries.geojson/planar"))
  }

  /// Ratios over another kernel than the one that was asked for are no surprise: the report says so.
  @Test(.enabled(if: BuiltKernels.has("native") && BuiltKernels.has("geos") && BuiltKernels.has("proj")))
  func aReferenceThatTakesNoPartIsToldOf() throws {
    func warnings(_ reference: String) throws -> [String] {
      let answer = try bench([
        "index", "--only", "window/B1/random", "--scale", "0.001", "--rounds", "3", "--kernels", "native,geos",
        "--reference", reference, "--format", "json",
      ])
      let context = try #require(try object(answer.out)["context"] as? [String: Any])
      return try #require(context["warnings"] as? [String])
    }
    #expect(try warnings("proj").contains { $0.contains("proj does not take part in index.window/B1/random") })
    #expect(try !warnings("meridian.geos").contains { $0.contains("take part") })
  }

  @Test func wrongUse() throws {
    for (words, part) in [
      (["measures"], "did you mean measure"), (["--kernels", "nativ"], "nativ"), (["--scale", "0"], "--scale"),
      (["--scale", "20"], "--scale"), (["--time", "-1"], "--time"), (["--only", "frobnicate"], "--list"),
      (["--compare", "one.json"], "two reports"), (["--data", "/nowhere.geojson"], "/nowhere.geojson"),
      (["--enforce", "--budgets", "/nowhere.json"], "/nowhere.json"),
      (["--enforce", "--rounds", "9"], "--rounds"), (["--enforce", "--scale", "0.1"], "--scale"),
      (["--enforce", "--only", "G1"], "--only"), (["--enforce", "--kernels", "native"], "--kernels"),
      (["--enforce", "--reference", "geos"], "--reference"), (["--enforce", "--sweep"], "--sweep"),
      (["--enforce", "--data", "x.geojson"], "--data"), (["--enforce", "--time", "-1"], "--time"),
      (["--kernels", ","], "--kernels"), (["--short"], "--enforce"),
      (["--enforce", "--list"], "--list"),
      (["--layer", "roads"], "--data"), (["--output", "a.txt", "--record", "a.txt"], "both name"),
      (["--compare", "a.json", "b.json", "--record", "c.json"], "--record"),
      (["--compare", "a.json", "b.json", "--format", "csv"], "text and json"),
    ] {
      let answer = try bench(words)
      #expect(answer.code == 2, "\(words): \(answer.code)")
      #expect(answer.err.contains(part), "\(words): \(answer.err)")
      #expect(answer.out.isEmpty)
    }
  }

  /// The report of hours is not lost to a slip in its name: nothing is run.
  @Test func whereTheReportGoesIsAskedFirst() throws {
    for option in ["--output", "--record"] {
      let answer = try bench(["--data", "/nowhere.geojson", option, "/nowhere/report.json"])
      #expect(answer.code == 2 && answer.err.contains("/nowhere/report.json"), "\(answer.err)")
    }
    let folder = try Scratch()
    let answer = try bench(["--data", "/nowhere.geojson", "--output", folder.path + "/report.json"])
    #expect(answer.code == 2 && folder.names.isEmpty, "\(folder.names)")
  }

  @Test(.enabled(if: BuiltKernels.has("native"))) func kernelsAreKnownByOneName() throws {
    let measured = ["measure", "--only", "area/G1/planar", "--scale", "0.001", "--rounds", "6"]
    let answer = try bench(
      measured + ["--kernels", "meridian.native,native", "--reference", "meridian.native", "--format", "json"])
    #expect(answer.code == 0, "\(answer.err)")
    let report = try object(answer.out)
    let kernels = (report["context"] as? [String: Any])?["kernels"] as? [[String: Any]]
    #expect(kernels?.compactMap { $0["id"] as? String } == ["meridian.native"])
    let cases = try #require(report["cases"] as? [[String: Any]])
    let names = (cases.first?["kernels"] as? [[String: Any]])?.compactMap { $0["kernel"] as? String }
    #expect(names == ["native"])
    let other = try bench(measured + ["--kernels", "native", "--reference", "nativ"])
    #expect(other.code == 2 && other.err.contains("did you mean native"), "\(other.err)")
  }

  @Test func namesOfFilesAreNoCommandsOfTheTerminal() throws {
    let folder = try Scratch()
    let point = #"{"type":"Point","coordinates":[8.5,47.37]}"#
    let hostile = try folder.write(Array(point.utf8), to: "a\u{1b}[31m\nb.geojson")
    let list = try bench(["--data", hostile, "--list"])
    #expect(list.code == 0 && !list.out.contains("\u{1b}"), "\(list.err)")
    #expect(list.lines.allSatisfy { $0.contains("b.geojson") })
    try folder.write(Array(#"{"type":"FeatureCollection","features":[]}"#.utf8), to: "none.geojson")
    let nulls = #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":null,"geometry":null}]}"#
    let null = try bench(["--data", try folder.write(Array(nulls.utf8), to: "null.geojson")])
    #expect(null.code == 2 && null.err.contains("no geometry"), "\(null.err)")
  }

  // MARK: - Comparing

  @Test(.enabled(if: BuiltKernels.has("native"))) func reportsAreComparedWithThemselves() throws {
    let folder = try Scratch()
    let file = folder.path + "/report.json"
    let made = try bench([
      "measure", "--only", "bounds/G1", "--scale", "0.001", "--rounds", "7", "--kernels", "native", "--record", file,
    ])
    #expect(made.code == 0 && made.out.contains("measure.bounds/G1"), "\(made.err)")
    let same = try bench(["--compare", file, file])
    #expect(same.code == 0, "\(same.err)")
    try folder.write(Array(#"{"schema": 99}"#.utf8), to: "other.json")
    let other = try bench(["--compare", file, folder.path + "/other.json"])
    #expect(other.code == 2 && other.err.contains("schema"), "\(other.err)")
  }

  // MARK: - Budgets

  private func enforce(_ limits: String, kernel: String = "native", extra: String = "", words: [String] = []) throws
    -> Outcome
  {
    let folder = try Scratch()
    let text = """
      {"budgets": [{"name": "the budget", "suite": "measure", "case": "measure.area/G1/planar", "scale": 0.001,
        "kernel": "\(kernel)", "limits": \(limits), "reason": "a test"\(extra)}]}
      """
    try folder.write(Array(text.utf8), to: "budgets.json")
    return try bench(
      ["--enforce", "--budgets", folder.path + "/budgets.json", "--time", "2", "--format", "json"] + words)
  }

  private func verdicts(_ answer: Outcome) throws -> [String] {
    let budgets = try #require(try object(answer.out)["budgets"] as? [[String: Any]])
    return budgets.compactMap { $0["verdict"] as? String }
  }

  @Test(.enabled(if: BuiltKernels.has("native"))) func budgetsAreKeptOrNot() throws {
    let kept = try enforce(#"{"wrong": 0, "violations": 0, "milliseconds": 10000}"#)
    #expect(kept.code == 0, "\(kept.err)")
    #expect(try verdicts(kept) == ["kept", "kept", "kept"])
    let exceeded = try enforce(#"{"wrong": 0, "milliseconds": 0.000001}"#)
    #expect(exceeded.code == 1)
    #expect(try verdicts(exceeded).sorted() == ["exceeded", "kept"])
    let pinned = try enforce(#"{"wrong": 0}"#, words: ["--pin", "1000000"])
    #expect(pinned.code == 0 && pinned.out.contains("could not be kept on processor 1000000"))
    let reported = try enforce(#"{"milliseconds": 0.000001}"#, extra: #", "enforced": false"#)
    #expect(reported.code == 0)
    #expect(try verdicts(reported) == ["exceeded"])
  }

  /// Where not one limit was run nothing was found out: that is no success.
  @Test func whatIsMissingIsNotRun() throws {
    let kernel = try enforce(#"{"wrong": 0}"#, kernel: "nobody")
    #expect(kernel.code == 2 && kernel.err.contains("no limit could be run"), "\(kernel.err)")
    #expect(try verdicts(kernel) == ["notRun"])
    let pending = try enforce(#"{"wrong": 0}"#, extra: #", "pending": "a test""#)
    #expect(pending.code == 2)
    #expect(try verdicts(pending) == ["notRun"])
    #if arch(x86_64)
      let foreign = "arm64"
    #else
      let foreign = "x86-64-v4"
    #endif
    let level = try enforce(#"{"wrong": 0}"#, extra: ", \"cpu_level\": \"\(foreign)\"")
    #expect(level.code == 2)
    #expect(try verdicts(level) == ["notRun"])
    let slip = try enforce(#"{"wrong": 0}"#, extra: #", "cpu_level": "x86-64-v9""#)
    #expect(slip.code == 2 && slip.out.isEmpty && slip.err.contains("x86-64-v9"), "\(slip.err)")
  }

  @Test func aCaseThatDoesNotExistIsAnError() throws {
    let folder = try Scratch()
    let text = """
      {"budgets": [{"name": "n", "suite": "measure", "case": "measure.area/G9/planar", "kernel": "native",
        "limits": {"wrong": 0}, "reason": "r"}]}
      """
    try folder.write(Array(text.utf8), to: "budgets.json")
    let answer = try bench(["--enforce", "--budgets", folder.path + "/budgets.json"])
    #expect(answer.code == 2 && answer.err.contains("measure.area/G9/planar"), "\(answer.err)")
  }

  /// The file of the repository names cases that exist.
  @Test func theBudgetsOfTheRepositoryNameCases() throws {
    let text = try String(contentsOfFile: Shell.root + "/benchmarks/budgets.json", encoding: .utf8)
    let budgets = try #require(try object(text)["budgets"] as? [[String: Any]])
    let names = try bench(["--list"]).lines
    #expect(budgets.count > 10)
    for budget in budgets {
      let name = try #require(budget["case"] as? String)
      #expect(names.contains(name), "\(name)")
    }
  }

  // MARK: - Snapping tolerances

  @Test(.enabled(if: BuiltKernels.has("native", "snap.query"), "no kernel offers snap.query"))
  func tolerancesAreSwept() throws {
    let folder = try Scratch()
    let street = #"{"type":"LineString","coordinates":[[8.5,47.37],[8.51,47.37],[8.51,47.38]]}"#
    try folder.write(Array(street.utf8), to: "street.geojson")
    let answer = try bench([
      "snap-tolerance", "--targets", folder.path + "/street.geojson", "--zoom", "16,18", "--tolerance", "4..12:4pt",
      "--count", "500", "--free", "0.2", "--format", "json",
    ])
    #expect(answer.code == 0, "\(answer.err)")
    let sweeps = try #require(try object(answer.out)["tolerances"] as? [[String: Any]])
    #expect(sweeps.compactMap { $0["zoom"] as? Double } == [16, 18])
    let steps = try #require(sweeps[0]["steps"] as? [[String: Any]])
    #expect(steps.compactMap { $0["points"] as? Double } == [4, 8, 12])
    #expect(sweeps.allSatisfy { ($0["recommendation"] as? [String: Any])?["reasons"] is [String] })
  }

  @Test func wrongUseOfTolerances() throws {
    let file = Shell.root + "/Examples/data/ne_110m_admin_0_countries.geojson"
    for (words, part) in [
      ([], "--targets"), (["--targets", file], "--zoom"), (["--targets", file, "--zoom", "31"], "--zoom"),
      (["--targets", file, "--zoom", "6", "--metres-per-point", "1"], "one of"),
      (["--targets", file, "--zoom", "6", "--tolerance", "5"], "pt or m"),
      (["--targets", file, "--zoom", "6", "--tolerance", "9..2pt"], "--tolerance"),
      (["--targets", file, "--zoom", "6", "--free", "1"], "--free"),
      (["--targets", file, "--zoom", "6", "--sigma", "1,2,3pt"], "--sigma"),
      (["--targets", file, "--zoom", "6", "--same", "place"], "--same"),
      (["--targets", file, "--zoom", "6", "--count", "\(Int.max)"], "--count"),
      (["--targets", file, "--zoom", "6", "--format", "csv"], "text, json and html"),
      (["--targets", file, "--zoom", "6", "--output", "/nowhere/t.html"], "/nowhere/t.html"),
      (["--targets", file, "--metres-per-point", "6", "--latitude", "5"], "--latitude"),
      (["--targets", file, "--zoom", "6", "--kernels", "nobody"], "nobody"),
      (["--targets", "/nowhere.geojson", "--zoom", "6"], "/nowhere.geojson"),
    ] {
      let answer = try bench(["snap-tolerance"] + words)
      #expect(answer.code == 2, "\(words): \(answer.code)")
      #expect(answer.err.contains(part), "\(words): \(answer.err)")
    }
  }
}
