// SPDX-License-Identifier: Apache-2.0

extension BudgetResult.Verdict {
  var words: String {
    switch self {
    case .kept: "kept"
    case .exceeded: "EXCEEDED"
    case .undecided: "undecided: not kept"
    case .notRun: "not run"
    }
  }
}

/// The tables of everything that is not a case.
enum OtherTables {
  static func budgets(_ budgets: [BudgetResult]) -> Table {
    var table = Table("Budgets", rows: "budget", budgets.map(\.budget))
    table.add("suite", isNumber: false, budgets.map(\.suite.rawValue))
    table.add("figure", isNumber: false, budgets.map(figure))
    table.add("limit", budgets.map { Figures.exact($0.limit) })
    table.add("measured", budgets.map(measured))
    table.add("verdict", isNumber: false, budgets.map { $0.verdict.words + ($0.isEnforced ? "" : " (not enforced)") })
    table.add("note", isNumber: false, budgets.map { $0.note.isEmpty ? nil : $0.note })
    return table
  }

  /// The figure that is limited, in words.
  private static func figure(_ budget: BudgetResult) -> String {
    switch budget.limitName {
    case "error": "largest error"
    case "p999_us": "99.9% of calls within, microseconds"
    default: budget.limitName.replacing("_", with: " ")
    }
  }

  private static func measured(_ budget: BudgetResult) -> String? {
    guard let value = budget.value else { return nil }
    guard let low = budget.low, let high = budget.high else { return Figures.number(value) }
    return Figures.interval(value, low, high)
  }

  static func scaling(_ result: ScalingResult) -> Table {
    var table = Table(result.name, rows: "kernel", result.series.map(\.kernel))
    table.add(
      "growth exponent of time", result.series.map { Figures.interval($0.exponent, $0.low, $0.high) })
    let sizes = Set(result.series.flatMap(\.sizes)).sorted()
    for size in sizes {
      table.add(
        "\(Figures.whole(size)) \(result.variable)",
        result.series.map { series in
          zip(series.sizes, series.times).first { $0.0 == size }.map { Figures.duration($0.1) }
        })
    }
    return table
  }

  static func tolerance(_ result: ToleranceResult) -> Table {
    let steps = result.steps
    let best = result.recommendation?.points
    var table = Table(
      result.title, rows: "tolerance, points",
      steps.map { Figures.exact($0.points) + ($0.points == best ? " (recommended)" : "") })
    table.add("metres", steps.map { Figures.number($0.metres) })
    table.add("snapped", steps.map { Figures.share($0.snapped) })
    table.add("right", steps.map { Figures.share($0.right) })
    table.add("missed", steps.map { Figures.share($0.missed) })
    table.add("false", steps.map { Figures.share($0.falseSnaps) })
    table.add("ambiguous", steps.map { Figures.share($0.ambiguous) })
    table.add("cost, in missed snaps", steps.map { Figures.number($0.cost) })
    table.add("median move, metres", steps.map { Figures.number($0.displacementP50) })
    table.add("95% of moves up to, metres", steps.map { Figures.number($0.displacementP95) })
    table.add("largest move, metres", steps.map { Figures.number($0.displacementLargest) })
    table.add("collapsed features", steps.map { $0.collapsed.map(Figures.whole) })
    table.add("invalid features", steps.map { $0.invalid.map(Figures.whole) })
    table.add("99.9% of calls within", steps.map { $0.latency.map { Figures.duration($0.p999) } })
    return table
  }

  static func kernels(_ kernels: [KernelFacts]) -> Table {
    var table = Table("Kernels", rows: "kernel", kernels.map(\.id))
    table.add("version", isNumber: false, kernels.map(\.version))
    table.add("stands on", isNumber: false, kernels.map { $0.source.isEmpty ? nil : $0.source })
    table.add("CPU level", isNumber: false, kernels.map(\.cpuLevel))
    return table
  }
}

extension ToleranceResult {
  var title: String { "\(kernel), \(pointer), \(Figures.short(metresPerPoint)) metres a point" }

  /// What was assumed, in sentences.
  var assumptions: [String] {
    var lines = [
      "Pointing error, metres: bias \(Figures.short(biasX)) east and \(Figures.short(biasY)) north, "
        + "standard deviation \(Figures.short(sigmaX)) and \(Figures.short(sigmaY)).",
      "\(Figures.short(falseShare * 100))% of the points should not snap; "
        + "a false snap costs \(Figures.exact(costRatio)) missed ones.",
    ]
    if let zoom {
      let place = latitude.map { " at latitude \(Figures.exact($0))" } ?? ""
      lines.append("The scale is that of zoom level \(Figures.exact(zoom))\(place).")
    }
    return lines
  }

  var advice: String? {
    recommendation.map {
      "Recommended: \(Figures.exact($0.points)) points, \(Figures.number($0.metres)) metres."
    }
  }
}

extension RunContext {
  /// What has to be known to repeat the run, as pairs of a name and a value.
  var facts: [(name: String, value: String)] {
    let memory = machine.memory > 0 ? Figures.bytes(machine.memory) : ""
    let all = [
      ("command", command), ("date", date), ("Meridian", "\(version), \(build) build"), ("platform", machine.platform),
      ("processor", machine.processor), ("cores", String(machine.cores)), ("CPU level", cpuLevel),
      ("memory", memory), ("caches", machine.caches), ("system", machine.system),
      ("load at the start", Figures.short(machine.load)), ("seed", String(seed)),
    ]
    return all.filter { !$0.1.isEmpty }.map { (name: $0.0, value: $0.1) }
  }
}
