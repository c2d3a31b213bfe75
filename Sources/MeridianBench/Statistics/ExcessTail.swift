// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// The tail of a kernel's calls without what the machine does to any call.
///
/// A machine stops every program now and then, for a clock, another program, another guest of its host. How often and for how
/// long is seen on idle calls: empty ones of the same length, made in turns with the kernel's. Where a share of them lasts longer
/// than t, as many of the kernel's do whatever the kernel is, so the 99.9th percentile that is its own is the largest t with
/// P(call > t) - P(idle > t) > 0.001.
///
/// Its interval inverts a test: bounds are where the interval of that difference of two shares (Newcombe 1998, method 10, which
/// joins two intervals by Wilson) leaves 0.001 below and above it.
///
/// 0 = no t is such: idle calls are as slow as the kernel's at every length.
struct ExcessTail: Equatable, Sendable {
  let value: Double
  let low: Double
  /// The largest number where too few calls were made for a bound.
  let high: Double

  /// - Parameter tail: the share of calls that may be beyond the quantile: 0.001 for the 99.9th percentile.
  init(calls: Sample, idle: Sample, tail: Double, confidence: Double) {
    let z = Wilson.quantile(1 - (1 - confidence) / 2)
    func difference(_ beyond: Beyond) -> Difference {
      Difference(Wilson(beyond.calls, of: calls.count, z), Wilson(beyond.idle, of: idle.count, z))
    }
    value = Self.last(calls, idle) { difference($0).value > tail } ?? 0
    low = Self.last(calls, idle) { difference($0).low > tail } ?? 0
    high =
      difference((0, 0)).high > tail
      ? .greatestFiniteMagnitude : Self.last(calls, idle) { difference($0).high > tail } ?? 0
  }

  /// How many last at least as long.
  private typealias Beyond = (calls: Int, idle: Int)

  /// The longest call such that the question is true of what lasts at least as long; nil = it is of none.
  private static func last(_ calls: Sample, _ idle: Sample, _ holds: (Beyond) -> Bool) -> Double? {
    var idles = idle.count
    for index in calls.sorted.indices.reversed() {
      let time = calls.sorted[index]
      while idles > 0, idle.sorted[idles - 1] >= time { idles -= 1 }
      if index > 0, calls.sorted[index - 1] == time { continue }
      if holds((calls.count - index, idle.count - idles)) { return time }
    }
    return nil
  }
}

/// Of two shares, with its interval (Newcombe 1998, method 10).
private struct Difference {
  let value: Double
  let low: Double
  let high: Double

  init(_ one: Wilson, _ other: Wilson) {
    func root(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
    value = one.share - other.share
    low = value - root(one.share - one.low, other.high - other.share)
    high = value + root(one.high - one.share, other.share - other.low)
  }
}

/// A share with its score interval (Wilson 1927).
private struct Wilson {
  let share: Double
  let low: Double
  let high: Double

  init(_ count: Int, of all: Int, _ z: Double) {
    let size = Double(all)
    share = Double(count) / size
    let middle = (share + z * z / (2 * size)) / (1 + z * z / size)
    let reach = z / (1 + z * z / size) * (share * (1 - share) / size + z * z / (4 * size * size)).squareRoot()
    (low, high) = (max(0, middle - reach), min(1, middle + reach))
  }

  /// The quantile of the normal distribution, by bisection of the error function.
  static func quantile(_ share: Double) -> Double {
    var (low, high) = (0.0, 40.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if 1 - erfc(middle / 2.0.squareRoot()) / 2 < share { low = middle } else { high = middle }
    }
    return high
  }
}
