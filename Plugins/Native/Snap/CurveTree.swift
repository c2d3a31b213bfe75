// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

extension Box {
  /// The box of an edge.
  @inline(__always)
  init(_ a: Place, _ b: Place) {
    self.init(
      xmin: a.x < b.x ? a.x : b.x, ymin: a.y < b.y ? a.y : b.y, xmax: a.x > b.x ? a.x : b.x,
      ymax: a.y > b.y ? a.y : b.y)
  }

  @inline(__always)
  func holds(_ place: Place) -> Bool { xmin <= place.x && place.x <= xmax && ymin <= place.y && place.y <= ymax }
}

/// Boxes in the order of a Hilbert curve under a tree of boxes, sixteen children a node, whose boxes lie side by side as
/// 32-bit whole numbers: one look at a node is sixteen comparisons at once. Immutable after `init`.
struct CurveTree {
  private static let fanout = 16
  /// Int32 numbers of a node: four a child.
  private static let nodeSize = 64

  let count: Int
  let bounds: Box
  let frame: CellFrame
  private(set) var levels = 0
  /// The first node of each level; sixteen levels are enough for 2^60 items.
  private var starts = InlineArray<16, Int>(repeating: 0)
  private let memory: HandleMemory
  private let nodes: UnsafeMutablePointer<Int32>

  /// `box(i)` is the box of item i, of which none is NaN; `move(to, from)` puts item `from` at place `to` of the tree, each
  /// item once. nil = no memory, or cancelled.
  init?(
    _ count: Int, _ call: UnsafeMutablePointer<mrd_call>, _ poll: inout CancelPoll, _ box: (Int) -> Box,
    _ move: (Int, Int) -> Void
  ) {
    self.count = count
    var bounds = count > 0 ? box(0) : Box(Place(x: 0, y: 0), Place(x: 0, y: 0))
    for index in 0..<count { bounds.grow(box(index)) }
    self.bounds = bounds
    frame = CellFrame(bounds)
    var nodes = 0
    var width = count
    repeat {
      width = (width + CurveTree.fanout - 1) / CurveTree.fanout
      starts[levels] = nodes
      nodes += max(1, width)
      levels += 1
    } while width > 1
    guard count <= Int(UInt32.max), let memory = HandleMemory.room(for: nodes * CurveTree.nodeSize, Int32.self) else {
      return nil
    }
    self.memory = memory
    self.nodes = memory.pointer(to: Int32.self)
    self.nodes.update(repeating: .max, count: nodes * CurveTree.nodeSize)
    if count == 0 { return }
    guard let order = CurveOrder.fineKeys(count, frame, call, &poll, box) else { return nil }
    for place in 0..<count {
      let item = CurveOrder.number(order[place])
      move(place, item)
      set(0, place, frame.box(box(item)))
      if poll.tick() { return nil }
    }
    buildUpperLevels()
  }

  /// A copy at an address that stays, so that queries need none of their own.
  static func kept(_ tree: CurveTree) -> UnsafePointer<CurveTree> {
    let address = UnsafeMutablePointer<CurveTree>.allocate(capacity: 1)
    address.initialize(to: tree)
    return UnsafePointer(address)
  }

  static func release(_ tree: UnsafePointer<CurveTree>) {
    UnsafeMutablePointer(mutating: tree).deinitialize(count: 1)
    tree.deallocate()
  }

  private func set(_ level: Int, _ child: Int, _ box: CellBox) {
    let node = nodePointer(level, child >> 4) + (child & 15)
    node[0] = box.xmin
    node[16] = box.ymin
    node[32] = box.xmax
    node[48] = box.ymax
  }

  private func buildUpperLevels() {
    var width = count
    for level in 1..<max(1, levels) {
      width = (width + CurveTree.fanout - 1) / CurveTree.fanout
      for child in 0..<width { set(level, child, coveredBox(level - 1, child)) }
    }
  }

  /// The box over the children of a node. Absent children, which no window meets, do not count.
  private func coveredBox(_ level: Int, _ node: Int) -> CellBox {
    let pointer = nodePointer(level, node)
    var box = CellBox.nothing
    for child in 0..<CurveTree.fanout where pointer[child] != .max {
      box.grow(
        CellBox(
          xmin: pointer[child], ymin: pointer[child + 16], xmax: pointer[child + 32], ymax: pointer[child + 48]))
    }
    return box
  }

  @inline(__always)
  private func nodePointer(_ level: Int, _ node: Int) -> UnsafeMutablePointer<Int32> {
    nodes + (starts[level] &+ node) &* CurveTree.nodeSize
  }

  /// Which children of a node meet a window, as bits.
  @inline(__always)
  func meeting(_ level: Int, _ node: Int, _ window: CellBox) -> UInt32 {
    mrdk_boxes_meeting(nodePointer(level, node), window.xmin, window.ymin, window.xmax, window.ymax)
  }
}

/// Walks through the items whose boxes meet a window, which may shrink on the way.
struct TreeCursor {
  private let tree: UnsafePointer<CurveTree>
  var window: CellBox
  private var level: Int
  private var node = 0
  private var bits: UInt32
  /// Children that are still to be looked at, level by level.
  private var waiting = InlineArray<16, UInt32>(repeating: 0)

  @inline(__always)
  init(_ tree: UnsafePointer<CurveTree>, _ window: CellBox) {
    self.tree = tree
    self.window = window
    level = tree.pointee.levels &- 1
    bits = tree.pointee.count > 0 ? tree.pointee.meeting(level, 0, window) : 0
  }

  /// The next item, -1 at the end.
  @inline(__always)
  mutating func next() -> Int {
    while true {
      if bits != 0 {
        let child = node &* 16 &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        if level == 0 { return child }
        waiting[level] = bits
        level &-= 1
        node = child
        bits = tree.pointee.meeting(level, node, window)
      } else if level &+ 1 == tree.pointee.levels {
        return -1
      } else {
        level &+= 1
        node >>= 4
        bits = waiting[level]
      }
    }
  }
}
