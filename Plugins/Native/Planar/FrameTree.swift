// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// A box in a frame of floats.
struct FrameBox: BitwiseCopyable {
  var xmin: Float
  var ymin: Float
  var xmax: Float
  var ymax: Float

  static let nothing = FrameBox(xmin: .infinity, ymin: .infinity, xmax: -.infinity, ymax: -.infinity)

  /// Without infinite sides: a window that reaches to infinity would meet `nothing`.
  var finite: FrameBox {
    let most = Float.greatestFiniteMagnitude
    return FrameBox(
      xmin: max(-most, min(most, xmin)), ymin: max(-most, min(most, ymin)), xmax: max(-most, min(most, xmax)),
      ymax: max(-most, min(most, ymax)))
  }
}

/// A tree over boxes in the order that they come in, sixteen to a node; no pointers, levels one behind the other. For edges
/// of a curve that order is good by itself. Memory: 17 bytes a box and a little.
struct FrameTree {
  /// Floats of one node: sixteen boxes, column by column.
  private static let node = 64
  static let mostLevels = 9
  /// nil: the memory is somebody else's.
  private var memory: ScratchRoom<Float>?
  private var base: UnsafeMutablePointer<Float>?
  /// First node of each level; level 0 holds the boxes themselves.
  private var starts = InlineArray<9, Int>(repeating: 0)
  private(set) var top = 0
  private(set) var count = 0

  init(_ call: UnsafeMutablePointer<mrd_call>) { memory = ScratchRoom(call) }

  /// A tree in memory that is given to `begin`.
  init() { memory = nil }

  /// Room for `count` boxes, which `set` then fills. False = no memory.
  mutating func begin(_ count: Int) -> Bool {
    let nodes = lay(count)
    guard let room = memory?.room(for: nodes &* FrameTree.node) else { return false }
    start(in: room)
    return true
  }

  /// How many floats a tree over so many boxes takes.
  static func floats(for count: Int) -> Int {
    var tree = FrameTree()
    return tree.lay(count) &* FrameTree.node
  }

  /// The same in memory for `floats(for: count)` floats.
  mutating func begin(_ count: Int, in memory: UnsafeMutablePointer<Float>) {
    _ = lay(count)
    start(in: memory)
  }

  /// Lays out the levels. Answers the number of nodes.
  private mutating func lay(_ count: Int) -> Int {
    self.count = count
    var nodes = 0
    var size = count
    top = 0
    while true {
      let groups = max(1, (size &+ 15) >> 4)
      starts[top] = nodes
      nodes &+= groups
      if groups == 1 || top == FrameTree.mostLevels &- 1 { break }
      size = groups
      top &+= 1
    }
    return nodes
  }

  /// The last node of a level may have places that stay empty.
  private mutating func start(in room: UnsafeMutablePointer<Float>) {
    base = room
    var size = count
    for level in 0...top {
      let groups = max(1, (size &+ 15) >> 4)
      clear(room + (starts[level] &+ groups &- 1) &* FrameTree.node)
      size = groups
    }
  }

  private func clear(_ node: UnsafeMutablePointer<Float>) {
    node.update(repeating: .infinity, count: 32)
    (node + 32).update(repeating: -.infinity, count: 32)
  }

  @inline(__always)
  private func node(_ level: Int, _ group: Int) -> UnsafeMutablePointer<Float> {
    base.unsafelyUnwrapped + (starts[level] &+ group) &* FrameTree.node
  }

  @inline(__always)
  mutating func set(_ index: Int, _ box: FrameBox) { set(0, index, box) }

  @inline(__always)
  private func set(_ level: Int, _ index: Int, _ box: FrameBox) {
    let place = node(level, index >> 4) + index & 15
    place[0] = box.xmin
    place[16] = box.ymin
    place[32] = box.xmax
    place[48] = box.ymax
  }

  @inline(__always)
  func box(_ index: Int) -> FrameBox { box(0, index) }

  @inline(__always)
  func box(_ level: Int, _ index: Int) -> FrameBox {
    let place = node(level, index >> 4) + index & 15
    return FrameBox(xmin: place[0], ymin: place[16], xmax: place[32], ymax: place[48])
  }

  /// Builds the levels above the boxes.
  mutating func finish() {
    var size = count
    for level in 0..<top {
      let groups = (size &+ 15) >> 4
      for group in 0..<groups { set(level &+ 1, group, union(level, group)) }
      size = groups
    }
  }

  /// Another box in place of one, after `finish`.
  mutating func update(_ index: Int, _ box: FrameBox) {
    set(index, box)
    var group = index
    for level in 0..<top {
      group >>= 4
      set(level &+ 1, group, union(level, group))
    }
  }

  /// The box of a node.
  @inline(__always)
  private func union(_ level: Int, _ group: Int) -> FrameBox {
    var box = FrameBox.nothing
    withUnsafeMutablePointer(to: &box) {
      $0.withMemoryRebound(to: Float.self, capacity: 4) { mrdk_frames_union(node(level, group), $0) }
    }
    return box
  }

  /// Calls `body` for each box with an index above `after` that meets the window, which is finite, in ascending order, until
  /// it answers false. False = it did.
  @inline(__always)
  func forEach(meeting window: FrameBox, after: Int, _ body: (Int) -> Bool) -> Bool {
    var masks = InlineArray<9, UInt32>(repeating: 0)
    var groups = InlineArray<9, Int>(repeating: 0)
    var level = top
    masks[level] = test(level, 0, window, after)
    while true {
      let mask = masks[level]
      if mask == 0 {
        if level == top { return true }
        level &+= 1
        continue
      }
      let child = groups[level] &<< 4 | mask.trailingZeroBitCount
      masks[level] = mask & (mask &- 1)
      if level == 0 {
        if !body(child) { return false }
      } else {
        level &-= 1
        groups[level] = child
        masks[level] = test(level, child, window, after)
      }
    }
  }

  /// Goes down from the top through the items of each level that meet the window and hold any of `boxes`, in ascending
  /// order: `body` gets the level (0 = the boxes themselves) and the item, and answers whether to go on below it.
  @inline(__always)
  func descend(meeting window: FrameBox, _ boxes: Range<Int>, _ body: (_ level: Int, _ item: Int) -> Bool) {
    var masks = InlineArray<9, UInt32>(repeating: 0)
    var groups = InlineArray<9, Int>(repeating: 0)
    var level = top
    masks[level] = test(level, 0, window, boxes.lowerBound &- 1)
    while true {
      let mask = masks[level]
      let item = groups[level] &<< 4 | (mask.trailingZeroBitCount & 15)
      if mask == 0 || item &<< (4 &* level) >= boxes.upperBound {
        if level == top { return }
        level &+= 1
        continue
      }
      masks[level] = mask & (mask &- 1)
      if body(level, item) && level > 0 {
        level &-= 1
        groups[level] = item
        masks[level] = test(level, item, window, boxes.lowerBound &- 1)
      }
    }
  }

  /// Bits of the boxes of a node that meet the window and hold anything above `after`.
  @inline(__always)
  private func test(_ level: Int, _ group: Int, _ window: FrameBox, _ after: Int) -> UInt32 {
    var window = window
    let bits = withUnsafePointer(to: &window) {
      $0.withMemoryRebound(to: Float.self, capacity: 4) { mrdk_frames_meeting(node(level, group), $0) }
    }
    // The first child that reaches beyond `after`.
    let first = (after &+ 1) &>> (4 &* level) &- group &<< 4
    return first <= 0 ? bits : first >= 16 ? 0 : bits & (~0 &<< UInt32(truncatingIfNeeded: first))
  }
}
