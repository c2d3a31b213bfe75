// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MeridianBench

@Suite struct FiguresTests {
  @Test(arguments: [
    (0.0, "0"), (1, "1.00"), (0.42, "0.420"), (0.0041249, "0.00412"), (0.041251, "0.0413"), (12.345, "12.3"),
    (12345, "12300"), (999.6, "1000"), (0.9996, "1.00"), (9.995, "10.0"), (1e6, "1.00e6"), (-2.5e-9, "-2.50e-9"),
    (0.0001, "0.000100"), (0.00001, "1.00e-5"), (123456.7, "123000"), (.infinity, "infinity"), (.nan, "none"),
    (.leastNonzeroMagnitude, "5.00e-324"), (1.7976931348623157e308, "1.80e308"),
  ]) func numbersHaveThreeDigits(value: Double, text: String) {
    #expect(Figures.number(value) == text)
  }

  @Test func numbersReadBackWithinHalfADigit() {
    var random = SplitMix(state: 11)
    for _ in 0..<20_000 {
      let value = (random.share() + 1e-3) * [1e-12, 1e-5, 1e-3, 1, 1e3, 1e5, 1e9][Int(random.next() % 7)]
      let back = Double(Figures.number(value)) ?? .nan
      #expect(abs(back - value) <= value * 0.00501, "seed 11: \(value)")
    }
  }

  @Test func unitsSuit() {
    #expect(Figures.duration(12.3) == "12.3 ns" && Figures.duration(4560) == "4.56 µs")
    #expect(Figures.duration(0.5) == "0.500 ns" && Figures.duration(2.5e9) == "2.50 s")
    #expect(
      Figures.bytes(1023) == "1023 B" && Figures.bytes(1536) == "1.50 KiB" && Figures.bytes(1 << 30) == "1.00 GiB")
    #expect(Figures.count(12_345_678) == "12.3 million" && Figures.count(999) == "999")
    #expect(Figures.count(999_900) == "1.00 million" && Figures.count(2e9) == "2.00 billion")
    #expect(Figures.whole(1_234_567) == "1,234,567" && Figures.whole(-999) == "-999" && Figures.whole(0) == "0")
    #expect(Figures.change(1.123) == "+12.3%" && Figures.change(0.97) == "-3.00%" && Figures.change(1) == "0%")
    #expect(Figures.share(0) == "0%" && Figures.share(1) == "100%" && Figures.share(0.99999) == ">99.9%")
    #expect(Figures.share(1e-9) == "<0.01%" && Figures.share(0.00123) == "0.12%" && Figures.share(0.5) == "50.0%")
    #expect(Figures.exact(1e-9) == "1e-9" && Figures.exact(19) == "19" && Figures.exact(1e21) == "1e21")
    #expect(Figures.short(0.5) == "0.5" && Figures.short(1e-9) == "1e-9" && Figures.short(100) == "100")
    #expect(Figures.short(100_000, writtenOutUpTo: 4) == "1e5" && Figures.short(20_000, writtenOutUpTo: 4) == "20000")
  }
}

@Suite struct TextFormTests {
  private func text(_ report: BenchReport, _ style: TextStyle = .plain) throws -> String {
    String(decoding: try ReportWriter.bytes(report, as: .text, style: style), as: UTF8.self)
  }

  @Test(arguments: [60, 80, 132, 250]) func linesStayInsideTheWidth(width: Int) throws {
    let report = SampleReport.make()
    let text = try text(report, TextStyle(width: width, isColoured: false))
    let longest = text.split(separator: "\n").map(\.count).max() ?? 0
    #expect(longest <= width && longest > width / 2)
    #expect(!text.contains("\u{1b}") && !text.contains(" \n"))
  }

  @Test func fewRoundsHaveNoInterval() throws {
    var report = SampleReport.make()
    let times = Array(report.cases[0].kernels[0].times.prefix(3))
    report.cases[0].kernels[0].times = times
    report.cases[0].kernels[0].time = Spread(times)
    let text = try text(report, TextStyle(width: 250, isColoured: false))
    #expect(text.contains("[too few rounds]") && !text.contains("e30"))
    report.budgets = []
    let csv = String(decoding: try ReportWriter.bytes(report, as: .csv), as: UTF8.self)
    #expect(!csv.contains("e30") && !csv.contains(",inf"))
  }

  @Test func piecesLeaveOutRowsWithNothingToSay() throws {
    var report = BenchReport(context: SampleReport.make().context)
    report.budgets = SampleReport.make().budgets
    let pieces = try text(report, TextStyle(width: 60, isColoured: false)).split(separator: "note")
    #expect(pieces.count == 2 && !pieces[1].contains("area is faster") && pieces[1].contains("error of area"))
  }

  @Test func everyFigureIsThere() throws {
    let report = SampleReport.make()
    let lines = try text(report, TextStyle(width: 250, isColoured: false)).split(separator: "\n")
    for result in report.cases {
      #expect(lines.contains { $0 == result.name })
      for kernel in result.answered {
        let time = Figures.number(result.perUnit(kernel.time?.median ?? .nan) / result.timeUnit.nanoseconds)
        #expect(lines.contains { $0.hasPrefix(kernel.kernel) && $0.contains(time) }, "\(result.name) \(kernel.kernel)")
      }
      for ratio in result.ratios {
        #expect(lines.contains { $0.contains(Figures.interval(ratio.ratio, ratio.low, ratio.high)) })
      }
      for refusal in result.refusals { #expect(lines.contains("refused, " + refusal)) }
    }
    for budget in report.budgets {
      #expect(lines.contains { $0.contains(budget.budget) && $0.contains(budget.verdict.words) })
    }
    #expect(lines.contains { $0.contains("warning: counters") })
    #expect(lines.contains { $0.hasPrefix("Recommended: ") })
  }

  @Test func columnsLineUp() {
    var table = Table("t", rows: "kernel", ["native", "g"])
    table.add("ns per vertex", ["1.00", "12.3"])
    table.add("note", isNumber: false, ["a", nil])
    table.add("empty", [nil, nil])
    var block = TextBlock(.plain)
    block.table(table)
    let expected = [
      "        ns per",
      "kernel  vertex  note",
      "native    1.00  a",
      "g         12.3",
    ]
    #expect(block.text.split(separator: "\n").map(String.init) == expected)
  }

  @Test func coloursAreForTerminals() throws {
    let text = try text(SampleReport.make(), TextStyle(width: 80, isColoured: true))
    #expect(text.contains("\u{1b}[1m") && text.contains("\u{1b}[1;31mEXCEEDED\u{1b}[0m"))
    #expect(TextStyle.suiting(descriptor: -1) == .plain)
  }

  @Test func namesDoNotCommandTheTerminal() throws {
    var report = SampleReport.make()
    report.cases[0].name = "a\u{1b}]0;b\u{7}\u{202e}c"
    report.cases[0].kernels[0].kernel = "\u{9b}31mx"
    let text = try text(report)
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x9b || $0.value == 0x202e })
  }
}
