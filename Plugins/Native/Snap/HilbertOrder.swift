// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The place of a cell on the Hilbert curve through 2^16 x 2^16 cells: near places on the curve are near in the plane.
///
/// One step a bit. The state says how the curve lies in the square: bit 0, x and y change roles; bit 1, both run
/// backward. The tables hold, for state and bits of x and y, the quarter along the curve and the state inside it.
@inline(__always)
func hilbertPlace(_ x: UInt32, _ y: UInt32) -> UInt32 {
  // Two bits an entry; entry = state x 4 + bit of x x 2 + bit of y.
  let quarters: UInt64 = 0x361e_9cb4
  let states: UInt64 = 0x8fe6_5831
  var place: UInt32 = 0
  var state: UInt64 = 0
  var bit: UInt32 = 16
  while bit > 0 {
    bit &-= 1
    let index = (state << 2 | UInt64((x >> bit) & 1) << 1 | UInt64((y >> bit) & 1)) << 1
    place = place << 2 | UInt32(truncatingIfNeeded: (quarters >> index) & 3)
    state = (states >> index) & 3
  }
  return place
}

/// How many counters `sortByUpperHalf` needs.
let sortCounters = 3 * 2048

/// Sorts `count` keys by their upper 32 bits, keeping the order of equals; `spare` is as large. Three passes of eleven bits
/// (least significant digit first). The result is in the memory that is returned.
func sortByUpperHalf(
  _ keys: UnsafeMutablePointer<UInt64>, _ spare: UnsafeMutablePointer<UInt64>, _ count: Int,
  counters: UnsafeMutablePointer<Int>
) -> UnsafeMutablePointer<UInt64> {
  let digits = 2048
  counters.update(repeating: 0, count: 3 * digits)
  for index in 0..<count {
    let key = keys[index] >> 32
    counters[Int(key & 2047)] &+= 1
    counters[digits &+ Int((key >> 11) & 2047)] &+= 1
    counters[2 &* digits &+ Int(key >> 22)] &+= 1
  }
  var (source, target) = (keys, spare)
  for pass in 0..<3 {
    let counts = counters + pass * digits
    var sum = 0
    for digit in 0..<digits {
      let size = counts[digit]
      counts[digit] = sum
      sum &+= size
    }
    let shift = UInt64(32 + 11 * pass)
    for index in 0..<count {
      let digit = Int((source[index] >> shift) & 2047)
      target[counts[digit]] = source[index]
      counts[digit] &+= 1
    }
    (source, target) = (target, source)
  }
  return source
}
