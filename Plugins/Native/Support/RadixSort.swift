// SPDX-License-Identifier: Apache-2.0

/// Sorts keys whose upper 32 bits are what is sorted by, and whose lower 32 bits are a number that comes along. Least
/// significant digit first, digits of eleven bits; keys that are equal above keep their order.
enum RadixSort {
  private static let bits = 11
  private static let digits = 1 << bits
  /// How many counters `sort` needs.
  static let counters = 3 * digits

  /// `spare` is as large as `keys`. The sorted keys are in the memory that is returned, one of the two.
  static func sort(
    _ keys: UnsafeMutablePointer<UInt64>, _ spare: UnsafeMutablePointer<UInt64>, _ count: Int,
    counters: UnsafeMutablePointer<UInt32>
  ) -> UnsafeMutablePointer<UInt64> {
    countDigits(keys, count, counters, passes: 3, from: 32)
    return move(keys, spare, count, counters, passes: 3, from: 32)
  }

  /// The same by as many of the highest bits as tell most keys apart, while there are not too many keys: what lies below bit
  /// `from` of a key is in no order.
  static func sortRoughly(
    _ keys: UnsafeMutablePointer<UInt64>, _ spare: UnsafeMutablePointer<UInt64>, _ count: Int,
    counters: UnsafeMutablePointer<UInt32>
  ) -> (keys: UnsafeMutablePointer<UInt64>, from: Int) {
    let from = 64 - 2 * bits
    if count <= 1 << (2 * bits - 2) {
      countDigits(keys, count, counters, passes: 2, from: from)
      var most: UInt32 = 0
      for digit in 0..<digits { most = max(most, counters[digits &+ digit]) }
      // Keys that crowd together need all of their bits.
      if most <= UInt32(truncatingIfNeeded: count / 32 + 64) {
        return (move(keys, spare, count, counters, passes: 2, from: from), from)
      }
    }
    return (sort(keys, spare, count, counters: counters), 32)
  }

  private static func move(
    _ keys: UnsafeMutablePointer<UInt64>, _ spare: UnsafeMutablePointer<UInt64>, _ count: Int,
    _ counters: UnsafeMutablePointer<UInt32>, passes: Int, from: Int
  ) -> UnsafeMutablePointer<UInt64> {
    var (source, target) = (keys, spare)
    for pass in 0..<passes {
      let places = counters + pass * digits
      let shift = UInt64(from &+ bits &* pass)
      // All in one digit: nothing would move.
      if places[digit(source[0], shift)] == UInt32(truncatingIfNeeded: count) { continue }
      makeStarts(places)
      for index in 0..<count {
        let key = source[index]
        let digit = digit(key, shift)
        target[Int(places[digit])] = key
        places[digit] &+= 1
      }
      (source, target) = (target, source)
    }
    return source
  }

  @inline(__always)
  private static func digit(_ key: UInt64, _ shift: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &>> shift) & UInt64(digits - 1))
  }

  private static func countDigits(
    _ keys: UnsafeMutablePointer<UInt64>, _ count: Int, _ counters: UnsafeMutablePointer<UInt32>, passes: Int, from: Int
  ) {
    counters.update(repeating: 0, count: self.counters)
    let (first, second, third) = (UInt64(from), UInt64(from &+ bits), UInt64(from &+ 2 &* bits))
    for index in 0..<count {
      let key = keys[index]
      counters[digit(key, first)] &+= 1
      counters[digits &+ digit(key, second)] &+= 1
      if passes == 3 { counters[2 &* digits &+ digit(key, third)] &+= 1 }
    }
  }

  /// Numbers of keys become the places of their first ones.
  private static func makeStarts(_ counters: UnsafeMutablePointer<UInt32>) {
    var sum: UInt32 = 0
    for digit in 0..<digits {
      let size = counters[digit]
      counters[digit] = sum
      sum &+= size
    }
  }
}
