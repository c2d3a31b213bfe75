// SPDX-License-Identifier: Apache-2.0

/// Where everything is in the bytes of an index; the number of boxes alone decides.
///
/// A header; the inner nodes, the root first and each level behind the one above; the leaves. A node has sixteen children,
/// the last one of a level perhaps fewer. An inner node holds the boxes of its children in cells of the index's frame as
/// four columns of Int32; a leaf holds boxes as given, in four columns of Double, and behind them their ids as UInt32. So a
/// box takes 36 bytes, and 1.07 for the levels above.
struct TreeShape {
  static let fanout = 16
  static let headerBytes = 128
  static let innerBytes = 4 * fanout * MemoryLayout<Int32>.size
  static let leafColumns = 4 * fanout * MemoryLayout<Double>.size
  static let leafBytes = leafColumns + fanout * MemoryLayout<UInt32>.size
  /// Ids are stored as UInt32.
  static let mostBoxes = Int(UInt32.max)

  let count: Int
  /// The root's level; leaves are level 0.
  private(set) var top = 0
  private(set) var bytes = headerBytes
  /// Nodes of each level, and where the first one begins. Eight levels hold more boxes than ids there are.
  private var widths = InlineArray<9, Int>(repeating: 0)
  private var offsets = InlineArray<9, Int>(repeating: 0)

  /// `count` is in 0 ... mostBoxes.
  init(count: Int) {
    self.count = count
    widths[0] = (count + TreeShape.fanout - 1) / TreeShape.fanout
    while widths[top] > 1 {
      top += 1
      widths[top] = (widths[top - 1] + TreeShape.fanout - 1) / TreeShape.fanout
    }
    for level in stride(from: top, through: 0, by: -1) {
      offsets[level] = bytes
      bytes += widths[level] * (level == 0 ? TreeShape.leafBytes : TreeShape.innerBytes)
    }
  }

  var leaves: Int { widths[0] }

  func width(_ level: Int) -> Int { widths[level] }

  @inline(__always)
  func leafOffset(_ leaf: Int) -> Int { offsets[0] &+ leaf &* TreeShape.leafBytes }

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
