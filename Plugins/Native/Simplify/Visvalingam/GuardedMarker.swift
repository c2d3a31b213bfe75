// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Visvalingam-Whyatt on the paths of a row as one graph, where nothing comes to cross or touch that did not.
struct GuardedMarker: RowSimplifier {
  private let geoms: Geoms
  private let options: SimplifyOptions
  private let entries: UnsafeMutablePointer<Int32>
  private let levels: UnsafeMutablePointer<UInt8>
  private let thresholds: UnsafeBufferPointer<Double>
  private var graph: BorderGraph

  var failed: Bool { graph.failed }

  /// nil = no memory.
  init?(
    _ geoms: Geoms, _ options: SimplifyOptions, _ size: BatchSize, _ call: UnsafeMutablePointer<mrd_call>
  ) {
    guard
      let graph = BorderGraph(
        capacity: size.coordinates, options.plane, weighted: options.has(MRD_SIMPLIFY_WEIGHTED), boundsDistance: false,
        call),
      let entries = scratch(call, size.coordinates + 1, of: Int32.self),
      let levels = scratch(call, size.coordinates + 1, of: UInt8.self),
      let thresholds = options.areaThresholds(call)
    else { return nil }
    self.geoms = geoms
    self.options = options
    self.entries = entries
    self.levels = levels
    self.thresholds = thresholds
    self.graph = graph
  }

  mutating func mark(
    _ row: Int, _ store: PathStore, _ paths: UnsafePointer<PathStore.Path>, _ count: Int, _ poll: inout CancelPoll
  ) -> mrd_item_status {
    graph.clear()
    for index in 0..<count {
      let path = paths[index]
      for place in path.start...path.last { entries[place] = graph.number(geoms.place(path.coordinate(place))) }
    }
    graph.beginEdges()
    for index in 0..<count {
      graph.addPath(entries + paths[index].start, paths[index].count, isRing: paths[index].isRing, &poll)
    }
    protect(paths, count)
    let target = VisvalingamTarget(geoms, options, row, paths, count)
    let threshold = options.hasTarget ? Double.infinity : thresholds.last ?? 0
    graph.endEdges(fixedBoundary: false, threshold, &poll)
    for index in 0..<count {
      let path = paths[index]
      for place in (path.start &+ 1)..<(path.last &+ 1) { graph.noteEdge(entries[place &- 1], entries[place]) }
    }
    let (levels, thresholds) = (levels, thresholds)
    levels.update(repeating: DouglasPeucker.everywhere, count: store.count)
    graph.run(threshold: threshold, count: target.count, maxDistance: 0, &poll) { point, key in
      levels[point] = AreaMarks.levels(key, thresholds)
    }
    for place in 0..<store.count { store.marks[place] = levels[Int(entries[place])] }
    for index in 0..<count {
      let path = paths[index]
      if path.isRing && !options.hasTarget { markTriangle(path, store) }
      RepeatedPoints.drop(entries + path.start, store.marks + path.start, path.count, isRing: path.isRing)
    }
    return MRD_ITEM_OK
  }

  private func protect(_ paths: UnsafePointer<PathStore.Path>, _ count: Int) {
    guard let bits = options.raw.protected_vertices else { return }
    for index in 0..<count {
      let path = paths[index]
      for place in path.start...path.last {
        if isSet(bits, path.coordinate(place)) { graph.fix(Int(entries[place])) }
      }
    }
  }

  private func markTriangle(_ path: PathStore.Path, _ store: PathStore) {
    guard let area = graph.triangle(entries + path.start, path.count) else { return }
    let mark = AreaMarks.levels(area, thresholds) | UInt8(MRDK_LEAST_FORM)
    for place in path.start...path.last where graph.isLeft(entries[place]) { store.marks[place] = mark }
  }
}
