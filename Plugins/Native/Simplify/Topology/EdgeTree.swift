// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// A window as C functions take it: xmin, ymin, xmax, ymax.
typealias Window = InlineArray<4, Double>

/// Boxes around eight successive edges of the paths of a row, and around eight boxes on each level above. Neighbours on a line
/// are neighbours in the plane, so nothing has to be sorted.
struct EdgeTree {
  private static let columns = 32

  private let store: PathStore
  /// 1 for the last vertex of a path: no edge leads on from it.
  private let isLast: UnsafeMutablePointer<UInt8>
  private let boxes: UnsafeMutablePointer<Double>
  private var starts = InlineArray<24, Int>(repeating: 0)
  private var levels = 0
  private(set) var groups = 0

  /// `capacity`: vertices. nil = no memory.
  init?(_ store: PathStore, capacity: Int, _ call: UnsafeMutablePointer<mrd_call>) {
    var boxCount = (capacity + 7) / 8
    var room = 1
    while boxCount > 1 {
      boxCount = (boxCount + 7) / 8
      room += boxCount
    }
    guard let boxes = scratch(call, (room + 1) * EdgeTree.columns, of: Double.self),
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
    levels = 0
    starts[0] = 0
    for group in 0..<groups { set(0, group, boxAround(group, count)) }
    fillUp(0, groups)
    var below = groups
    while below > 8 {
      let boxCount = (below + 7) / 8
      starts[levels + 1] = starts[levels] + boxCount
      levels += 1
      for box in 0..<boxCount { set(levels, box, union(box)) }
      fillUp(levels, boxCount)
      below = boxCount
    }
  }

  private func boxAround(_ group: Int, _ count: Int) -> Box {
    var box = Box.empty
    for index in (8 &* group)..<min(8 &* group &+ 8, count) {
      grow(&box, index)
      if isLast[index] == 0 { grow(&box, index &+ 1) }
    }
    return box
  }

  @inline(__always)
  private func grow(_ box: inout Box, _ index: Int) {
    let (x, y) = (store.x[index], store.y[index])
    box.grow(Box(xmin: x, ymin: y, xmax: x, ymax: y))
  }

  @inline(__always)
  private func slot(_ level: Int, _ box: Int) -> UnsafeMutablePointer<Double> {
    let group = starts[level] &+ (box >> 3)
    return boxes + (group &* EdgeTree.columns &+ (box & 7))
  }

  private func set(_ level: Int, _ number: Int, _ box: Box) {
    let target = slot(level, number)
    (target[0], target[8], target[16], target[24]) = (box.xmin, box.ymin, box.xmax, box.ymax)
  }

  func box(_ level: Int, _ number: Int) -> Box {
    let source = slot(level, number)
    return Box(xmin: source[0], ymin: source[8], xmax: source[16], ymax: source[24])
  }

  /// Empty boxes up to the end of a group meet nothing.
  private func fillUp(_ level: Int, _ count: Int) {
    for number in count..<((count + 7) & ~7) { set(level, number, .empty) }
  }

  private func union(_ number: Int) -> Box {
    var around = Box.empty
    for child in (8 &* number)..<(8 &* number &+ 8) { around.grow(box(levels - 1, child)) }
    return around
  }

  /// Calls `body` with the groups from `first` on whose boxes meet the window, in order, until it answers false.
  @inline(__always)
  func forEachGroup(meeting window: Window, from first: Int = 0, _ body: (Int) -> Bool) {
    withUnsafeBytes(of: window) { bytes in
      guard let window = bytes.assumingMemoryBound(to: Double.self).baseAddress else { return }
      var waiting = InlineArray<24, UInt32>(repeating: 0)
      var (level, node) = (levels, 0)
      var bits = mrdk_boxes8_meeting(slot(level, 8 &* node), window)
      while true {
        while bits == 0 {
          if level == levels { return }
          level &+= 1
          node &>>= 3
          bits = waiting[level]
        }
        let box = 8 &* node &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        // The last group below this box.
        if ((box &+ 1) &<< (3 &* level)) <= first { continue }
        if level == 0 {
          if !body(box) { return }
        } else {
          waiting[level] = bits
          level &-= 1
          node = box
          bits = mrdk_boxes8_meeting(slot(level, 8 &* node), window)
        }
      }
    }
  }
}
