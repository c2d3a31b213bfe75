// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Layers taken apart for queries: edges and places in a packed tree, and polygons for AREA. Immutable after `open`: queries
/// run concurrently.
final class PreparedTargets {
  enum Tree {
    case plane(TargetTreeMemory)
    case globe(GlobeTargets)
  }

  let layers: UnsafeBufferPointer<TargetLayer>
  /// That of all layers; nil when there are none.
  let model: mrd_model?
  let isInMetres: Bool
  let tree: Tree
  /// The largest magnitudes of x and y of points.
  let limits: (x: Double, y: Double)
  let areas: AreaIndex?
  /// Some layer has Z.
  let hasZ: Bool
  private let memory: HandleMemory

  private init(
    _ layers: UnsafeBufferPointer<TargetLayer>, _ model: SnapModel, _ tree: Tree, _ areas: AreaIndex?,
    _ memory: HandleMemory
  ) {
    self.layers = layers
    self.model = layers.first?.geoms.model
    isInMetres = model.isInMetres
    limits = model.limits
    self.tree = tree
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
      guard haveOneModel(layer, number == 0 ? layer : layers[0]) else {
        _ = fail(call, MRD_E_UNSUPPORTED, "native snapping takes layers of one model together")
        return nil
      }
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

  private static func haveOneModel(_ a: TargetLayer, _ b: TargetLayer) -> Bool {
    a.geoms.model.edges == b.geoms.model.edges && haveOneMetric(a.geoms.model, b.geoms.model)
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
    let model = layers.first.flatMap { SnapModel($0.geoms.model) } ?? .plane
    guard let tree = tree(model, unsorted, collector, call, &poll) else { return nil }
    var areas: AreaIndex?
    if layers.contains(where: { $0.kinds.has(MRD_SNAP_AREA) && $0.geoms.isPolygonal }) {
      areas = AreaIndex.build(layers, call, &poll)
      if areas == nil { return nil }
    }
    return PreparedTargets(layers, model, tree, areas, layerMemory)
  }

  private static func tree(
    _ model: SnapModel, _ items: UnsafePointer<TargetItem>, _ collector: ItemCollector,
    _ call: UnsafeMutablePointer<mrd_call>, _ poll: inout CancelPoll
  ) -> Tree? {
    switch model {
    case .plane: TargetTreeMemory(items, collector.count, collector.bounds, call, &poll).map { .plane($0) }
    case .globe(let geodesics, let hasStraightEdges):
      GlobeTargets.build(
        geodesics, hasStraightEdges: hasStraightEdges, items, collector.count, call, &poll
      ).map { .globe($0) }
    }
  }
}
