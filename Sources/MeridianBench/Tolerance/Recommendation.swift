// SPDX-License-Identifier: Apache-2.0

/// Chooses the tolerance of the least expected cost, and says why.
struct Recommendation {
  let result: ToleranceResult.Recommendation?

  /// - Parameter subjects: positions that were snapped, for the error of the costs.
  init(for sweep: ToleranceResult, subjects: Int) {
    guard let best = sweep.steps.min(by: { $0.cost < $1.cost }) else {
      result = nil
      return
    }
    // The cost of one position is at most r, so a mean of n has a standard error of at most sqrt(mean x r / n).
    let error = (best.cost * max(1, sweep.costRatio) / Double(max(1, subjects))).squareRoot()
    let close = sweep.steps.filter { $0.cost <= best.cost + 2 * error }
    let p0 = Figures.share(sweep.falseShare)
    var reasons = [
      "With \(p0) of positions that should not snap and a false or wrong snap \(Figures.short(sweep.costRatio)) times as bad as "
        + "a missed one, \(Figures.short(best.points)) points cost \(Figures.short(best.cost)) a position, the least of the sweep.",
      "There \(Figures.share(best.right)) snap to the target that was meant, \(Figures.share(best.snapped - best.right)) to another, "
        + "\(Figures.share(best.missed)) are missed; \(Figures.share(best.falseSnaps)) of those that should not snap do.",
    ]
    if let first = close.first, let last = close.last, close.count > 1 {
      reasons.append(
        "Between \(Figures.short(first.points)) and \(Figures.short(last.points)) points the cost is within two standard errors of "
          + "that: with \(subjects) positions they cannot be told apart.")
    }
    if best.points == sweep.steps.last?.points, sweep.steps.count > 1 {
      reasons.append("It is the largest tolerance of the sweep: a larger one may cost less.")
    } else if best.points == sweep.steps.first?.points, sweep.steps.count > 1 {
      reasons.append("It is the smallest tolerance of the sweep: a smaller one may cost less.")
    }
    if best.ambiguous > 0.05 {
      reasons.append(
        "\(Figures.share(best.ambiguous)) of the positions have two targets in reach that pointing cannot tell apart: show "
          + "which one is taken, or zoom in.")
    }
    result = ToleranceResult.Recommendation(points: best.points, metres: best.metres, reasons: reasons)
  }
}
