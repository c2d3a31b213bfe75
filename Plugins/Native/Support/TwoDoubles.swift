// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// A number as the sum of two doubles that do not overlap, about 106 bits (Dekker 1971; bounds by Joldes, Muller, Popescu
/// 2017). Each operation is wrong by at most 10 u^2 of its result, u = 2^-53, as long as nothing overflows or falls below
/// the normal numbers. The same bits with and without fused multiply-add.
struct TwoDoubles {
  var head: Double
  var tail: Double

  @inline(__always)
  init(_ head: Double, _ tail: Double = 0) {
    self.head = head
    self.tail = tail
  }

  /// `a - b` without error.
  @inline(__always)
  init(_ a: Double, minus b: Double) { (head, tail) = twoSum(a, -b) }

  /// Renormalises a sum whose first term is not the smaller one.
  @inline(__always)
  private init(ordered head: Double, _ tail: Double) {
    let sum = head + tail
    self.head = sum
    self.tail = tail - (sum - head)
  }

  @inline(__always)
  static func + (a: TwoDoubles, b: TwoDoubles) -> TwoDoubles {
    let (high, highTail) = twoSum(a.head, b.head)
    let (low, lowTail) = twoSum(a.tail, b.tail)
    let first = TwoDoubles(ordered: high, highTail + low)
    return TwoDoubles(ordered: first.head, first.tail + lowTail)
  }

  @inline(__always)
  static func - (a: TwoDoubles, b: TwoDoubles) -> TwoDoubles { a + TwoDoubles(-b.head, -b.tail) }

  @inline(__always)
  static func * (a: TwoDoubles, b: TwoDoubles) -> TwoDoubles {
    let (head, tail) = twoProduct(a.head, b.head)
    return TwoDoubles(ordered: head, tail + (a.head * b.tail + a.tail * b.head))
  }

  @inline(__always)
  static func * (a: Double, b: TwoDoubles) -> TwoDoubles {
    let (head, tail) = twoProduct(a, b.head)
    return TwoDoubles(ordered: head, tail + a * b.tail)
  }

  @inline(__always)
  static func / (a: TwoDoubles, b: TwoDoubles) -> TwoDoubles {
    let quotient = a.head / b.head
    let rest = a - quotient * b
    return TwoDoubles(ordered: quotient, rest.head / b.head)
  }

  /// The root of a number that is not negative, right to half an ulp and a little.
  @inline(__always)
  var squareRoot: Double {
    let root = head.squareRoot()
    guard root > 0 else { return 0 }
    let (square, squareTail) = twoProduct(root, root)
    return root + ((head - square) - squareTail + tail) / (2 * root)
  }

  /// The double nearest to the exact number when that lies within `error` of this one; nil when two doubles could be.
  @inline(__always)
  func rounded(within error: Double) -> Double? {
    head + (tail + error) == head && head + (tail - error) == head ? head : nil
  }
}
