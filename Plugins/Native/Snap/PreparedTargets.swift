// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Layers taken apart for queries: edges and places in the order of a Hilbert curve, their coordinates beside the tree
/// over them, and polygons for AREA. Immutable after `open`: queries run concurrently.
final class PreparedTargets {
  let layers: UnsafeBufferPointer<TargetLayer>
  let items: UnsafePointer<TargetItem>
  let tree: UnsafePointer<CurveTree>
  let areas: AreaIndex?
  private let memory: (layers: HandleMemory, items: HandleMemory)

  deinit { CurveTree.release(tree) }

  private init(
    _ layers: UnsafeBufferPointer<TargetLayer>, _ tree: CurveTree, _ areas: AreaIndex?,
    _ memory: (layers: HandleMemory, items: HandleMemory)
  ) {
    self.layers = layers
    self.tree = CurveTree.kept(tree)
    self.areas = areas
    self.memory = memory
    items = UnsafePointer(memory.items.pointer(to: TargetItem.self))
  }

  /// nil, with the call's error filled, when a layer is refused, there is no memory, or the call is cancelled.
  static func open(
    _ list: UnsafePointer<UnsafePointer<mrd_snap_layer>?>?, _ count: Int, _ call: UnsafeMutablePointer<mrd_call>
  ) -> PreparedTargets? {
    guard list != nil || count == 0 else {
      _ = fail(call, MRD_E_ARGUMENT, "the list of layers is missing")
      return nil
    }
    guard let memory = HandleMemory.room(for: count, TargetLayer.self) else { return noMemory(call) }
    let layers = memory.pointer(to: TargetLayer.self)
    for number in 0..<count {
      guard let layer = TargetLayer(list?[number], call) else { return nil }
      (layers + number).initialize(to: layer)
    }
    var poll = CancelPoll(call)
    let targets = build(UnsafeBufferPointer(start: layers, count: count), memory, call, &poll)
    if poll.isCancelled {
      _ = fail(call, MRD_E_CANCELLED, "cancelled")
      return nil
    }
    return targets ?? noMemory(call)
  }

  private static func noMemory(_ call: UnsafeMutablePointer<mrd_call>) -> PreparedTargets? {
    _ = fail(call, MRD_E_MEMORY, "no memory for the targets")
    return nil
  }

  /// nil = no memory, or cancelled.
  private static func build(
    _ layers: UnsafeBufferPointer<TargetLayer>, _ layerMemory: HandleMemory, _ call: UnsafeMutablePointer<mrd_call>,
    _ poll: inout CancelPoll
  ) -> PreparedTargets? {
    guard let unsorted = scratch(call, ItemCollector.most(layers), of: TargetItem.self) else { return nil }
    var collector = ItemCollector(unsorted)
    collector.addAll(layers, &poll)
    if poll.isCancelled { return nil }
    guard let memory = HandleMemory.room(for: collector.count, TargetItem.self) else { return nil }
    let items = memory.pointer(to: TargetItem.self)
    let tree = CurveTree(collector.count, call, &poll) {
      Box(unsorted[$0].a, unsorted[$0].b)
    } _: {
      items[$0] = unsorted[$1]
    }
    guard let tree else { return nil }
    var areas: AreaIndex?
    if layers.contains(where: { $0.kinds.has(MRD_SNAP_AREA) && $0.geoms.isPolygonal }) {
      areas = AreaIndex.build(layers, call, &poll)
      if areas == nil { return nil }
    }
    return PreparedTargets(layers, tree, areas, (layerMemory, memory))
  }
}
