// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

extension Box {
  /// The box of an edge.
  @inline(__always)
  init(_ a: Place, _ b: Place) {
    self.init(
      xmin: a.x < b.x ? a.x : b.x, ymin: a.y < b.y ? a.y : b.y, xmax: a.x > b.x ? a.x : b.x,
      ymax: a.y > b.y ? a.y : b.y)
  }

  @inline(__always)
  func holds(_ place: Place) -> Bool { xmin <= place.x && place.x <= xmax && ymin <= place.y && place.y <= ymax }
}

/// Items in the order of a Hilbert curve, sixteen a leaf: their ends in four columns, their sources in three. Which classes
/// of items a node holds is noted beside the tree. Immutable after `build`; in memory that `TargetTreeMemory` keeps alive, so
/// that queries count no references.
struct TargetTree {
  let nodes: NodeTree
  let bounds: Box
  /// About as far as it is from one item to the next.
  let spacing: Double
  private let leafClasses: UnsafeMutablePointer<ClassMask>
  private let innerClasses: UnsafeMutablePointer<ClassMask>

  fileprivate init(_ nodes: NodeTree, _ bounds: Box, _ classes: UnsafeMutablePointer<ClassMask>) {
    self.nodes = nodes
    self.bounds = bounds
    leafClasses = classes
    innerClasses = classes + nodes.shape.leaves
    let (width, height) = (bounds.xmax - bounds.xmin, bounds.ymax - bounds.ymin)
    let count = Double(max(1, nodes.shape.count))
    let square = (width / count.squareRoot()) * (height / count.squareRoot())
    spacing = nodes.shape.count == 0 ? 0 : square > 0 ? square.squareRoot() : max(width, height) / count
  }

  /// The item in a slot of a leaf.
  @inline(__always)
  func item(_ leaf: Int, _ slot: Int) -> TargetItem {
    let (ends, numbers) = (nodes.leaf(leaf) + slot, nodes.numbers(leaf, 0) + slot)
    return TargetItem(
      a: Place(x: ends[0], y: ends[16]), b: Place(x: ends[32], y: ends[48]),
      source: ItemSource(row: numbers[0], coordinate: numbers[16], tag: numbers[32]))
  }

  /// The classes of all items below a node, level 0 = a leaf.
  @inline(__always)
  func classes(_ level: Int, _ node: Int) -> ClassMask {
    level == 0 ? leafClasses[node] : innerClasses[nodes.shape.innerNumber(level, node)]
  }

  /// Calls `body` with leaves that hold items whose boxes meet a window, and bits of those, until it answers false.
  @inline(__always)
  func search(_ window: Box, _ body: (_ leaf: Int, _ hits: UInt32) -> Bool) {
    guard nodes.shape.count > 0 else { return }
    func look(_ leaf: Int) -> Bool {
      let hits =
        mrdk_segments_meeting(nodes.leaf(leaf), window.xmin, window.ymin, window.xmax, window.ymax)
        & nodes.shape.present(0, leaf)
      return hits == 0 || body(leaf, hits)
    }
    if nodes.shape.top == 0 {
      _ = look(0)
      return
    }
    nodes.search(nodes.frame.box(window)) { node, leaves in
      var bits = leaves
      while bits != 0 {
        let leaf = node &* TreeShape.fanout &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        if !look(leaf) { return false }
      }
      return true
    }
  }

  // MARK: - Building

  /// How many items ahead memory is asked for: they come in no order.
  private static let ahead = 24

  /// False = no memory, or cancelled.
  fileprivate func fill(
    _ items: UnsafePointer<TargetItem>, _ call: UnsafeMutablePointer<mrd_call>, _ poll: inout CancelPoll
  ) -> Bool {
    let shape = nodes.shape
    let frame = nodes.frame
    let order = CurveOrder.fineKeys(
      shape.count, call, &poll,
      middle: { number, x, y in
        // An item begins with its ends.
        frame.middle(corners: UnsafeRawPointer(items + number).assumingMemoryBound(to: Double.self), x, y)
      }
    ) { items[$0].box }
    guard let order else { return false }
    for leaf in 0..<shape.leaves {
      if poll.tick(TreeShape.fanout) { return false }
      let around = fillLeaf(leaf, order, items)
      if shape.top > 0 { nodes.set(1, leaf, nodes.frame.box(around)) }
    }
    nodes.setUpperLevels()
    for level in stride(from: 1, through: shape.top, by: 1) {
      for node in 0..<shape.width(level) {
        var mask: ClassMask = []
        for slot in 0..<shape.present(level, node).nonzeroBitCount {
          mask.formUnion(classes(level - 1, node * TreeShape.fanout + slot))
        }
        innerClasses[shape.innerNumber(level, node)] = mask
      }
    }
    return true
  }

  /// Fills a leaf with the next items of the order, and answers the box around them.
  @inline(__always)
  private func fillLeaf(_ leaf: Int, _ order: UnsafeMutablePointer<UInt64>, _ items: UnsafePointer<TargetItem>) -> Box {
    let first = leaf &* TreeShape.fanout
    let size = min(TreeShape.fanout, nodes.shape.count &- first)
    let ends = UnsafeMutablePointer(mutating: nodes.leaf(leaf))
    let numbers = UnsafeMutablePointer(mutating: nodes.numbers(leaf, 0))
    let end = min(first &+ TargetTree.ahead &+ TreeShape.fanout, nodes.shape.count)
    var next = first &+ TargetTree.ahead
    while next < end {
      // An item may begin in one line and end in the next.
      let item = UnsafeRawPointer(items + CurveOrder.number(order[next]))
      mrdk_prefetch(item)
      mrdk_prefetch(item + (MemoryLayout<TargetItem>.size - 1))
      next &+= 1
    }
    var around = Box.empty
    var mask: ClassMask = []
    if size == TreeShape.fanout {
      withUnsafeMutableBytes(of: &around) { around in
        mrdk_fill_leaf(
          UnsafeRawPointer(items).assumingMemoryBound(to: Double.self), MemoryLayout<TargetItem>.stride / 8,
          order + first,
          ends, around.assumingMemoryBound(to: Double.self).baseAddress)
      }
    }
    for slot in 0..<size {
      let item = items + CurveOrder.number(order[first &+ slot])
      if size < TreeShape.fanout {
        let (a, b) = (item.pointee.a, item.pointee.b)
        (ends[slot], ends[slot &+ 16]) = (a.x, a.y)
        (ends[slot &+ 32], ends[slot &+ 48]) = (b.x, b.y)
        around.grow(Box(a, b))
      }
      let source = item.pointee.source
      (numbers[slot], numbers[slot &+ 16]) = (source.numbers.row, source.numbers.coordinate)
      numbers[slot &+ 32] = source.numbers.tag
      mask.formUnion(ClassMask(source))
    }
    for slot in size..<TreeShape.fanout {
      for column in 0..<4 { ends[slot &+ 16 &* column] = .nan }
      for column in 0..<3 { numbers[slot &+ 16 &* column] = 0 }
    }
    leafClasses[leaf] = mask
    return around
  }
}

/// A tree and its memory.
final class TargetTreeMemory {
  let tree: TargetTree
  private let nodes: HandleMemory
  private let classes: HandleMemory

  private init(_ tree: TargetTree, _ nodes: HandleMemory, _ classes: HandleMemory) {
    self.tree = tree
    self.nodes = nodes
    self.classes = classes
  }

  /// nil = no memory, or cancelled. `bounds` are around all items.
  convenience init?(
    _ items: UnsafePointer<TargetItem>, _ count: Int, _ bounds: Box, _ call: UnsafeMutablePointer<mrd_call>,
    _ poll: inout CancelPoll
  ) {
    let shape = TreeShape(count: count, columns: 3)
    guard count <= TreeShape.mostItems, let memory = HandleMemory.room(for: shape.bytes, UInt8.self),
      let classes = HandleMemory.room(for: shape.leaves + shape.innerNodes, ClassMask.self)
    else { return nil }
    let nodes = NodeTree(
      shape: shape, frame: CellFrame(bounds), bytes: UnsafeRawPointer(memory.pointer(to: UInt8.self)))
    let tree = TargetTree(nodes, bounds, classes.pointer(to: ClassMask.self))
    guard count == 0 || tree.fill(items, call, &poll) else { return nil }
    self.init(tree, memory, classes)
  }
}

/// Classes of items: what candidates they can give, apart for each of four layers; more layers share them in turn.
struct ClassMask: OptionSet, BitwiseCopyable {
  let rawValue: UInt16
  static let count = 16

  enum Class: Int, CaseIterable { case endPoint, vertex, edge, centroid }

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Where a class of a layer stands.
  @inline(__always)
  static func bit(_ kind: Class, layer: Int) -> Int { (layer & 3) &* 4 &+ kind.rawValue }

  @inline(__always)
  init(_ source: ItemSource) {
    let flags = source.flags
    var bits: UInt16 = flags.contains(.isCentroid) ? 8 : 0
    if flags.contains(.isEdge) { bits |= 4 }
    if !flags.isDisjoint(with: [.ownsStart, .ownsEnd]) { bits |= 2 }
    if !flags.isDisjoint(with: [.startIsEndPoint, .endIsEndPoint]) { bits |= 1 }
    rawValue = bits << UInt16(truncatingIfNeeded: (Int(source.layer) & 3) &* 4)
  }
}
