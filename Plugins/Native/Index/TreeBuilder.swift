// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Builds a tree of boxes: the order along the curve, then the leaves, then level upon level.
struct TreeBuilder {
  private let source: BoxArray
  private let call: UnsafeMutablePointer<mrd_call>
  private var usable = 0
  private var bounds = Box.empty
  /// Without the infinite ordinates.
  private var finite = Box.empty

  init(_ source: BoxArray, _ call: UnsafeMutablePointer<mrd_call>) {
    self.source = source
    self.call = call
  }

  /// nil = no memory, or cancelled.
  mutating func build(_ poll: inout CancelPoll) -> BoxTree? {
    survey(&poll)
    let shape = BoxTree.shape(count: usable)
    guard !poll.isCancelled, let memory = HandleMemory.room(for: shape.bytes, UInt8.self) else { return nil }
    let bytes = UnsafeMutableRawPointer(memory.pointer(to: UInt8.self))
    let frame = CellFrame(finite)
    let header = TreeHeader(given: Int64(source.count), count: Int64(usable), bounds: bounds, frame: frame)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: TreeShape.headerBytes)
    bytes.storeBytes(of: header, as: TreeHeader.self)
    let tree = BoxTree(shape, UnsafeRawPointer(bytes), memory)
    return usable == 0 || fill(bytes, tree, &poll) ? tree : nil
  }

  /// Counts and measures the boxes that can be hit.
  private mutating func survey(_ poll: inout CancelPoll) {
    var (bounds, usable) = (Box.empty, 0)
    for index in 0..<source.count {
      let box = source[index]
      if poll.tick() { return }
      guard box.canBeHit else { continue }
      usable &+= 1
      bounds.grow(box)
    }
    self.usable = usable
    self.bounds = bounds
    finite = bounds
    if !(bounds.xmin.isFinite && bounds.ymin.isFinite && bounds.xmax.isFinite && bounds.ymax.isFinite) {
      finite = finiteBounds(&poll)
    }
  }

  private func finiteBounds(_ poll: inout CancelPoll) -> Box {
    var bounds = Box.empty
    for index in 0..<source.count {
      let box = source[index]
      if poll.tick() { break }
      if box.canBeHit { bounds.growFinite(box) }
    }
    return bounds
  }

  /// Fills the nodes of a tree that has only its header. False = no memory, or cancelled.
  private func fill(_ bytes: UnsafeMutableRawPointer, _ tree: BoxTree, _ poll: inout CancelPoll) -> Bool {
    let shape = tree.shape
    guard let packed = packedBoxes(&poll) else { return false }
    let (boxes, numbers) = packed
    let order = CurveOrder.fineKeys(usable, tree.frame, call, &poll) { boxes[$0] }
    guard let order else { return false }
    for leaf in 0..<shape.leaves {
      if poll.tick(TreeShape.fanout) { return false }
      let around = fillLeaf(bytes + shape.leafOffset(leaf), leaf * TreeShape.fanout, order, boxes, numbers)
      if shape.top > 0 { tree.nodes.set(1, leaf, tree.frame.box(around)) }
    }
    tree.nodes.setUpperLevels()
    return true
  }

  /// The usable boxes side by side, and their numbers, nil when all are usable. Boxes that are so already are not copied.
  private func packedBoxes(
    _ poll: inout CancelPoll
  ) -> (boxes: UnsafePointer<Box>, numbers: UnsafePointer<UInt32>?)? {
    if usable == source.count, let boxes = source.contiguous { return (boxes, nil) }
    guard let boxes = scratch(call, usable, of: Box.self), let numbers = scratch(call, usable, of: UInt32.self) else {
      return nil
    }
    var next = 0
    for index in 0..<source.count {
      let box = source[index]
      if poll.tick() { return nil }
      if box.canBeHit && next < usable {
        boxes[next] = box
        numbers[next] = UInt32(truncatingIfNeeded: index)
        next &+= 1
      }
    }
    return (UnsafePointer(boxes), UnsafePointer(numbers))
  }

  /// How many boxes ahead memory is asked for: they come in no order.
  private static let ahead = 24

  /// Fills a leaf with the boxes from place `first` of the order on, and answers the box around them.
  @inline(__always)
  private func fillLeaf(
    _ leaf: UnsafeMutableRawPointer, _ first: Int, _ order: UnsafeMutablePointer<UInt64>, _ boxes: UnsafePointer<Box>,
    _ numbers: UnsafePointer<UInt32>?
  ) -> Box {
    let size = min(TreeShape.fanout, usable &- first)
    let columns = leaf.assumingMemoryBound(to: Double.self)
    let ids = (leaf + TreeShape.leafColumns).assumingMemoryBound(to: UInt32.self)
    var around = Box.empty
    for slot in 0..<size {
      let place = first &+ slot
      if place &+ TreeBuilder.ahead < usable {
        mrdk_prefetch(boxes + CurveOrder.number(order[place &+ TreeBuilder.ahead]))
      }
      let number = CurveOrder.number(order[place])
      let box = boxes[number]
      columns[slot] = box.xmin
      columns[slot &+ 16] = box.ymin
      columns[slot &+ 32] = box.xmax
      columns[slot &+ 48] = box.ymax
      ids[slot] = numbers?[number] ?? UInt32(truncatingIfNeeded: number)
      around.grow(box)
    }
    for slot in size..<TreeShape.fanout {
      for column in 0..<4 { columns[slot &+ 16 &* column] = .nan }
      ids[slot] = .max
    }
    return around
  }
}
