// SPDX-License-Identifier: Apache-2.0

/// Sorts keys whose upper 32 bits are what is sorted by, and whose lower 32 bits are a number that comes along. Least
/// significant digit first, three digits of eleven bits; keys that are equal above keep their order.
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
    count3(keys, count, counters)
    var (source, target) = (keys, spare)
    for pass in 0..<3 {
      let places = counters + pass * digits
      // All in one digit: nothing would move.
      if places[digit(source[0], pass)] == UInt32(truncatingIfNeeded: count) { continue }
      makeStarts(places)
      for index in 0..<count {
        let key = source[index]
        let digit = digit(key, pass)
        target[Int(places[digit])] = key
        places[digit] &+= 1
      }
      (source, target) = (target, source)
    }
    return source
  }

  @inline(__always)
  private static func digit(_ key: UInt64, _ pass: Int) -> Int {
    Int(truncatingIfNeeded: (key &>> UInt64(32 &+ bits &* pass)) & UInt64(digits - 1))
  }

  private static func count3(
    _ keys: UnsafeMutablePointer<UInt64>, _ count: Int, _ counters: UnsafeMutablePointer<UInt32>
  ) {
    counters.update(repeating: 0, count: self.counters)
    for index in 0..<count {
      let key = keys[index]
      counters[digit(key, 0)] &+= 1
      counters[digits &+ digit(key, 1)] &+= 1
      counters[2 &* digits &+ digit(key, 2)] &+= 1
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
