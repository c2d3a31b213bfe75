// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// A box as given, and the number of the row that it came from.
struct IndexedBox {
  var box: Box
  var id: Int

  static var empty: IndexedBox { IndexedBox(box: .empty, id: -1) }
}

/// Boxes in the order of Leutenegger, Lopez, Edgington 1997 (sort-tile-recursive) under a tree of boxes, 16 children a
/// node. Immutable after `init`: queries run concurrently.
final class PackedTree {
  private static let fanout = 16

  /// How many boxes the index was built from, and how many of them never hit.
  let given: Int
  let neverHit: Int
  /// Levels one after the other, leaves first; `starts[l]` is where level l begins, the last one is the end.
  private let boxes: UnsafeMutablePointer<IndexedBox>
  private let starts: [Int]
  let bytes: Int

  var count: Int { starts[1] }
  private var levels: Int { starts.count - 1 }
  var bounds: Box { count == 0 ? .empty : boxes[starts[levels] - 1].box }

  deinit { free(boxes) }

  /// Room for a tree of `usable` leaves over `given` boxes; nil = no memory.
  private convenience init?(given: Int, usable: Int) {
    var starts = [0, usable]
    var width = usable
    while width > 1 {
      width = (width + PackedTree.fanout - 1) / PackedTree.fanout
      starts.append(starts[starts.count - 1] + width)
    }
    let (boxBytes, overflow) = max(1, starts[starts.count - 1])
      .multipliedReportingOverflow(by: MemoryLayout<IndexedBox>.stride)
    guard !overflow, let memory = malloc(UInt(boxBytes)) else { return nil }
    self.init(
      given: given, starts: starts, bytes: boxBytes,
      boxes: memory.bindMemory(to: IndexedBox.self, capacity: max(1, starts[starts.count - 1])))
  }

  private init(given: Int, starts: [Int], bytes: Int, boxes: UnsafeMutablePointer<IndexedBox>) {
    self.given = given
    self.starts = starts
    neverHit = given - starts[1]
    self.boxes = boxes
    self.bytes = bytes
  }

  /// nil = no memory, or cancelled.
  convenience init?(_ source: BoxArray, _ poll: inout CancelPoll) {
    var usable = 0
    for index in 0..<source.count where source[index].canBeHit { usable += 1 }
    self.init(given: source.count, usable: usable)
    var next = 0
    for index in 0..<source.count {
      if poll.tick() { return nil }
      let candidate = source[index]
      if candidate.canBeHit {
        boxes[next] = IndexedBox(box: candidate, id: index)
        next += 1
      }
    }
    sortTiles()
    buildUpperLevels()
  }

  /// The tree over leaves that `leaves` gives in tree order. nil = no memory, or the leaves are of no tree: a box that
  /// cannot hit, an id outside 0..<given or twice.
  convenience init?(given: Int, leafCount: Int, _ leaf: (Int) -> IndexedBox) {
    self.init(given: given, usable: leafCount)
    for index in 0..<leafCount {
      let indexed = leaf(index)
      guard indexed.box.canBeHit, indexed.id >= 0, indexed.id < given else { return nil }
      boxes[index] = indexed
    }
    guard hasDistinctIDs() else { return nil }
    buildUpperLevels()
  }

  /// False also when there is no memory to tell. The room follows from the leaves that are there, never from `given`,
  /// which in a file is a mere claim.
  private func hasDistinctIDs() -> Bool {
    let (size, overflow) = max(1, count).multipliedReportingOverflow(by: MemoryLayout<Int>.stride)
    guard !overflow, let memory = malloc(UInt(size)) else { return false }
    defer { free(memory) }
    let order = leavesByID(in: memory)
    return order.indices.dropFirst().allSatisfy { boxes[order[$0 - 1]].id != boxes[order[$0]].id }
  }

  /// The numbers of the leaves, ascending by id, in `memory` with room for `count` of them.
  func leavesByID(in memory: UnsafeMutableRawPointer) -> UnsafeMutableBufferPointer<Int> {
    var order = UnsafeMutableBufferPointer(start: memory.bindMemory(to: Int.self, capacity: count), count: count)
    for leaf in 0..<count { order[leaf] = leaf }
    order.sort { boxes[$0].id < boxes[$1].id }
    return order
  }

  /// The leaves in tree order, `count` of them.
  var leaves: UnsafePointer<IndexedBox> { UnsafePointer(boxes) }

  /// Leaves by x in slices of about the square root of the number of nodes, each slice by y; ties by id.
  private func sortTiles() {
    var leaves = UnsafeMutableBufferPointer(start: boxes, count: count)
    leaves.sort { isBefore(center($0.box.xmin, $0.box.xmax), center($1.box.xmin, $1.box.xmax), $0, $1) }
    let nodes = Double((count + PackedTree.fanout - 1) / PackedTree.fanout)
    let slices = max(1, Int(nodes.squareRoot().rounded(.up)))
    let size = max(1, (count + slices - 1) / slices)
    var begin = 0
    while begin < count {
      var slice = UnsafeMutableBufferPointer(rebasing: leaves[begin..<min(count, begin + size)])
      slice.sort { isBefore(center($0.box.ymin, $0.box.ymax), center($1.box.ymin, $1.box.ymax), $0, $1) }
      begin += size
    }
  }

  private func isBefore(_ a: Double, _ b: Double, _ one: IndexedBox, _ other: IndexedBox) -> Bool {
    a != b ? a < b : one.id < other.id
  }

  /// Middle of an interval; 0 for the whole line, whose middle is not defined.
  private func center(_ low: Double, _ high: Double) -> Double {
    let middle = low / 2 + high / 2
    return middle.isNaN ? 0 : middle
  }

  private func buildUpperLevels() {
    for level in 1..<max(1, levels) {
      for node in 0..<(starts[level + 1] - starts[level]) {
        var around = IndexedBox.empty
        for child in children(level, node) { around.box.grow(boxes[starts[level - 1] + child].box) }
        boxes[starts[level] + node] = around
      }
    }
  }

  private func children(_ level: Int, _ node: Int) -> Range<Int> {
    let width = starts[level] - starts[level - 1]
    return (node * PackedTree.fanout)..<min(width, (node + 1) * PackedTree.fanout)
  }

  /// Calls `body` with each id whose box meets the window, in the order of the leaves, until it answers false.
  func search(_ window: Box, _ poll: inout CancelPoll, _ body: (Int) -> Bool) {
    guard count > 0, window.canBeHit else { return }
    _ = visit(levels - 1, 0, &poll, { $0.meets(window) }, { body($0.id) })
  }

  /// Calls `body` with each box whose node may matter by `isWanted`, which is asked again on the way down.
  func walk(_ poll: inout CancelPoll, _ isWanted: (Box) -> Bool, _ body: (IndexedBox) -> Bool) {
    guard count > 0 else { return }
    _ = visit(levels - 1, 0, &poll, isWanted, body)
  }

  /// Recursion as deep as the tree is high: 16 levels hold 2^64 boxes.
  private func visit(
    _ level: Int, _ node: Int, _ poll: inout CancelPoll, _ isWanted: (Box) -> Bool,
    _ body: (IndexedBox) -> Bool
  ) -> Bool {
    let indexed = boxes[starts[level] + node]
    if poll.tick() { return false }
    guard isWanted(indexed.box) else { return true }
    if level == 0 { return body(indexed) }
    for child in children(level, node) {
      if !visit(level - 1, child, &poll, isWanted, body) { return false }
    }
    return true
  }
}
