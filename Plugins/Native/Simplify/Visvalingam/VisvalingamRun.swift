// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Visvalingam-Whyatt on the paths of a row until a number or share of its vertices is left.
struct VisvalingamMarker: RowSimplifier {
  private let geoms: Geoms
  private let options: SimplifyOptions
  private var kernel: Visvalingam

  var failed: Bool { kernel.failed }

  /// nil = no memory.
  init?(
    _ geoms: Geoms, _ options: SimplifyOptions, _ store: PathStore, _ size: BatchSize,
    _ call: UnsafeMutablePointer<mrd_call>
  ) {
    guard
      let kernel = Visvalingam(
        store, capacity: size.coordinates, paths: size.paths, weighted: options.has(MRD_SIMPLIFY_WEIGHTED), call)
    else { return nil }
    self.geoms = geoms
    self.options = options
    self.kernel = kernel
  }

  mutating func mark(
    _ row: Int, _ store: PathStore, _ paths: UnsafePointer<PathStore.Path>, _ count: Int, _ poll: inout CancelPoll
  ) -> mrd_item_status {
    let (marks, protected) = (store.marks, options.raw.protected_vertices)
    marks.update(repeating: DouglasPeucker.everywhere, count: store.count)
    let target = VisvalingamTarget(geoms, options, row, paths, count)
    kernel.run(
      paths, count, Visvalingam.Goal(count: target.count), &poll,
      isFixed: { path, place in protected.map { isSet($0, path.coordinate(place)) } ?? false },
      removed: { place, _ in marks[place] = 0 })
    for index in 0..<count {
      if paths[index].isRing {
        marks[paths[index].last] = marks[paths[index].start]
      } else {
        markClosedLine(index, paths[index], store)
      }
    }
    return MRD_ITEM_OK
  }

  /// The last vertex that a closed line lost keeps it from vanishing.
  private func markClosedLine(_ number: Int, _ path: PathStore.Path, _ store: PathStore) {
    guard store.place(path.start) == store.place(path.last), let last = kernel.lastTaken(ofPath: number) else { return }
    store.marks[path.start] |= UInt8(MRDK_LEAST_FORM)
    store.marks[last] |= UInt8(MRDK_LEAST_FORM)
    store.marks[path.last] |= UInt8(MRDK_LEAST_FORM)
  }
}

/// How many vertices of the paths of a row are to stay.
struct VisvalingamTarget {
  let count: Int

  init(
    _ geoms: Geoms, _ options: SimplifyOptions, _ row: Int, _ paths: UnsafePointer<PathStore.Path>, _ pathCount: Int
  ) {
    guard options.hasTarget else {
      count = 0
      return
    }
    var all = 0
    for index in 0..<geoms.pathCount(row) {
      let path = geoms.path(row, index)
      all += path.count - (geoms.isPolygonal && SimplifyWriter.isRing(path, geoms) ? 1 : 0)
    }
    var stored = 0
    for index in 0..<pathCount { stored += paths[index].count - (paths[index].isRing ? 1 : 0) }
    let wanted =
      options.raw.target_count > 0
      ? Int(clamping: options.raw.target_count) : Int((options.raw.target_share * Double(all)).rounded(.up))
    // Paths that are too short to lose anything count as well.
    count = max(0, wanted - (all - stored))
  }
}

/// Areas against thresholds.
enum AreaMarks {
  /// On how many levels a vertex stays whose removal counts `key`: those whose threshold is below it.
  @inline(__always)
  static func levels(_ key: Double, _ thresholds: UnsafeBufferPointer<Double>) -> UInt8 {
    var levels = 0
    while levels < thresholds.count && thresholds[levels] < key { levels &+= 1 }
    return levels == thresholds.count && levels > 0 ? DouglasPeucker.everywhere : UInt8(truncatingIfNeeded: levels)
  }
}

extension SimplifyOptions {
  /// The tolerances as areas, in scratch memory; nil = no memory.
  func areaThresholds(_ call: UnsafeMutablePointer<mrd_call>) -> UnsafeBufferPointer<Double>? {
    guard let thresholds = scratch(call, tolerances.count, of: Double.self) else { return nil }
    for (index, tolerance) in tolerances.enumerated() {
      thresholds[index] = raw.measure == MRD_SIMPLIFY_BY_AREA ? tolerance : tolerance * tolerance
    }
    return UnsafeBufferPointer(start: thresholds, count: tolerances.count)
  }
}
