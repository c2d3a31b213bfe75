// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// The k best of a nearest query by (distance, id), the worst of them first to go. Distances are `BoxDistance.key`s.
///
/// Few are kept sorted, which beats every cleverer order; many are a heap with the worst on top.
struct Neighbours {
  private static let mostSorted = 64

  private let keys: UnsafeMutablePointer<UInt64>
  private let ids: UnsafeMutablePointer<UInt32>
  let most: Int
  private(set) var count = 0
  private var isHeap: Bool { most > Neighbours.mostSorted }

  /// In memory for `most` of each, at least one.
  init(_ keys: UnsafeMutablePointer<UInt64>, _ ids: UnsafeMutablePointer<UInt32>, most: Int) {
    self.keys = keys
    self.ids = ids
    self.most = most
  }

  var isFull: Bool { count == most }
  /// Nothing farther than this can still matter once the list is full; equals can, by their id.
  @inline(__always)
  var worst: UInt64 { keys[isHeap ? 0 : count &- 1] }
  func key(_ index: Int) -> UInt64 { keys[index] }
  func id(_ index: Int) -> UInt32 { ids[index] }

  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func offer(_ key: UInt64, _ id: UInt32) {
    if isHeap {
      offerToHeap(key, id)
    } else if count < most {
      count &+= 1
      insert(key, id)
    } else if Neighbours.isBefore(key, id, keys[count &- 1], ids[count &- 1]) {
      insert(key, id)
    }
  }

  @inline(__always)
  private static func isBefore(_ key: UInt64, _ id: UInt32, _ other: UInt64, _ otherID: UInt32) -> Bool {
    key < other || (key == other && id < otherID)
  }

  /// Into the sorted list, whose last place is free.
  @inline(__always)
  private func insert(_ key: UInt64, _ id: UInt32) {
    var at = count &- 1
    while at > 0 && Neighbours.isBefore(key, id, keys[at &- 1], ids[at &- 1]) {
      keys[at] = keys[at &- 1]
      ids[at] = ids[at &- 1]
      at &-= 1
    }
    keys[at] = key
    ids[at] = id
  }

  // MARK: - The heap

  private mutating func offerToHeap(_ key: UInt64, _ id: UInt32) {
    if count < most {
      keys[count] = key
      ids[count] = id
      count &+= 1
      siftUp(count &- 1)
    } else if Neighbours.isBefore(key, id, keys[0], ids[0]) {
      keys[0] = key
      ids[0] = id
      siftDown(0, count)
    }
  }

  /// Makes the list ascend. The heap is used up.
  func sort() {
    guard isHeap else { return }
    var end = count
    while end > 1 {
      end &-= 1
      swap(0, end)
      siftDown(0, end)
    }
  }

  private func isBefore(_ a: Int, _ b: Int) -> Bool { Neighbours.isBefore(keys[a], ids[a], keys[b], ids[b]) }

  private func swap(_ a: Int, _ b: Int) {
    (keys[a], keys[b]) = (keys[b], keys[a])
    (ids[a], ids[b]) = (ids[b], ids[a])
  }

  private func siftUp(_ start: Int) {
    var at = start
    while at > 0 && isBefore((at - 1) / 2, at) {
      swap(at, (at - 1) / 2)
      at = (at - 1) / 2
    }
  }

  private func siftDown(_ start: Int, _ end: Int) {
    var at = start
    while 2 * at + 1 < end {
      var child = 2 * at + 1
      if child + 1 < end && isBefore(child, child + 1) { child += 1 }
      if !isBefore(at, child) { return }
      swap(at, child)
      at = child
    }
  }
}
