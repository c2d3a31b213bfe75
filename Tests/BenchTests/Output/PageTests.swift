// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import MeridianBench

@Suite struct PageFormTests {
  @Test func namesNeverBecomeMarkup() throws {
    var report = SampleReport.make()
    let evil = "<script>alert(1)</script>\"'&\u{1b}[31m"
    report.context.command = evil
    report.context.machine.processor = evil
    report.context.warnings = [evil]
    report.context.kernels[0].id = evil
    report.cases[0].name = evil
    report.cases[0].setting = evil
    report.cases[0].kernels[0].kernel = evil
    report.cases[0].kernels[1].refusal = evil
    report.scalings[0].name = evil
    report.scalings[0].series[0].kernel = evil
    report.tolerances[0].pointer = evil
    report.tolerances[0].recommendation?.reasons = [evil]
    report.budgets[0].budget = evil
    report.budgets[0].note = evil
    let page = String(decoding: try ReportWriter.bytes(report, as: .html), as: UTF8.self)
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;\u{fffd}[31m"))
    #expect(!page.contains("<script") && !page.contains("\u{1b}"))
    try check(page)
  }

  @Test func emptyAndOddReportsHaveAPage() throws {
    var report = SampleReport.make()
    report.cases = []
    report.scalings = []
    report.tolerances = []
    report.budgets = []
    report.context.kernels = []
    try check(String(decoding: try ReportWriter.bytes(report, as: .html), as: UTF8.self))
    report = SampleReport.make()
    report.cases[0].units = 0
    report.cases[0].kernels[0].times = [0, -1, .nan, .infinity, 5]
    report.cases[0].kernels[0].outliers = [99]
    report.cases[0].kernels[0].time = Spread(
      median: .nan, smallest: 0, largest: .infinity, relativeSpread: .nan, low: 0, high: .infinity)
    report.cases[0].kernels[1].accuracy?.largest = .infinity
    report.cases[0].kernels[2].accuracy?.largest = .nan
    report.scalings[0].series[0].sizes = [0]
    report.scalings[0].series[1].times = []
    report.tolerances[0].steps = [report.tolerances[0].steps[0]]
    report.tolerances[1].steps = []
    for form in OutputForm.allCases { _ = try ReportWriter.bytes(report, as: form) }
    let page = String(decoding: try ReportWriter.bytes(report, as: .html), as: UTF8.self)
    #expect(page.firstMatch(of: /["MLHV >]-?(nan|inf)\b/) == nil)
    try check(page)
  }

  /// One wrong answer may be any number, and the others' errors are some roundings.
  @Test(arguments: [(1.7e308, 1e-19), (1e300, .leastNonzeroMagnitude), (.leastNonzeroMagnitude, .leastNormalMagnitude)])
  func errorsOfEverySizeHaveAPage(_ one: Double, _ other: Double) throws {
    var report = SampleReport.make()
    report.cases[0].kernels[0].accuracy?.largest = one
    report.cases[0].kernels[1].accuracy?.largest = other
    report.cases[0].kernels[1].times = [one, other]
    report.tolerances[0].steps[0].cost = one
    report.tolerances[0].steps[0].metres = other
    let page = String(decoding: try ReportWriter.bytes(report, as: .html), as: UTF8.self)
    #expect(page.firstMatch(of: /["MLHV >]-?(nan|inf)\b/) == nil)
    try check(page)
  }

  /// Without an interval the bars are as long as the medians say.
  @Test func barsOfFewRoundsAreThere() throws {
    var result = SampleReport.make().cases[0]
    for index in result.kernels.indices where result.kernels[index].time != nil {
      result.kernels[index].times = Array(result.kernels[index].times.prefix(3))
      result.kernels[index].time = Spread(result.kernels[index].times)
    }
    var report = SampleReport.make()
    report.cases = [result]
    let page = String(decoding: try ReportWriter.bytes(report, as: .html), as: UTF8.self)
    let widths = page.matches(of: /class="bar [^"]*" [^>]*width="([0-9.]+)"/).compactMap { Double($0.output.1) }
    #expect(widths.count == result.kernels.count { $0.time != nil } && (widths.max() ?? 0) > 200, "\(widths)")
    #expect(page.contains("too few rounds") && !page.contains("e30"))
  }

  /// The page is well formed, apart from what HTML leaves open: its head.
  private func check(_ page: String) throws {
    let body = try #require(page.range(of: "<body>"))
    let end = try #require(page.range(of: "</body>"))
    var open: [Substring] = []
    for match in page[body.lowerBound..<end.upperBound].matches(of: /<(\/?)([a-z0-9]+)[^<>]*?(\/?)>/) {
      let (_, closing, name, selfClosing) = match.output
      if !closing.isEmpty {
        #expect(open.popLast() == name)
      } else if selfClosing.isEmpty {
        open.append(name)
      }
    }
    #expect(open.isEmpty)
  }
}

/// The page in a browser; where Chromium or Python is missing there is nothing to see.
///
/// MERIDIAN_PAGES=folder keeps the reports in all forms and a screenshot of each view there.
@Suite(.serialized) struct PageBrowserTests {
  struct View: Decodable {
    var width, scrollWidth, clientWidth, figures, svgs, marks, bars, dots, outliers, lines, advice, tables: Int
    var scripts, unnamed, thin: Int
    var smallestDrawnText: Double
    var scheme, text: String
    var headings, faint, outside, covered, requests: [String]
    var nan: Bool
  }

  static let browser = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap(path).first
  static let isHere = browser != nil && path("python3") != nil

  static func path(_ program: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  @Test(.enabled(if: isHere, "chromium or python3 is missing")) func thePageFitsEveryScreen() throws {
    let report = SampleReport.make()
    let views = try look(report, "sample")
    #expect(views.count == 6)
    for view in views {
      let name = "\(view.width) \(view.scheme)"
      #expect(view.scrollWidth <= view.clientWidth, "\(name)")
      #expect(view.faint == [] && view.thin == 0, "contrast at \(name)")
      #expect(view.outside == [] && view.covered == [], "drawn words at \(name)")
      #expect(view.smallestDrawnText >= 9.5, "\(name)")
      #expect(view.scripts == 0 && view.unnamed == 0 && !view.nan, "\(name)")
      #expect(view.requests.allSatisfy { $0.hasPrefix("file://") } && view.requests.count == 1, "\(name)")
      #expect(view.svgs == view.figures && view.figures == expectedFigures(report), "\(name)")
      #expect(view.bars == report.cases.flatMap(\.answered).count, "\(name)")
      #expect(view.dots == view.bars, "\(name)")
      #expect(view.outliers == report.cases.flatMap(\.kernels).map(\.outliers.count).reduce(0, +), "\(name)")
      #expect(view.advice == 2 * report.tolerances.count, "\(name)")
      for result in report.cases {
        #expect(view.headings.contains(result.name) && view.text.contains(result.summary), "\(name)")
      }
      for words in report.context.warnings + report.context.facts.map(\.value) + report.cases.flatMap(\.refusals) {
        #expect(view.text.contains(words), "\(name)")
      }
    }
  }

  @Test(.enabled(if: isHere, "chromium or python3 is missing")) func longNamesAndManyKernelsFit() throws {
    var sample = SampleReport(seed: 3)
    sample.contestants = (0..<14).map {
      SampleReport.Contestant(
        name: "k\($0)" + String(repeating: "x", count: $0 * 4), factor: 1 + Double($0) * 0.3, error: $0 == 0 ? 0 : 1e-9)
    }
    sample.reference = "k0"
    var report = sample.report()
    let long = String(repeating: "averylongnamewithoutblanks", count: 12)
    report.context.command = long
    report.context.warnings = [long]
    report.cases[0].name = long
    report.cases[1].setting = long
    report.budgets[0].budget = long
    report.budgets[0].note = long
    report.scalings[0].name = long
    for view in try look(report, "long") {
      #expect(view.scrollWidth <= view.clientWidth, "\(view.width) \(view.scheme)")
      #expect(view.faint == [] && view.thin == 0 && view.outside == [], "\(view.width) \(view.scheme)")
    }
  }

  /// Two a case, one a group of cases with errors, one a scaling, two a sweep.
  private func expectedFigures(_ report: BenchReport) -> Int {
    2 * report.cases.count + 1 + report.scalings.count + 2 * report.tolerances.count
  }

  private func look(_ report: BenchReport, _ name: String) throws -> [View] {
    let kept = ProcessInfo.processInfo.environment["MERIDIAN_PAGES"].map { URL(fileURLWithPath: $0) }
    let folder = (kept ?? FileManager.default.temporaryDirectory).appending(path: "\(name)-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { if kept == nil { try? FileManager.default.removeItem(at: folder) } }
    let page = folder.appending(path: "page.html").path
    try ReportWriter.write(report, as: .html, to: page)
    for form in kept == nil ? [] : OutputForm.allCases {
      try ReportWriter.write(report, as: form, to: folder.appending(path: "report.\(form.rawValue)").path)
    }
    let script = String(#filePath.dropLast("PageTests.swift".count)) + "check_page.py"
    let run = Process()
    run.executableURL = URL(fileURLWithPath: try #require(Self.path("python3")))
    run.arguments = [script, try #require(Self.browser), page] + (kept == nil ? [] : [folder.path])
    let pipe = Pipe()
    run.standardOutput = pipe
    try run.run()
    let text = pipe.fileHandleForReading.readDataToEndOfFile()
    run.waitUntilExit()
    #expect(run.terminationStatus == 0)
    return try text.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(View.self, from: $0) }
  }
}
