// SPDX-License-Identifier: Apache-2.0

/// A report for the terminal.
struct TextForm {
  private let report: BenchReport
  private var block: TextBlock

  static func text(_ report: BenchReport, _ style: TextStyle) -> String {
    var form = TextForm(report: report, block: TextBlock(style))
    form.head()
    for result in report.cases { form.add(result) }
    form.addScalings()
    for result in report.tolerances { form.add(result) }
    form.addBudgets()
    return form.block.text
  }

  private mutating func head() {
    let facts = report.context.facts
    let width = facts.map(\.name.count).max() ?? 0
    for fact in facts { block.fact(fact.name, fact.value, nameWidth: width) }
    let mark = block.style.bad
    for warning in report.context.warnings { block.paragraph("warning: " + warning, mark) }
    if !report.context.kernels.isEmpty {
      block.blank()
      block.table(OtherTables.kernels(report.context.kernels))
    }
  }

  private mutating func add(_ result: CaseResult) {
    block.blank()
    block.heading(result.name)
    block.paragraph(result.summary, hanging: 0)
    if !result.answered.isEmpty { block.table(CaseTables.main(result)) }
    for line in CaseTables.bounds(result) { block.paragraph("declared bound, " + line) }
    for line in result.refusals { block.paragraph("refused, " + line) }
  }

  private mutating func addScalings() {
    for result in report.scalings {
      block.blank()
      block.heading("\(result.name): growth with \(result.variable)")
      block.table(OtherTables.scaling(result))
    }
  }

  private mutating func add(_ result: ToleranceResult) {
    block.blank()
    block.heading("Snapping tolerance: " + result.title)
    for line in result.assumptions { block.paragraph(line, hanging: 0) }
    block.table(OtherTables.tolerance(result))
    if let advice = result.advice { block.paragraph(advice, hanging: 0, block.style.good) }
    for reason in result.recommendation?.reasons ?? [] { block.paragraph("- " + reason) }
  }

  private mutating func addBudgets() {
    guard !report.budgets.isEmpty else { return }
    block.blank()
    block.heading("Budgets")
    let style = block.style
    block.table(OtherTables.budgets(report.budgets)) { cell in
      switch cell {
      case BudgetResult.Verdict.kept.words: style.good(cell)
      case BudgetResult.Verdict.exceeded.words: style.bad(cell)
      default: cell
      }
    }
  }
}
