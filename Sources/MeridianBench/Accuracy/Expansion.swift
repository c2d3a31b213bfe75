// SPDX-License-Identifier: Apache-2.0

/// A sum of doubles without rounding, as parts that do not overlap (Shewchuk).
struct Expansion {
  private var parts: [Double] = []

  mutating func add(_ value: Double) {
    var carried = value
    var kept: [Double] = []
    for part in parts {
      let sum = DoubleDouble.sum(carried, part)
      if sum.low != 0 { kept.append(sum.low) }
      carried = sum.high
    }
    if carried != 0 { kept.append(carried) }
    parts = kept
  }

  /// Of the largest part, which outweighs all others.
  var sign: Int { parts.last.map { $0 > 0 ? 1 : -1 } ?? 0 }
}
