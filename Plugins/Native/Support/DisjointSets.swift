// SPDX-License-Identifier: Apache-2.0

/// Sets of numbers that are joined two by two (Galler, Fischer 1964).
struct DisjointSets: BitwiseCopyable {
  private let parents: UnsafeMutablePointer<Int32>

  /// `count` sets of one number each.
  init(_ memory: UnsafeMutablePointer<Int32>, count: Int) {
    parents = memory
    for index in 0..<count { memory[index] = Int32(truncatingIfNeeded: index) }
  }

  func root(of number: Int) -> Int {
    var at = number
    while Int(parents[at]) != at {
      parents[at] = parents[Int(parents[at])]
      at = Int(parents[at])
    }
    return at
  }

  /// False = they were in one set already.
  func join(_ a: Int, _ b: Int) -> Bool {
    let (first, second) = (root(of: a), root(of: b))
    if first == second { return false }
    // The lower number stays the root, so that the answer does not depend on the order of joins.
    parents[max(first, second)] = Int32(truncatingIfNeeded: min(first, second))
    return true
  }
}

extension ScratchList where Element == Int32 {
  /// `count` sets of one number each, in this list's memory.
  mutating func disjointSets(_ count: Int) throws(Stop) -> DisjointSets {
    try resize(max(1, count))
    return DisjointSets(start, count: count)
  }
}
