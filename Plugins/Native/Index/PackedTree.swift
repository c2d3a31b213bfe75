// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// A box as given, and the number of the row that it came from.
struct IndexedBox {
  var xmin: Double
  var ymin: Double
  var xmax: Double
  var ymax: Double
  var id: Int

  /// Closed boxes that can hit: ordered, no NaN. Infinite bounds are legal.
  var canHit: Bool { xmin <= xmax && ymin <= ymax }

  @inline(__always)
  func meets(_ other: IndexedBox) -> Bool {
    xmin <= other.xmax && other.xmin <= xmax && ymin <= other.ymax && other.ymin <= ymax
  }

  mutating func grow(_ other: IndexedBox) {
    xmin = min(xmin, other.xmin)
    ymin = min(ymin, other.ymin)
    xmax = max(xmax, other.xmax)
    ymax = max(ymax, other.ymax)
  }

  /// dx^2 + dy^2 between the boxes, 0 where they overlap in that direction; no fused operations.
  func squaredDistance(_ other: IndexedBox) -> Double {
    let dx = gap(xmin - other.xmax, other.xmin - xmax)
    let dy = gap(ymin - other.ymax, other.ymin - ymax)
    return dx * dx + dy * dy
  }

  /// The positive one of two gaps; NaN, which equal infinities give, counts as no gap.
  private func gap(_ a: Double, _ b: Double) -> Double { a > 0 ? a : b > 0 ? b : 0 }

  static let empty = IndexedBox(xmin: .infinity, ymin: .infinity, xmax: -.infinity, ymax: -.infinity, id: -1)
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
  var bounds: IndexedBox { count == 0 ? .empty : boxes[starts[levels] - 1] }

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

  /// `box(i)` gives box i. nil = no memory, or cancelled.
  convenience init?(_ given: Int, _ poll: inout CancelPoll, _ box: (Int) -> IndexedBox) {
    var usable = 0
    for index in 0..<given where box(index).canHit { usable += 1 }
    self.init(given: given, usable: usable)
    var next = 0
    for index in 0..<given {
      if poll.tick() { return nil }
      let candidate = box(index)
      if candidate.canHit {
        boxes[next] = candidate
        boxes[next].id = index
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
      let box = leaf(index)
      guard box.canHit, box.id >= 0, box.id < given else { return nil }
      boxes[index] = box
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
    leaves.sort { isBefore(center($0.xmin, $0.xmax), center($1.xmin, $1.xmax), $0, $1) }
    let nodes = Double((count + PackedTree.fanout - 1) / PackedTree.fanout)
    let slices = max(1, Int(nodes.squareRoot().rounded(.up)))
    let size = max(1, (count + slices - 1) / slices)
    var begin = 0
    while begin < count {
      var slice = UnsafeMutableBufferPointer(rebasing: leaves[begin..<min(count, begin + size)])
      slice.sort { isBefore(center($0.ymin, $0.ymax), center($1.ymin, $1.ymax), $0, $1) }
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
        var box = IndexedBox.empty
        for child in children(level, node) { box.grow(boxes[starts[level - 1] + child]) }
        boxes[starts[level] + node] = box
      }
    }
  }

  private func children(_ level: Int, _ node: Int) -> Range<Int> {
    let width = starts[level] - starts[level - 1]
    return (node * PackedTree.fanout)..<min(width, (node + 1) * PackedTree.fanout)
  }

  /// Calls `body` with each id whose box meets the window, in the order of the leaves, until it answers false.
  func search(_ window: IndexedBox, _ poll: inout CancelPoll, _ body: (Int) -> Bool) {
    guard count > 0, window.canHit else { return }
    _ = visit(levels - 1, 0, &poll, { $0.meets(window) }, { body($0.id) })
  }

  /// Calls `body` with each box whose node may matter by `isWanted`, which is asked again on the way down.
  func walk(_ poll: inout CancelPoll, _ isWanted: (IndexedBox) -> Bool, _ body: (IndexedBox) -> Bool) {
    guard count > 0 else { return }
    _ = visit(levels - 1, 0, &poll, isWanted, body)
  }

  /// Recursion as deep as the tree is high: 16 levels hold 2^64 boxes.
  private func visit(
    _ level: Int, _ node: Int, _ poll: inout CancelPoll, _ isWanted: (IndexedBox) -> Bool,
    _ body: (IndexedBox) -> Bool
  ) -> Bool {
    let box = boxes[starts[level] + node]
    if poll.tick() { return false }
    guard isWanted(box) else { return true }
    if level == 0 { return body(box) }
    for child in children(level, node) {
      if !visit(level - 1, child, &poll, isWanted, body) { return false }
    }
    return true
  }
}
