// SPDX-License-Identifier: Apache-2.0

/// Fractions of whole numbers without a limit, so that tests can hold doubles against exact arithmetic. Slow and plain.
public struct ExactRational: Comparable, Sendable {
  let numerator: WholeNumber
  let denominator: WholeNumber  // > 0

  init(_ numerator: WholeNumber, _ denominator: WholeNumber) {
    // Common factors of two, which sums of doubles gather, would make everything slow.
    let zeros = numerator.isZero ? denominator.trailingZeros : min(numerator.trailingZeros, denominator.trailingZeros)
    let sign = denominator.isNegative
    self.numerator = (sign ? WholeNumber(0) - numerator : numerator).shiftedDown(zeros)
    self.denominator = (sign ? WholeNumber(0) - denominator : denominator).shiftedDown(zeros)
  }

  /// A finite double, exactly.
  public init(_ value: Double) {
    guard value != 0 else {
      self.init(WholeNumber(0), WholeNumber(1))
      return
    }
    let exponent = Int(value.exponent) - 52
    let mantissa = WholeNumber(Int64(value.significand * 0x1p52))
    let signed = value < 0 ? WholeNumber(0) - mantissa : mantissa
    let one = WholeNumber(1)
    self.init(exponent > 0 ? signed.shifted(exponent) : signed, exponent < 0 ? one.shifted(-exponent) : one)
  }

  public static func + (a: ExactRational, b: ExactRational) -> ExactRational {
    if a.denominator == b.denominator { return ExactRational(a.numerator + b.numerator, a.denominator) }
    return ExactRational(
      a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)
  }
  public static func - (a: ExactRational, b: ExactRational) -> ExactRational {
    a + ExactRational(WholeNumber(0) - b.numerator, b.denominator)
  }
  public static func * (a: ExactRational, b: ExactRational) -> ExactRational {
    ExactRational(a.numerator * b.numerator, a.denominator * b.denominator)
  }
  /// `b` is not 0.
  public static func / (a: ExactRational, b: ExactRational) -> ExactRational {
    ExactRational(a.numerator * b.denominator, a.denominator * b.numerator)
  }
  public static func < (a: ExactRational, b: ExactRational) -> Bool {
    (a.numerator * b.denominator - b.numerator * a.denominator).isNegative
  }
  public static func == (a: ExactRational, b: ExactRational) -> Bool {
    a.numerator * b.denominator == b.numerator * a.denominator
  }

  public var sign: Int { numerator.isZero ? 0 : numerator.isNegative ? -1 : 1 }
  public var magnitude: ExactRational { sign < 0 ? ExactRational(0) - self : self }

  /// True when `value` is the double nearest to this number, or one of the two.
  public func rounds(to value: Double) -> Bool {
    let (own, up, down) = (ExactRational(value), ExactRational(value.nextUp), ExactRational(value.nextDown))
    let two = ExactRational(2)
    return self * two <= own + up && self * two >= own + down
  }
}

/// A whole number: sign and 32-bit digits, lowest first.
struct WholeNumber: Equatable, Sendable {
  private(set) var digits: [UInt32]
  private(set) var isNegative: Bool

  init(_ value: Int64) {
    let magnitude = value.magnitude
    digits = [UInt32(truncatingIfNeeded: magnitude), UInt32(truncatingIfNeeded: magnitude >> 32)]
    isNegative = value < 0
    trim()
  }

  private init(_ digits: [UInt32], _ isNegative: Bool) {
    self.digits = digits
    self.isNegative = isNegative
    trim()
  }

  private mutating func trim() {
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty { isNegative = false }
  }

  var isZero: Bool { digits.isEmpty }

  func shifted(_ bits: Int) -> WholeNumber {
    var result = [UInt32](repeating: 0, count: bits / 32)
    var carry: UInt64 = 0
    for digit in digits {
      let wide = UInt64(digit) << UInt64(bits % 32) | carry
      result.append(UInt32(truncatingIfNeeded: wide))
      carry = wide >> 32
    }
    result.append(UInt32(truncatingIfNeeded: carry))
    return WholeNumber(result, isNegative)
  }

  var trailingZeros: Int {
    guard let first = digits.firstIndex(where: { $0 != 0 }) else { return 0 }
    return 32 * first + digits[first].trailingZeroBitCount
  }

  /// Divided by 2^bits, without a rest.
  func shiftedDown(_ bits: Int) -> WholeNumber {
    guard bits > 0, !isZero else { return self }
    let (whole, part) = (bits / 32, UInt64(bits % 32))
    let result = digits.indices.dropFirst(whole).map { index in
      let above = index + 1 < digits.count ? UInt64(digits[index + 1]) << 32 : 0
      return UInt32(truncatingIfNeeded: (above | UInt64(digits[index])) >> part)
    }
    return WholeNumber(result, isNegative)
  }

  static func + (a: WholeNumber, b: WholeNumber) -> WholeNumber {
    if a.isNegative == b.isNegative { return WholeNumber(sum(a.digits, b.digits), a.isNegative) }
    return isLess(a.digits, b.digits)
      ? WholeNumber(difference(b.digits, a.digits), b.isNegative)
      : WholeNumber(difference(a.digits, b.digits), a.isNegative)
  }

  static func - (a: WholeNumber, b: WholeNumber) -> WholeNumber { a + WholeNumber(b.digits, !b.isNegative) }

  static func * (a: WholeNumber, b: WholeNumber) -> WholeNumber {
    var result = [UInt32](repeating: 0, count: a.digits.count + b.digits.count)
    for (i, x) in a.digits.enumerated() {
      var carry: UInt64 = 0
      for (j, y) in b.digits.enumerated() {
        let wide = UInt64(x) * UInt64(y) + UInt64(result[i + j]) + carry
        result[i + j] = UInt32(truncatingIfNeeded: wide)
        carry = wide >> 32
      }
      result[i + b.digits.count] = UInt32(carry)
    }
    return WholeNumber(result, a.isNegative != b.isNegative)
  }

  private static func isLess(_ a: [UInt32], _ b: [UInt32]) -> Bool {
    if a.count != b.count { return a.count < b.count }
    for index in a.indices.reversed() where a[index] != b[index] { return a[index] < b[index] }
    return false
  }

  private static func sum(_ a: [UInt32], _ b: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    var carry: UInt64 = 0
    for index in 0..<max(a.count, b.count) {
      let wide = (index < a.count ? UInt64(a[index]) : 0) + (index < b.count ? UInt64(b[index]) : 0) + carry
      result.append(UInt32(truncatingIfNeeded: wide))
      carry = wide >> 32
    }
    result.append(UInt32(carry))
    return result
  }

  private static func difference(_ a: [UInt32], _ b: [UInt32]) -> [UInt32] {
    var result: [UInt32] = []
    var borrow: Int64 = 0
    for index in a.indices {
      let wide = Int64(a[index]) - (index < b.count ? Int64(b[index]) : 0) - borrow
      result.append(UInt32(truncatingIfNeeded: wide))
      borrow = wide < 0 ? 1 : 0
    }
    return result
  }
}
