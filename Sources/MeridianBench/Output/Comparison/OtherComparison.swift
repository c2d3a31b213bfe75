// SPDX-License-Identifier: Apache-2.0

/// Compares what is not a case.
enum OtherComparison {
  static func scalings(_ old: [ScalingResult], _ new: [ScalingResult], _ rule: ChangeRule) -> [ComparisonFinding] {
    new.flatMap { result in
      guard let before = old.first(where: { $0.name == result.name }) else {
        return [ComparisonFinding(result.name, nil, "growth", .added, counts: false)]
      }
      return result.series.compactMap { series in
        before.series.first { $0.kernel == series.kernel }.map { exponent(result.name, $0, series) }
      }
    } + removed(old.map(\.name), new.map(\.name), "growth")
  }

  private static func exponent(
    _ name: String, _ old: ScalingResult.Series, _ new: ScalingResult.Series
  ) -> ComparisonFinding {
    let verdict: ComparisonFinding.Verdict = new.low > old.high ? .worse : new.high < old.low ? .better : .same
    var finding = ComparisonFinding(name, new.kernel, "growth exponent", verdict, counts: true)
    finding.old = old.exponent
    finding.new = new.exponent
    return finding
  }

  static func tolerances(_ old: [ToleranceResult], _ new: [ToleranceResult]) -> [ComparisonFinding] {
    new.compactMap { result in
      guard let before = old.first(where: { $0.title == result.title }) else {
        return ComparisonFinding(result.title, nil, "tolerance sweep", .added, counts: false)
      }
      guard let first = before.recommendation?.points, let second = result.recommendation?.points else { return nil }
      var finding = ComparisonFinding(
        result.title, nil, "recommended tolerance", first == second ? .same : .changed, counts: false)
      finding.set(first, second, unit: "points")
      return finding
    } + removed(old.map(\.title), new.map(\.title), "tolerance sweep")
  }

  static func budgets(_ old: [BudgetResult], _ new: [BudgetResult]) -> [ComparisonFinding] {
    func name(_ budget: BudgetResult) -> String { "\(budget.budget), \(budget.limitName)" }
    return new.compactMap { budget in
      guard let before = old.first(where: { name($0) == name(budget) }) else {
        return ComparisonFinding(name(budget), nil, "budget", .added, counts: false)
      }
      let isKept = budget.verdict == .kept
      guard before.verdict != budget.verdict else { return nil }
      var finding = ComparisonFinding(
        name(budget), nil, "budget", isKept ? .better : before.verdict == .kept ? .worse : .changed,
        counts: budget.isEnforced,
        note: "\(before.verdict.words.lowercased()), now \(budget.verdict.words.lowercased())")
      if let old = before.value, let new = budget.value { finding.set(old, new) }
      return finding
    } + removed(old.map(name), new.map(name), "budget")
  }

  private static func removed(_ old: [String], _ new: [String], _ figure: String) -> [ComparisonFinding] {
    old.filter { !new.contains($0) }.map { ComparisonFinding($0, nil, figure, .removed, counts: false) }
  }
}
