// SPDX-License-Identifier: Apache-2.0
import MeridianIO
import Testing

@testable import MeridianBench

@Suite struct BudgetFileTests {
  private static let whole = """
    {"budgets": [{
      "name": "area of rings", "suite": "measure", "case": "measure.area/G1/planar", "scale": 0.1, "kernel": "native",
      "reference": "geos", "cpu_level": "x86-64-v3", "short": true, "enforced": false, "margin": 4,
      "limits": {"wrong": 0, "time_ratio": 0.5, "p999_us": 1000}, "reason": "measured at 0.3", "pending": "a kernel"}]}
    """

  private func decode(_ text: String) throws -> [Budget] {
    try BudgetFile.decode(Array(text.utf8), file: "b.json")
  }

  @Test func everyMemberIsRead() throws {
    let budget = try #require(try decode(Self.whole).first)
    #expect(
      budget
        == Budget(
          name: "area of rings", suite: .measure, benchCase: "measure.area/G1/planar", scale: 0.1, kernel: "native",
          reference: "geos", cpuLevel: "x86-64-v3", isShort: true, isEnforced: false, margin: 4,
          limits: [
            Budget.Limit(figure: .timeRatio, value: 0.5), Budget.Limit(figure: .wrong, value: 0),
            Budget.Limit(figure: .p999Microseconds, value: 1000),
          ], reason: "measured at 0.3", pending: "a kernel"))
  }

  @Test func whatIsLeftOutHasDefaults() throws {
    let text = """
      {"budgets": [{"name": "n", "suite": "abi", "case": "c", "kernel": "k", "reason": "r", "limits": {"wrong": 1}}]}
      """
    let budget = try #require(try decode(text).first)
    #expect(budget.scale == 1 && budget.margin == 1 && budget.isEnforced && !budget.isShort)
    #expect(budget.reference == nil && budget.cpuLevel == nil && budget.pending == nil)
  }

  /// A slip must not turn a limit off.
  @Test(arguments: [
    (#""time_ratio""#, #""time_ration""#, "time_ration"), (#""limits""#, #""limit""#, "limit"),
    (#""suite": "measure""#, #""suite": "measures""#, "suite"), (#""geos""#, "7", "reference"),
    ("0.5", "\"0.5\"", "time_ratio"), ("0.5", "-1", "time_ratio"), ("0.1", "0", "scale"), ("0.1", "2", "scale"),
    (#""wrong": 0, "time_ratio": 0.5, "p999_us": 1000"#, "", "needs a limit"),
    (#""reference": "geos", "#, "", "names no reference"),
    (#""reason": "measured at 0.3""#, #""reason": """#, "reason"),
    (#""a kernel""#, #""""#, "pending"), (#""a kernel""#, "true", "pending"),
    ("x86-64-v3", "x86-64-v9", "no CPU level"), (#""reference": "geos""#, #""reference": "native""#, "same kernel"),
    ("true", "1", "short"), ("]}", "]", "not JSON"), (#"{"budgets""#, #"{"budget""#, "budget"),
  ])
  func slipsAreErrors(_ old: String, _ new: String, _ words: String) throws {
    let text = Self.whole.replacing(old, with: new)
    try #require(text != Self.whole)
    let error = #expect(throws: FormatError.self) { try decode(text) }
    let said = try #require(error).description
    #expect(said.contains(words) && said.contains("b.json") && said.contains("line"), "\(said)")
  }

  @Test func twoOfOneNameAreAnError() throws {
    let entry = #"{"name": "n", "suite": "abi", "case": "c", "kernel": "k", "reason": "r", "limits": {"wrong": 1}}"#
    #expect(throws: FormatError.self) { try decode("{\"budgets\": [\(entry), \(entry)]}") }
  }
}
