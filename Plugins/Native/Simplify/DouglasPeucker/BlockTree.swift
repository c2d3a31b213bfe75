// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Boxes around blocks of 64 successive vertices, and around eight boxes of the level below on each level above. The vertex
/// farthest from a chord is found without a look at blocks that cannot hold it, so that lines that split off a vertex at
/// a time (spirals, zigzags, combs) cost little more than others.
struct BlockTree {
  static let block = 64
  /// Enough for any count of vertices.
  static let mostLevels = 20
  /// Of a group of eight: middles x and y, half sides along x and y, then xmin, ymin, xmax, ymax, in columns.
  private static let columns = 64

  private let boxes: UnsafeMutablePointer<Double>
  private let room: Int
  /// Where a level's groups begin, in groups.
  private var starts = InlineArray<21, Int>(repeating: 0)
  private(set) var levels = 0

  /// `capacity`: vertices. nil = no memory.
  init?(capacity: Int, _ call: UnsafeMutablePointer<mrd_call>) {
    var groups = 1
    var boxCount = (capacity + BlockTree.block - 1) / BlockTree.block
    while boxCount > 1 {
      boxCount = (boxCount + 7) / 8
      groups += boxCount
    }
    room = groups + 1
    guard let memory = scratch(call, room * BlockTree.columns, of: Double.self) else { return nil }
    boxes = memory
  }

  @inline(__always)
  func group(_ level: Int, _ group: Int) -> UnsafeMutablePointer<Double> {
    boxes + ((starts[level] &+ group) &* BlockTree.columns)
  }

  /// Vertices in a box of a level, as a shift.
  @inline(__always)
  static func shift(_ level: Int) -> Int { 6 &+ 3 &* level }

  mutating func build(_ x: UnsafePointer<Double>, _ y: UnsafePointer<Double>, _ count: Int) {
    var boxCount = (count + BlockTree.block - 1) / BlockTree.block
    levels = 0
    starts[0] = 0
    for box in 0..<boxCount {
      let first = box &* BlockTree.block
      mrdk_box_around(x + first, y + first, UInt(min(BlockTree.block, count &- first)), slot(0, box))
    }
    fillUp(0, boxCount)
    while boxCount > 8 {
      let groups = (boxCount + 7) / 8
      starts[levels + 1] = starts[levels] + groups
      levels += 1
      for box in 0..<groups { unite(box, min(8, boxCount &- 8 &* box)) }
      fillUp(levels, groups)
      boxCount = groups
    }
    levels += 1
  }

  @inline(__always)
  private func slot(_ level: Int, _ box: Int) -> UnsafeMutablePointer<Double> {
    group(level, box >> 3) + (box & 7)
  }

  /// Boxes that are not there repeat the first one of their group: vectors hold numbers everywhere.
  private func fillUp(_ level: Int, _ count: Int) {
    for box in count..<((count + 7) & ~7) {
      for column in 0..<8 { slot(level, box)[8 &* column] = group(level, box >> 3)[8 &* column] }
    }
  }

  /// The box around a group of the level below, as box number `group` of the level that is being made.
  private func unite(_ group: Int, _ count: Int) {
    var around = Box.empty
    for box in 0..<count { around.grow(bounds(levels - 1, 8 &* group &+ box)) }
    let target = slot(levels, group)
    (target[32], target[40], target[48], target[56]) = (around.xmin, around.ymin, around.xmax, around.ymax)
    mrdk_box_middle(target)
  }

  /// The exact bounds of a box.
  func bounds(_ level: Int, _ box: Int) -> Box {
    let columns = slot(level, box)
    return Box(xmin: columns[32], ymin: columns[40], xmax: columns[48], ymax: columns[56])
  }
}
