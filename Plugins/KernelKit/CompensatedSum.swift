// SPDX-License-Identifier: Apache-2.0

/// `a + b` as the rounded sum and its exact error (Knuth 1969, also known as 2Sum): head + tail = a + b.
///
/// Edge cases: when the head overflows, the tail is NaN.
@inlinable @inline(__always)
public func twoSum(_ a: Double, _ b: Double) -> (head: Double, tail: Double) {
  let head = a + b
  let back = head - a
  return (head, (a - (head - back)) + (b - back))
}

/// A sum of n terms in two doubles. |error| <= u |sum| + 2 n u^2 sum |term|, u = 2^-53 (Ogita, Rump, Oishi 2005).
public struct CompensatedSum: BitwiseCopyable {
  public private(set) var head = 0.0
  public private(set) var tail = 0.0

  public init() {}

  /// head + tail as they are.
  @inline(__always)
  public init(head: Double, tail: Double) {
    self.head = head
    self.tail = tail
  }

  @inline(__always)
  public mutating func add(_ term: Double) {
    let sum = twoSum(head, term)
    head = sum.head
    tail += sum.tail
  }

  @inline(__always)
  public mutating func add(_ other: CompensatedSum) {
    add(other.head)
    tail += other.tail
  }

  @inline(__always)
  public mutating func subtract(_ other: CompensatedSum) {
    add(-other.head)
    tail -= other.tail
  }

  public var value: Double { head + tail }
}
