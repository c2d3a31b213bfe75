// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Decides whether a figure changed beyond the noise.
struct ChangeRule {
  let threshold: Double

  /// A figure with its interval, all above 0.
  struct Estimate {
    let value: Double
    let low: Double
    let high: Double

    init?(_ value: Double, _ low: Double, _ high: Double) {
      guard value > 0, low > 0, high.isFinite, low <= value, value <= high else { return nil }
      self.value = value
      self.low = low
      self.high = high
    }

    init?(_ ratio: RatioResult) { self.init(ratio.ratio, ratio.low, ratio.high) }
    init?(_ time: Spread) { self.init(time.median, time.low, time.high) }
  }

  struct Change {
    let factor: Double
    let low: Double
    let high: Double
    let verdict: ComparisonFinding.Verdict
  }

  /// The quotient of two independent estimates, less being better.
  func change(_ old: Estimate, _ new: Estimate) -> Change {
    let middle = log(new.value / old.value)
    let below = hypot(log(new.value / new.low), log(old.high / old.value))
    let above = hypot(log(new.high / new.value), log(old.value / old.low))
    let low = exp(middle - below)
    let high = exp(middle + above)
    let factor = exp(middle)
    let verdict: ComparisonFinding.Verdict =
      low > 1 && factor >= 1 + threshold ? .worse : high < 1 && factor <= 1 / (1 + threshold) ? .better : .same
    return Change(factor: factor, low: low, high: high, verdict: verdict)
  }

  /// Figures without noise, less being better.
  func verdict(_ old: Double, _ new: Double) -> ComparisonFinding.Verdict {
    // What is no number is beyond every number.
    if old.isNaN || new.isNaN { return old.isNaN == new.isNaN ? .same : new.isNaN ? .worse : .better }
    if new > old * (1 + threshold) { return .worse }
    return new < old / (1 + threshold) ? .better : .same
  }
}

extension ComparisonFinding {
  mutating func set(_ old: Double, _ new: Double, unit: String? = nil) {
    self.old = old
    self.new = new
    self.unit = unit
    factor = old > 0 && new.isFinite ? new / old : nil
  }

  mutating func set(_ change: ChangeRule.Change) {
    factor = change.factor
    low = change.low
    high = change.high
  }
}
