// SPDX-License-Identifier: Apache-2.0

/// A report as one page: plots drawn here, tables beside them, no script, nothing from elsewhere. It reads in light and
/// dark, on wide screens and on phones; what is wider than the screen scrolls in its own box.
struct PageForm {
  private let report: BenchReport
  private let styles: KernelStyles
  private var figures = 0

  static func text(_ report: BenchReport) -> String {
    var form = PageForm(report: report, styles: KernelStyles(report))
    return form.page().text
  }

  private mutating func page() -> Markup {
    let sections = [budgets(), overview(), speedAndError(), cases(), scalings(), tolerances(), context()]
    let title = "Meridian benchmark, \(report.context.date)"
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <title>\(title)</title>
      <style>\(PageStyle.sheet)</style>
      </head>
      <body>
      <header><h1>Meridian benchmark</h1>
      <p class="lead">\(lead)</p>
      \(warnings)\(contents(sections.compactMap { $0 }))</header>
      <main>
      \(sections.compactMap { $0?.markup })</main>
      </body>
      </html>

      """
  }

  // MARK: - Head

  private var lead: String {
    let context = report.context
    let machine = [context.machine.processor, context.machine.platform].first { !$0.isEmpty } ?? ""
    return "\(context.date), Meridian \(context.version) (\(context.build)), \(machine), CPU level \(context.cpuLevel)"
  }

  private var warnings: Markup {
    guard !report.context.warnings.isEmpty else { return "" }
    let items = report.context.warnings.map { "<li>\($0)</li>" as Markup }
    return "<section class=\"warnings\" aria-label=\"Warnings\"><h2>Warnings</h2><ul>\(items)</ul></section>\n"
  }

  private func contents(_ sections: [Section]) -> Markup {
    let items = sections.map { "<li><a href=\"#\($0.id)\">\($0.title)</a></li>" as Markup }
    return "<nav aria-label=\"Contents\"><ul>\(items)</ul></nav>\n"
  }

  private struct Section {
    let id: String
    let title: String
    let content: Markup

    init?(_ id: String, _ title: String, _ content: Markup) {
      guard !content.isEmpty else { return nil }
      self.id = id
      self.title = title
      self.content = content
    }

    var markup: Markup { "<section id=\"\(id)\"><h2>\(title)</h2>\n\(content)</section>\n" }
  }

  // MARK: - Sections

  private func budgets() -> Section? {
    guard !report.budgets.isEmpty else { return nil }
    return Section("budgets", "Budgets", PageTable.markup(OtherTables.budgets(report.budgets), mark: Self.verdictClass))
  }

  private static func verdictClass(_ cell: String) -> String? {
    switch cell {
    case BudgetResult.Verdict.kept.words: "good"
    case BudgetResult.Verdict.exceeded.words, BudgetResult.Verdict.undecided.words: "bad"
    default: nil
    }
  }

  private func overview() -> Section? {
    guard !report.cases.isEmpty else { return nil }
    let note: Markup =
      "<p>The median over all rounds of the time of a kernel over that of the reference, with its interval. Under 1 the "
      + "kernel is faster; bold: the interval does not hold 1.</p>"
    return Section("overview", "Time ratios", note + PageTable.markup(RatioTable.table(report), mark: RatioTable.mark))
  }

  private mutating func speedAndError() -> Section? {
    let plots = SpeedErrorPlot.all(report, styles)
    guard !plots.isEmpty else { return nil }
    let note: Markup = "<p>Better is to the left and below. Numbers name the cases.</p>"
    return Section("speed", "Speed and error", note + grid(plots))
  }

  private mutating func cases() -> Section? {
    var content: Markup = ""
    for result in report.cases {
      let plots = CasePlots(result: result, styles: styles)
      content += "<article><h3>\(result.name)</h3>\n<p>\(result.summary).</p>\n"
      content += grid([plots.bars, plots.rounds].compactMap { $0 })
      if !result.answered.isEmpty { content += PageTable.turned(CaseTables.main(result)) }
      content += list("Declared bounds", CaseTables.bounds(result))
      content += list("Refused", result.refusals)
      content += "</article>\n"
    }
    return Section("cases", "Cases", content)
  }

  private mutating func scalings() -> Section? {
    var content: Markup = ""
    for result in report.scalings {
      content += "<article><h3>\(result.name)</h3>\n"
      content += grid([ScalingPlot.plot(result, styles)]) + PageTable.turned(OtherTables.scaling(result))
      content += "</article>\n"
    }
    return Section("scaling", "Growth with size", content)
  }

  private mutating func tolerances() -> Section? {
    var content: Markup = ""
    for result in report.tolerances {
      content += "<article><h3>\(result.title)</h3>\n"
      content += "\(result.assumptions.map { "<p>\($0)</p>" as Markup })\n"
      if let advice = result.advice { content += "<p class=\"advice\">\(advice)</p>\n" }
      content += list("Because", result.recommendation?.reasons ?? [])
      content += grid(TolerancePlots(result).plots)
      content += PageTable.markup(OtherTables.tolerance(result)) { _ in nil }
      content += "</article>\n"
    }
    return Section("tolerance", "Snapping tolerance", content)
  }

  private func context() -> Section? {
    let facts = report.context.facts.map { "<dt>\($0.name)</dt><dd>\($0.value)</dd>" as Markup }
    let kernels = report.context.kernels
    let table: Markup =
      kernels.isEmpty ? "" : "<h3>Kernels</h3>\n" + PageTable.markup(OtherTables.kernels(kernels)) { _ in nil }
    return Section("context", "The run", "<dl>\(facts)</dl>\n" + table)
  }

  // MARK: - Parts

  private mutating func grid(_ plots: [Plot]) -> Markup {
    guard !plots.isEmpty else { return "" }
    var content: Markup = "<div class=\"figures\">"
    for plot in plots {
      figures += 1
      content += plot.figure(id: "f\(figures)")
    }
    return content + "</div>\n"
  }

  private func list(_ name: String, _ items: [String]) -> Markup {
    guard !items.isEmpty else { return "" }
    return "<p class=\"list\">\(name):</p><ul>\(items.map { "<li>\($0)</li>" as Markup })</ul>\n"
  }
}
