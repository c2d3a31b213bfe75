// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Boxes around eight successive places, and around eight boxes on each level above, for places that lie along a curve.
struct PlaceTree {
  private static let columns = 32

  private let x: UnsafePointer<Double>
  private let y: UnsafePointer<Double>
  private let boxes: UnsafeMutablePointer<Double>
  private var starts = InlineArray<24, Int>(repeating: 0)
  private var levels = 0
  private var count = 0

  /// nil = no memory.
  init?(_ x: UnsafePointer<Double>, _ y: UnsafePointer<Double>, capacity: Int, _ call: UnsafeMutablePointer<mrd_call>) {
    guard let boxes = scratch(call, BoxLevels.room(capacity) * PlaceTree.columns, of: Double.self) else { return nil }
    self.x = x
    self.y = y
    self.boxes = boxes
  }

  mutating func build(_ count: Int) {
    self.count = count
    var below = (count + 7) / 8
    levels = 0
    starts[0] = 0
    for group in 0..<below { set(0, group, boxAround(group)) }
    fillUp(0, below)
    while below > 8 {
      let boxCount = (below + 7) / 8
      starts[levels + 1] = starts[levels] + boxCount
      levels += 1
      for box in 0..<boxCount { set(levels, box, union(box)) }
      fillUp(levels, boxCount)
      below = boxCount
    }
  }

  private func boxAround(_ group: Int) -> Box {
    var box = Box.empty
    for place in (8 &* group)..<min(8 &* group &+ 8, count) {
      box.grow(Box(xmin: x[place], ymin: y[place], xmax: x[place], ymax: y[place]))
    }
    return box
  }

  @inline(__always)
  private func slot(_ level: Int, _ box: Int) -> UnsafeMutablePointer<Double> {
    let group = starts[level] &+ (box >> 3)
    return boxes + (group &* PlaceTree.columns &+ (box & 7))
  }

  private func set(_ level: Int, _ number: Int, _ box: Box) {
    let target = slot(level, number)
    (target[0], target[8], target[16], target[24]) = (box.xmin, box.ymin, box.xmax, box.ymax)
  }

  private func fillUp(_ level: Int, _ count: Int) {
    for number in count..<((count + 7) & ~7) { set(level, number, .empty) }
  }

  private func union(_ number: Int) -> Box {
    var around = Box.empty
    for child in (8 &* number)..<(8 &* number &+ 8) {
      let box = slot(levels &- 1, child)
      around.grow(Box(xmin: box[0], ymin: box[8], xmax: box[16], ymax: box[24]))
    }
    return around
  }

  /// Calls `body` with the places in the window, its border included, until it answers false.
  @inline(__always)
  func forEachPlace(in window: Window, _ body: (Int) -> Bool) {
    withUnsafeBytes(of: window) { bytes in
      guard let window = bytes.assumingMemoryBound(to: Double.self).baseAddress, count > 0 else { return }
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
        if level > 0 {
          waiting[level] = bits
          level &-= 1
          node = box
          bits = mrdk_boxes8_meeting(slot(level, 8 &* node), window)
          continue
        }
        var places = mrdk_places8_in(x + (8 &* box), y + (8 &* box), window)
        if 8 &* box &+ 8 > count { places &= (1 << UInt32(count &- 8 &* box)) &- 1 }
        while places != 0 {
          if !body(8 &* box &+ places.trailingZeroBitCount) { return }
          places &= places &- 1
        }
      }
    }
  }
}

/// Levels of boxes, eight in a group.
enum BoxLevels {
  /// Groups that as many items need, eight in a box.
  static func room(_ items: Int) -> Int {
    var boxes = (items + 7) / 8
    var groups = 2
    while boxes > 1 {
      boxes = (boxes + 7) / 8
      groups += boxes
    }
    return groups
  }
}
