// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// Visits the boxes that may lie within a distance of a query box, the near ones first, roughly. Distances are those of
/// index.h, bit by bit.
struct NearestSearch {
  /// Beyond this, squares of distances may overflow.
  static let mostSquarable = 0x1p500
  static let memory = NearWalk.memory + (TreeShape.fanout + 8) * MemoryLayout<Double>.stride

  private let tree: BoxTree
  private let walk: NearWalk
  /// Squares of a leaf's boxes.
  private let squares: UnsafeMutablePointer<Double>
  /// The query.
  private let corners: UnsafeMutablePointer<Double>

  /// `memory` has `NearestSearch.memory` bytes, aligned to 64.
  init(_ tree: BoxTree, _ memory: UnsafeMutableRawPointer) {
    self.tree = tree
    squares = memory.bindMemory(to: Double.self, capacity: TreeShape.fanout)
    corners = (memory + 128).bindMemory(to: Double.self, capacity: 8)
    walk = NearWalk(tree.nodes, memory + 192)
  }

  /// Calls `offer(square, id)` for each box whose square is not above the bound that `bound` gives, which may shrink.
  /// Ends when `offer` answers false.
  @inline(__always)
  func run(_ query: Box, bound: () -> Double, _ offer: (_ square: Double, _ id: UInt32) -> Bool) {
    corners[0] = query.xmin
    corners[1] = query.ymin
    corners[2] = query.xmax
    corners[3] = query.ymax
    var walk = walk
    walk.start(query)
    while true {
      let leaf = walk.next(bound()) { _, _ in bound() }
      if leaf < 0 { return }
      var bits = mrdk_leaf_near(tree.leaf(leaf), corners, bound(), squares) & tree.shape.present(0, leaf)
      let ids = tree.ids(leaf)
      while bits != 0 {
        let slot = bits.trailingZeroBitCount
        bits &= bits &- 1
        if !offer(squares[slot], ids[slot]) { return }
      }
    }
  }

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
