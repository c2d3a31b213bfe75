// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

extension BoxTree {
  /// What is wrong inside of bytes whose header and checksum are right, or nil. What a checksum cannot tell: a forger writes
  /// a right one. After this every answer is that of a tree which was built of the boxes.
  var objection: StaticString? {
    var finite = Box.empty
    var bounds = Box.empty
    for leaf in 0..<shape.leaves {
      for slot in 0..<shape.present(0, leaf).nonzeroBitCount {
        let box = hull(leaf, slot)
        guard box.canBeHit, isOnCircle(self.box(leaf, slot)), Int(ids(leaf)[slot]) < given else {
          return "the index holds a box or an id that no index has"
        }
        bounds.grow(box)
        finite.growFinite(box)
      }
    }
    guard bounds == self.bounds, frame == CellFrame(finite) else { return "the bounds of the index are not its boxes'" }
    guard coversItsBoxes else { return "a node of the index is not the box around its children" }
    return hasDistinctIDs ? nil : "an id is in the index twice, or there is no memory to tell"
  }

  /// Boxes of curved edges have longitudes in [-180, 180].
  private func isOnCircle(_ box: Box) -> Bool {
    !isCurved || (box.xmin.magnitude <= 180 && box.xmax.magnitude <= 180)
  }

  private var coversItsBoxes: Bool {
    for level in stride(from: 1, through: shape.top, by: 1) {
      for child in 0..<shape.width(level - 1) {
        let around = level == 1 ? frame.box(boxAround(leaf: child)) : nodes.cellsAround(level - 1, child)
        guard nodes.cells(level, child >> 4, child & 15) == around else { return false }
      }
    }
    return true
  }

  /// By a bit an id, where a file does not claim far more boxes than it has; the room follows from what is there.
  private var hasDistinctIDs: Bool {
    given / 8 <= shape.bytes ? hasDistinctBits : hasDistinctSortedIDs
  }

  private var hasDistinctBits: Bool {
    guard let memory = HandleMemory.room(for: given / 64 + 1, UInt64.self) else { return false }
    let words = memory.pointer(to: UInt64.self)
    words.initialize(repeating: 0, count: given / 64 + 1)
    return forAllIDs { id in
      let bit: UInt64 = 1 << UInt64(id & 63)
      defer { words[id >> 6] |= bit }
      return words[id >> 6] & bit == 0
    }
  }

  private var hasDistinctSortedIDs: Bool {
    guard let memory = HandleMemory.room(for: count + 1, UInt32.self) else { return false }
    let ids = UnsafeMutableBufferPointer(start: memory.pointer(to: UInt32.self), count: count)
    var next = 0
    _ = forAllIDs { id in
      ids[next] = UInt32(truncatingIfNeeded: id)
      next += 1
      return true
    }
    var sorted = ids
    sorted.sort()
    for index in stride(from: 1, to: count, by: 1) where ids[index - 1] == ids[index] { return false }
    return true
  }

  /// False as soon as `body` is.
  private func forAllIDs(_ body: (Int) -> Bool) -> Bool {
    for leaf in 0..<shape.leaves {
      for slot in 0..<shape.present(0, leaf).nonzeroBitCount where !body(Int(ids(leaf)[slot])) { return false }
    }
    return true
  }
}
