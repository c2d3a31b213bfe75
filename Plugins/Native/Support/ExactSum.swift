// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// A sum without rounding: partial sums that do not overlap, smallest first (Shewchuk 1997, grow-expansion with
/// elimination of zeros). Slow and rare: kernels turn to it where two doubles cannot tell.
///
/// Doubles span 2,098 bits, so non-overlapping partial sums fit in 40; terms must not make the sum overflow.
struct ExactSum {
  private static let room = 48
  private var partials = InlineArray<48, Double>(repeating: 0)
  private var count = 0

  mutating func add(_ term: Double) {
    var carry = term
    var kept = 0
    for index in 0..<count {
      let (head, tail) = twoSum(partials[index], carry)
      if tail != 0 {
        partials[kept] = tail
        kept += 1
      }
      carry = head
    }
    // A full array cannot happen for finite sums; with an overflow in it the number no longer matters.
    if kept < ExactSum.room {
      partials[kept] = carry
      count = kept + 1
    }
  }

  /// Adds `sign` times another sum; `sign` is 1 or -1.
  mutating func add(_ other: ExactSum, sign: Double) {
    for index in 0..<other.count { add(sign * other.partials[index]) }
  }

  /// The sum within one ulp. Its sign is exact: the largest partial sum decides it.
  var value: Double {
    var sum = 0.0
    for index in 0..<count { sum += partials[index] }
    return sum
  }
}
