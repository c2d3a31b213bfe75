// SPDX-License-Identifier: Apache-2.0

/// A table of all figures, a row a case and kernel: RFC 4180 with a header, line ends of one LF as in all tables of the
/// command. Numbers are complete, absent ones empty: so are
/// the ends of an interval that too few rounds do not give. Of several ratios of a kernel the first stands here. Where
/// budgets were run the table is their verdicts, a row a limit.
enum CSVForm {
  static func text(_ report: BenchReport) -> String {
    report.budgets.isEmpty ? figures(report) : verdicts(report.budgets)
  }

  private static func verdicts(_ budgets: [BudgetResult]) -> String {
    var text = "budget,suite,figure,limit,measured,low,high,verdict,enforced,note\n"
    for budget in budgets {
      let bounds = budget.low.flatMap { low in budget.high.flatMap { bounded(low, $0) } }
      let numbers = [budget.limit, budget.value, bounds?.low, bounds?.high].map { $0.map(Figures.exact) ?? "" }
      let cells =
        [budget.budget, budget.suite.rawValue, budget.limitName] + numbers
        + [budget.verdict.rawValue, String(budget.isEnforced), budget.note]
      text += cells.map(quoted).joined(separator: ",") + "\n"
    }
    return text
  }

  private static func figures(_ report: BenchReport) -> String {
    var text = columns.map(\.name).joined(separator: ",") + "\n"
    for result in report.cases {
      for kernel in result.kernels {
        text += columns.map { quoted($0.cell(result, kernel)) }.joined(separator: ",") + "\n"
      }
    }
    return text
  }

  private struct Column {
    let name: String
    let cell: (CaseResult, KernelResult) -> String

    init(_ name: String, text: @escaping (CaseResult, KernelResult) -> String?) {
      self.name = name
      cell = { text($0, $1) ?? "" }
    }

    init(_ name: String, number: @escaping (CaseResult, KernelResult) -> Double?) {
      self.name = name
      cell = { number($0, $1).map(Figures.exact) ?? "" }
    }

    init<I: BinaryInteger>(_ name: String, count: @escaping (CaseResult, KernelResult) -> I?) {
      self.name = name
      cell = { count($0, $1).map { String($0) } ?? "" }
    }
  }

  private static var columns: [Column] { heads + times + answers + costs }

  private static var heads: [Column] {
    [
      Column("case", text: { result, _ in result.name }), Column("suite", text: { result, _ in result.suite.rawValue }),
      Column("operation", text: { result, _ in result.operation }),
      Column("workload", text: { result, _ in result.workload }),
      Column("setting", text: { result, _ in result.setting }),
      Column("unit", text: { result, _ in result.unit.rawValue }),
      Column("units", count: { result, _ in result.units }),
      Column("rows", count: { result, _ in result.rows }), Column("kernel", text: { $1.kernel }),
      Column("refusal", text: { $1.refusal }),
    ]
  }

  private static var times: [Column] {
    [
      Column("rounds", count: { $1.times.count }), Column("outliers", count: { $1.outliers.count }),
      Column("median_ns", number: { $1.time?.median }), Column("smallest_ns", number: { $1.time?.smallest }),
      Column("largest_ns", number: { $1.time?.largest }),
      Column("relative_spread", number: { $1.time?.relativeSpread }),
      Column("median_low_ns", number: { $1.time.flatMap { bounded($0.low, $0.high)?.low } }),
      Column("median_high_ns", number: { $1.time.flatMap { bounded($0.low, $0.high)?.high } }),
      Column("ns_per_unit", number: { result, kernel in kernel.time.map { result.perUnit($0.median) } }),
      Column("rows_per_second", number: { result, kernel in kernel.time.flatMap { result.rowsPerSecond($0.median) } }),
      Column("reference", text: { $0.ratio(of: $1.kernel)?.reference }),
      Column("ratio", number: { $0.ratio(of: $1.kernel)?.ratio }),
      Column("ratio_low", number: { $0.ratio(of: $1.kernel).flatMap { bounded($0.low, $0.high)?.low } }),
      Column("ratio_high", number: { $0.ratio(of: $1.kernel).flatMap { bounded($0.low, $0.high)?.high } }),
      Column("ratio_confidence", number: { $0.ratio(of: $1.kernel)?.confidence }),
    ]
  }

  private static var answers: [Column] {
    [
      Column("oracle", text: { result, _ in result.oracle }), Column("error_unit", text: { $1.accuracy?.unit }),
      Column("compared", count: { $1.accuracy?.compared }), Column("wrong", count: { $1.accuracy?.wrong }),
      Column("error_largest", number: { $1.accuracy?.largest }), Column("error_mean", number: { $1.accuracy?.mean }),
      Column("error_rms", number: { $1.accuracy?.rootMeanSquare }), Column("error_p99", number: { $1.accuracy?.p99 }),
      Column("error_largest_relative", number: { $1.accuracy?.largestRelative }),
      Column("worst_row", count: { $1.accuracy?.worstRow }), Column("violations", count: { $1.accuracy?.violations }),
      Column("bound", text: { $1.accuracy?.bound }),
    ]
  }

  private static var costs: [Column] {
    [
      Column("peak_bytes", count: { $1.memory?.peak }), Column("kept_bytes", count: { $1.memory?.kept }),
      Column("allocations", count: { $1.memory?.allocations }),
      Column("allocated_bytes", count: { $1.memory?.allocated }), Column("calls", count: { $1.latency?.calls }),
      Column("call_p50_ns", number: { $1.latency?.p50 }), Column("call_p99_ns", number: { $1.latency?.p99 }),
      Column("call_p999_ns", number: { $1.latency?.p999 }), Column("call_largest_ns", number: { $1.latency?.largest }),
      Column("call_idle_p999_ns", number: { $1.latency?.idleP999 }),
      Column("call_own_p999_ns", number: { $1.latency?.ownP999 }),
      Column("cycles_per_unit", number: { $1.cyclesPerUnit }),
      Column("instructions_per_unit", number: { $1.instructionsPerUnit }),
    ]
  }

  private static func bounded(_ low: Double, _ high: Double) -> (low: Double, high: Double)? {
    Figures.isUnbounded(low, high) ? nil : (low, high)
  }

  private static func quoted(_ cell: String) -> String {
    guard cell.utf8.contains(where: { [0x22, 0x2c, 0x0a, 0x0d].contains($0) }) else { return cell }
    return "\"" + cell.replacing("\"", with: "\"\"") + "\""
  }
}
