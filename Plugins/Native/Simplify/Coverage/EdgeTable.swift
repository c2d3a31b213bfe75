// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// A set of edges, as pairs of the numbers of their ends, that only grows.
struct EdgeTable {
  private let call: UnsafeMutablePointer<mrd_call>
  private var slots: UnsafeMutablePointer<UInt64>
  private var mask: Int
  private var count = 0
  private(set) var failed = false

  /// nil = no memory.
  init?(_ call: UnsafeMutablePointer<mrd_call>) {
    guard let slots = scratch(call, 64, of: UInt64.self) else { return nil }
    slots.update(repeating: .max, count: 64)
    self.call = call
    self.slots = slots
    mask = 63
  }

  mutating func clear() {
    if count > 0 { slots.update(repeating: .max, count: mask + 1) }
    count = 0
  }

  @inline(__always)
  private static func key(_ a: Int, _ b: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: min(a, b)) << 32 | UInt64(truncatingIfNeeded: max(a, b))
  }

  /// Where an edge is, or would be.
  @inline(__always)
  private func slot(_ key: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) >> 32) & mask
    while slots[slot] != .max && slots[slot] != key { slot = (slot &+ 1) & mask }
    return slot
  }

  func contains(_ a: Int, _ b: Int) -> Bool { slots[slot(EdgeTable.key(a, b))] != .max }

  mutating func insert(_ a: Int, _ b: Int) {
    let key = EdgeTable.key(a, b)
    let place = slot(key)
    guard slots[place] == .max, !failed else { return }
    slots[place] = key
    count &+= 1
    if 2 &* count > mask { grow() }
  }

  private mutating func grow() {
    let (old, size) = (slots, mask &+ 1)
    guard let fresh = scratch(call, 2 &* size, of: UInt64.self) else {
      failed = true
      return
    }
    fresh.update(repeating: .max, count: 2 &* size)
    slots = fresh
    mask = 2 &* size &- 1
    for index in 0..<size where old[index] != .max { slots[slot(old[index])] = old[index] }
  }
}
