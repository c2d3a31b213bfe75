// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// What counts, by a file of rules.
@Suite(.enabled(if: Kernels.has("native", "validate.valid"))) struct RulesTests {
  private func codes(_ answer: Outcome) throws -> [String: String] {
    var codes: [String: String] = [:]
    for row in try answer.objects() {
      for problem in row["problems"] as? [[String: Any]] ?? [] {
        codes[problem["code"] as? String ?? ""] = problem["severity"] as? String
      }
    }
    return codes
  }

  @Test func codesAreOffOrWarningsOrErrors() throws {
    let folder = try Scratch()
    let rules = try folder.write(
      """
      {"rules": {"CROSSING": "off", "HOLE_OUTSIDE_SHELL": "warning", "RING_NOT_CLOSED": "off", "NESTED_SHELLS": "off",
        "SPIKE": "warning"}}
      """, to: "rules.json")
    let answer = try Shell.withKernels(["validate", "--rules", rules, "--format", "json", Sample.problems])
    #expect(answer.code == 0, "\(answer.out)\(answer.err)")
    #expect(try codes(answer) == ["HOLE_OUTSIDE_SHELL": "warning", "SPIKE": "warning"])
    let verdicts = try answer.objects().map { $0["valid"] as? Bool }
    #expect(verdicts == [true, true, true, true, nil, true, true, true, true])
    #expect(answer.err.isEmpty)
    // One error that is left fails the run.
    let fewer = try folder.write(#"{"rules": {"CROSSING": "off"}}"#, to: "fewer.json")
    let left = try Shell.withKernels(["validate", "--rules", fewer, Sample.problems])
    #expect(left.code == 1 && !left.out.contains("CROSSING") && left.out.contains("SPIKE"))
  }

  @Test func warningsBecomeErrorsAndAreAskedFor() throws {
    let folder = try Scratch()
    let text = "POLYGON((0 0,9 0,9 0,9 9,0 9,0 0))\nPOLYGON((0 0,9 0,9 0.001,0 0))\n"
    let words = ["--from", "wkt", "-"]
    #expect(try Shell.withKernels(["validate"] + words, input: text).code == 0)
    let strict = try folder.write(#"{"rules": {"REPEATED_POINT": "error"}}"#, to: "strict.json")
    let answer = try Shell.withKernels(["validate", "--rules", strict] + words, input: text)
    #expect(answer.code == 1 && answer.lines.count == 1, "\(answer.out)")
    #expect(answer.out.hasPrefix("-:0: error REPEATED_POINT"))
    // Other warnings come with --warnings alone.
    let near = try folder.write(
      #"{"rules": {"SMALL_ANGLE": {"level": "error", "threshold": 1}, "REPEATED_POINT": "warning"}}"#, to: "near.json")
    let angles = try Shell.withKernels(["validate", "--rules", near] + words, input: text)
    #expect(angles.code == 1)
    #expect(angles.lines.contains { $0.hasPrefix("-:0: warning REPEATED_POINT") })
    #expect(angles.lines.contains { $0.hasPrefix("-:1: error SMALL_ANGLE") })
    let off = try folder.write(#"{"rules": {"REPEATED_POINT": "off"}}"#, to: "off.json")
    #expect(try Shell.withKernels(["validate", "--warnings", "--rules", off] + words, input: text).out.isEmpty)
  }

  @Test(arguments: [
    ("{\"rules\": {\n\"CROSING\": \"off\"}}", "line 2", "did you mean 'CROSSING'?"),
    (
      "{\"rules\": {\n\n\"CROSSING\": \"of\"}}", "line 3",
      "must be one of \"off\", \"warning\", \"error\", not a string"
    ),
    ("{\"rules\": {\"CROSSING\": 1}}", "line 1", "not the number 1"),
    ("{\"rule\": {}}", "line 1", "there are rules"), ("{}", "line 1", "'rules' must be an object"),
    ("[]", "line 1", "must be an object"), ("{\"rules\": {}", "line 1", "not JSON"),
    ("{\"rules\": {\"SMALL_ANGLE\": \"error\"}}", "line 1", "only by a threshold"),
    ("{\"rules\": {\"CROSSING\": {\"level\": \"off\", \"threshold\": 1}}}", "line 1", "CROSSING has no threshold"),
    ("{\"rules\": {\"SLIVER\": {\"level\": \"error\", \"threshold\": -1}}}", "line 1", "above 0"),
    ("{\"rules\": {\"SLIVER\": {\"threshold\": 1}}}", "line 1", "needs a 'level'"),
    ("{\"rules\": {\"SLIVER\": {\"level\": \"error\", \"treshold\": 1}}}", "line 1", "there are level, threshold"),
    ("{\"rules\": {\"SPIKE\": \"off\",\n\"SPIKE\": \"error\"}}", "line 2", "there twice"),
  ])
  func whatIsNotKnownIsAnErrorWithItsLine(text: String, line: String, words: String) throws {
    let folder = try Scratch()
    let rules = try folder.write(text, to: "rules.json")
    let answer = try Shell.withKernels(["validate", "--rules", rules, Sample.problems])
    #expect(answer.code == 2 && answer.out.isEmpty)
    #expect(answer.err.contains("\(rules): \(line): ") && answer.err.contains(words), "\(answer.err)")
  }

  /// Where a kernel names one problem a row, nothing is known of what else is wrong.
  @Test(.enabled(if: Kernels.has("geos", "validate.valid"))) func aRowIsNotCalledValidWithoutAllItsProblems() throws {
    let folder = try Scratch()
    let rules = try folder.write(#"{"rules": {"CROSSING": "off"}}"#, to: "rules.json")
    for words in [["--first"], ["--limit", "1"], ["--kernel", "geos"]] {
      let answer = try Shell.withKernels(["validate", "--rules", rules, "-f", "json"] + words + [Sample.problems])
      let row = try answer.objects()[1]
      #expect(row["valid"] is NSNull, "\(words)")
      #expect(answer.err.contains("not every problem of a row"), "\(answer.err)")
    }
    let all = try Shell.withKernels(["validate", "--rules", rules, "-f", "json", Sample.problems])
    #expect(try all.objects()[1]["valid"] as? Bool == true)
  }
}
