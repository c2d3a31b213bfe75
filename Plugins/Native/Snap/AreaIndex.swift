// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A polygon that candidates of kind AREA come from.
struct AreaItem {
  let layer: Int32
  let row: Int
  let part: Int
  /// Numbers in the list of rings, the shell first.
  let firstRing: Int
  let endRing: Int
  let area: Double
}

/// A ring and where its runs begin.
struct AreaRing {
  let begin: Int
  let edges: Int
  let runs: Int
}

/// How far up, down and right a run of edges reaches.
struct EdgeRun {
  static let length = 32
  var ymin = Double.infinity
  var ymax = -Double.infinity
  var xmax = -Double.infinity

  mutating func grow(_ place: Place) {
    if place.y < ymin { ymin = place.y }
    if place.y > ymax { ymax = place.y }
    if place.x > xmax { xmax = place.x }
  }
  mutating func grow(_ run: EdgeRun) {
    if run.ymin < ymin { ymin = run.ymin }
    if run.ymax > ymax { ymax = run.ymax }
    if run.xmax > xmax { xmax = run.xmax }
  }

  /// False when no edge of the run meets the ray to the right from a point.
  @inline(__always)
  func matters(_ point: Place) -> Bool { ymin <= point.y && point.y <= ymax && point.x <= xmax }

  /// Runs of a ring of `edges` edges, and runs of those behind them.
  static func count(_ edges: Int) -> (fine: Int, coarse: Int) {
    let fine = (edges + length - 1) / length
    return (fine, (fine + length - 1) / length)
  }
}

/// Polygons by their shells' boxes, and their rings in runs of edges: a point meets few runs of a large ring.
final class AreaIndex {
  private let tree: BoxTree
  private let items: UnsafeMutablePointer<AreaItem>
  private let rings: UnsafeMutablePointer<AreaRing>
  private let runs: UnsafeMutablePointer<EdgeRun>
  private let memory: (HandleMemory, HandleMemory, HandleMemory)

  private init(_ tree: BoxTree, _ memory: (HandleMemory, HandleMemory, HandleMemory)) {
    self.tree = tree
    self.memory = memory
    items = memory.0.pointer(to: AreaItem.self)
    rings = memory.1.pointer(to: AreaRing.self)
    runs = memory.2.pointer(to: EdgeRun.self)
  }

  /// nil = no memory, or cancelled.
  static func build(
    _ layers: UnsafeBufferPointer<TargetLayer>, _ call: UnsafeMutablePointer<mrd_call>, _ poll: inout CancelPoll
  ) -> AreaIndex? {
    var counter = AreaCollector()
    counter.addAll(layers, &poll)
    guard !poll.isCancelled, let items = HandleMemory.room(for: counter.itemCount, AreaItem.self),
      let rings = HandleMemory.room(for: counter.ringCount, AreaRing.self),
      let runs = HandleMemory.room(for: counter.runCount, EdgeRun.self),
      let boxes = scratch(call, counter.itemCount, of: Box.self)
    else { return nil }
    var collector = AreaCollector()
    collector.target = AreaCollector.Target(
      items: items.pointer(to: AreaItem.self), boxes: boxes, rings: rings.pointer(to: AreaRing.self),
      runs: runs.pointer(to: EdgeRun.self))
    collector.addAll(layers, &poll)
    guard collector.itemCount <= TreeShape.mostItems else { return nil }
    var builder = TreeBuilder(BoxArray(boxes, count: collector.itemCount), call)
    return builder.build(&poll).map { AreaIndex($0, (items, rings, runs)) }
  }

  /// Calls `body` with the polygons whose boxes hold a point, until it answers false.
  func search(_ point: Place, _ body: (AreaItem) -> Bool) {
    tree.search(Box(point, point)) { leaf, hits in
      var bits = hits
      while bits != 0 {
        if !body(items[Int(tree.ids(leaf)[bits.trailingZeroBitCount])]) { return false }
        bits &= bits &- 1
      }
      return true
    }
  }

  /// True when the point lies in the polygon or on its border.
  func holds(_ point: Place, _ item: AreaItem, _ geoms: Geoms, _ poll: inout CancelPoll) -> Bool {
    for number in item.firstRing..<item.endRing {
      switch place(of: point, in: rings[number], geoms, &poll) {
      case .border: return true
      case .inside: if number != item.firstRing { return false }
      case .outside: if number == item.firstRing { return false }
      }
    }
    return true
  }

  private enum Side { case inside, border, outside }

  /// By the parity of the crossings of a ray to the right; decisions are exact.
  private func place(of point: Place, in ring: AreaRing, _ geoms: Geoms, _ poll: inout CancelPoll) -> Side {
    let (fine, coarse) = EdgeRun.count(ring.edges)
    let (fineRuns, coarseRuns) = (runs + ring.runs, runs + ring.runs + fine)
    var isInside = false
    for group in 0..<coarse where coarseRuns[group].matters(point) {
      if poll.tick() { break }
      for run in (group * EdgeRun.length)..<min(fine, (group + 1) * EdgeRun.length) where fineRuns[run].matters(point) {
        let begin = ring.begin + run * EdgeRun.length
        for coordinate in begin..<min(begin + EdgeRun.length, ring.begin + ring.edges) {
          switch crossing(point, geoms.place(coordinate), geoms.place(coordinate + 1)) {
          case .border: return .border
          case .inside: isInside.toggle()
          case .outside: break
          }
        }
      }
    }
    return isInside ? .inside : .outside
  }

  /// Whether an edge lies under the point, is crossed by its ray (`inside`), or neither.
  @inline(__always)
  private func crossing(_ point: Place, _ a: Place, _ b: Place) -> Side {
    let (low, high) = a.y < b.y ? (a, b) : (b, a)
    guard low.y <= point.y, point.y <= high.y, point.x <= max(a.x, b.x) else { return .outside }
    if low.y == high.y { return min(a.x, b.x) <= point.x ? .border : .outside }
    let isCrossed = low.y <= point.y && point.y < high.y
    if point.x < min(a.x, b.x) { return isCrossed ? .inside : .outside }
    let side = orientation(low, high, point)
    return side == 0 ? .border : side > 0 && isCrossed ? .inside : .outside
  }
}

/// Takes polygons apart. A polygon with a coordinate that is no number, or too large, holds nothing.
private struct AreaCollector {
  struct Target {
    let items: UnsafeMutablePointer<AreaItem>
    let boxes: UnsafeMutablePointer<Box>
    let rings: UnsafeMutablePointer<AreaRing>
    let runs: UnsafeMutablePointer<EdgeRun>
  }
  /// nil while things are only counted.
  var target: Target?
  private(set) var itemCount = 0
  private(set) var ringCount = 0
  private(set) var runCount = 0

  mutating func addAll(_ layers: UnsafeBufferPointer<TargetLayer>, _ poll: inout CancelPoll) {
    for number in layers.indices where layers[number].kinds.has(MRD_SNAP_AREA) && layers[number].geoms.isPolygonal {
      let geoms = layers[number].geoms
      for row in 0..<geoms.count {
        if poll.tick() { return }
        let isUsable = geoms.coordinates(row).allSatisfy { !poll.tick() && layers[number].isUsable(geoms.place($0)) }
        guard isUsable, !geoms.isNull(row) else { continue }
        var part = 0
        var collector = self
        geoms.forEachPolygon(row) { rings in
          if !rings.isEmpty { collector.add(geoms, number, row, part, rings, &poll) }
          part += 1
        }
        self = collector
      }
    }
  }

  private mutating func add(
    _ geoms: Geoms, _ layer: Int, _ row: Int, _ part: Int, _ rings: Range<Int>, _ poll: inout CancelPoll
  ) {
    let firstRing = ringCount
    guard let first = geoms.path(row, rings.lowerBound).first else { return }
    var box = Box(geoms.place(first), geoms.place(first))
    for ring in rings { add(geoms, geoms.path(row, ring), isShell: ring == rings.lowerBound, &box, &poll) }
    if let target {
      let area = PlanarArea(geoms: geoms, row: row, onlyPolygon: rings).unsigned(&poll)
      target.items[itemCount] = AreaItem(
        layer: Int32(truncatingIfNeeded: layer), row: row, part: part, firstRing: firstRing, endRing: ringCount,
        area: area.isNaN ? .infinity : area)
      target.boxes[itemCount] = box
    }
    itemCount += 1
  }

  private mutating func add(
    _ geoms: Geoms, _ path: Range<Int>, isShell: Bool, _ box: inout Box, _ poll: inout CancelPoll
  ) {
    let edges = max(0, path.count - 1)
    let (fine, coarse) = EdgeRun.count(edges)
    if let target {
      target.rings[ringCount] = AreaRing(begin: path.lowerBound, edges: edges, runs: runCount)
      let (fineRuns, coarseRuns) = (target.runs + runCount, target.runs + runCount + fine)
      for group in 0..<coarse { coarseRuns[group] = EdgeRun() }
      for run in 0..<fine {
        var reach = EdgeRun()
        let begin = path.lowerBound + run * EdgeRun.length
        for coordinate in begin...min(begin + EdgeRun.length, path.lowerBound + edges) {
          let place = geoms.place(coordinate)
          reach.grow(place)
          if isShell { box.grow(Box(place, place)) }
          if poll.tick() { return }
        }
        fineRuns[run] = reach
        coarseRuns[run / EdgeRun.length].grow(reach)
      }
    }
    ringCount += 1
    runCount += fine + coarse
  }
}
