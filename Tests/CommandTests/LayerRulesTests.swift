// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Rules and baselines for problems in which two rows take part.
@Suite(.enabled(if: Kernels.has("native", "validate.layer"))) struct LayerRulesTests {
  private static func square(_ x: Double, _ y: Double, _ size: Double) -> String {
    "POLYGON((\(x) \(y),\(x + size) \(y),\(x + size) \(y + size),\(x) \(y + size),\(x) \(y)))\n"
  }

  /// Two squares that overlap without a vertex on the other's border, and one apart.
  private static let overlapping = square(0, 0, 2) + square(1, 1, 2) + square(9, 9, 1)

  private func check(_ words: [String], _ file: String) throws -> Outcome {
    try Shell.withKernels(["validate", "--check", "layer"] + words + [file])
  }

  private func verdicts(_ answer: Outcome) throws -> [Bool?] { try answer.objects().map { $0["valid"] as? Bool } }

  @Test func aKnownProblemFailsNeitherRow() throws {
    let folder = try Scratch()
    let file = try folder.write(Self.overlapping, to: "a.wkt")
    let known = folder.path + "/known.json"
    #expect(try check(["--write-baseline", known], file).code == 0)
    let again = try check(["--baseline", known, "--format", "json"], file)
    #expect(again.code == 0 && again.err.isEmpty, "\(again.err)")
    #expect(try verdicts(again) == [false, false, true])
    #expect(try check(["--baseline", known], file).out.isEmpty)
    // What is new fails both of its rows, and in forms for builds both are cases.
    let more = try folder.write(Self.overlapping + Self.square(2.5, 2.5, 3), to: "a.wkt")
    let answer = try check(["--baseline", known, "--format", "junit"], more)
    #expect(answer.code == 1)
    #expect(answer.out.contains("tests=\"3\" failures=\"2\""), "\(answer.out)")
    #expect(answer.out.contains("name=\"row 1\"") && answer.out.contains("name=\"row 3\""), "\(answer.out)")
    #expect(answer.out.contains("with row 3") && answer.out.contains("with row 1"), "\(answer.out)")
    let page = try check(["--baseline", known, "--format", "html"], more).out
    #expect(page.contains("\"files\":[[\"\(file)\",4,2]]"))
  }

  @Test(arguments: ["off", "warning"]) func aProblemThatIsNoErrorFailsNeitherRow(level: String) throws {
    let folder = try Scratch()
    let file = try folder.write(Self.overlapping, to: "a.wkt")
    let rules = try folder.write("{\"rules\":{\"LAYER_OVERLAP\":\"\(level)\"}}", to: "rules.json")
    let answer = try check(["--rules", rules, "--format", "json"], file)
    #expect(answer.code == 0 && answer.err.isEmpty, "\(answer.err)")
    #expect(try verdicts(answer) == [true, true, true])
    // Another problem of the other row still counts.
    let both = try folder.write(Self.overlapping + Self.square(1, 1, 2), to: "a.wkt")
    let left = try check(["--rules", rules, "--format", "json"], both)
    #expect(left.code == 1)
    #expect(try verdicts(left) == [true, false, true, false], "\(left.out)")
  }

  /// With one problem a row another row may be invalid by one that is not named: it fails the run, and reports say so.
  @Test(arguments: ["text", "json", "csv", "geojson", "sarif", "junit", "github", "html"])
  func aVerdictWithoutAProblemIsInEveryReport(form: String) throws {
    let folder = try Scratch()
    let text = Self.square(0, 0, 5) + Self.square(4, 4, 2) + Self.square(-1, -1, 2) + Self.square(9, 9, 1)
    let file = try folder.write(text, to: "a.wkt")
    #expect(try !check(["--format", form], file).out.contains("names no problem of it"))
    let answer = try check(["--first", "--format", form], file)
    #expect(answer.code == 1 && answer.out.contains("names no problem of it"), "\(answer.out)")
    if form == "junit" { #expect(answer.out.contains("tests=\"4\" failures=\"3\"")) }
    if form == "html" { #expect(answer.out.contains("\"files\":[[\"\(file)\",4,3]]")) }
  }

  /// Every verdict is that of the findings that name the row, for random squares and any codes that are off.
  @Test(arguments: 1...8) func verdictsAreThoseOfTheFindingsThatNameARow(seed: Int) throws {
    var random = TestRandom(seed: UInt64(seed))
    let folder = try Scratch()
    let text = (0..<14).map { _ in
      Self.square(
        Double(Int.random(in: 0..<8, using: &random)), Double(Int.random(in: 0..<8, using: &random)),
        Double(Int.random(in: 1..<4, using: &random)))
    }
    let file = try folder.write(text.joined(), to: "a.wkt")
    let codes = ["LAYER_OVERLAP", "LAYER_GAP", "LAYER_UNMATCHED_EDGE", "LAYER_DUPLICATE"]
    let off = codes.filter { _ in Bool.random(using: &random) }
    let rules = try folder.write(
      "{\"rules\":{\(off.map { "\"\($0)\":\"off\"" }.joined(separator: ","))}}", to: "rules.json")
    let all = try check(["--format", "json"], file).objects()
    var named: Set<Int> = []
    for row in all {
      for problem in row["problems"] as? [[String: Any]] ?? [] {
        guard let code = problem["code"] as? String, !off.contains(code) else { continue }
        named.insert(try #require(row["row"] as? Int))
        if let other = problem["other_row"] as? Int { named.insert(other) }
      }
    }
    let answer = try check(["--rules", rules, "--format", "json"], file)
    #expect(try verdicts(answer) == (0..<14).map { !named.contains($0) }, "seed \(seed), off: \(off)")
    #expect(answer.code == (named.isEmpty ? 0 : 1), "seed \(seed)")
  }
}
