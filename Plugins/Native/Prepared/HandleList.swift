// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A list in memory that outlives a call. It grows by doubling; where memory ends it stays as it was.
struct HandleList<Element: BitwiseCopyable> {
  private var memory: HandleMemory?
  private var capacity = 0
  private(set) var count = 0

  init() { memory = nil }

  @inline(__always)
  var start: UnsafeMutablePointer<Element> { memory.unsafelyUnwrapped.pointer(to: Element.self) }

  @inline(__always)
  subscript(index: Int) -> Element {
    get { start[index] }
    nonmutating set { start[index] = newValue }
  }

  /// Room for `count` values in all. False = no memory.
  mutating func reserve(_ count: Int) -> Bool {
    if count <= capacity && memory != nil { return true }
    let room = max(64, count, capacity &* 2)
    guard let fresh = HandleMemory.room(for: room, Element.self) else { return false }
    if self.count > 0 { fresh.pointer(to: Element.self).update(from: start, count: self.count) }
    (memory, capacity) = (fresh, room)
    return true
  }

  /// Makes the list `count` long, for which there is room; what is new is not initialised.
  mutating func resize(_ count: Int) { self.count = count }

  /// There is room.
  mutating func append(_ value: Element) { insert(value, at: count) }

  /// There is room.
  mutating func insert(_ value: Element, at index: Int) {
    (start + index + 1).update(from: start + index, count: count &- index)
    start[index] = value
    count &+= 1
  }

  /// Adds to all values from `index` on; all at once, as there may be many.
  func add(_ step: Element, from index: Int) where Element: FixedWidthInteger {
    let start = start
    for at in index..<max(index, count) { start[at] &+= step }
  }

  mutating func remove(at index: Int) {
    count &-= 1
    (start + index).update(from: start + index + 1, count: count &- index)
  }
}
