// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Finds pairs of edges that may meet where natural order serves badly, as in spirals, whose blocks lie within each other's
/// boxes: a tree over the edges' boxes along a Hilbert curve, asked by one edge after the other. Three times slower than
/// `EdgeBlocks` on ordinary data, but n log n on all whose boxes are apart. Memory: 26 bytes an edge.
struct EdgeIndex {
  private var keyRoom: ScratchRoom<UInt64>
  private var keys: UnsafeMutablePointer<UInt64>?
  private var tree: FrameTree

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    keyRoom = ScratchRoom(call)
    tree = FrameTree(call)
  }

  /// Sorts the edges of a set for which `blocks` was built. False = no memory, or cancelled.
  mutating func build(_ edges: EdgeSet, _ blocks: EdgeBlocks, _ poll: inout CancelPoll) -> Bool {
    guard let keys = keyRoom.room(for: edges.count), tree.begin(edges.count) else { return false }
    self.keys = keys
    var bounds = Box.empty
    for vertex in 0..<edges.count {
      let place = edges.place(vertex)
      bounds.grow(Box(xmin: place.x, ymin: place.y, xmax: place.x, ymax: place.y))
    }
    CurveOrder.fill(keys, edges.count, CellFrame(bounds), &poll, number: { $0 }) { edges.box($0) }
    var sorted = UnsafeMutableBufferPointer(start: keys, count: edges.count)
    sorted.sort()
    for index in 0..<edges.count {
      let edge = CurveOrder.number(keys[index])
      tree.set(index, blocks.isEdge(edge) ? blocks.framed(edges.box(edge)) : .nothing)
    }
    tree.finish()
    return !poll.isCancelled
  }

  /// Calls `body` with the edges behind `edge` whose boxes meet its own, in no order; neighbours too. False = `body` answered
  /// false.
  @inline(__always)
  func forEachPartner(of edge: Int, _ edges: EdgeSet, _ blocks: EdgeBlocks, _ body: (Int) -> Bool) -> Bool {
    guard let keys, blocks.isEdge(edge) else { return true }
    return tree.forEach(meeting: blocks.framed(edges.box(edge)), after: -1) { index in
      let other = CurveOrder.number(keys[index])
      return other <= edge || body(other)
    }
  }
}

extension EdgeSet {
  /// The box of an edge; of the last vertex of a set, that vertex.
  @inline(__always)
  func box(_ edge: Int) -> Box {
    let (a, b) = (place(edge), place(min(edge &+ 1, count &- 1)))
    return Box(xmin: min(a.x, b.x), ymin: min(a.y, b.y), xmax: max(a.x, b.x), ymax: max(a.y, b.y))
  }
}
