// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianIO
import Testing

@testable import MeridianBench

@Suite struct JSONFormTests {
  @Test(arguments: [1, 2, 77]) func aReportComesBackAsItWas(seed: UInt64) throws {
    let report = SampleReport.make(seed: seed)
    let text = try ReportWriter.bytes(report, as: .json)
    #expect(try ReportReader.decode(text, file: "r.json") == report, "seed \(seed)")
    #expect(try JSONSerialization.jsonObject(with: Data(text)) is [String: Any])
  }

  @Test func extremeNumbersComeBack() throws {
    var report = SampleReport.make()
    report.context.seed = .max
    report.cases[0].kernels[0].times = [
      .nan, .infinity, -.infinity, 0.1, 1.0 / 3, .leastNonzeroMagnitude, 1.7976931348623157e308, -0.0, 1e21,
      123_456_789_012_345_680,
    ]
    let text = try ReportWriter.bytes(report, as: .json)
    #expect(try JSONSerialization.jsonObject(with: Data(text)) is [String: Any])
    let back = try ReportReader.decode(text, file: "r.json")
    #expect(back.context.seed == .max)
    #expect(
      back.cases[0].kernels[0].times.map(\.bitPattern) == report.cases[0].kernels[0].times.map(\.bitPattern))
  }

  @Test func foundationReadsTheSameReport() throws {
    let report = SampleReport.make()
    let text = Data(try ReportWriter.bytes(report, as: .json))
    #expect(try JSONDecoder().decode(BenchReport.self, from: text) == report)
    let theirs = try JSONEncoder().encode(report)
    #expect(try ReportReader.decode(Array(theirs), file: "r.json") == report)
  }

  /// A report that version 0.1 wrote, as it is: members that came later are optional.
  @Test func reportsOfOlderVersionsAreRead() throws {
    let report = try ReportReader.read(repositoryRoot + "/Tests/BenchTests/Data/report-0.1.json")
    #expect(report.context.version == "0.1.0" && report.schema == BenchReport.currentSchema)
    #expect(report.cases.map(\.name) == ["index.window/B2/random", "validate.valid/mixed.wkt/first"])
    let kernels = try #require(report.cases.last?.kernels)
    #expect(kernels.map { $0.refusal == nil } == [false, true] && kernels[0].refusalKind == nil)
    let window = report.cases[0].kernels[0]
    #expect(window.times.count == 7 && window.time?.confidence == nil && window.latency?.calls == 10_000)
    #expect(window.latency?.p999Low == nil && window.memory?.peak != nil && window.accuracy?.wrong == 0)
    #expect(report.scalings.count == 1 && report.tolerances.count == 1 && report.budgets.count == 2)
    // And compared, shown and written anew.
    #expect(!ReportComparison(old: report, new: report).regressed)
    for form in OutputForm.allCases { #expect(try !ReportWriter.bytes(report, as: form).isEmpty) }
    #expect(try ReportReader.decode(ReportWriter.bytes(report, as: .json), file: "r.json") == report)
  }

  @Test func namesKeepEveryCharacter() throws {
    var report = SampleReport.make()
    report.cases[0].name = "a\"b\\c/\u{1}\n\t\u{7f}é\u{1F30D}\u{2028}"
    let text = try ReportWriter.bytes(report, as: .json)
    #expect(try ReportReader.decode(text, file: "r.json") == report)
  }

  @Test func filesAppearWholeAndComeBack() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "meridian-report-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = SampleReport.make()
    for form in OutputForm.allCases {
      let path = folder.appending(path: "report.\(form.rawValue)").path
      try ReportWriter.write(report, as: form, to: path)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)).elementsEqual(ReportWriter.bytes(report, as: form)))
    }
    #expect(try ReportReader.read(folder.appending(path: "report.json").path) == report)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == OutputForm.allCases.count)
  }
}

@Suite struct ReportReaderErrorTests {
  private func fault(_ text: String) -> String {
    do {
      _ = try ReportReader.decode(Array(text.utf8), file: "r.json")
      return "no error"
    } catch { return error.description }
  }

  private func changed(_ old: String, _ new: String) throws -> String {
    let text = String(decoding: try ReportWriter.bytes(SampleReport.make(), as: .json), as: UTF8.self)
    let range = try #require(text.range(of: old))
    return text.replacingCharacters(in: range, with: new)
  }

  @Test func brokenTextIsNamedWithItsPlace() {
    #expect(fault("") == "r.json: line 1: byte 0: not JSON: the text ends where a value should be")
    #expect(fault("{\n \"schema\": 1,,}").hasPrefix("r.json: line 2: byte 15: not JSON: the name of a member"))
    #expect(fault("[1]") == "r.json: line 1: byte 0: a report is an object, not a list")
    #expect(fault("{\"a\":1,\"a\":2}").contains("byte 7: not JSON: the member 'a' is there twice"))
    #expect(fault("{\"a\":01}").contains("not a number"))
    #expect(fault("{\"a\":\"\\ud8\"}").contains("no escape of JSON"))
    #expect(fault("{\"a\":\"\n\"}").contains("a control character in a string"))
    #expect(fault("{\"a\":1} x").contains("text follows the value"))
    #expect(fault(String(repeating: "[", count: 100_000)).contains("nested too deeply"))
  }

  @Test func unknownSchemasAreRefused() throws {
    #expect(try fault(changed("\"schema\": 1", "\"schema\": 2")).contains("reads schema 1, not the number 2"))
    #expect(try fault(changed("\"schema\": 1", "\"schema\": \"1\"")).contains("reads schema 1, not a string"))
    #expect(fault("{}").contains("the member 'schema' of a report is missing"))
    let google = try ReportWriter.bytes(SampleReport.make(), as: .googleBenchmark)
    #expect(fault(String(decoding: google, as: UTF8.self)).contains("in the form of Google Benchmark"))
  }

  @Test func wrongMembersAreNamedWithTheirPlace() throws {
    #expect(
      try fault(changed("\"rows\": 8192", "\"rows\": 8192.5")).contains(
        "cases[0].rows: a whole number of 64 bits should be here, not the number 8192.5"))
    #expect(try fault(changed("\"suite\": \"measure\"", "\"suite\": \"speed\"")).contains("cases[0].suite: "))
    #expect(try fault(changed("\"oracle\": \"exact by construction\"", "\"x\": []")) == "no error")
    #expect(
      try fault(changed("\"median\": ", "\"middle\": ")).contains("cases[0].kernels[0].time: the member 'median'"))
    #expect(try fault(changed("\"cores\": 2", "\"cores\": 1e400")).contains("context.machine.cores: "))
    #expect(try fault(changed("\"load\": 0.34", "\"load\": 1e400")).contains("a number should be here"))
    let line = try fault(changed("\"cores\": 2", "\"cores\": null"))
    let text = try changed("\"cores\": 2", "\"cores\": null")
    let expected = text[..<(try #require(text.range(of: "\"cores\"")).lowerBound)].count { $0 == "\n" } + 1
    #expect(line.contains("line \(expected): "))
  }

  @Test func filesThatCannotBeReadAreNamed() {
    for (path, reason) in [("/nonexistent/r.json", "no such file"), ("/", "directory")] {
      do {
        _ = try ReportReader.read(path)
        Issue.record("no error")
      } catch { #expect(error.description.contains(path) && error.description.lowercased().contains(reason)) }
    }
  }
}

@Suite struct GoogleBenchmarkFormTests {
  @Test func rowsHaveWhatItsToolsRead() throws {
    let report = SampleReport.make()
    let text = try ReportWriter.bytes(report, as: .googleBenchmark)
    let root = try #require(JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
    let context = try #require(root["context"] as? [String: Any])
    #expect(context["json_schema_version"] as? Int == 1 && context["library_build_type"] as? String == "release")
    #expect((context["refusals"] as? [String])?.count == report.cases.flatMap(\.refusals).count)
    let rows = try #require(root["benchmarks"] as? [[String: Any]])
    let answered = report.cases.flatMap(\.answered)
    #expect(rows.count == answered.map { $0.times.count + 4 }.reduce(0, +))
    for row in rows {
      #expect(row["real_time"] is Double && row["cpu_time"] is Double && row["time_unit"] as? String == "ns")
      #expect(row["iterations"] is Int && row["repetitions"] is Int && row["threads"] as? Int == 1)
      let name = try #require(row["name"] as? String)
      let run = try #require(row["run_name"] as? String)
      if row["run_type"] as? String == "iteration" {
        #expect(name == run && row["repetition_index"] is Int)
      } else {
        #expect(name == "\(run)_\(row["aggregate_name"] as? String ?? "")")
      }
    }
  }

  @Test func aggregatesAreThoseOfTheRounds() throws {
    var report = SampleReport.make()
    report.cases = [report.cases[0]]
    report.cases[0].kernels = [report.cases[0].kernels[0]]
    report.cases[0].kernels[0].times = [1, 2, 3, 10, .nan]
    let text = try ReportWriter.bytes(report, as: .googleBenchmark)
    let root = try #require(JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
    let rows = try #require(root["benchmarks"] as? [[String: Any]])
    func value(_ name: String) -> Double? {
      rows.first { $0["aggregate_name"] as? String == name }?["real_time"] as? Double
    }
    // The deviation of 1, 2, 3, 10: squares 9 + 4 + 1 + 36 = 50, over 3.
    #expect(value("mean") == 4 && value("median") == 2.5)
    #expect(abs((value("stddev") ?? 0) - 4.08248290463863) < 1e-12)
    #expect(abs((value("cv") ?? 0) - 4.08248290463863 / 4) < 1e-12)
  }
}

@Suite struct CSVFormTests {
  @Test func rowsAreQuotedAndComplete() throws {
    var report = SampleReport.make()
    report.cases[0].workload = "a,b\n\"c\""
    report.budgets = []
    let text = String(decoding: try ReportWriter.bytes(report, as: .csv), as: UTF8.self)
    let records = parse(text)
    #expect(records.count == 1 + report.cases.map(\.kernels.count).reduce(0, +))
    #expect(records.allSatisfy { $0.count == records[0].count })
    let first = Dictionary(uniqueKeysWithValues: zip(records[0], records[1]))
    #expect(first["workload"] == "a,b\n\"c\"" && first["kernel"] == "native")
    #expect(first["median_ns"].flatMap(Double.init) == report.cases[0].kernels[0].time?.median)
    #expect(first["ratio"].flatMap(Double.init) == report.cases[0].ratios[0].ratio)
    let refused = records.dropFirst().first { $0[8] == "sqlite" && $0[9] == "no such family" }
    #expect(refused?[10] == "0" && refused?[12] == "")
  }

  @Test func budgetsAreATableOfVerdicts() throws {
    let report = SampleReport.make()
    let records = parse(String(decoding: try ReportWriter.bytes(report, as: .csv), as: UTF8.self))
    #expect(records.count == 1 + report.budgets.count && records.allSatisfy { $0.count == records[0].count })
    let second = Dictionary(uniqueKeysWithValues: zip(records[0], records[2]))
    #expect(second["verdict"] == "exceeded" && second["figure"] == "error")
    #expect(second["measured"].flatMap(Double.init) == 3e-9 && second["limit"].flatMap(Double.init) == 1e-9)
    #expect(second["note"] == "beyond the limit by a factor of 3" && second["low"] == "")
  }

  /// RFC 4180, with line ends of one LF.
  private func parse(_ text: String) -> [[String]] {
    var records: [[String]] = []
    var record: [String] = []
    var cell = ""
    var isQuoted = false
    var previous: Character?
    for character in text {
      if character == "\"" {
        if !isQuoted && previous == "\"" { cell.append("\"") }
        isQuoted.toggle()
      } else if !isQuoted, character == "," || character == "\n" {
        record.append(cell)
        cell = ""
        if character == "\n" {
          records.append(record)
          record = []
        }
      } else {
        cell.append(character)
      }
      previous = character
    }
    return records
  }
}
