// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Ids that queries found, each query's side by side, in scratch memory that never moves once a query is done.
struct HitStore {
  private static let smallest = 1 << 8
  private static let largest = 1 << 18

  private let call: UnsafeMutablePointer<mrd_call>
  private var free: UnsafeMutablePointer<UInt32>?
  private var room = 0
  private var next = HitStore.smallest
  /// The ids of the query that is being answered.
  private(set) var count = 0
  private(set) var failed = false

  init(_ call: UnsafeMutablePointer<mrd_call>) { self.call = call }

  /// The ids of the query that is being answered; valid until `begin` or the end of the call.
  var ids: UnsafeMutablePointer<UInt32>? { free }

  /// Begins the next query behind what was found so far.
  mutating func begin() {
    free = free.map { $0 + count }
    room &-= count
    count = 0
  }

  /// Adds those of sixteen ids whose bits are set.
  @inline(__always)
  mutating func add(_ ids: UnsafePointer<UInt32>, _ bits: UInt32) {
    // Sixteen are written, however many count.
    if count &+ 16 > room { grow() }
    if failed { return }
    count &+= Int(mrdk_take(free.unsafelyUnwrapped + count, ids, bits))
  }

  @inline(never)
  private mutating func grow() {
    let wanted = max(next, 2 &* count &+ 16)
    next = min(HitStore.largest, next &* 4)
    guard !failed, let fresh = scratch(call, wanted, of: UInt32.self) else {
      failed = true
      return
    }
    if let free { fresh.update(from: free, count: count) }
    free = fresh
    room = wanted
  }
}
