// SPDX-License-Identifier: Apache-2.0

/// A whole number of up to 12,288 bits, for the rare decisions and roundings that two doubles cannot vouch for. No memory
/// is asked for, nothing traps; what does not fit is cut off, which the callers' degrees exclude: products of five
/// doubles and one more sum need 10,600 bits.
///
/// Coordinates become whole numbers in units of a power of two that `unitExponent` finds, so sums and products are exact
/// for all finite doubles, however small.
struct ExactInteger {
  private static let room = 192
  private var words = InlineArray<192, UInt64>(repeating: 0)
  /// Words up to the highest one that is not 0.
  private var count = 0
  private var isNegative = false

  init() {}

  /// `value` in units of 2^unit; `unit` is at most the exponent of its last bit.
  init(_ value: Double, unit: Int) {
    guard value != 0, let (mantissa, exponent) = ExactInteger.parts(value) else { return }
    words[0] = mantissa
    count = 1
    isNegative = value < 0
    shiftLeft(max(0, exponent &- unit))
  }

  /// The exponent of the last bit that is set in any of the values; 0 when all are 0.
  static func unitExponent(_ values: Double...) -> Int {
    var least = Int.max
    for value in values {
      if value != 0, let (_, exponent) = parts(value) { least = min(least, exponent) }
    }
    return least == Int.max ? 0 : least
  }

  /// |value| = mantissa x 2^exponent with an odd mantissa; nil for NaN and infinities.
  private static func parts(_ value: Double) -> (mantissa: UInt64, exponent: Int)? {
    guard value.isFinite else { return nil }
    let bits = value.bitPattern
    let biased = Int((bits >> 52) & 0x7ff)
    var mantissa = bits & 0xf_ffff_ffff_ffff
    if biased > 0 { mantissa |= 1 << 52 }
    let zeros = mantissa.trailingZeroBitCount & 63
    return (mantissa >> UInt64(zeros), max(1, biased) &- 1075 &+ zeros)
  }

  /// -1, 0 or 1.
  var sign: Int { count == 0 ? 0 : isNegative ? -1 : 1 }

  private var bitCount: Int { count == 0 ? 0 : count &* 64 &- words[count &- 1].leadingZeroBitCount }

  static func + (a: ExactInteger, b: ExactInteger) -> ExactInteger {
    if a.isNegative == b.isNegative { return sum(a, b) }
    return compareMagnitudes(a, b) >= 0 ? difference(a, b) : difference(b, a)
  }

  static func - (a: ExactInteger, b: ExactInteger) -> ExactInteger {
    var negated = b
    negated.isNegative = !b.isNegative
    return a + negated
  }

  static func * (a: ExactInteger, b: ExactInteger) -> ExactInteger {
    var product = ExactInteger()
    for i in 0..<a.count {
      var carry: UInt64 = 0
      for j in 0..<b.count where i &+ j < room {
        let (high, low) = a.words[i].multipliedFullWidth(by: b.words[j])
        let (first, over1) = low.addingReportingOverflow(product.words[i &+ j])
        let (second, over2) = first.addingReportingOverflow(carry)
        product.words[i &+ j] = second
        carry = high &+ (over1 ? 1 : 0) &+ (over2 ? 1 : 0)
      }
      if i &+ b.count < room { product.words[i &+ b.count] = carry }
    }
    product.trim(min(room, a.count &+ b.count))
    product.isNegative = a.isNegative != b.isNegative
    return product
  }

  /// numerator / denominator x 2^unit as the nearest double, ties to even; the denominator is positive.
  static func quotient(_ numerator: ExactInteger, _ denominator: ExactInteger, unit: Int) -> Double {
    guard numerator.count > 0, denominator.count > 0 else { return 0 }
    // Bits of the quotient before it is rounded: 55 or 56, and whether anything is left says the rest.
    let shift = 55 &- (numerator.bitCount &- denominator.bitCount)
    var rest = numerator
    var divisor = denominator
    rest.isNegative = false
    if shift > 0 { rest.shiftLeft(shift) } else { divisor.shiftLeft(0 &- shift) }
    divisor.shiftLeft(56)
    var quotient: UInt64 = 0
    for _ in 0...56 {
      quotient <<= 1
      if compareMagnitudes(rest, divisor) >= 0 {
        rest = difference(rest, divisor)
        quotient |= 1
      }
      divisor.shiftRightOne()
    }
    let magnitude = rounded(quotient, hasRest: rest.count > 0, exponent: unit &- shift)
    return numerator.isNegative ? -magnitude : magnitude
  }

  /// (bits + a rest below one) x 2^exponent as the nearest double, ties to even, below the normal numbers too.
  private static func rounded(_ bits: UInt64, hasRest: Bool, exponent: Int) -> Double {
    let length = 64 &- bits.leadingZeroBitCount
    let top = length &- 1 &+ exponent
    let precision = top >= -1022 ? 53 : 53 &- (-1022 &- top)
    let dropped = length &- precision
    guard precision >= 0, dropped > 0, dropped < 64 else {
      return precision < 0 ? 0 : Double(sign: .plus, exponent: exponent, significand: Double(bits))
    }
    var kept = bits >> UInt64(dropped)
    let cut = bits & ((1 << UInt64(dropped)) &- 1)
    let half: UInt64 = 1 << UInt64(dropped &- 1)
    if cut > half || (cut == half && (hasRest || kept & 1 == 1)) { kept &+= 1 }
    return Double(sign: .plus, exponent: exponent &+ dropped, significand: Double(kept))
  }

  private static func compareMagnitudes(_ a: ExactInteger, _ b: ExactInteger) -> Int {
    if a.count != b.count { return a.count < b.count ? -1 : 1 }
    var index = a.count
    while index > 0 {
      index &-= 1
      if a.words[index] != b.words[index] { return a.words[index] < b.words[index] ? -1 : 1 }
    }
    return 0
  }

  private static func sum(_ a: ExactInteger, _ b: ExactInteger) -> ExactInteger {
    var result = a
    let length = max(a.count, b.count)
    var carry: UInt64 = 0
    for index in 0..<length {
      let (first, over1) = a.words[index].addingReportingOverflow(b.words[index])
      let (second, over2) = first.addingReportingOverflow(carry)
      result.words[index] = second
      carry = (over1 ? 1 : 0) &+ (over2 ? 1 : 0)
    }
    if length < room { result.words[length] = carry }
    result.trim(min(room, length &+ 1))
    return result
  }

  /// |a| - |b| with the sign of a, for |a| >= |b|.
  private static func difference(_ a: ExactInteger, _ b: ExactInteger) -> ExactInteger {
    var result = a
    var borrow: UInt64 = 0
    for index in 0..<a.count {
      let (first, under1) = a.words[index].subtractingReportingOverflow(b.words[index])
      let (second, under2) = first.subtractingReportingOverflow(borrow)
      result.words[index] = second
      borrow = (under1 ? 1 : 0) &+ (under2 ? 1 : 0)
    }
    result.trim(a.count)
    return result
  }

  private mutating func trim(_ length: Int) {
    count = length
    while count > 0 && words[count &- 1] == 0 { count &-= 1 }
    if count == 0 { isNegative = false }
  }

  private mutating func shiftLeft(_ bits: Int) {
    guard bits > 0, count > 0 else { return }
    let (wordShift, bitShift) = (bits >> 6, UInt64(bits & 63))
    let length = min(ExactInteger.room, count &+ wordShift &+ 1)
    var index = length
    while index > 0 {
      index &-= 1
      let source = index &- wordShift
      var word = source >= 0 && source < count ? words[source] << bitShift : 0
      if bitShift > 0 && source >= 1 && source &- 1 < count { word |= words[source &- 1] >> (64 &- bitShift) }
      words[index] = word
    }
    trim(length)
  }

  private mutating func shiftRightOne() {
    for index in 0..<count {
      let above = index &+ 1 < count ? words[index &+ 1] << 63 : 0
      words[index] = words[index] >> 1 | above
    }
    trim(count)
  }
}
