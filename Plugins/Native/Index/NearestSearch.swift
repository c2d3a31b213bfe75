// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// Visits what may lie within a distance of a query box, the near nodes first (Roussopoulos, Kelley, Vincent 1995).
///
/// Distances of leaves are those of index.h, bit by bit. Distances of inner nodes are in cells and never too large: the
/// query is grown by more than a cell's rounding, and the bound by more than that of its square.
struct NearestSearch {
  /// Beyond this, squares of distances may overflow.
  static let mostSquarable = 0x1p500

  private struct Waiting {
    let square: Double
    let level: Int32
    let node: UInt32
  }

  private let tree: BoxTree
  /// Squares of a node's children.
  private let squares: UnsafeMutablePointer<Double>
  private let stack: UnsafeMutablePointer<Waiting>
  /// The query, grown and in cells, and as given.
  private let corners: UnsafeMutablePointer<Double>
  private let cellsSquared: Double
  private static let mostWaiting = 9 * TreeShape.fanout
  static let memory = mostWaiting * MemoryLayout<Waiting>.stride + (TreeShape.fanout + 8) * MemoryLayout<Double>.stride

  /// `memory` has `NearestSearch.memory` bytes, aligned to 64.
  init(_ tree: BoxTree, _ memory: UnsafeMutableRawPointer) {
    self.tree = tree
    let cells = tree.frame.scale / 2
    cellsSquared = cells * cells * (1 + 0x1p-40)
    squares = memory.bindMemory(to: Double.self, capacity: TreeShape.fanout)
    corners = (memory + 128).bindMemory(to: Double.self, capacity: 8)
    stack = (memory + 192).bindMemory(to: Waiting.self, capacity: NearestSearch.mostWaiting)
  }

  /// Calls `offer(square, id)` for each box whose square is not above the bound that `bound` gives, which may shrink; near
  /// boxes first, roughly. Ends when `offer` answers false.
  @inline(__always)
  func run(_ query: Box, bound: () -> Double, _ offer: (_ square: Double, _ id: UInt32) -> Bool) {
    guard tree.count > 0 else { return }
    setCorners(query)
    var height = 1
    stack[0] = Waiting(square: 0, level: Int32(truncatingIfNeeded: tree.shape.top), node: 0)
    while height > 0 {
      height &-= 1
      let next = stack[height]
      let most = bound()
      if next.square > inCells(most) { continue }
      let (level, node) = (Int(next.level), Int(next.node))
      if level > 0 {
        let near = mrdk_boxes_near(
          tree.inner(level, node), Double(CellFrame.side), corners, inCells(most), squares)
        push(near & tree.shape.present(level, node), level &- 1, node, &height)
        continue
      }
      var bits = mrdk_leaf_near(tree.leaf(node), corners + 4, most, squares) & tree.shape.present(0, node)
      let ids = tree.ids(node)
      while bits != 0 {
        let slot = bits.trailingZeroBitCount
        bits &= bits &- 1
        if !offer(squares[slot], ids[slot]) { return }
      }
    }
  }

  /// A square in the frame's cells, not too small.
  @inline(__always)
  private func inCells(_ square: Double) -> Double { square < .infinity ? square * cellsSquared : square }

  /// Puts the children with a bit on the stack, the nearest on top.
  @inline(__always)
  private func push(_ bits: UInt32, _ level: Int, _ node: Int, _ height: inout Int) {
    let bottom = height
    var rest = bits
    while rest != 0 {
      let slot = rest.trailingZeroBitCount
      rest &= rest &- 1
      let child = Waiting(
        square: squares[slot], level: Int32(truncatingIfNeeded: level),
        node: UInt32(truncatingIfNeeded: node &* 16 &+ slot))
      var at = height
      while at > bottom && stack[at &- 1].square < child.square {
        stack[at] = stack[at &- 1]
        at &-= 1
      }
      stack[at] = child
      height &+= 1
    }
  }

  private func setCorners(_ query: Box) {
    corners[0] = grown(tree.frame.real(x: query.xmin), -1)
    corners[1] = grown(tree.frame.real(y: query.ymin), -1)
    // A cell reaches to the next one.
    corners[2] = grown(tree.frame.real(x: query.xmax), 1)
    corners[3] = grown(tree.frame.real(y: query.ymax), 1)
    corners[4] = query.xmin
    corners[5] = query.ymin
    corners[6] = query.xmax
    corners[7] = query.ymax
  }

  private func grown(_ cells: Double, _ side: Double) -> Double { cells + side * (2 + cells.magnitude * 0x1p-48) }

  /// Calls `offer(key, id)` for every box; for ordinates whose squares may overflow.
  func runAll(_ query: Box, _ offer: (_ key: UInt64, _ id: UInt32) -> Bool) {
    for leaf in 0..<tree.shape.leaves {
      for slot in 0..<tree.shape.present(0, leaf).nonzeroBitCount {
        if !offer(BoxDistance(tree.box(leaf, slot), query).key, tree.ids(leaf)[slot]) { return }
      }
    }
  }

  /// False where `runAll` is needed.
  func canSquare(_ query: Box) -> Bool { NearestSearch.isSquarable(tree.bounds) && NearestSearch.isSquarable(query) }

  /// Infinite ordinates are no trouble: their gaps are 0, or infinite.
  private static func isSquarable(_ box: Box) -> Bool {
    func isFine(_ ordinate: Double) -> Bool { ordinate.magnitude <= mostSquarable || ordinate.isInfinite }
    return isFine(box.xmin) && isFine(box.ymin) && isFine(box.xmax) && isFine(box.ymax)
  }
}
