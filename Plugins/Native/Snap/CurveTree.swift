// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// The box of an item.
struct ItemBox {
  var xmin: Double
  var ymin: Double
  var xmax: Double
  var ymax: Double

  @inline(__always)
  init(_ a: Place, _ b: Place) {
    xmin = a.x < b.x ? a.x : b.x
    ymin = a.y < b.y ? a.y : b.y
    xmax = a.x > b.x ? a.x : b.x
    ymax = a.y > b.y ? a.y : b.y
  }

  @inline(__always)
  func holds(_ place: Place) -> Bool { xmin <= place.x && place.x <= xmax && ymin <= place.y && place.y <= ymax }

  @inline(__always)
  mutating func grow(_ other: ItemBox) {
    if other.xmin < xmin { xmin = other.xmin }
    if other.ymin < ymin { ymin = other.ymin }
    if other.xmax > xmax { xmax = other.xmax }
    if other.ymax > ymax { ymax = other.ymax }
  }
}

/// A box or window in cells of a frame.
struct CellBox {
  var xmin: Int32
  var ymin: Int32
  var xmax: Int32
  var ymax: Int32

  static let nothing = CellBox(xmin: .max, ymin: .max, xmax: .min, ymax: .min)

  @inline(__always)
  mutating func grow(_ other: CellBox) {
    xmin = min(xmin, other.xmin)
    ymin = min(ymin, other.ymin)
    xmax = max(xmax, other.xmax)
    ymax = max(ymax, other.ymax)
  }
}

/// Maps coordinates to whole numbers, 2^30 cells over the longer side of the data. The map never descends, so boxes that
/// meet have cells that meet: no rounding outward is needed.
struct CellFrame {
  static let side = 0x1p30
  let x: Double
  let y: Double
  /// Cells a unit, a power of two.
  let scale: Double

  init(_ bounds: ItemBox) {
    x = bounds.xmin
    y = bounds.ymin
    let extent = max(bounds.xmax - bounds.xmin, bounds.ymax - bounds.ymin)
    scale = extent > 0 ? Double(sign: .plus, exponent: min(1000, 29 - Int(extent.exponent)), significand: 1) : 1
  }

  @inline(__always)
  func box(_ box: ItemBox) -> CellBox {
    CellBox(
      xmin: cell(box.xmin, x), ymin: cell(box.ymin, y), xmax: cell(box.xmax, x), ymax: cell(box.ymax, y))
  }

  /// Places outside the data have the cell before the first or behind the last.
  @inline(__always)
  private func cell(_ value: Double, _ origin: Double) -> Int32 {
    let cells = (value - origin) * scale
    if !(cells >= 0) { return -1 }
    return cells < CellFrame.side ? Int32(cells) : Int32(CellFrame.side)
  }
}

/// Boxes in the order of a Hilbert curve under a tree of boxes, sixteen children a node, whose boxes lie side by side as
/// 32-bit whole numbers: one look at a node is sixteen comparisons at once. Immutable after `init`.
struct CurveTree {
  private static let fanout = 16
  /// Int32 numbers of a node: four a child.
  private static let nodeSize = 64

  let count: Int
  let bounds: ItemBox
  let frame: CellFrame
  private(set) var levels = 0
  /// The first node of each level; sixteen levels are enough for 2^60 items.
  private var starts = InlineArray<16, Int>(repeating: 0)
  private let memory: HandleMemory
  private let nodes: UnsafeMutablePointer<Int32>

  /// `box(i)` is the box of item i, of which none is NaN; `move(to, from)` puts item `from` at place `to` of the tree, each
  /// item once. nil = no memory, or cancelled.
  init?(
    _ count: Int, _ call: UnsafeMutablePointer<mrd_call>, _ poll: inout CancelPoll, _ box: (Int) -> ItemBox,
    _ move: (Int, Int) -> Void
  ) {
    self.count = count
    var bounds = count > 0 ? box(0) : ItemBox(Place(x: 0, y: 0), Place(x: 0, y: 0))
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
    guard let order = CurveTree.order(count, frame, call, &poll, box) else { return nil }
    for place in 0..<count {
      let item = Int(truncatingIfNeeded: order[place] & 0xffff_ffff)
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

  /// Keys whose lower half are the items in the order of the curve; nil = no memory, or cancelled.
  private static func order(
    _ count: Int, _ frame: CellFrame, _ call: UnsafeMutablePointer<mrd_call>, _ poll: inout CancelPoll,
    _ box: (Int) -> ItemBox
  ) -> UnsafeMutablePointer<UInt64>? {
    guard let keys = scratch(call, count, of: UInt64.self), let spare = scratch(call, count, of: UInt64.self),
      let counters = scratch(call, sortCounters, of: Int.self)
    else { return nil }
    for index in 0..<count {
      keys[index] = UInt64(CurveTree.curvePlace(frame.box(box(index)))) << 32 | UInt64(index)
      if poll.tick() { return nil }
    }
    return sortByUpperHalf(keys, spare, count, counters: counters)
  }

  /// Where the middle of a box lies on the curve.
  @inline(__always)
  static func curvePlace(_ box: CellBox) -> UInt32 {
    func middle(_ low: Int32, _ high: Int32) -> UInt32 {
      UInt32(truncatingIfNeeded: max(0, min(0x3fff_ffff, (low >> 1) &+ (high >> 1))) >> 14)
    }
    return hilbertPlace(middle(box.xmin, box.xmax), middle(box.ymin, box.ymax))
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
