// SPDX-License-Identifier: Apache-2.0

extension SeededRandom {
  /// An integer in [0, bound), without bias: numbers that would give one are drawn again.
  mutating func index(below bound: Int) -> Int {
    let bound = UInt64(max(1, bound))
    let limit = UInt64.max - UInt64.max % bound
    while true {
      let word = next()
      if word < limit { return Int(word % bound) }
    }
  }

  /// A permutation of 0..<count (Fisher, Yates).
  mutating func permutation(_ count: Int) -> [Int] {
    var order = Array(0..<count)
    for last in stride(from: count - 1, to: 0, by: -1) { order.swapAt(last, index(below: last + 1)) }
    return order
  }
}
