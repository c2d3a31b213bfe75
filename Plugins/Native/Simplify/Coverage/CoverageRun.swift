// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Simplifies all rows of a call as one graph of borders, so that what rows share stays shared.
struct CoverageRun {
  private let geoms: Geoms
  private let options: SimplifyOptions
  private let call: UnsafeMutablePointer<mrd_call>
  private let thresholds: UnsafeBufferPointer<Double>
  private let statuses: UnsafeMutablePointer<mrd_item_status>
  /// Of each coordinate the number of its point, -1 for none, and its mark.
  private let entries: UnsafeMutablePointer<Int32>
  private let marks: UnsafeMutablePointer<UInt8>
  private let levels: UnsafeMutablePointer<UInt8>
  private let base: Int
  private let size: Int
  private var graph: BorderGraph
  private var writer: SimplifyWriter
  private var poll: CancelPoll

  /// nil, with the call's error filled, when there is no memory.
  init?(
    _ geoms: Geoms, _ options: SimplifyOptions, _ outcomes: UnsafeMutablePointer<Int32>?,
    _ call: UnsafeMutablePointer<mrd_call>
  ) {
    base = geoms.count > 0 ? geoms.coordinates(0).lowerBound : 0
    size = BatchSize(geoms).allCoordinates
    guard let thresholds = options.areaThresholds(call),
      let statuses = scratch(call, geoms.count, of: mrd_item_status.self),
      let entries = scratch(call, size + 1, of: Int32.self), let marks = scratch(call, size + 16, of: UInt8.self),
      let levels = scratch(call, size + 1, of: UInt8.self),
      let graph = BorderGraph(
        capacity: size, options.plane, weighted: false, boundsDistance: options.raw.max_distance > 0, call)
    else {
      _ = fail(call, MRD_E_MEMORY, "no memory for the graph of borders")
      return nil
    }
    self.geoms = geoms
    self.options = options
    self.call = call
    self.thresholds = thresholds
    self.statuses = statuses
    self.entries = entries
    self.marks = marks
    self.levels = levels
    self.graph = graph
    writer = SimplifyWriter(geoms, options.raw, outcomes, call, marks: marks)
    poll = CancelPoll(call)
  }

  mutating func perform(_ out: UnsafeMutablePointer<mrd_geoms_out>) -> mrd_status {
    for row in 0..<geoms.count {
      statuses[row] = options.plane.inspect(geoms, row, &poll)
      if poll.isCancelled { break }
    }
    let isDone = !poll.isCancelled && buildGraph() && simplify()
    if poll.isCancelled { return fail(call, MRD_E_CANCELLED, "cancelled") }
    guard isDone, !graph.failed else { return fail(call, MRD_E_MEMORY, "no memory for the graph of borders") }
    markAll()
    return writer.finish(out, levels: 0..<options.levels, statuses, base: base, &poll)
  }

  /// Calls `body` with the paths of rows that are simplified, until it answers false.
  @inline(__always)
  private func forEachPath(_ body: (_ path: Range<Int>, _ isWhole: Bool) -> Bool) {
    for row in 0..<geoms.count where statuses[row] == MRD_ITEM_OK && !geoms.isPuntal {
      for index in 0..<geoms.pathCount(row) {
        let path = geoms.path(row, index)
        if !body(path, geoms.isLineal || SimplifyWriter.isRing(path, geoms)) { return }
      }
    }
  }

  /// False = no memory, or cancelled.
  private mutating func buildGraph() -> Bool {
    var (graph, poll) = (graph, poll)
    let (entries, base, isRing) = (entries, base, geoms.isPolygonal)
    entries.update(repeating: -1, count: size)
    forEachPath { path, _ in
      for coordinate in path {
        if poll.tick() { return false }
        entries[coordinate &- base] = graph.number(geoms.place(coordinate))
      }
      return true
    }
    let isSorted = !poll.isCancelled && graph.sortPoints(entries, size, &poll)
    if isSorted {
      graph.beginEdges()
      forEachPath { path, isWhole in
        let points = entries + (path.lowerBound &- base)
        graph.addPath(points, path.count, isRing: isRing && isWhole, &poll)
        // What is no ring is not this kernel's to mend.
        if !isWhole { for index in 0..<path.count { graph.fix(Int(points[index])) } }
        return !poll.isCancelled
      }
      if let protected = options.raw.protected_vertices {
        for coordinate in 0..<size where entries[coordinate] >= 0 {
          if poll.tick() { break }
          if isSet(protected, coordinate &+ base) { graph.fix(Int(entries[coordinate])) }
        }
      }
      graph.endEdges(
        fixedBoundary: options.has(MRD_SIMPLIFY_FIXED_BOUNDARY), thresholds.last ?? 0, &poll)
      forEachPath { path, _ in
        for coordinate in path.dropFirst() {
          if poll.tick() { return false }
          graph.noteEdge(entries[coordinate &- 1 &- base], entries[coordinate &- base])
        }
        return true
      }
    }
    self.graph = graph
    self.poll = poll
    return isSorted && !poll.isCancelled
  }

  private mutating func simplify() -> Bool {
    let (levels, thresholds) = (levels, thresholds)
    levels.update(repeating: DouglasPeucker.everywhere, count: size)
    graph.run(
      threshold: thresholds.last ?? 0, count: 0, maxDistance: options.raw.max_distance, &poll
    ) { point, key in
      levels[point] = AreaMarks.levels(key, thresholds)
    }
    return !poll.isCancelled
  }

  private func markAll() {
    for index in 0..<size {
      marks[index] = entries[index] < 0 ? DouglasPeucker.everywhere : levels[Int(entries[index])]
    }
    let isRing = geoms.isPolygonal
    forEachPath { path, isWhole in
      let first = path.lowerBound &- base
      defer { RepeatedPoints.drop(entries + first, marks + first, path.count, isRing: isRing && isWhole) }
      if isRing, isWhole, let area = graph.triangle(entries + first, path.count) {
        let mark = AreaMarks.levels(area, thresholds) | UInt8(MRDK_LEAST_FORM)
        for index in first..<(first &+ path.count) where graph.isLeft(entries[index]) { marks[index] = mark }
      }
      return true
    }
  }
}
