// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Boxes around eight successive edges of the paths of a row.
struct EdgeTree {
  private let store: PathStore
  /// 1 for the last vertex of a path: no edge leads on from it.
  private let isLast: UnsafeMutablePointer<UInt8>
  private var boxes: BoxLevels
  private(set) var groups = 0

  /// `capacity`: vertices. nil = no memory.
  init?(_ store: PathStore, capacity: Int, _ call: UnsafeMutablePointer<mrd_call>) {
    guard let boxes = BoxLevels(capacity: (capacity + 7) / 8, call),
      let isLast = scratch(call, capacity + 16, of: UInt8.self)
    else { return nil }
    self.store = store
    self.boxes = boxes
    self.isLast = isLast
  }

  /// True for a vertex that an edge leads on from.
  @inline(__always)
  func hasEdge(_ index: Int) -> Bool { isLast[index] == 0 }

  /// Bits of the edges of a group that are edges of paths.
  @inline(__always)
  func edges(_ group: Int) -> UInt32 {
    var bits: UInt32 = 0
    for slot in 0..<8 where isLast[8 &* group &+ slot] == 0 { bits |= 1 << UInt32(slot) }
    return bits
  }

  mutating func build(_ count: Int, _ paths: UnsafePointer<PathStore.Path>, _ pathCount: Int) {
    isLast.update(repeating: 0, count: count)
    (isLast + count).update(repeating: 1, count: 16)
    for index in 0..<pathCount { isLast[paths[index].last] = 1 }
    groups = (count + 7) / 8
    let (x, y, isLast) = (store.x, store.y, isLast)
    boxes.build(groups) { group in
      var box = Box.empty
      for index in (8 &* group)..<min(8 &* group &+ 8, count) {
        box.grow(Box(xmin: x[index], ymin: y[index], xmax: x[index], ymax: y[index]))
        guard isLast[index] == 0 else { continue }
        let next = index &+ 1
        box.grow(Box(xmin: x[next], ymin: y[next], xmax: x[next], ymax: y[next]))
      }
      return box
    }
  }

  func box(_ group: Int) -> Box { boxes[group] }

  /// Calls `body` with the groups from `first` on whose boxes meet the window, in order, until it answers false.
  @inline(__always)
  func forEachGroup(meeting window: Window, from first: Int = 0, _ body: (Int) -> Bool) {
    boxes.forEach(meeting: window, from: first, body)
  }
}
