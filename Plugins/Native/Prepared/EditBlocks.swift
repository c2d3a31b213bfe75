// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Blocks of edges in their natural order and a tree of boxes over them, which edits change in place: a block takes up to 31
/// further edges, and only then all blocks are made anew. Edge k runs from vertex k to vertex k + 1; what lies between the end
/// of a ring and the start of the next one is in the boxes as well, and no edge.
struct EditBlocks {
  private static let size = 16
  private static let most = 48
  /// The first edge of each block, and one more for the end.
  private var starts = HandleList<Int32>()
  private var nodes = HandleList<Float>()
  private var tree = FrameTree()
  private var origin = Place(x: 0, y: 0)

  private var count: Int { starts.count &- 1 }

  /// Takes over `vertices` vertices. False = no memory.
  mutating func build(_ row: EditedRow) -> Bool {
    let vertices = row.x.count
    let blocks = max(1, (vertices &+ EditBlocks.size &- 1) / EditBlocks.size)
    guard starts.reserve(blocks &+ 1), nodes.reserve(FrameTree.floats(for: blocks)) else { return false }
    starts.resize(blocks &+ 1)
    for block in 0..<blocks { starts[block] = Int32(truncatingIfNeeded: block &* EditBlocks.size) }
    starts[blocks] = Int32(truncatingIfNeeded: vertices)
    origin = vertices > 0 ? row.place(0) : Place(x: 0, y: 0)
    tree.begin(blocks, in: nodes.start)
    for block in 0..<blocks { tree.set(block, box(block, row)) }
    tree.finish()
    return true
  }

  // MARK: Edits

  /// Makes room for an edge at `edge`. False: the block is full, and all have to be made anew.
  mutating func insert(at edge: Int) -> Bool {
    let block = block(of: edge)
    starts.add(1, from: block &+ 1)
    return Int(starts[block &+ 1] &- starts[block]) < EditBlocks.most
  }

  mutating func remove(at edge: Int) {
    let block = block(of: edge)
    starts.add(-1, from: block &+ 1)
  }

  /// Takes the place of an edge anew.
  mutating func refresh(_ edge: Int, _ row: EditedRow) {
    let block = block(of: edge)
    tree.update(block, box(block, row))
  }

  private func block(of edge: Int) -> Int {
    var (low, high) = (0, count)
    while high &- low > 1 {
      let middle = (low &+ high) >> 1
      if Int(starts[middle]) <= edge { low = middle } else { high = middle }
    }
    return low
  }

  private func box(_ block: Int, _ row: EditedRow) -> FrameBox {
    var box = Box.empty
    let (first, end) = (Int(starts[block]), Int(starts[block &+ 1]))
    if first == end { return .nothing }
    // The last edge ends at the first vertex of the next block.
    for vertex in first...min(end, row.x.count &- 1) {
      let place = row.place(vertex)
      box.grow(Box(xmin: place.x, ymin: place.y, xmax: place.x, ymax: place.y))
    }
    return framed(box)
  }

  // MARK: Search

  /// Rounding keeps the order of numbers, so boxes that meet have boxes in the frame that meet.
  private func framed(_ box: Box) -> FrameBox {
    FrameBox(
      xmin: Float(box.xmin - origin.x), ymin: Float(box.ymin - origin.y), xmax: Float(box.xmax - origin.x),
      ymax: Float(box.ymax - origin.y)
    ).finite
  }

  /// Calls `body` with the edges whose boxes meet a window, and with what is no edge.
  @inline(__always)
  func forEachEdge(in window: Box, _ row: EditedRow, _ body: (_ edge: Int) -> Void) {
    _ = tree.forEach(meeting: framed(window), after: -1) { block in
      for edge in Int(starts[block])..<min(Int(starts[block &+ 1]), row.x.count &- 1) {
        let (a, b) = (row.place(edge), row.place(edge &+ 1))
        if min(a.x, b.x) <= window.xmax && max(a.x, b.x) >= window.xmin && min(a.y, b.y) <= window.ymax
          && max(a.y, b.y) >= window.ymin
        {
          body(edge)
        }
      }
      return true
    }
  }
}
