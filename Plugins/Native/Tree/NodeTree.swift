// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// The levels of a packed tree above its leaves, and the walk to the leaves that meet a window. What the leaves hold is
/// their owner's. In memory that the owner keeps alive; immutable once its nodes are set.
struct NodeTree {
  let shape: TreeShape
  let frame: CellFrame
  let bytes: UnsafeRawPointer

  @inline(__always)
  func inner(_ level: Int, _ node: Int) -> UnsafePointer<Int32> {
    (bytes + shape.innerOffset(level, node)).assumingMemoryBound(to: Int32.self)
  }

  /// The four columns of a leaf.
  @inline(__always)
  func leaf(_ leaf: Int) -> UnsafePointer<Double> {
    (bytes + shape.leafOffset(leaf)).assumingMemoryBound(to: Double.self)
  }

  /// A column of numbers behind the doubles of a leaf.
  @inline(__always)
  func numbers(_ leaf: Int, _ column: Int) -> UnsafePointer<UInt32> {
    (bytes + shape.leafOffset(leaf) + TreeShape.leafColumns).assumingMemoryBound(to: UInt32.self)
      + column &* TreeShape.fanout
  }

  /// The box of a child of an inner node.
  func cells(_ level: Int, _ node: Int, _ slot: Int) -> CellBox {
    let columns = inner(level, node) + slot
    return CellBox(xmin: columns[0], ymin: columns[16], xmax: columns[32], ymax: columns[48])
  }

  /// The box around the children of an inner node.
  func cellsAround(_ level: Int, _ node: Int) -> CellBox {
    var around = CellBox.nothing
    for slot in 0..<shape.present(level, node).nonzeroBitCount { around.grow(cells(level, node, slot)) }
    return around
  }

  // MARK: - Walking

  /// Calls `body` with the nodes of level 1 that hold leaves that meet the window, and bits of those leaves, in the tree's
  /// order until it answers false. The tree has a level 1.
  @inline(__always)
  func search(_ window: CellBox, _ body: (_ node: Int, _ leaves: UInt32) -> Bool) {
    // Children that are still to be looked at, level by level.
    var waiting = InlineArray<9, UInt32>(repeating: 0)
    var (level, node) = (shape.top, 0)
    var bits = meeting(level, node, window)
    while true {
      if level == 1 {
        if !body(node, bits) { return }
        bits = 0
      }
      while bits == 0 {
        if level == shape.top { return }
        level &+= 1
        node &>>= 4
        bits = waiting[level]
      }
      let child = node &* 16 &+ bits.trailingZeroBitCount
      waiting[level] = bits & (bits &- 1)
      level &-= 1
      node = child
      bits = meeting(level, node, window)
    }
  }

  @inline(__always)
  private func meeting(_ level: Int, _ node: Int, _ window: CellBox) -> UInt32 {
    mrdk_boxes_meeting(inner(level, node), window.xmin, window.ymin, window.xmax, window.ymax)
      & shape.present(level, node)
  }

  // MARK: - Building

  /// Sets the box of child number `child` of a level's nodes; the last child blanks what is behind it in its node.
  @inline(__always)
  func set(_ level: Int, _ child: Int, _ box: CellBox) {
    let node = UnsafeMutablePointer(mutating: inner(level, child &>> 4))
    let last = child &+ 1 == shape.width(level &- 1) ? TreeShape.fanout : (child & 15) &+ 1
    for slot in (child & 15)..<last {
      node[slot] = slot == child & 15 ? box.xmin : CellBox.nothing.xmin
      node[slot &+ 16] = slot == child & 15 ? box.ymin : CellBox.nothing.ymin
      node[slot &+ 32] = slot == child & 15 ? box.xmax : CellBox.nothing.xmax
      node[slot &+ 48] = slot == child & 15 ? box.ymax : CellBox.nothing.ymax
    }
  }

  /// Sets the levels above the first one, whose boxes are set.
  func setUpperLevels() {
    for level in stride(from: 2, through: shape.top, by: 1) {
      for child in 0..<shape.width(level - 1) { set(level, child, cellsAround(level - 1, child)) }
    }
  }
}
