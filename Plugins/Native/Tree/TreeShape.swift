// SPDX-License-Identifier: Apache-2.0

/// Where everything is in the bytes of a packed tree; the number of items and the size of a leaf alone decide.
///
/// A header; the inner nodes, the root first and each level behind the one above; the leaves. A node has sixteen children,
/// the last one of a level perhaps fewer. An inner node holds the boxes of its children in cells of the tree's frame as
/// four columns of Int32, 1.07 bytes an item in all; a leaf holds four columns of sixteen doubles and what else its owner
/// puts behind them.
struct TreeShape {
  static let fanout = 16
  static let headerBytes = 128
  static let innerBytes = 4 * fanout * MemoryLayout<Int32>.size
  static let leafColumns = 4 * fanout * MemoryLayout<Double>.size
  /// Numbers of items are stored as UInt32.
  static let mostItems = Int(clamping: UInt32.max)

  let count: Int
  /// A multiple of 64.
  let leafBytes: Int
  /// The root's level; leaves are level 0.
  private(set) var top = 0
  private(set) var bytes = headerBytes
  /// Nodes of each level, and where the first one begins. Eight levels hold more items than numbers there are.
  private var widths = InlineArray<9, Int>(repeating: 0)
  private var offsets = InlineArray<9, Int>(repeating: 0)

  /// `count` is in 0 ... mostItems; `columns`: how many numbers of 32 bits a leaf has of each item, behind its doubles.
  init(count: Int, columns: Int) {
    self.count = count
    leafBytes = TreeShape.leafColumns + columns * TreeShape.fanout * MemoryLayout<UInt32>.size
    widths[0] = (count + TreeShape.fanout - 1) / TreeShape.fanout
    while widths[top] > 1 {
      top += 1
      widths[top] = (widths[top - 1] + TreeShape.fanout - 1) / TreeShape.fanout
    }
    for level in stride(from: top, through: 0, by: -1) {
      offsets[level] = bytes
      bytes += widths[level] * (level == 0 ? leafBytes : TreeShape.innerBytes)
    }
  }

  var leaves: Int { widths[0] }

  func width(_ level: Int) -> Int { widths[level] }

  /// Nodes above the leaves.
  var innerNodes: Int { (offsets[0] - TreeShape.headerBytes) / TreeShape.innerBytes }

  /// Counts the inner nodes in the order in which they lie.
  @inline(__always)
  func innerNumber(_ level: Int, _ node: Int) -> Int {
    (innerOffset(level, node) &- TreeShape.headerBytes) / TreeShape.innerBytes
  }

  @inline(__always)
  func leafOffset(_ leaf: Int) -> Int { offsets[0] &+ leaf &* leafBytes }

  @inline(__always)
  func innerOffset(_ level: Int, _ node: Int) -> Int { offsets[level] &+ node &* TreeShape.innerBytes }

  /// Bits of the children that a node has.
  @inline(__always)
  func present(_ level: Int, _ node: Int) -> UInt32 {
    let children = level == 0 ? count : widths[level &- 1]
    let here = children &- node &* TreeShape.fanout
    return here >= TreeShape.fanout ? 0xffff : (1 << UInt32(truncatingIfNeeded: here)) &- 1
  }
}
