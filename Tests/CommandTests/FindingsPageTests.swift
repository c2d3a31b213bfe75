// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The page of findings as text.
@Suite(.enabled(if: Kernels.has("native", "validate.valid"))) struct FindingsPageTests {
  @Test func namesNeverBecomeMarkupAndNothingIsFetched() throws {
    let evil = "</script><script>alert(1)</script><!--"
    let feature =
      "{\"type\":\"Feature\",\"id\":\"\(evil)\",\"properties\":{\"\(evil)\":\"\(evil)\"},\"geometry\":"
      + #"{"type":"LineString","coordinates":[[1,1],[1,1]]}}"#
    let folder = try Scratch()
    let file = try folder.write(feature + "\n", to: "<script>.geojsonl")
    let page = try Shell.withKernels(["validate", "--format", "html", file]).out
    #expect(page.matches(of: /<script/).count == 2 && page.matches(of: /<\/script>/).count == 2)
    #expect(page.contains("default-src 'none'") && !page.contains("http://") && !page.contains("https://"))
    #expect(page.firstMatch(of: /(src|href)=/) == nil)
    let row = try #require((try data(of: page)["features"] as? [[Any]])?.first)
    #expect(row[2] as? String == evil && (row[3] as? [String: String])?[evil] == evil)
  }

  /// What the page reads as JSON.
  private func data(of page: String) throws -> [String: Any] {
    let start = try #require(page.range(of: "id=\"data\">"))
    let end = try #require(page[start.upperBound...].range(of: "</script>"))
    let data = Data(page[start.upperBound..<end.lowerBound].utf8)
    return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private static let line = #"{"type":"LineString","coordinates":[[1,1],[1,1]]}"#

  /// Browsers read numbers as doubles: what people compare with their data must not be rounded.
  @Test func idsAndPropertiesAreShownAsTheyAre() throws {
    let properties =
      #"{"n":9007199254740993,"f":1.10,"deep":{"n":[9007199254740993]},"t":"a\u0062","no":null,"b":true}"#
    let feature =
      "{\"type\":\"Feature\",\"id\":9007199254740993,\"properties\":\(properties),\"geometry\":\(Self.line)}\n"
    let words = ["validate", "--format", "html", "--from", "geojsonseq", "-"]
    let page = try Shell.withKernels(words, input: feature).out
    let row = try #require((try data(of: page)["features"] as? [[Any]])?.first)
    #expect(row[2] as? String == "9007199254740993")
    let shown = try #require(row[3] as? [String: String])
    let wanted = [
      "n": "9007199254740993", "f": "1.10", "deep": #"{"n":[9007199254740993]}"#, "t": "ab", "no": "null", "b": "true",
    ]
    #expect(shown == wanted)
  }

  /// Long properties of many features are left out rather than make a page that no browser opens; the page says so.
  @Test func propertiesOfAllFeaturesHaveABound() throws {
    let count = 5000
    let text = String(repeating: "x", count: 4000)
    let features = (0..<count).map {
      "{\"type\":\"Feature\",\"properties\":{\"\($0)\":\"\(text)\"},\"geometry\":\(Self.line)}\n"
    }
    let folder = try Scratch()
    let file = try folder.write(features.joined(), to: "long.geojsonl")
    let page = try Shell.withKernels(["validate", "--format", "html", file]).out
    #expect(page.utf8.count < 19 << 20)
    let root = try data(of: page)
    let rows = try #require(root["features"] as? [[Any]])
    let left = rows.count { $0[3] is NSNull }
    #expect(rows.count == count && left > 500 && root["withoutProperties"] as? Int == left)
    #expect(rows.prefix(4000).allSatisfy { $0[3] is [String: String] })
  }
}

/// The page in a browser; where Chromium or Python is missing there is nothing to see.
///
/// MERIDIAN_PAGES=folder keeps the pages and screenshots there.
@Suite(.serialized, .enabled(if: Kernels.has("native", "validate.valid"))) struct FindingsPageBrowserTests {
  struct State: Decodable {
    var rows: Int
    var shown, page, first, detail, focus: String
    var chosen: Int?
    var scale: Double
    var centre: [Double]
    var place: [Double]?
    var painted: [Int]?
    var word: String?
  }

  struct View: Decodable {
    var width: Int
    var scheme, text: String
    var loaded: Double
    var overflow, nan: Bool
    var unnamed: Int
    var faint, small, requests, complaints: [String]
    var times: [String: [Double]]
    var steps: [String: Step]
  }

  /// A state of the page, or for a click on the map the places that were chosen and meant.
  struct Step: Decodable {
    var state: State?
    var chosen: [Double]?
    var wanted: [Double]?

    private enum Key: CodingKey { case chosen, wanted }
    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      wanted = try container.decodeIfPresent([Double].self, forKey: .wanted)
      if wanted != nil { chosen = try container.decodeIfPresent([Double].self, forKey: .chosen) }
      if wanted == nil { state = try State(from: decoder) }
    }
  }

  static let browser = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap(path).first
  static let isHere = browser != nil && path("python3") != nil

  static func path(_ program: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Opens a page of the findings in files.
  private func look(_ words: [String], _ name: String) throws -> [View] {
    let folder = try Scratch()
    let kept = ProcessInfo.processInfo.environment["MERIDIAN_PAGES"]
    let place = kept.map { "\($0)/\(name)" } ?? folder.path
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let made = try Shell.withKernels(["validate", "-o", place + "/page.html"] + words)
    #expect(made.code < 2, "\(made.err)")
    let script = Shell.root + "/Tests/CommandTests/check_findings_page.py"
    let browser = try #require(Self.browser)
    let answer = try Shell.run(
      try #require(Self.path("python3")), [script, browser, place + "/page.html"] + (kept == nil ? [] : [place]))
    #expect(answer.code == 0, "\(answer.err)\(answer.out)")
    let views = try answer.lines.map { try JSONDecoder().decode(View.self, from: Data($0.utf8)) }
    for view in views {
      let name = "\(name) \(view.width) \(view.scheme)"
      #expect(!view.overflow && !view.nan && view.unnamed == 0, "\(name)")
      #expect(view.faint == [] && view.small == [] && view.complaints == [], "\(name)")
      #expect(view.requests.count == 1 && view.requests.allSatisfy { $0.hasPrefix("file://") }, "\(name)")
    }
    #expect(views.count == 4)
    return views
  }

  @Test(.enabled(if: isHere, "chromium or python3 is missing")) func thePageIsUsedWithMouseAndKeys() throws {
    for view in try look([Sample.problems], "sample") {
      let name = "\(view.width) \(view.scheme)"
      func state(_ step: String) throws -> State { try #require(view.steps[step]?.state, "\(step) of \(name)") }
      let start = try state("start")
      #expect(start.rows == 5 && start.shown == "5 findings" && start.chosen == nil, "\(name)")
      let row = try state("row")
      #expect(row.chosen == 1 && row.scale > start.scale * 1.2, "\(name)")
      let place = try #require(row.place)
      #expect(abs(place[0] - 0.5) < 0.01 && abs(place[1] - 0.5) < 0.01, "\(name)")
      #expect((row.painted?[0] ?? 0) > 3 && (row.painted?[1] ?? 0) > 40, "\(name): \(row.painted ?? [])")
      #expect(row.detail.contains("HOLE_OUTSIDE_SHELL") && row.detail.contains("a hole outside its shell"), "\(name)")
      #expect(try state("down").chosen == 2 && state("down").focus == "RING_NOT_CLOSED", "\(name)")
      #expect(try state("n").chosen == 3 && state("p").chosen == 2, "\(name)")
      #expect(try state("in").scale > state("p").scale && state("right").centre[0] > state("in").centre[0], "\(name)")
      #expect(try abs(state("all").scale / start.scale - 1) < 1e-9, "\(name)")
      let marker = try #require(view.steps["marker"])
      #expect(marker.chosen == marker.wanted, "\(name)")
      #expect(try state("sorted").first.contains("|CROSSING|"), "\(name)")
      #expect(try state("down sorted").first.contains("|SPIKE|"), "\(name)")
      #expect(try state("searched").rows == 1 && state("searched").word == "spike", "\(name)")
      #expect(try state("nothing").rows == 0 && state("nothing").shown == "0 of 5 findings", "\(name)")
      #expect(view.text.contains("rows with errors"), "\(name)")
    }
  }

  @Test(.enabled(if: isHere, "chromium or python3 is missing")) func nothingWrongIsSaid() throws {
    let folder = try Scratch()
    let point = try folder.write(#"{"type":"Point","coordinates":[1,2]}"#, to: "point.geojson")
    for view in try look([point], "nothing") { #expect(view.text.contains("Nothing is wrong.")) }
  }

  /// Ten thousand findings: one in each of as many features, in three files, with a baseline for one of them.
  @Test(.enabled(if: isHere, "chromium or python3 is missing")) func tenThousandFindingsStayQuick() throws {
    let folder = try Scratch()
    var random = TestRandom(seed: 10)
    var files: [String] = []
    for number in 0..<3 {
      var text = ""
      for row in 0..<3400 {
        let (x, y) = (Double.random(in: -170...170, using: &random), Double.random(in: -80...80, using: &random))
        var points = (0..<30).map { step -> (Double, Double) in
          let angle = Double(step) / 30 * 2 * .pi
          return (x + cos(angle), y + sin(angle))
        }
        points.swapAt(4, 5)
        let ring = (points + [points[0]]).map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
        text += "{\"type\":\"Feature\",\"properties\":{\"row\":\(row)},\"geometry\":"
        text += "{\"type\":\"Polygon\",\"coordinates\":[[\(ring)]]}}\n"
      }
      files.append(try folder.write(text, to: "\(number).geojsonl"))
    }
    let known = folder.path + "/known.json"
    #expect(try Shell.withKernels(["validate", "--write-baseline", known, files[0]]).code == 0)
    let views = try look(["--baseline", known] + files, "many")
    for view in views {
      let state = try #require(view.steps["start"]?.state)
      #expect(state.rows == 100 && state.shown.hasSuffix(" findings"), "\(state.shown)")
      let count = Int(state.shown.filter(\.isNumber)) ?? 0
      #expect(count >= 10_000)
      #expect(view.loaded < 60_000, "\(view.loaded) ms")
    }
    let times = try #require(views.first { !$0.times.isEmpty }).times
    #expect(times.count == 8)
    // What grows with the square takes minutes. The browser has no graphics card, and shares the machine with other tests.
    for (name, milliseconds) in times { #expect(milliseconds[1] < 15_000, "\(name): \(milliseconds) ms") }
  }
}
