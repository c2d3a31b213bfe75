// SPDX-License-Identifier: Apache-2.0
import MeridianJobs

/// A comparison for the terminal: what became worse, what became better, what else changed, and how much stayed.
struct ComparisonText {
  private let comparison: ReportComparison
  private var block: TextBlock

  static func text(_ comparison: ReportComparison, _ style: TextStyle) -> String {
    var text = ComparisonText(comparison: comparison, block: TextBlock(style))
    text.head()
    text.add("Worse", [.worse], style.bad)
    text.add("Better", [.better], style.good)
    text.add("Changed", [.changed], { $0 })
    text.add("Only in the new report", [.added], { $0 })
    text.add("Only in the old report", [.removed], { $0 })
    text.end()
    return text.block.text
  }

  private mutating func head() {
    for (name, run) in [("old", comparison.old), ("new", comparison.new)] {
      let machine = [run.processor, run.platform].first { !$0.isEmpty } ?? ""
      block.fact(
        name,
        "\(run.date), Meridian \(run.version) (\(run.build)), \(machine), CPU level \(run.cpuLevel), seed \(run.seed)",
        nameWidth: 3)
    }
    for warning in comparison.warnings { block.paragraph("warning: " + warning, block.style.bad) }
  }

  private mutating func add(
    _ title: String, _ verdicts: Set<ComparisonFinding.Verdict>, _ mark: @escaping (String) -> String
  ) {
    let findings = comparison.findings.filter { verdicts.contains($0.verdict) }
    guard !findings.isEmpty else { return }
    block.blank()
    block.heading(title)
    for finding in findings { block.paragraph(finding.line, indent: 2, finding.counts ? mark : { $0 }) }
  }

  private mutating func end() {
    let same = comparison.findings.count { $0.verdict == .same }
    let worse = comparison.findings.count { $0.verdict == .worse && $0.counts }
    block.blank()
    block.paragraph(
      "\(same) figures are the same within their intervals, or differ by less than "
        + "\(Figures.percent(comparison.threshold)).", hanging: 0)
    block.paragraph(
      comparison.regressed ? "REGRESSED: \(worse) figures became worse." : "Nothing that counts became worse.",
      hanging: 0, comparison.regressed ? block.style.bad : block.style.good)
  }
}

extension ComparisonFinding {
  /// "measure.area/G2/planar, native: time ratio to geos 0.42 -> 0.55, +31% [+28%, +34%] (own time +30%)"
  var line: String {
    var line = subject + (kernel.map { ", \($0)" } ?? "") + ": " + figure
    if let old, let new {
      line += " \(Figures.number(old)) -> \(Figures.number(new))" + (unit.map { " \($0)" } ?? "")
    }
    if let factor {
      line += ", \(Figures.change(factor))"
      if let low, let high { line += " [\(Figures.change(low)), \(Figures.change(high))]" }
    }
    let notes = [note, verdict == .worse && !counts ? "does not count" : ""].filter { !$0.isEmpty }
    return line + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }
}

extension ReportWriter {
  /// Writes a comparison as text or JSON.
  /// - Parameter path: nil or "-" = standard output.
  /// - Throws: for other forms.
  package static func write(
    _ comparison: ReportComparison, as form: OutputForm, to path: String? = nil, style: TextStyle? = nil
  ) throws(JobError) {
    try write(try bytes(comparison, as: form, style: style ?? suiting(path)), to: path)
  }

  /// The bytes of a comparison as text or JSON.
  package static func bytes(
    _ comparison: ReportComparison, as form: OutputForm, style: TextStyle = .plain
  ) throws(JobError) -> [UInt8] {
    switch form {
    case .text: Array(ComparisonText.text(comparison, style).utf8)
    case .json: try JSONForm.text(comparison)
    default: throw .argument("a comparison has the forms text and json, not \(form.rawValue)")
    }
  }
}
