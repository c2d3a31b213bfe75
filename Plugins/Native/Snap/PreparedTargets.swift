// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Layers taken apart for queries: edges and places in a packed tree, and polygons for AREA. Immutable after `open`: queries
/// run concurrently.
final class PreparedTargets {
  let layers: UnsafeBufferPointer<TargetLayer>
  let tree: TargetTree
  private let treeMemory: TargetTreeMemory
  let areas: AreaIndex?
  /// Some layer has Z.
  let hasZ: Bool
  private let memory: HandleMemory

  private init(
    _ layers: UnsafeBufferPointer<TargetLayer>, _ tree: TargetTreeMemory, _ areas: AreaIndex?, _ memory: HandleMemory
  ) {
    self.layers = layers
    self.tree = tree.tree
    treeMemory = tree
    self.areas = areas
    self.memory = memory
    hasZ = layers.contains { $0.geoms.hasZ }
  }

  /// nil, with the call's error filled, when a layer is refused, there is no memory, or the call is cancelled.
  static func open(
    _ list: UnsafePointer<UnsafePointer<mrd_snap_layer>?>?, _ count: Int, _ call: UnsafeMutablePointer<mrd_call>
  ) -> PreparedTargets? {
    guard list != nil || count == 0 else {
      _ = fail(call, MRD_E_ARGUMENT, "the list of layers is missing")
      return nil
    }
    guard count <= ItemSource.mostLayers else {
      _ = fail(call, MRD_E_UNSUPPORTED, "native snapping takes fewer than 2^24 layers")
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
    guard let tree = TargetTreeMemory(unsorted, collector.count, collector.bounds, call, &poll) else { return nil }
    var areas: AreaIndex?
    if layers.contains(where: { $0.kinds.has(MRD_SNAP_AREA) && $0.geoms.isPolygonal }) {
      areas = AreaIndex.build(layers, call, &poll)
      if areas == nil { return nil }
    }
    return PreparedTargets(layers, tree, areas, layerMemory)
  }
}
