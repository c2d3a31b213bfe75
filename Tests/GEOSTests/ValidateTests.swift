// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import Testing

/// The result of one check.
struct CheckResult {
  var status: Int32
  var verdicts: [UInt8]
  var problems: [mrd_problem]
  var messages: [String]
  var call: TestCall
}

func check(
  _ array: TestArray, _ op: UInt32 = MRD_VALIDATE_VALID, call: TestCall? = nil,
  _ change: (inout mrd_validate_options) -> Void = { _ in }
) -> CheckResult {
  let call = call ?? TestCall(rows: array.count)
  var options = mrd_validate_options()
  options.struct_size = UInt32(MemoryLayout<mrd_validate_options>.size)
  change(&options)
  var verdicts = [UInt8](repeating: 9, count: array.count)
  let (status, count) = verdicts.withUnsafeMutableBufferPointer { buffer in
    var out = mrd_problems_out()
    out.struct_size = UInt32(MemoryLayout<mrd_problems_out>.size)
    out.verdicts = buffer.baseAddress
    let status = Adapter.validate.check?(op, array.pointer, &options, &out, call.pointer) ?? -1
    return (status, Int(out.count))
  }
  let problems = status == MRD_OK ? call.values(MRD_BUF_RECORDS, as: mrd_problem.self) : []
  #expect(status != MRD_OK || problems.count == count)
  let text = call.values(MRD_BUF_BYTES, as: UInt8.self)
  let messages = problems.map { problem in
    let start = Int(problem.text_offset)
    return String(decoding: text[start..<(start + Int(problem.text_length))], as: UTF8.self)
  }
  return CheckResult(status: status, verdicts: verdicts, problems: problems, messages: messages, call: call)
}

private func dataLines(_ name: String) throws -> [[String]] {
  let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Data/\(name)")
  return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    .map { $0.split(separator: "\t").map(String.init) }
}

@Suite struct ValidateTests {
  @Test func publishedVerdicts() throws {
    let lines = try dataLines("validity.tsv")
    #expect(lines.count > 500)
    for line in lines {
      let op = line[0] == "valid" ? MRD_VALIDATE_VALID : MRD_VALIDATE_SIMPLE
      let result = check(TestArray(wkt: [line[2]]), op)
      #expect(result.verdicts == [UInt8(line[1]) ?? 9], "\(line) status \(result.call.status(0)) \(result.messages)")
      #expect(result.problems.count == (line[1] == "1" || result.verdicts[0] == 2 ? 0 : 1), "\(line)")
    }
  }

  @Test func simplePointsBesideEmptyOnes() {
    let texts = ["MULTIPOINT (1 2, EMPTY)", "MULTIPOINT (EMPTY, 1 2, EMPTY, 1 2)", "MULTIPOINT (EMPTY, EMPTY)"]
    #expect(check(TestArray(wkt: texts), MRD_VALIDATE_SIMPLE).verdicts == [1, 0, 1])
  }

  @Test(arguments: [TestArray.Layout.separated, .interleaved, .reversed])
  func oneProblemWithCodePlaceAndWords(layout: TestArray.Layout) {
    let array = TestArray(
      wkt: [
        "POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))", nil, "POLYGON ((0 0, 4 0, 4 4, 0 0))",
        "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (20 20, 21 20, 21 21, 20 20))", "POLYGON EMPTY",
      ], layout: layout)
    let result = check(array)
    #expect(result.status == MRD_OK)
    #expect(result.verdicts == [0, 2, 1, 0, 1])
    #expect(result.call.status(1) == MRD_ITEM_NULL)
    #expect(result.messages == ["Self-intersection", "Hole lies outside shell"])
    #expect(result.problems.map(\.row) == [0, 3])
    #expect(result.problems.map(\.code) == [MRD_PROBLEM_CROSSING, MRD_PROBLEM_HOLE_OUTSIDE_SHELL])
    #expect(result.problems.map(\.jts_code) == [MRD_JTS_SELF_INTERSECTION, MRD_JTS_HOLE_OUTSIDE_SHELL])
    #expect(result.problems[0].x == 2 && result.problems[0].y == 2)
    #expect(result.problems[0].vertex == -1)
    #expect(result.problems[1].part == 0 && result.problems[1].ring == 1 && result.problems[1].vertex == 0)
  }

  @Test func whatGeosCannotConstructIsReported() {
    let array = TestArray(
      wkt: [
        "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6)))", "MULTIPOLYGON (((0 0, 0 0)))",
        "MULTIPOLYGON (((0 0, 1 0, nan 1, 0 0)))", "MULTIPOLYGON (((0 0, 1 0, 0 0)))",
        "MULTIPOLYGON ((EMPTY, (0 0, 1 0, 1 1, 0 0)))",
      ])
    let result = check(array)
    #expect(result.verdicts == [0, 0, 0, 0, 0])
    #expect(
      result.problems.map(\.code) == [
        MRD_PROBLEM_RING_NOT_CLOSED, MRD_PROBLEM_TOO_FEW_POINTS, MRD_PROBLEM_NONFINITE, MRD_PROBLEM_TOO_FEW_POINTS,
        MRD_PROBLEM_HOLE_OUTSIDE_SHELL,
      ])
    #expect(
      result.problems.map(\.jts_code) == [
        MRD_JTS_RING_NOT_CLOSED, MRD_JTS_TOO_FEW_POINTS, MRD_JTS_INVALID_COORDINATE, MRD_JTS_TOO_FEW_POINTS,
        MRD_JTS_HOLE_OUTSIDE_SHELL,
      ])
    #expect(result.problems[0].part == 1 && result.problems[0].ring == 0 && result.problems[0].x == 5)
    #expect(result.problems[2].vertex == 2)
    let lines = check(TestArray(wkt: ["LINESTRING (1 1)", "LINESTRING (1 1, inf 1)", "LINESTRING (1 1, 1 1)"]))
    #expect(lines.verdicts == [0, 0, 0])
  }

  @Test func esriLetsShellsTouchThemselves() {
    let array = TestArray(wkt: ["POLYGON ((0 0, 10 0, 10 10, 5 10, 7 5, 3 5, 5 10, 0 10, 0 0))"])
    #expect(check(array).verdicts == [0])
    #expect(check(array).problems.first?.code == MRD_PROBLEM_RING_SELF_TOUCH)
    #expect(check(array) { $0.dialect = MRD_DIALECT_ESRI }.verdicts == [1])
  }

  @Test func refusals() {
    let array = TestArray(wkt: ["POINT (1 2)"])
    #expect(check(array) { $0.dialect = MRD_DIALECT_SPHERICAL }.status == MRD_E_UNSUPPORTED)
    #expect(check(array) { $0.flags = MRD_VALIDATE_AT_DECIMALS }.status == MRD_E_UNSUPPORTED)
    #expect(check(array) { $0.min_area_coord = 1 }.status == MRD_E_UNSUPPORTED)
    #expect(check(array) { $0.mode = 7 }.status == MRD_E_ARGUMENT)
    #expect(check(array, MRD_VALIDATE_LAYER).status == MRD_E_UNSUPPORTED)
    var model = mrd_model()
    model.struct_size = UInt32(MemoryLayout<mrd_model>.size)
    model.edges = MRD_EDGES_GEODESIC
    #expect(check(TestArray([wkt("POINT (1 2)")], model: model)).status == MRD_E_UNSUPPORTED)
    #expect(Adapter.validate.info?(MRD_VALIDATE_LAYER) == nil)
    #expect((Adapter.validate.info?(MRD_VALIDATE_VALID)?.pointee.flags ?? 0) & MRD_OP_ALL_PROBLEMS == 0)
  }

  @Test func verdictModeGivesNoRecords() {
    let result = check(TestArray(wkt: ["POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))"])) { $0.mode = MRD_MODE_VERDICT }
    #expect(result.verdicts == [0] && result.problems.isEmpty)
  }

  @Test func memoryFailuresAreAnswered() {
    let array = TestArray(wkt: ["POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))"], layout: .reversed)
    var reached = false
    for budget in 0..<20 {
      let call = TestCall(rows: 1)
      call.memoryBudget = budget
      let status = check(array, call: call).status
      #expect(status == MRD_OK || status == MRD_E_MEMORY)
      reached = reached || (status == MRD_OK && call.status(0) == MRD_ITEM_OK)
    }
    #expect(reached)
  }

  @Test func oneExportedSymbol() throws {
    let tool = Process()
    tool.executableURL = URL(fileURLWithPath: "/usr/bin/nm")
    tool.arguments = ["-D", "--defined-only", Adapter.path]
    let pipe = Pipe()
    tool.standardOutput = pipe
    try tool.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    tool.waitUntilExit()
    let names = text.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
    #expect(names == [MRD_ENTRY_NAME])
  }

  @Test func otherAbiVersionsAreRefused() {
    var host = Adapter.host(min: 0x0001_0000, max: 0x0001_0002)
    var error = mrd_error()
    error.struct_size = UInt32(MemoryLayout<mrd_error>.size)
    #expect(Adapter.entry()(&host, &error) == nil)
    #expect(error.code == MRD_E_ABI)
  }
}
