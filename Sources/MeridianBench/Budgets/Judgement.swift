// SPDX-License-Identifier: Apache-2.0

/// Holds one figure against its limit.
struct Judgement {
  let budget: Budget
  let limit: Budget.Limit

  /// A figure without noise: an error, a count, bytes.
  func of(_ value: Double) -> BudgetResult { of(value, low: value, high: value) }

  /// A figure with its interval. Inside a limit means at most the limit.
  func of(_ value: Double, low: Double, high: Double) -> BudgetResult {
    let allowed = limit.figure.isAbsoluteTime ? limit.value * budget.margin : limit.value
    var result = blank
    result.value = value
    result.low = low
    result.high = high
    // A NaN is beyond every limit.
    if high <= allowed {
      result.verdict = .kept
      if value > limit.value { result.note = "over \(limit.value), inside the margin of \(budget.margin) times" }
    } else if low > allowed || value.isNaN {
      result.verdict = .exceeded
      result.note = shortfall(value, allowed)
    } else {
      result.verdict = .undecided
      result.note =
        Figures.isUnbounded(low, high)
        ? "too few rounds for an interval" : "the interval [\(low), \(high)] still holds the limit"
    }
    return result
  }

  /// The figure could not be had at all, though the case ran.
  func missing(_ reason: String) -> BudgetResult {
    var result = blank
    result.verdict = .exceeded
    result.note = reason
    return result
  }

  /// The machine, or the installation, lacks what the budget is about, or it is pending.
  func notRun(_ reason: String) -> BudgetResult {
    var result = blank
    result.note = reason
    return result
  }

  private var blank: BudgetResult {
    BudgetResult(
      budget: budget.name, suite: budget.suite, limitName: limit.figure.rawValue, limit: limit.value, verdict: .notRun,
      isEnforced: budget.isEnforced)
  }

  private func shortfall(_ value: Double, _ allowed: Double) -> String {
    guard allowed > 0, value.isFinite else { return "\(value) where \(allowed) is allowed" }
    let percent = ((value / allowed - 1) * 1000).rounded() / 10
    return "\(percent)% beyond the limit"
  }
}

extension BudgetResult {
  /// A reason for a failing exit.
  package var isFailure: Bool { isEnforced && (verdict == .exceeded || verdict == .undecided) }
}

extension BenchReport {
  /// What budgets came to.
  package enum Enforcement: Sendable {
    /// All that ran, some of them at least, or are not enforced.
    case kept
    case notKept
    /// Not one limit was run: nothing was found out.
    case nothingRan
  }

  package var enforcement: Enforcement {
    if budgets.contains(where: { $0.isFailure }) { return .notKept }
    return budgets.contains { $0.verdict != .notRun } ? .kept : .nothingRan
  }
}
