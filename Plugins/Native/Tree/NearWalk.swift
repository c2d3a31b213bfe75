// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// Walks to the leaves of a packed tree that may hold something within a distance of a query box, the near nodes first
/// (Roussopoulos, Kelley, Vincent 1995).
///
/// Distances of nodes are in cells and never too large: the query is grown by more than a cell's rounding, and the bound by
/// more than that of its square.
struct NearWalk {
  private struct Waiting {
    let square: Double
    let level: Int32
    let node: UInt32
  }

  private let tree: NodeTree
  /// Squares of a node's children.
  private let squares: UnsafeMutablePointer<Double>
  private let stack: UnsafeMutablePointer<Waiting>
  /// The query, grown and in cells.
  private let corners: UnsafeMutablePointer<Double>
  private let cellsSquared: Double
  private var height = 0
  private static let mostWaiting = 9 * TreeShape.fanout
  static let memory = mostWaiting * MemoryLayout<Waiting>.stride + (TreeShape.fanout + 8) * MemoryLayout<Double>.stride

  /// `memory` has `NearWalk.memory` bytes, aligned to 64.
  init(_ tree: NodeTree, _ memory: UnsafeMutableRawPointer) {
    self.tree = tree
    let cells = tree.frame.scale / 2
    cellsSquared = cells * cells * (1 + 0x1p-40)
    squares = memory.bindMemory(to: Double.self, capacity: TreeShape.fanout)
    corners = (memory + 128).bindMemory(to: Double.self, capacity: 8)
    stack = (memory + 192).bindMemory(to: Waiting.self, capacity: NearWalk.mostWaiting)
  }

  /// Begins at the root.
  @inline(__always)
  mutating func start(_ query: Box) {
    setCorners(query)
    stack[0] = Waiting(square: 0, level: Int32(truncatingIfNeeded: tree.shape.top), node: 0)
    height = tree.shape.count > 0 ? 1 : 0
  }

  /// Begins at leaves that were gathered for a group of queries; no others are visited.
  @inline(__always)
  mutating func start(_ query: Box, _ bound: Double, _ leaves: LeafGroup) {
    setCorners(query)
    height = 0
    for node in 0..<leaves.nodes {
      let near = mrdk_boxes_near(leaves.boxes(node), Double(CellFrame.side), corners, inCells(bound), squares)
      push(near & leaves.present(node), 0, below: 0) { leaves.leaf(node, $0) }
    }
  }

  @inline(__always)
  private func setCorners(_ query: Box) {
    corners[0] = grown(tree.frame.real(x: query.xmin), -1)
    corners[1] = grown(tree.frame.real(y: query.ymin), -1)
    // A cell reaches to the next one.
    corners[2] = grown(tree.frame.real(x: query.xmax), 1)
    corners[3] = grown(tree.frame.real(y: query.ymax), 1)
  }

  /// The next leaf that is not farther than the root of `bound`, which may have shrunk; the near ones first, roughly. -1 =
  /// there is none. `nodeBound(level, node)`, not above `bound`, is that of a node alone.
  @inline(__always)
  mutating func next(_ bound: Double, _ nodeBound: (_ level: Int, _ node: Int) -> Double) -> Int {
    while height > 0 {
      height &-= 1
      let next = stack[height]
      let (level, node) = (Int(next.level), Int(next.node))
      if next.square > inCells(nodeBound(level, node)) { continue }
      if level == 0 { return node }
      let near = mrdk_boxes_near(tree.inner(level, node), Double(CellFrame.side), corners, inCells(bound), squares)
      let first = UInt32(truncatingIfNeeded: node &* TreeShape.fanout)
      push(near & tree.shape.present(level, node), level &- 1, below: height) {
        first &+ UInt32(truncatingIfNeeded: $0)
      }
    }
    return -1
  }

  /// A square in the frame's cells, not too small.
  @inline(__always)
  private func inCells(_ square: Double) -> Double { square < .infinity ? square * cellsSquared : square }

  /// Puts the children with a bit on the stack, the nearest on top, in order with what lies above place `bottom`.
  @inline(__always)
  private mutating func push(_ bits: UInt32, _ level: Int, below bottom: Int, _ number: (_ slot: Int) -> UInt32) {
    var rest = bits
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      rest &= rest &- 1
      let child = Waiting(square: squares[slot], level: Int32(truncatingIfNeeded: level), node: number(slot))
      var at = height
      while at > bottom && stack[at &- 1].square < child.square {
        stack[at] = stack[at &- 1]
        at &-= 1
      }
      stack[at] = child
      height &+= 1
      if level == 0 { prefetch(Int(child.node)) }
    }
  }

  /// Asks for the columns of a leaf, every other line: the neighbours come along.
  @inline(__always)
  private func prefetch(_ leaf: Int) {
    let columns = UnsafeRawPointer(tree.leaf(leaf))
    for line in 0..<4 { mrdk_prefetch(columns + 128 &* line) }
  }

  @inline(__always)
  private func grown(_ cells: Double, _ side: Double) -> Double { cells + side * (2 + cells.magnitude * 0x1p-48) }
}

/// The leaves that a group of queries, near each other, may look at: gathered once and then looked through by each, as if
/// they were the children of a node or a few.
struct LeafGroup {
  private static let mostNodes = 4
  private static let most = mostNodes * TreeShape.fanout
  static let memory = mostNodes * TreeShape.innerBytes + most * MemoryLayout<UInt32>.stride

  private let columns: UnsafeMutablePointer<Int32>
  private let leaves: UnsafeMutablePointer<UInt32>
  private var count = 0

  /// `memory` has `LeafGroup.memory` bytes, aligned to 64.
  init(_ memory: UnsafeMutableRawPointer) {
    columns = memory.bindMemory(to: Int32.self, capacity: 4 * LeafGroup.most)
    leaves = (memory + LeafGroup.mostNodes * TreeShape.innerBytes).bindMemory(to: UInt32.self, capacity: LeafGroup.most)
  }

  var nodes: Int { (count &+ TreeShape.fanout &- 1) / TreeShape.fanout }

  @inline(__always)
  func boxes(_ node: Int) -> UnsafePointer<Int32> { UnsafePointer(columns + 4 &* TreeShape.fanout &* node) }

  @inline(__always)
  func present(_ node: Int) -> UInt32 {
    let here = count &- node &* TreeShape.fanout
    return here >= TreeShape.fanout ? 0xffff : (1 << UInt32(truncatingIfNeeded: here)) &- 1
  }

  @inline(__always)
  func leaf(_ node: Int, _ slot: Int) -> UInt32 { leaves[node &* TreeShape.fanout &+ slot] }

  /// Gathers the leaves that meet a window. False when there are too many, or the tree has one leaf alone.
  mutating func gather(_ tree: NodeTree, _ window: Box) -> Bool {
    guard tree.shape.top > 0 else { return false }
    var group = self
    group.count = 0
    var fits = true
    tree.search(tree.frame.box(window)) { node, bits in
      fits = group.count &+ bits.nonzeroBitCount <= LeafGroup.most
      if fits { group.add(tree.inner(1, node), node, bits) }
      return fits
    }
    self = group
    return fits
  }

  private mutating func add(_ boxes: UnsafePointer<Int32>, _ node: Int, _ bits: UInt32) {
    var rest = bits
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      rest &= rest &- 1
      let target = columns + (4 &* TreeShape.fanout &* (count >> 4) &+ (count & 15))
      for column in 0..<4 { target[16 &* column] = boxes[slot &+ 16 &* column] }
      leaves[count] = UInt32(truncatingIfNeeded: node &* TreeShape.fanout &+ slot)
      count &+= 1
    }
  }
}
