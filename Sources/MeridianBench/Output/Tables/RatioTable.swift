// SPDX-License-Identifier: Apache-2.0

/// The main figures of a report at a glance: a row a case, a column a kernel.
enum RatioTable {
  private static let reference = "reference"
  private static let refused = "refused"

  static func table(_ report: BenchReport) -> Table {
    var table = Table("Time ratios", rows: "case", report.cases.map(\.name))
    var kernels: [String] = []
    for name in report.cases.flatMap(\.kernels).map(\.kernel) where !kernels.contains(name) { kernels.append(name) }
    for kernel in kernels { table.add(kernel, report.cases.map { cell($0, kernel) }) }
    return table
  }

  private static func cell(_ result: CaseResult, _ kernel: String) -> String? {
    guard let found = result.kernels.first(where: { $0.kernel == kernel }) else { return nil }
    if found.refusal != nil { return refused }
    if let ratio = result.ratio(of: kernel) {
      let different = ratio.isDifferent ? "" : " (no difference)"
      let references = Set(result.ratios.map(\.reference))
      return Figures.interval(ratio.ratio, ratio.low, ratio.high) + different
        + (references.count > 1 ? " to \(ratio.reference)" : "")
    }
    return result.ratios.contains { $0.reference == kernel } ? reference : nil
  }

  /// The class of a cell in the page.
  static func mark(_ cell: String) -> String? {
    if cell == reference || cell == refused { return "pale" }
    return cell.contains("[") && !cell.contains("no difference") ? "different" : nil
  }
}
