// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// A window as C functions take it: xmin, ymin, xmax, ymax.
typealias Window = InlineArray<4, Double>

/// Boxes in the order that they come in, and around eight of them a box of the level above, up to a level of at most eight.
/// What follows each other on a line or a curve lies near each other, so nothing has to be sorted.
struct BoxLevels {
  /// Numbers of eight boxes: xmin, ymin, xmax, ymax, column by column.
  private static let group = 32

  private let boxes: UnsafeMutablePointer<Double>
  /// Where a level begins, in groups.
  private var starts = InlineArray<24, Int>(repeating: 0)
  private var top = 0
  private var count = 0

  /// Room for `capacity` boxes; nil = no memory.
  init?(capacity: Int, _ call: UnsafeMutablePointer<mrd_call>) {
    var (level, groups) = (capacity, 2)
    while level > 1 {
      level = (level + 7) / 8
      groups += level
    }
    guard let boxes = scratch(call, groups * BoxLevels.group, of: Double.self) else { return nil }
    self.boxes = boxes
  }

  /// Takes `count` boxes.
  @inline(__always)
  mutating func build(_ count: Int, _ box: (Int) -> Box) {
    self.count = count
    for number in 0..<count { set(0, number, box(number)) }
    unite()
  }

  private mutating func unite() {
    var below = count
    top = 0
    starts[0] = 0
    fillUp(0, below)
    while below > 8 {
      let boxCount = (below + 7) / 8
      starts[top + 1] = starts[top] + boxCount
      top += 1
      for number in 0..<boxCount { set(top, number, union(number)) }
      fillUp(top, boxCount)
      below = boxCount
    }
  }

  @inline(__always)
  private func slot(_ level: Int, _ number: Int) -> UnsafeMutablePointer<Double> {
    boxes + ((starts[level] &+ (number >> 3)) &* BoxLevels.group &+ (number & 7))
  }

  @inline(__always)
  private func set(_ level: Int, _ number: Int, _ box: Box) {
    let target = slot(level, number)
    (target[0], target[8], target[16], target[24]) = (box.xmin, box.ymin, box.xmax, box.ymax)
  }

  private func box(_ level: Int, _ number: Int) -> Box {
    let source = slot(level, number)
    return Box(xmin: source[0], ymin: source[8], xmax: source[16], ymax: source[24])
  }

  subscript(number: Int) -> Box { box(0, number) }

  /// Empty boxes up to the end of a group meet nothing.
  private func fillUp(_ level: Int, _ count: Int) {
    for number in count..<((count + 7) & ~7) { set(level, number, .empty) }
  }

  private func union(_ number: Int) -> Box {
    var around = Box.empty
    for child in (8 &* number)..<(8 &* number &+ 8) { around.grow(box(top &- 1, child)) }
    return around
  }

  /// Calls `body` with the boxes from `first` on that meet the window, in order, until it answers false.
  @inline(__always)
  func forEach(meeting window: Window, from first: Int = 0, _ body: (Int) -> Bool) {
    guard count > 0 else { return }
    withUnsafeBytes(of: window) { bytes in
      guard let window = bytes.assumingMemoryBound(to: Double.self).baseAddress else { return }
      var waiting = InlineArray<24, UInt32>(repeating: 0)
      var (level, node) = (top, 0)
      var bits = mrdk_boxes8_meeting(slot(level, 8 &* node), window)
      while true {
        while bits == 0 {
          if level == top { return }
          level &+= 1
          node &>>= 3
          bits = waiting[level]
        }
        let box = 8 &* node &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        // The last box below this one.
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
