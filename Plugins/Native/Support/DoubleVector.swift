// SPDX-License-Identifier: Apache-2.0
import KernelMath

/// Vectors of doubles whose arithmetic is one instruction a register, on every way through the optimiser; see
/// kernel_simd.h. These operators win over those of the standard library.
protocol DoubleVector: SIMD where Scalar == Double {
  static func sum(_ a: Self, _ b: Self) -> Self
  static func difference(_ a: Self, _ b: Self) -> Self
  static func product(_ a: Self, _ b: Self) -> Self
  static func quotient(_ a: Self, _ b: Self) -> Self
  var negated: Self { get }
  var root: Self { get }
  /// a b + c in one rounding.
  static func fused(_ a: Self, _ b: Self, _ c: Self) -> Self
}

extension DoubleVector {
  @inline(__always) static func + (a: Self, b: Self) -> Self { sum(a, b) }
  @inline(__always) static func - (a: Self, b: Self) -> Self { difference(a, b) }
  @inline(__always) static func * (a: Self, b: Self) -> Self { product(a, b) }
  @inline(__always) static func / (a: Self, b: Self) -> Self { quotient(a, b) }
  @inline(__always) static prefix func - (a: Self) -> Self { a.negated }

  @inline(__always) static func + (a: Self, b: Double) -> Self { sum(a, Self(repeating: b)) }
  @inline(__always) static func - (a: Self, b: Double) -> Self { difference(a, Self(repeating: b)) }
  @inline(__always) static func * (a: Self, b: Double) -> Self { product(a, Self(repeating: b)) }
  @inline(__always) static func / (a: Self, b: Double) -> Self { quotient(a, Self(repeating: b)) }
  @inline(__always) static func + (a: Double, b: Self) -> Self { sum(Self(repeating: a), b) }
  @inline(__always) static func - (a: Double, b: Self) -> Self { difference(Self(repeating: a), b) }
  @inline(__always) static func * (a: Double, b: Self) -> Self { product(Self(repeating: a), b) }
  @inline(__always) static func / (a: Double, b: Self) -> Self { quotient(Self(repeating: a), b) }

  @inline(__always) static func += (a: inout Self, b: Self) { a = sum(a, b) }
  @inline(__always) static func -= (a: inout Self, b: Self) { a = difference(a, b) }
  @inline(__always) static func *= (a: inout Self, b: Self) { a = product(a, b) }
  @inline(__always) static func += (a: inout Self, b: Double) { a = a + b }
  @inline(__always) static func -= (a: inout Self, b: Double) { a = a - b }
  @inline(__always) static func *= (a: inout Self, b: Double) { a = a * b }

  @inline(__always) func squareRoot() -> Self { root }
}

/// `a + b` as the rounded sums and their exact errors (Knuth 1969); see `twoSum` of doubles.
@inline(__always)
func twoSum<Vector: DoubleVector>(_ a: Vector, _ b: Vector) -> (head: Vector, tail: Vector) {
  let head = a + b
  let back = head - a
  return (head, (a - (head - back)) + (b - back))
}

extension SIMD2: DoubleVector where Scalar == Double {
  @inline(__always) static func sum(_ a: Self, _ b: Self) -> Self { mrdk_add2(a, b) }
  @inline(__always) static func difference(_ a: Self, _ b: Self) -> Self { mrdk_subtract2(a, b) }
  @inline(__always) static func product(_ a: Self, _ b: Self) -> Self { mrdk_multiply2(a, b) }
  @inline(__always) static func quotient(_ a: Self, _ b: Self) -> Self { mrdk_divide2(a, b) }
  @inline(__always) var negated: Self { mrdk_negate2(self) }
  @inline(__always) var root: Self { mrdk_root2(self) }
  @inline(__always) static func fused(_ a: Self, _ b: Self, _ c: Self) -> Self { mrdk_fused2(a, b, c) }
}

extension SIMD4: DoubleVector where Scalar == Double {
  @inline(__always) static func sum(_ a: Self, _ b: Self) -> Self { mrdk_add4(a, b) }
  @inline(__always) static func difference(_ a: Self, _ b: Self) -> Self { mrdk_subtract4(a, b) }
  @inline(__always) static func product(_ a: Self, _ b: Self) -> Self { mrdk_multiply4(a, b) }
  @inline(__always) static func quotient(_ a: Self, _ b: Self) -> Self { mrdk_divide4(a, b) }
  @inline(__always) var negated: Self { mrdk_negate4(self) }
  @inline(__always) var root: Self { mrdk_root4(self) }
  @inline(__always) static func fused(_ a: Self, _ b: Self, _ c: Self) -> Self { mrdk_fused4(a, b, c) }
}

extension SIMD8: DoubleVector where Scalar == Double {
  @inline(__always) static func sum(_ a: Self, _ b: Self) -> Self { mrdk_add8(a, b) }
  @inline(__always) static func difference(_ a: Self, _ b: Self) -> Self { mrdk_subtract8(a, b) }
  @inline(__always) static func product(_ a: Self, _ b: Self) -> Self { mrdk_multiply8(a, b) }
  @inline(__always) static func quotient(_ a: Self, _ b: Self) -> Self { mrdk_divide8(a, b) }
  @inline(__always) var negated: Self { mrdk_negate8(self) }
  @inline(__always) var root: Self { mrdk_root8(self) }
  @inline(__always) static func fused(_ a: Self, _ b: Self, _ c: Self) -> Self { mrdk_fused8(a, b, c) }
}

extension SIMD16: DoubleVector where Scalar == Double {
  @inline(__always) static func sum(_ a: Self, _ b: Self) -> Self { mrdk_add16(a, b) }
  @inline(__always) static func difference(_ a: Self, _ b: Self) -> Self { mrdk_subtract16(a, b) }
  @inline(__always) static func product(_ a: Self, _ b: Self) -> Self { mrdk_multiply16(a, b) }
  @inline(__always) static func quotient(_ a: Self, _ b: Self) -> Self { mrdk_divide16(a, b) }
  @inline(__always) var negated: Self { mrdk_negate16(self) }
  @inline(__always) var root: Self { mrdk_root16(self) }
  @inline(__always) static func fused(_ a: Self, _ b: Self, _ c: Self) -> Self { mrdk_fused16(a, b, c) }
}
