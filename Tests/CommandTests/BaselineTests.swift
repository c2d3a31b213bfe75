// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Findings that are known.
@Suite(.enabled(if: Kernels.has("native", "validate.valid"))) struct BaselineTests {
  private static let bowTie = #"{"type":"Polygon","coordinates":[[[20,0],[30,10],[30,0],[20,10],[20,0]]]}"#

  private static func feature(_ geometry: String, id: String? = nil) -> String {
    let id = id.map { "\"id\":\($0)," } ?? ""
    return "{\"type\":\"Feature\",\(id)\"properties\":{},\"geometry\":\(geometry)}\n"
  }

  @Test func knownFindingsFailNothingAndNewOnesDo() throws {
    let folder = try Scratch()
    let known = folder.path + "/known.json"
    let written = try Shell.withKernels(["validate", "--write-baseline", known, Sample.problems])
    #expect(written.code == 0 && written.lines.count >= 5, "\(written.err)")
    let again = try Shell.withKernels(["validate", "--baseline", known, "--summary", Sample.problems])
    #expect(again.code == 0)
    #expect(!again.out.contains(": error ") && again.out.contains("known: \(written.lines.count)\ngone: 0\n"))
    let names = try folder.read("known.json").split(separator: "\n").dropFirst().dropLast()
    #expect(names.count == written.lines.count && Array(names) == names.sorted())

    // Another order of rows, and one more.
    let text = try String(contentsOfFile: Sample.problems, encoding: .utf8)
    var lines = text.split(separator: "\n").dropFirst().dropLast().map { line in
      line.hasSuffix(",") ? String(line.dropLast()) : String(line)
    }
    lines.reverse()
    let bowTie = Self.bowTie.replacingOccurrences(of: "[20,10]", with: "[20,9]")
    lines.insert(String(Self.feature(bowTie, id: "\"new\"").dropLast()), at: 2)
    let head = "{\"type\":\"FeatureCollection\",\"features\":[\n"
    let file = try folder.write(head + lines.joined(separator: ",\n") + "\n]}\n", to: "problems.geojson")
    let elsewhere = try folder.read("known.json").replacingOccurrences(of: Sample.problems, with: file)
    let moved = try folder.write(elsewhere, to: "moved.json")
    let answer = try Shell.withKernels(["validate", "--baseline", moved, "--summary", file])
    #expect(answer.code == 1, "\(answer.out)\(answer.err)")
    #expect(answer.lines.filter { $0.contains(": error ") }.count == 1)
    #expect(answer.lines[0].hasPrefix("\(file):2: error CROSSING") && answer.out.contains("gone: 0\n"))
    // What is repaired is gone.
    let fewer = try folder.write(head + lines[3...5].joined(separator: ",\n") + "\n]}\n", to: "problems.geojson")
    let gone = try Shell.withKernels(["validate", "--baseline", moved, "--summary", fewer])
    #expect(gone.code == 0 && !gone.out.contains("gone: 0\n") && gone.out.contains("gone: "))
  }

  private struct Row {
    let text: String
    let isBroken: Bool

    init(_ number: Int, _ random: inout TestRandom) {
      let x = Int.random(in: 0..<4, using: &random) * 10
      isBroken = Bool.random(using: &random)
      let shape =
        isBroken
        ? "[[[\(x),0],[\(x + 9),9],[\(x + 9),0],[\(x),9],[\(x),0]]]" : "[[[\(x),0],[\(x + 9),0],[\(x),9],[\(x),0]]]"
      let ids = [nil, "\"n\(number)\"", "\(number)", "\"\\u0061\(number)\""]
      text = feature(
        "{\"type\":\"Polygon\",\"coordinates\":\(shape)}", id: ids[Int.random(in: 0..<4, using: &random)])
    }
  }

  /// How often each broken row is there: rows without an id are the same when their text is.
  private static func broken(_ rows: [Row]) -> [String: Int] {
    rows.filter(\.isBroken).reduce(into: [:]) { $0[$1.text, default: 0] += 1 }
  }

  /// Rows are shuffled, some are lost and some added, with ids on some of them alone: what a comparison of sets says is what
  /// the run says.
  @Test(arguments: 1...12) func aBaselineIsASetOfFindings(seed: Int) throws {
    var random = TestRandom(seed: UInt64(seed))
    let folder = try Scratch()
    let old = (0..<12).map { Row($0, &random) }
    let kept = old.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
    let new = (kept + (12..<15).map { Row($0, &random) }).shuffled(using: &random)
    let file = try folder.write(old.map(\.text).joined(), to: "rows.geojsonl")
    let known = folder.path + "/known.json"
    _ = try Shell.withKernels(["validate", "--write-baseline", known, file])
    try folder.write(new.map(\.text).joined(), to: "rows.geojsonl")
    let answer = try Shell.withKernels(["validate", "--baseline", known, "-f", "json", "--summary", file])
    let (before, after) = (Self.broken(old), Self.broken(new))
    let fresh = after.reduce(0) { $0 + max(0, $1.value - (before[$1.key] ?? 0)) }
    let gone = before.reduce(0) { $0 + max(0, $1.value - (after[$1.key] ?? 0)) }
    #expect(answer.code == (fresh > 0 ? 1 : 0), "seed \(seed): \(answer.out)")
    var counts = [0, 0]
    for row in try answer.objects() {
      for problem in row["problems"] as? [[String: Any]] ?? [] {
        counts[try #require(problem["known"] as? Bool) ? 1 : 0] += 1
      }
    }
    let summary = try #require(try answer.objects().last?["summary"] as? [String: Any])
    #expect(counts[0] == fresh && summary["known"] as? Int == counts[1], "seed \(seed)")
    #expect(summary["gone"] as? Int == gone, "seed \(seed)")
  }

  @Test func everyFormSaysWhatIsKnown() throws {
    let folder = try Scratch()
    let file = try folder.write(Self.feature(Self.bowTie, id: "1"), to: "a.geojsonl")
    let known = folder.path + "/known.json"
    _ = try Shell.withKernels(["validate", "--write-baseline", known, file])
    let rest = Self.feature(Self.bowTie, id: "2") + Self.feature(#"{"type":"Point","coordinates":[1,2]}"#)
    try folder.write(Self.feature(Self.bowTie, id: "1") + rest, to: "a.geojsonl")
    func run(_ form: String) throws -> Outcome {
      let answer = try Shell.withKernels(["validate", "--baseline", known, "-f", form, file])
      #expect(answer.code == 1)
      return answer
    }
    #expect(try run("text").lines.count == 1)
    #expect(try run("github").lines.count == 1)
    #expect(try run("junit").out.contains("tests=\"2\" failures=\"1\""))
    let table = try run("csv").lines
    #expect(table[0].hasSuffix(",x,y,other_row,value,known"))
    #expect(table[1].hasSuffix(",25,5,,,true") && table[2].hasSuffix(",25,5,,,false"))
    #expect(Set(table.map { $0.count { $0 == "," } }).count == 1)
    let states = try run("sarif").out.matches(of: /"baselineState":"([a-z]+)"/).map { String($0.output.1) }
    #expect(states == ["unchanged", "new"])
    #expect(try run("geojson").out.contains("\"known\":true"))
  }

  @Test(arguments: [["--first"], ["--limit", "1"], ["--kernel", "geos"]])
  func aBaselineThatMayLackFindingsIsWrittenWithAWarning(words: [String]) throws {
    guard words != ["--kernel", "geos"] || Kernels.has("geos", "validate.valid") else { return }
    let folder = try Scratch()
    let known = folder.path + "/known.json"
    let some = try Shell.withKernels(["validate", "--write-baseline", known] + words + [Sample.problems])
    #expect(some.code == 0 && some.err.contains("the baseline lacks"), "\(some.err)")
    #expect(folder.names == ["known.json"])
    #expect(try Shell.withKernels(["validate", "--write-baseline", known, Sample.problems]).err.isEmpty)
  }

  @Test func aBaselineThatIsNoneIsRefusedAndOfHalfTheFilesNotWritten() throws {
    let folder = try Scratch()
    for (text, words) in [
      ("{}", "no baseline"), ("{\"meridian_baseline\":2,\"findings\":[]}", "no baseline of version 1"),
      ("{\"meridian_baseline\":1}", "needs the list"),
      ("{\"meridian_baseline\":1,\"findings\":[\n{\"file\":\"a\"}]}", "line 2"),
      ("{\"meridian_baseline\":1,\"findings\":[{\"file\":\"a\",\"code\":\"b\"}]}", "either 'id' or 'geometry'"),
      ("{\"meridian_baseline\":1,\"findings\":[{\"file\":\"a\",\"code\":\"b\",\"id\":1,\"count\":0}]}", "above 0"),
    ] {
      let file = try folder.write(text, to: "bad.json")
      let answer = try Shell.withKernels(["validate", "--baseline", file, Sample.problems])
      #expect(answer.code == 2 && answer.err.contains(words), "\(text): \(answer.err)")
    }
    let known = folder.path + "/known.json"
    let half = try Shell.withKernels([
      "validate", "--write-baseline", known, Sample.problems, folder.path + "/none.geojson",
    ])
    #expect(half.code == 2 && half.err.contains("no baseline is written"))
    #expect(folder.names == ["bad.json"])
    let both = ["validate", "--baseline", known, "--write-baseline", folder.path + "/x", Sample.problems]
    #expect(try Shell.withKernels(both).err.contains("exclude each other"))
  }
}
