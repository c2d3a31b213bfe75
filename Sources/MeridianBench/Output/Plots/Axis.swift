// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// One axis of a plot: from values to places, and where its ticks are.
struct Axis {
  enum Scale { case linear, logarithmic }

  struct Tick {
    let value: Double
    let label: String
  }

  let title: String
  let scale: Scale
  /// The values at the ends.
  let low: Double
  let high: Double
  /// The places of the ends.
  let start: Double
  let end: Double

  /// Values whose quotients and logarithms are numbers; one wrong answer of a kernel may be anything.
  private static let magnitudes = 1e-250...1e250

  /// An axis that holds all values with some room; values that have no place on the scale do not count.
  init(_ title: String, _ scale: Scale, holding values: [Double], from start: Double, to end: Double) {
    self.title = title
    self.scale = scale
    self.start = start
    self.end = end
    let usable = values.filter { value in
      scale == .linear ? abs(value) <= Self.magnitudes.upperBound : Self.magnitudes.contains(value)
    }
    let smallest = usable.min() ?? 1
    let largest = usable.max() ?? 1
    switch scale {
    case .linear:
      let reach = largest > smallest ? largest - smallest : max(abs(largest), 1)
      low = smallest >= 0 && smallest < reach ? 0 : smallest - reach * 0.05
      high = largest + reach * 0.05
    case .logarithmic:
      let room = max(1.12, exp(0.05 * (log(largest) - log(smallest))))
      low = smallest / room
      high = largest * room
    }
  }

  /// The place of a value; one beyond an end stays at that end.
  func place(_ value: Double) -> Double {
    let share: Double
    switch scale {
    case .linear: share = (value - low) / (high - low)
    case .logarithmic: share = value > 0 ? (log(value) - log(low)) / (log(high) - log(low)) : 0
    }
    guard share.isFinite else { return start }
    return start + min(1, max(0, share)) * (end - start)
  }

  func holds(_ value: Double) -> Bool { value >= low && value <= high }

  var ticks: [Tick] {
    let values = scale == .linear ? Self.even(low, high) : decades()
    return values.filter(holds).map { Tick(value: $0, label: Figures.short($0, writtenOutUpTo: 4)) }
  }

  /// Powers of ten when there are enough of them, else 1, 2 and 5, else even steps.
  private func decades() -> [Double] {
    let first = Int(floor(log10(low)))
    let last = Int(ceil(log10(high)))
    let step = max(1, (last - first + 5) / 6)
    let powers = stride(from: first, through: last, by: step).map { pow(10, Double($0)) }
    if powers.filter(holds).count >= 3 { return powers }
    let finer = (first...last).flatMap { exponent in [1, 2, 5].map { $0 * pow(10, Double(exponent)) } }
    if finer.filter(holds).count >= 3 { return finer }
    return Self.even(low, high)
  }

  /// Between 4 and 8 multiples of 1, 2 or 5 times a power of ten.
  private static func even(_ low: Double, _ high: Double) -> [Double] {
    let raw = (high - low) / 5
    guard raw > 0, raw.isFinite else { return [low] }
    let power = pow(10, floor(log10(raw)))
    let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= raw * 0.999 } ?? raw
    let first = (low / step).rounded(.up)
    let last = (high / step).rounded(.down)
    guard last >= first, last - first < 100 else { return [low] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }
}
