// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// A tree of boxes packed along a Hilbert curve (Kamel, Faloutsos 1994), sixteen children a node, in one block of bytes
/// without pointers: `TreeShape` says where what is. Immutable: queries run concurrently.
final class BoxTree {
  let nodes: NodeTree
  /// Around all boxes that can be hit.
  let bounds: Box
  /// How many boxes the index was built from.
  let given: Int
  /// Boxes of curved edges: longitudes modulo 360 in [-180, 180]. A box over the antimeridian has xmin > xmax in its leaf,
  /// and all longitudes above it.
  let isCurved: Bool
  /// Nil when the bytes are borrowed.
  private let memory: HandleMemory?

  var shape: TreeShape { nodes.shape }
  var frame: CellFrame { nodes.frame }
  var count: Int { shape.count }
  var neverHit: Int { given - shape.count }
  /// Memory of its own.
  var ownBytes: Int { memory == nil ? 0 : shape.bytes }

  /// The boxes in four columns of doubles, their ids in one of numbers: 36 bytes a box, and 1.07 for the levels above.
  static func shape(count: Int) -> TreeShape { TreeShape(count: count, columns: 1) }

  /// Over bytes that are an index's.
  init(_ shape: TreeShape, _ bytes: UnsafeRawPointer, _ memory: HandleMemory?) {
    let header = bytes.load(as: TreeHeader.self)
    nodes = NodeTree(shape: shape, frame: header.frame, bytes: bytes)
    bounds = header.bounds
    given = Int(header.given)
    isCurved = header.isCurved
    self.memory = memory
  }

  /// Writes `shape.bytes` bytes, with their checksum.
  func save(to target: UnsafeMutableRawPointer) {
    target.copyMemory(from: nodes.bytes, byteCount: shape.bytes)
    var header = nodes.bytes.load(as: TreeHeader.self)
    header.checksum = TreeHeader.checksum(target, size: shape.bytes)
    target.storeBytes(of: header, as: TreeHeader.self)
  }

  @inline(__always)
  func leaf(_ leaf: Int) -> UnsafePointer<Double> { nodes.leaf(leaf) }

  @inline(__always)
  func ids(_ leaf: Int) -> UnsafePointer<UInt32> { nodes.numbers(leaf, 0) }

  /// The box around the boxes of a leaf.
  func boxAround(leaf: Int) -> Box {
    var around = Box.empty
    for slot in 0..<shape.present(0, leaf).nonzeroBitCount { around.grow(hull(leaf, slot)) }
    return around
  }

  @inline(__always)
  func box(_ leaf: Int, _ slot: Int) -> Box {
    let columns = self.leaf(leaf) + slot
    return Box(xmin: columns[0], ymin: columns[16], xmax: columns[32], ymax: columns[48])
  }

  /// What the nodes above know of a box.
  func hull(_ leaf: Int, _ slot: Int) -> Box {
    let box = box(leaf, slot)
    return isCurved ? box.hull : box
  }

  /// Calls `body` with the leaves that hold boxes that meet the window, and bits of those boxes, until it answers false: in
  /// the tree's order, and on curved edges each box once, though its leaf may come twice.
  @inline(__always)
  func search(_ window: Box, _ body: (_ leaf: Int, _ hits: UInt32) -> Bool) {
    if isCurved { searchCurved(window, body) } else { searchPiece(window, body) }
  }

  @inline(never)
  private func searchCurved(_ window: Box, _ body: (_ leaf: Int, _ hits: UInt32) -> Bool) {
    let shape = window.shape(curved: true)
    guard shape.pieces > 0 else { return }
    let windows = shape.box.windows(curved: true)
    var isOpen = true
    searchPiece(windows.first) { leaf, hits in
      isOpen = body(leaf, hits)
      return isOpen
    }
    guard isOpen, let second = windows.second else { return }
    searchPiece(second) { leaf, hits in
      let fresh = hits & ~leafMeeting(leaf, windows.first)
      return fresh == 0 || body(leaf, fresh)
    }
  }

  @inline(__always)
  private func searchPiece(_ window: Box, _ body: (_ leaf: Int, _ hits: UInt32) -> Bool) {
    guard count > 0, window.canBeHit else { return }
    if shape.top == 0 {
      let hits = leafMeeting(0, window)
      if hits != 0 { _ = body(0, hits) }
      return
    }
    let cells = frame.box(window)
    nodes.search(cells) { searchLeaves($0, $1, window, cells, body) }
  }

  /// The leaves under a node of level 1 that have a bit. False when `body` said so.
  @inline(__always)
  private func searchLeaves(
    _ node: Int, _ candidates: UInt32, _ window: Box, _ cells: CellBox, _ body: (Int, UInt32) -> Bool
  ) -> Bool {
    // Boxes in a leaf that lies inside need no look.
    let inside = mrdk_boxes_inside(nodes.inner(1, node), cells.xmin, cells.ymin, cells.xmax, cells.ymax)
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
  private func leafMeeting(_ leaf: Int, _ window: Box) -> UInt32 {
    let hits =
      isCurved
      ? mrdk_round_leaf_meeting(self.leaf(leaf), window.xmin, window.ymin, window.xmax, window.ymax)
      : mrdk_leaf_meeting(self.leaf(leaf), window.xmin, window.ymin, window.xmax, window.ymax)
    return hits & shape.present(0, leaf)
  }
}
