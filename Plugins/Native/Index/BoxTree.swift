// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// A tree of boxes packed along a Hilbert curve (Kamel, Faloutsos 1994), sixteen children a node, in one block of bytes
/// without pointers: `TreeShape` says where what is. Immutable: queries run concurrently.
final class BoxTree {
  let shape: TreeShape
  let frame: CellFrame
  let bounds: Box
  /// How many boxes the index was built from.
  let given: Int
  let bytes: UnsafeRawPointer
  /// Nil when the bytes are borrowed.
  private let memory: HandleMemory?

  var count: Int { shape.count }
  var neverHit: Int { given - shape.count }
  /// Memory of its own.
  var ownBytes: Int { memory == nil ? 0 : shape.bytes }

  /// Over bytes that are an index's.
  init(_ shape: TreeShape, _ bytes: UnsafeRawPointer, _ memory: HandleMemory?) {
    let header = bytes.load(as: TreeHeader.self)
    self.shape = shape
    frame = header.frame
    bounds = header.bounds
    given = Int(header.given)
    self.bytes = bytes
    self.memory = memory
  }

  /// Writes `shape.bytes` bytes, with their checksum.
  func save(to target: UnsafeMutableRawPointer) {
    target.copyMemory(from: bytes, byteCount: shape.bytes)
    var header = bytes.load(as: TreeHeader.self)
    header.checksum = TreeHeader.checksum(target, size: shape.bytes)
    target.storeBytes(of: header, as: TreeHeader.self)
  }

  @inline(__always)
  func inner(_ level: Int, _ node: Int) -> UnsafePointer<Int32> {
    (bytes + shape.innerOffset(level, node)).assumingMemoryBound(to: Int32.self)
  }

  @inline(__always)
  func leaf(_ leaf: Int) -> UnsafePointer<Double> {
    (bytes + shape.leafOffset(leaf)).assumingMemoryBound(to: Double.self)
  }

  @inline(__always)
  func ids(_ leaf: Int) -> UnsafePointer<UInt32> {
    (bytes + shape.leafOffset(leaf) + TreeShape.leafColumns).assumingMemoryBound(to: UInt32.self)
  }

  /// The box around the boxes of a leaf.
  func boxAround(leaf: Int) -> Box {
    var around = Box.empty
    for slot in 0..<shape.present(0, leaf).nonzeroBitCount { around.grow(box(leaf, slot)) }
    return around
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

  @inline(__always)
  func box(_ leaf: Int, _ slot: Int) -> Box {
    let columns = self.leaf(leaf) + slot
    return Box(xmin: columns[0], ymin: columns[16], xmax: columns[32], ymax: columns[48])
  }

  /// Calls `body` with the leaves that hold boxes that meet the window, and bits of those boxes, in the tree's order until
  /// it answers false.
  @inline(__always)
  func search(_ window: Box, _ body: (_ leaf: Int, _ hits: UInt32) -> Bool) {
    guard count > 0, window.canBeHit else { return }
    if shape.top == 0 {
      let hits = leafMeeting(0, window)
      if hits != 0 { _ = body(0, hits) }
      return
    }
    let cells = frame.box(window)
    // Children that are still to be looked at, level by level.
    var waiting = InlineArray<9, UInt32>(repeating: 0)
    var (level, node) = (shape.top, 0)
    var bits = meeting(level, node, cells)
    while true {
      if level == 1 {
        if !searchLeaves(node, bits, window, cells, body) { return }
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
      bits = meeting(level, node, cells)
    }
  }

  /// The leaves under a node of level 1 that have a bit. False when `body` said so.
  @inline(__always)
  private func searchLeaves(
    _ node: Int, _ candidates: UInt32, _ window: Box, _ cells: CellBox, _ body: (Int, UInt32) -> Bool
  ) -> Bool {
    // Boxes in a leaf that lies inside need no look.
    let inside = mrdk_boxes_inside(inner(1, node), cells.xmin, cells.ymin, cells.xmax, cells.ymax)
    var bits = candidates
    while bits != 0 {
      let slot = UInt32(truncatingIfNeeded: bits.trailingZeroBitCount)
      bits &= bits &- 1
      let leaf = node &* 16 &+ Int(slot)
      let hits = (inside >> slot) & 1 != 0 ? shape.present(0, leaf) : leafMeeting(leaf, window)
      if hits != 0 && !body(leaf, hits) { return false }
    }
    return true
  }

  @inline(__always)
  private func meeting(_ level: Int, _ node: Int, _ window: CellBox) -> UInt32 {
    mrdk_boxes_meeting(inner(level, node), window.xmin, window.ymin, window.xmax, window.ymax)
      & shape.present(level, node)
  }

  @inline(__always)
  private func leafMeeting(_ leaf: Int, _ window: Box) -> UInt32 {
    mrdk_leaf_meeting(self.leaf(leaf), window.xmin, window.ymin, window.xmax, window.ymax) & shape.present(0, leaf)
  }
}
