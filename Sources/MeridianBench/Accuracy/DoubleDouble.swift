// SPDX-License-Identifier: Apache-2.0

/// A sum of two doubles, the second below half an ulp of the first: about 106 bits. Right answers are computed in it, with
/// twice the digits of what they judge, alike on every platform.
struct DoubleDouble: Sendable, Equatable {
  var high: Double
  var low: Double

  init(_ high: Double, _ low: Double = 0) {
    self.high = high
    self.low = low
  }

  /// a + b without rounding (Knuth).
  @inline(__always)
  static func sum(_ a: Double, _ b: Double) -> DoubleDouble {
    let total = a + b
    let part = total - a
    return DoubleDouble(total, (a - (total - part)) + (b - part))
  }

  /// a + b without rounding where |a| >= |b| (Dekker).
  @inline(__always)
  private static func quickSum(_ a: Double, _ b: Double) -> DoubleDouble {
    let total = a + b
    return DoubleDouble(total, b - (total - a))
  }

  /// a b without rounding, outside of underflow.
  @inline(__always)
  static func product(_ a: Double, _ b: Double) -> DoubleDouble {
    let product = a * b
    return DoubleDouble(product, (-product).addingProduct(a, b))
  }

  @inline(__always)
  static func + (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let high = sum(a.high, b.high)
    let low = sum(a.low, b.low)
    let first = quickSum(high.high, high.low + low.high)
    return quickSum(first.high, first.low + low.low)
  }

  @inline(__always) static prefix func - (a: DoubleDouble) -> DoubleDouble { DoubleDouble(-a.high, -a.low) }
  @inline(__always) static func - (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble { a + -b }
  static func += (a: inout DoubleDouble, b: DoubleDouble) { a = a + b }

  @inline(__always)
  static func * (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let main = product(a.high, b.high)
    return quickSum(main.high, main.low + (a.high * b.low + a.low * b.high))
  }

  @inline(__always)
  static func * (a: DoubleDouble, b: Double) -> DoubleDouble {
    let main = product(a.high, b)
    return quickSum(main.high, main.low + a.low * b)
  }

  static func / (a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let first = a.high / b.high
    var rest = a - b * first
    let second = rest.high / b.high
    rest = rest - b * second
    return quickSum(first, second) + DoubleDouble(rest.high / b.high)
  }

  func squareRoot() -> DoubleDouble {
    guard high > 0 else { return DoubleDouble(0) }
    let root = high.squareRoot()
    let rest = self - Self.product(root, root)
    return Self.quickSum(root, rest.high / (2 * root))
  }

  var magnitude: DoubleDouble { high < 0 ? -self : self }

  /// |value - this|, the difference taken before it is rounded.
  func distance(to value: Double) -> Double { abs((value - high) - low) }
}
