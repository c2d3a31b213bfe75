// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Builds a tree of boxes: the order along the curve, then the leaves, then level upon level.
struct TreeBuilder {
  private let source: BoxArray
  private let isCurved: Bool
  private let call: UnsafeMutablePointer<mrd_call>
  private var usable = 0
  private var bounds = Box.empty
  /// Without the infinite ordinates.
  private var finite = Box.empty

  init(_ source: BoxArray, _ call: UnsafeMutablePointer<mrd_call>) {
    self.source = source
    isCurved = source.isCurved
    self.call = call
  }

  /// nil = no memory, or cancelled.
  mutating func build(_ poll: inout CancelPoll) -> BoxTree? {
    survey(&poll)
    let shape = BoxTree.shape(count: usable)
    guard !poll.isCancelled, let memory = HandleMemory.room(for: shape.bytes, UInt8.self) else { return nil }
    let bytes = UnsafeMutableRawPointer(memory.pointer(to: UInt8.self))
    let frame = CellFrame(finite)
    let header = TreeHeader(
      given: Int64(source.count), count: Int64(usable), bounds: bounds, frame: frame, curved: isCurved ? 1 : 0)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: TreeShape.headerBytes)
    bytes.storeBytes(of: header, as: TreeHeader.self)
    let tree = BoxTree(shape, UnsafeRawPointer(bytes), memory)
    return usable == 0 || fill(bytes, tree, &poll) ? tree : nil
  }

  /// Counts and measures the boxes that can be hit.
  private mutating func survey(_ poll: inout CancelPoll) {
    if surveyAtOnce(&poll) { return }
    var (bounds, usable) = (Box.empty, 0)
    for index in 0..<source.count {
      if poll.tick() { return }
      guard let box = usableBox(index) else { continue }
      usable &+= 1
      bounds.grow(isCurved ? box.hull : box)
    }
    self.usable = usable
    self.bounds = bounds
    finite = bounds
    if !(bounds.xmin.isFinite && bounds.ymin.isFinite && bounds.xmax.isFinite && bounds.ymax.isFinite) {
      finite = finiteBounds(&poll)
    }
  }

  /// For boxes that lie side by side, all of which can be hit and are finite; false for others.
  private mutating func surveyAtOnce(_ poll: inout CancelPoll) -> Bool {
    guard !isCurved, source.count > 0, let boxes = source.contiguous else { return false }
    var all = Box.empty
    for start in stride(from: 0, to: source.count & ~1, by: 4096) {
      if poll.tick(4096) { return false }
      let isFine = withUnsafeMutableBytes(of: &all) { bounds in
        mrdk_survey_boxes(
          UnsafeRawPointer(boxes + start).assumingMemoryBound(to: Double.self), min(4096, (source.count & ~1) &- start),
          bounds.assumingMemoryBound(to: Double.self).baseAddress)
      }
      if isFine == 0 { return false }
    }
    let last = boxes[source.count &- 1]
    guard last.canBeHit else { return false }
    all.grow(last)
    guard all.xmin.isFinite, all.ymin.isFinite, all.xmax.isFinite, all.ymax.isFinite else { return false }
    (usable, bounds, finite) = (source.count, all, all)
    return true
  }

  /// A box as it is stored; nil for one that is never hit.
  @inline(__always)
  private func usableBox(_ index: Int) -> Box? {
    let box = source[index]
    if isCurved {
      let shape = box.shape(curved: true)
      return shape.pieces > 0 ? shape.box : nil
    }
    return box.canBeHit ? box : nil
  }

  private func finiteBounds(_ poll: inout CancelPoll) -> Box {
    var bounds = Box.empty
    for index in 0..<source.count {
      if poll.tick() { break }
      if let box = usableBox(index) { bounds.growFinite(isCurved ? box.hull : box) }
    }
    return bounds
  }

  /// Fills the nodes of a tree that has only its header. False = no memory, or cancelled.
  private func fill(_ bytes: UnsafeMutableRawPointer, _ tree: BoxTree, _ poll: inout CancelPoll) -> Bool {
    let shape = tree.shape
    guard let packed = packedBoxes(&poll) else { return false }
    let (boxes, numbers) = packed
    guard let order = order(boxes, tree.frame, &poll) else { return false }
    for leaf in 0..<shape.leaves {
      if poll.tick(TreeShape.fanout) { return false }
      let around = fillLeaf(bytes + shape.leafOffset(leaf), leaf * TreeShape.fanout, order, boxes, numbers)
      if shape.top > 0 { tree.nodes.set(1, leaf, tree.frame.box(around)) }
    }
    tree.nodes.setUpperLevels()
    return true
  }

  private func order(
    _ boxes: UnsafePointer<Box>, _ frame: CellFrame, _ poll: inout CancelPoll
  ) -> UnsafeMutablePointer<UInt64>? {
    guard isCurved else { return CurveOrder.fineKeys(of: boxes, usable, frame, call, &poll) }
    // A box over the antimeridian lies at its end of the curve, where it makes few nodes wide.
    func place(_ number: Int) -> Box {
      var box = boxes[number]
      if box.xmin > box.xmax { box.xmax = 180 }
      return box
    }
    return CurveOrder.fineKeys(usable, call, &poll, middle: { frame.middle(place($0), $1, $2) }, place)
  }

  /// The usable boxes side by side, and their numbers, nil when all are usable. Boxes that are so already are not copied.
  private func packedBoxes(
    _ poll: inout CancelPoll
  ) -> (boxes: UnsafePointer<Box>, numbers: UnsafePointer<UInt32>?)? {
    if usable == source.count, !isCurved, let boxes = source.contiguous { return (boxes, nil) }
    guard let boxes = scratch(call, usable, of: Box.self), let numbers = scratch(call, usable, of: UInt32.self) else {
      return nil
    }
    var next = 0
    for index in 0..<source.count {
      if poll.tick() { return nil }
      if let box = usableBox(index), next < usable {
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
    let end = min(first &+ TreeBuilder.ahead &+ TreeShape.fanout, usable)
    var next = first &+ TreeBuilder.ahead
    while next < end {
      mrdk_prefetch(boxes + CurveOrder.number(order[next]))
      next &+= 1
    }
    for slot in 0..<size {
      let number = CurveOrder.number(order[first &+ slot])
      ids[slot] = numbers?[number] ?? UInt32(truncatingIfNeeded: number)
    }
    var around = Box.empty
    if size == TreeShape.fanout && !isCurved {
      withUnsafeMutableBytes(of: &around) { around in
        mrdk_fill_leaf(
          UnsafeRawPointer(boxes).assumingMemoryBound(to: Double.self), 4, order + first, columns,
          around.assumingMemoryBound(to: Double.self).baseAddress)
      }
      return around
    }
    for slot in 0..<size {
      let box = boxes[CurveOrder.number(order[first &+ slot])]
      columns[slot] = box.xmin
      columns[slot &+ 16] = box.ymin
      columns[slot &+ 32] = box.xmax
      columns[slot &+ 48] = box.ymax
      around.grow(isCurved ? box.hull : box)
    }
    for slot in size..<TreeShape.fanout {
      for column in 0..<4 { columns[slot &+ 16 &* column] = .nan }
      ids[slot] = .max
    }
    return around
  }
}
