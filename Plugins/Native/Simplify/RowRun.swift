// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// What marks the vertices of one row at a time.
protocol RowSimplifier {
  /// Marks the vertices of the paths of a row that are in the store: on how many levels each stays.
  /// - Returns: the status of the row; other than OK it is given unchanged.
  mutating func mark(
    _ row: Int, _ store: PathStore, _ paths: UnsafePointer<PathStore.Path>, _ count: Int, _ poll: inout CancelPoll
  ) -> mrd_item_status

  /// True when memory ran out.
  var failed: Bool { get }
}

/// Reads, simplifies and writes the rows of a call one by one.
struct RowRun<Kernel: RowSimplifier> {
  private let geoms: Geoms
  private let options: SimplifyOptions
  private let call: UnsafeMutablePointer<mrd_call>
  private let paths: UnsafeMutablePointer<PathStore.Path>
  private let marks: UnsafeMutablePointer<UInt8>
  private let statuses: UnsafeMutablePointer<mrd_item_status>
  private var store: PathStore
  private var kernel: Kernel
  private var writer: SimplifyWriter
  private var poll: CancelPoll

  /// nil, with the call's error filled, when there is no memory.
  init?(
    _ geoms: Geoms, _ options: SimplifyOptions, _ outcomes: UnsafeMutablePointer<Int32>?,
    _ call: UnsafeMutablePointer<mrd_call>, makeKernel: (PathStore, BatchSize) -> Kernel?
  ) {
    let size = BatchSize(geoms)
    let markCount = options.levels > 1 ? size.allCoordinates : size.coordinates
    guard size.coordinates < Int(Int32.max), let store = PathStore(capacity: size.coordinates, options.plane, call),
      let kernel = makeKernel(store, size), let paths = scratch(call, size.paths, of: PathStore.Path.self),
      let marks = scratch(call, markCount + 16, of: UInt8.self),
      let statuses = scratch(call, options.levels > 1 ? geoms.count : 1, of: mrd_item_status.self)
    else {
      _ = fail(call, MRD_E_MEMORY, "no memory for the vertices' marks")
      return nil
    }
    self.geoms = geoms
    self.options = options
    self.call = call
    self.paths = paths
    self.marks = marks
    self.statuses = statuses
    self.store = store
    self.kernel = kernel
    writer = SimplifyWriter(geoms, options.raw, outcomes, call, marks: marks)
    poll = CancelPoll(call)
  }

  mutating func perform(_ out: UnsafeMutablePointer<mrd_geoms_out>) -> mrd_status {
    let start = geoms.count > 0 ? geoms.coordinates(0).lowerBound : 0
    for row in 0..<geoms.count {
      let base = options.levels > 1 ? start : geoms.coordinates(row).lowerBound
      let status = simplify(row, base: base)
      if poll.isCancelled || poll.tick() { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
      if kernel.failed { return fail(call, MRD_E_MEMORY, "no memory for the vertices' order", item: row) }
      if options.levels > 1 { statuses[row] = status }
      writer.write(row, level: 0, status, base: base)
    }
    return writer.finish(out, levels: 1..<options.levels, statuses, base: start, &poll)
  }

  private mutating func simplify(_ row: Int, base: Int) -> mrd_item_status {
    let status = options.plane.inspect(geoms, row, &poll)
    if status != MRD_ITEM_OK || geoms.isPuntal { return status }
    store.clear()
    var count = 0
    for index in 0..<geoms.pathCount(row) {
      let path = geoms.path(row, index)
      // Lines of two vertices lose none, but others must not jump over them.
      guard geoms.isPolygonal ? SimplifyWriter.isRing(path, geoms) : path.count >= 2 else { continue }
      paths[count] = store.add(geoms, path, isRing: geoms.isPolygonal)
      count += 1
    }
    let verdict = kernel.mark(row, store, paths, count, &poll)
    for index in 0..<count { store.copyMarks(paths[index], to: marks + (paths[index].first &- base)) }
    return verdict
  }
}
