// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// What marks the vertices of the paths of some rows at a time.
protocol PathSimplifier {
  /// So many vertices are gathered before they are simplified.
  static var batch: Int { get }

  /// Marks the vertices of the paths that the store has: on how many levels each stays. The coordinates `protected` stay. What
  /// the store holds beside the marks may change.
  mutating func run(
    _ store: PathStore, _ paths: UnsafePointer<PathStore.Path>, _ count: Int, protected: UnsafePointer<UInt8>?,
    _ poll: inout CancelPoll)

  /// True when memory ran out.
  var failed: Bool { get }
}

/// Simplifies the rows of a call in batches that a cache holds: rows are read, simplified and written before the next ones
/// come.
struct BatchRun<Kernel: PathSimplifier> {
  private static var mostRows: Int { 1024 }
  private static var sample: Int { 32768 }

  private let geoms: Geoms
  private let options: SimplifyOptions
  private let call: UnsafeMutablePointer<mrd_call>
  private let paths: UnsafeMutablePointer<PathStore.Path>
  private let pathCapacity: Int
  private let capacity: Int
  private let marks: UnsafeMutablePointer<UInt8>
  private let statuses: UnsafeMutablePointer<mrd_item_status>
  private var store: PathStore
  private var kernel: Kernel
  private var writer: SimplifyWriter
  private var poll: CancelPoll
  private var pathCount = 0

  /// nil, with the call's error filled, when there is no memory.
  init?(
    _ geoms: Geoms, _ options: SimplifyOptions, _ outcomes: UnsafeMutablePointer<Int32>?,
    _ call: UnsafeMutablePointer<mrd_call>,
    makeKernel: (_ store: PathStore, _ capacity: Int, _ pathCapacity: Int) -> Kernel?
  ) {
    let size = BatchSize(geoms)
    let capacity = size.coordinates + Kernel.batch
    let pathCapacity = size.paths + Kernel.batch / 3
    let isPyramid = options.levels > 1
    guard capacity < Int(Int32.max), let store = PathStore(capacity: capacity, options.plane, call),
      let kernel = makeKernel(store, capacity, pathCapacity),
      let paths = scratch(call, pathCapacity, of: PathStore.Path.self),
      let marks = scratch(call, (isPyramid ? size.allCoordinates : capacity) + 16, of: UInt8.self),
      let statuses = scratch(call, geoms.count, of: mrd_item_status.self)
    else {
      _ = fail(call, MRD_E_MEMORY, "no memory for the vertices' marks")
      return nil
    }
    self.geoms = geoms
    self.options = options
    self.call = call
    self.paths = paths
    self.pathCapacity = pathCapacity
    self.capacity = capacity
    self.marks = marks
    self.statuses = statuses
    self.store = store
    self.kernel = kernel
    writer = SimplifyWriter(geoms, options.raw, outcomes, call, marks: marks)
    poll = CancelPoll(call)
  }

  mutating func perform(_ out: UnsafeMutablePointer<mrd_geoms_out>) -> mrd_status {
    let base = geoms.count > 0 ? geoms.coordinates(0).lowerBound : 0
    var row = 0
    var isReserved = false
    while row < geoms.count {
      let first = row
      let begin = options.levels > 1 ? base : geoms.coordinates(first).lowerBound
      row = gather(first, base: begin)
      kernel.run(store, paths, pathCount, protected: options.raw.protected_vertices, &poll)
      if poll.isCancelled { return fail(call, MRD_E_CANCELLED, "cancelled", item: first) }
      if kernel.failed { return fail(call, MRD_E_MEMORY, "no memory for the vertices' order", item: first) }
      for index in 0..<pathCount { store.copyMarks(paths[index], to: marks + (paths[index].first &- begin)) }
      for index in first..<row { writer.write(index, level: 0, statuses[index], base: begin) }
      // Rows at the beginning tell how many vertices will stay.
      let seen = geoms.coordinates(row &- 1).upperBound &- base
      if !isReserved && seen >= BatchRun.sample {
        isReserved = true
        writer.reserve(seen: seen, levels: options.levels)
      }
    }
    return writer.finish(out, levels: 1..<options.levels, statuses, base: base, &poll)
  }

  /// Puts rows into the store until it has enough. The first row behind them.
  private mutating func gather(_ first: Int, base: Int) -> Int {
    store.clear()
    pathCount = 0
    var row = first
    while row < geoms.count && row &- first < BatchRun.mostRows {
      let coordinates = geoms.coordinates(row)
      let count = geoms.isPuntal ? 1 : geoms.pathCount(row)
      if row > first
        && (coordinates.upperBound &- geoms.coordinates(first).lowerBound > Kernel.batch
          || pathCount &+ count > pathCapacity)
      {
        break
      }
      statuses[row] = options.plane.inspect(geoms, row, &poll)
      if !geoms.isPuntal && statuses[row] == MRD_ITEM_OK { add(row, count, base: base) }
      row &+= 1
    }
    return row
  }

  private mutating func add(_ row: Int, _ count: Int, base: Int) {
    for index in 0..<count {
      let path = geoms.path(row, index)
      if geoms.isPolygonal ? SimplifyWriter.isRing(path, geoms) : path.count >= 3 {
        paths[pathCount] = store.add(geoms, path, isRing: geoms.isPolygonal)
        pathCount &+= 1
      }
    }
  }
}

/// What the largest row of an array needs.
struct BatchSize {
  private(set) var coordinates = 0
  private(set) var paths = 0
  /// Of all rows.
  private(set) var allCoordinates = 0

  init(_ geoms: Geoms) {
    for row in 0..<geoms.count {
      coordinates = max(coordinates, geoms.coordinates(row).count)
      paths = max(paths, geoms.pathCount(row))
    }
    if geoms.count > 0 {
      allCoordinates = geoms.coordinates(geoms.count &- 1).upperBound &- geoms.coordinates(0).lowerBound
    }
  }
}
