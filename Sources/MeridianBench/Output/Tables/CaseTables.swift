// SPDX-License-Identifier: Apache-2.0

/// The tables of one case.
enum CaseTables {
  /// Times, ratios, errors, memory and latency, a row a kernel that answered.
  static func main(_ result: CaseResult) -> Table {
    let kernels = result.answered
    var table = Table(result.name, rows: "kernel", kernels.map(\.kernel))
    addTimes(result, kernels, to: &table)
    table.beginGroup()
    addAccuracy(kernels.map(\.accuracy), to: &table)
    table.beginGroup()
    addCosts(result, kernels, to: &table)
    return table
  }

  private static func addTimes(_ result: CaseResult, _ kernels: [KernelResult], to table: inout Table) {
    let unit = result.timeUnit
    let shown = { (time: Double) in result.perUnit(time) / unit.nanoseconds }
    table.add(
      "\(unit.name) per \(result.unit.rawValue), median",
      kernels.map { $0.time.map { Figures.interval($0, shown) } })
    table.add("spread", kernels.map { $0.time.map { "±" + Figures.percent($0.relativeSpread) } })
    let ratios = kernels.map { result.ratio(of: $0.kernel) }
    let references = Set(ratios.compactMap { $0?.reference })
    let of = references.count == 1 ? " to \(references.first ?? "")" : ""
    table.add(
      "time ratio" + of,
      zip(kernels, ratios).map { kernel, ratio in
        guard let ratio else { return references.contains(kernel.kernel) ? "1 (reference)" : nil }
        let interval = Figures.interval(ratio.ratio, ratio.low, ratio.high)
        return references.count == 1 ? interval : interval + " to \(ratio.reference)"
      })
    table.add(
      "rows per second", kernels.map { $0.time.flatMap { result.rowsPerSecond($0.median) }.map(Figures.count) })
    table.add("outliers", kernels.map { $0.times.isEmpty ? nil : "\($0.outliers.count) of \($0.times.count)" })
  }

  private static func addAccuracy(_ found: [Accuracy?], to table: inout Table) {
    table.add("largest error", found.map { $0?.largestText })
    table.add(
      "wrong or absent answers", found.map { $0.map { "\(Figures.whole($0.wrong)) of \(Figures.whole($0.compared))" } })
    table.add(
      "rows beyond the declared bound", found.map { $0.map { $0.violations.map(Figures.whole) ?? "none declared" } })
    table.add("mean error", found.map { $0.flatMap { $0.isGraded ? Figures.number($0.mean) : nil } })
    table.add(
      "root mean square of errors", found.map { $0.flatMap { $0.isGraded ? Figures.number($0.rootMeanSquare) : nil } })
    table.add("99% of errors up to", found.map { $0.flatMap { $0.isGraded ? Figures.number($0.p99) : nil } })
    table.add("largest relative error", found.map { $0?.largestRelative.map { Figures.number($0) } })
    table.add("row of the largest error", found.map { $0?.worstRow.map(String.init) })
  }

  private static func addCosts(_ result: CaseResult, _ kernels: [KernelResult], to table: inout Table) {
    table.add("peak memory", kernels.map { $0.memory?.peak.map(Figures.bytes) })
    table.add("kept memory", kernels.map { $0.memory?.kept.map(Figures.bytes) })
    table.add("allocations", kernels.map { $0.memory?.allocations.map(Figures.whole) })
    table.add("bytes allocated", kernels.map { $0.memory?.allocated.map(Figures.bytes) })
    table.add("median of single calls", kernels.map { $0.latency.map { Figures.duration($0.p50) } })
    table.add("99% of calls within", kernels.map { $0.latency.map { Figures.duration($0.p99) } })
    table.add("99.9% of calls within", kernels.map { $0.latency.map { Figures.duration($0.p999) } })
    table.add("the same of idle calls", kernels.map { $0.latency.flatMap { $0.idleP999.map(Figures.duration) } })
    table.add(
      "99.9% without what idle calls have", kernels.map { $0.latency.flatMap { $0.ownP999.map(Figures.duration) } })
    table.add("slowest call", kernels.map { $0.latency.map { Figures.duration($0.largest) } })
    table.add("cycles per \(result.unit.rawValue)", kernels.map { $0.cyclesPerUnit.map { Figures.number($0) } })
    table.add(
      "instructions per \(result.unit.rawValue)", kernels.map { $0.instructionsPerUnit.map { Figures.number($0) } })
  }

  /// The bounds that kernels declare, in words: each once, with all that declare it.
  static func bounds(_ result: CaseResult) -> [String] {
    var bounds: [(words: String, kernels: [String])] = []
    for kernel in result.answered {
      guard let words = kernel.accuracy?.bound else { continue }
      if let index = bounds.firstIndex(where: { $0.words == words }) {
        bounds[index].kernels.append(kernel.kernel)
      } else {
        bounds.append((words, [kernel.kernel]))
      }
    }
    return bounds.map { "\($0.kernels.joined(separator: ", ")): \($0.words)" }
  }
}
