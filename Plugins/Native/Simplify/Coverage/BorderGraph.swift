// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// A point of a border graph.
struct BorderPoint {
  /// What its removal counts; not a number once it is gone, infinite where it stays.
  var key: Double = .infinity
  /// Its neighbours, -1 for none; of a node they do not matter.
  var first: Int32 = -1
  var second: Int32 = -1
  /// How many rings or lines pass it.
  var visits: Int32 = 0
  /// The first of those that wait for its removal, a number in the list of waiting points.
  var waiting: Int32 = -1

  @inline(__always)
  func other(than neighbour: Int32) -> Int32 { first == neighbour ? second : first }
}

/// The borders of some rings and lines as one graph: equal places are one point, equal edges one edge, so what rows share is
/// simplified once. Points with two neighbours go in the order of Visvalingam-Whyatt; where borders meet or end is a node,
/// which stays.
///
/// A point goes only if the closed triangle with its neighbours holds no other point that is left, and the edge between its
/// neighbours is not there yet. So edges that did not cross do not cross afterwards, nothing touches that did not, and rings
/// keep three vertices and an area. A point that is held back waits for the one that holds it: at the end each that may go by
/// its area is held, and simplifying again changes nothing. Neither the order of rows nor starts nor directions of rings
/// matter.
struct BorderGraph {
  private struct Waiting {
    let point: Int32
    let next: Int32
  }

  private(set) var table: PointTable
  private var tree: PlaceTree
  private var queue: KeyQueue
  private var edges: EdgeTable
  private var waiting: ScratchList<Waiting>
  private let points: UnsafeMutablePointer<BorderPoint>
  /// The points' places where areas are taken: the table's own unless that is in pixels.
  private let plane: (x: UnsafeMutablePointer<Double>, y: UnsafeMutablePointer<Double>)
  private let scales: TolerancePlane.Scales?
  private let tolerancePlane: TolerancePlane
  private let isWeighted: Bool
  /// Neighbours before anything went, for bounds on the distance.
  private let original: UnsafeMutablePointer<Int32>?
  private let call: UnsafeMutablePointer<mrd_call>

  /// Vertices that are left, each as often as it is passed.
  private var remaining = 0

  var failed: Bool { queue.failed || edges.failed || waiting.failed }

  /// `capacity`: vertices. nil = no memory.
  init?(
    capacity: Int, _ plane: TolerancePlane, weighted: Bool, boundsDistance: Bool, _ call: UnsafeMutablePointer<mrd_call>
  ) {
    guard capacity < Int(Int32.max) / 4, let table = PointTable(capacity: capacity, call),
      let tree = PlaceTree(table.x, table.y, capacity: capacity, call), let queue = KeyQueue(call),
      let edges = EdgeTable(call), let points = scratch(call, capacity + 1, of: BorderPoint.self)
    else { return nil }
    self.table = table
    self.tree = tree
    self.queue = queue
    self.edges = edges
    self.points = points
    self.call = call
    waiting = ScratchList(call)
    tolerancePlane = plane
    isWeighted = weighted
    if plane.isScaled {
      guard let wide = scratch(call, capacity + 16, of: Double.self),
        let high = scratch(call, capacity + 16, of: Double.self)
      else { return nil }
      scales = (wide, high)
    } else {
      scales = nil
    }
    if case .pixels = plane {
      guard let x = scratch(call, capacity + 16, of: Double.self), let y = scratch(call, capacity + 16, of: Double.self)
      else { return nil }
      self.plane = (x, y)
    } else {
      self.plane = (table.x, table.y)
    }
    if boundsDistance {
      guard let original = scratch(call, 2 * capacity + 2, of: Int32.self) else { return nil }
      self.original = original
    } else {
      original = nil
    }
  }

  // MARK: - Building

  mutating func clear() {
    table.clear()
    edges.clear()
    queue.clear()
    waiting.truncate(0)
    remaining = 0
  }

  mutating func number(_ place: Place) -> Int32 { Int32(truncatingIfNeeded: table.number(place)) }

  /// Brings points that are near each other near in memory; `entries` hold their numbers, which change. False = no memory, or
  /// cancelled.
  mutating func sortPoints(
    _ entries: UnsafeMutablePointer<Int32>, _ count: Int, _ poll: inout CancelPoll
  ) -> Bool {
    table.sort(entries, count, &poll)
  }

  /// Call it when all points have numbers; edges are added after it.
  mutating func beginEdges() {
    points.update(repeating: BorderPoint(), count: table.count)
    tree.build(table.count)
    if case .pixels = tolerancePlane {
      plane.x.update(from: table.x, count: table.count)
      plane.y.update(from: table.y, count: table.count)
    }
    tolerancePlane.enter(plane.x, plane.y, 0..<table.count, scales)
  }

  /// Points of a path, one after the other; equal ones that follow each other are one vertex. The last of a ring is its first.
  mutating func addPath(_ entries: UnsafePointer<Int32>, _ count: Int, isRing: Bool, _ poll: inout CancelPoll) {
    for index in 0..<(isRing ? count &- 1 : count) { points[Int(entries[index])].visits &+= 1 }
    remaining &+= isRing ? count &- 1 : count
    for index in 1..<max(1, count) where entries[index] != entries[index &- 1] {
      if poll.tick() { return }
      link(entries[index &- 1], entries[index])
      link(entries[index], entries[index &- 1])
    }
    if !isRing && count > 0 {
      fix(Int(entries[0]))
      fix(Int(entries[count &- 1]))
    }
  }

  private static let node: Int32 = -2

  @inline(__always)
  private func link(_ point: Int32, _ neighbour: Int32) {
    var known = points[Int(point)]
    if known.first == BorderGraph.node || known.first == neighbour || known.second == neighbour { return }
    if known.first == -1 {
      known.first = neighbour
    } else if known.second == -1 {
      known.second = neighbour
    } else {
      known.first = BorderGraph.node
    }
    points[Int(point)] = known
  }

  /// A point that stays. Call it before `endEdges`, which reads what is left here.
  func fix(_ point: Int) { points[point].waiting = -3 }

  @inline(__always)
  private func isNode(_ point: Int32) -> Bool {
    points[Int(point)].first == BorderGraph.node || points[Int(point)].second == -1
  }

  /// Call it when all edges are there. Points that are passed once stay when `fixedBoundary` is set.
  mutating func endEdges(fixedBoundary: Bool, _ threshold: Double, _ poll: inout CancelPoll) {
    if let original {
      for index in 0..<table.count {
        if poll.tick() { return }
        original[2 &* index] = points[index].first
        original[2 &* index &+ 1] = points[index].second
      }
    }
    for index in 0..<table.count {
      let isFixed = points[index].waiting == -3 || (fixedBoundary && points[index].visits < 2)
      points[index].waiting = -1
      if poll.tick() { return }
      if !isFixed && !isNode(Int32(truncatingIfNeeded: index)) { setKey(index, least: 0, threshold) }
    }
  }

  /// An edge between two points neither of which lists all its neighbours; call it for all edges, after `endEdges`.
  mutating func noteEdge(_ a: Int32, _ b: Int32) { if isNode(a) && isNode(b) { edges.insert(Int(a), Int(b)) } }

  // MARK: - Removal

  /// Takes points away while their keys are at most `threshold` and more than `count` vertices are left.
  @inline(__always)
  mutating func run(
    threshold: Double, count: Int, maxDistance: Double, _ poll: inout CancelPoll,
    removed: (_ point: Int, _ key: Double) -> Void
  ) {
    let (points, table) = (points, table)
    while remaining > count && !poll.tick() {
      guard
        let entry = queue.pop(
          holds: { points[Int($0.number)].key.bitPattern == $0.key },
          comesBefore: { BorderGraph.isBefore(table, $0, $1) }, willCome: { mrdk_prefetch(points + Int($0)) })
      else { return }
      let index = Int(entry.number)
      let point = points[index]
      guard canGo(index, maxDistance, &poll) else { continue }
      remaining &-= Int(point.visits)
      replace(point.first, Int32(truncatingIfNeeded: index), by: point.second)
      replace(point.second, Int32(truncatingIfNeeded: index), by: point.first)
      noteEdge(point.first, point.second)
      points[index].key = .nan
      removed(index, point.key)
      update(Int(point.first), point.key, threshold)
      update(Int(point.second), point.key, threshold)
      wake(point.waiting, point.key)
    }
  }

  func isLeft(_ point: Int32) -> Bool { !points[Int(point)].key.isNaN }

  /// The corners of what a ring without nodes has shrunk to, when they are three, and the least area that one of them would
  /// take away; nil for others.
  func triangle(_ entries: UnsafePointer<Int32>, _ count: Int) -> Double? {
    var index = 0
    while index < count && !isLeft(entries[index]) { index &+= 1 }
    guard index < count else { return nil }
    let a = entries[index]
    guard !isNode(a) else { return nil }
    let (b, c) = (points[Int(a)].first, points[Int(a)].second)
    guard !isNode(b), !isNode(c), points[Int(b)].other(than: a) == c else { return nil }
    // One that stays holds the others.
    if points[Int(a)].key == .infinity || points[Int(b)].key == .infinity || points[Int(c)].key == .infinity {
      return nil
    }
    return min(area(Int(b), Int(a), Int(c)), min(area(Int(a), Int(b), Int(c)), area(Int(a), Int(c), Int(b))))
  }

  @inline(__always)
  private static func isBefore(_ table: PointTable, _ a: Int32, _ b: Int32) -> Bool {
    table.place(Int(a)) < table.place(Int(b))
  }

  @inline(__always)
  private func replace(_ point: Int32, _ old: Int32, by new: Int32) {
    guard !isNode(point) else { return }
    if points[Int(point)].first == old { points[Int(point)].first = new } else { points[Int(point)].second = new }
  }

  @inline(__always)
  private mutating func update(_ index: Int, _ least: Double, _ threshold: Double) {
    // Nodes and fixed points have an infinite key.
    if points[index].key != .infinity { setKey(index, least: least, threshold) }
  }

  @inline(__always)
  private mutating func setKey(_ index: Int, least: Double, _ threshold: Double) {
    let point = points[index]
    let key = max(area(Int(point.first), index, Int(point.second)), least)
    points[index].key = key
    if key <= threshold { push(index, key) }
  }

  @inline(__always)
  private mutating func push(_ index: Int, _ key: Double) {
    let table = table
    queue.push(key, index) { BorderGraph.isBefore(table, $0, $1) }
  }

  /// Points that a removed one held back come again, no earlier than now.
  private mutating func wake(_ first: Int32, _ key: Double) {
    var next = first
    while next >= 0 {
      let record = waiting[Int(next)]
      let index = Int(record.point)
      next = record.next
      // It may have gone, or have other neighbours by now; then it comes once more than it must.
      guard points[index].key < .infinity else { continue }
      points[index].key = max(points[index].key, key)
      push(index, points[index].key)
    }
  }

  @inline(__always)
  private func area(_ a: Int, _ index: Int, _ c: Int) -> Double {
    let (p, q, r) = (planePlace(a), planePlace(index), planePlace(c))
    let area = EffectiveArea.plain(p, q, r)
    guard isWeighted || scales != nil else { return area }
    let (wide, high) = (scales?.wide[index] ?? 1, scales?.high[index] ?? 1)
    return area * wide * high * (isWeighted ? EffectiveArea.weight(p, q, r, wide: wide, high: high) : 1)
  }

  @inline(__always)
  private func planePlace(_ point: Int) -> Place { Place(x: plane.x[point], y: plane.y[point]) }

  // MARK: - What holds a point

  private mutating func canGo(_ index: Int, _ maxDistance: Double, _ poll: inout CancelPoll) -> Bool {
    let (first, second) = (points[index].first, points[index].second)
    if first == second || isJoined(first, second) { return false }
    if let original, maxDistance > 0, !isNear(index, maxDistance, original, &poll) { return false }
    guard let holder = holder(index, Int(first), Int(second), &poll) else { return true }
    waiting.append(Waiting(point: Int32(truncatingIfNeeded: index), next: points[holder].waiting))
    points[holder].waiting = Int32(truncatingIfNeeded: waiting.count &- 1)
    return false
  }

  private func isJoined(_ a: Int32, _ b: Int32) -> Bool {
    if !isNode(a) { return points[Int(a)].first == b || points[Int(a)].second == b }
    if !isNode(b) { return points[Int(b)].first == a || points[Int(b)].second == a }
    return edges.contains(Int(a), Int(b))
  }

  /// A point that is left in the closed triangle of a point and its neighbours.
  private func holder(_ index: Int, _ first: Int, _ second: Int, _ poll: inout CancelPoll) -> Int? {
    let (a, b, c) = (table.place(first), table.place(index), table.place(second))
    let window: Window = [
      min(a.x, min(b.x, c.x)), min(a.y, min(b.y, c.y)), max(a.x, max(b.x, c.x)), max(a.y, max(b.y, c.y)),
    ]
    var found: Int?
    tree.forEachPlace(in: window) { point in
      if point == index || point == first || point == second || points[point].key.isNaN { return true }
      let p = table.place(point)
      let (one, other) = (orientation(a, b, p), orientation(b, c, p))
      if one * other < 0 { return true }
      let last = orientation(c, a, p)
      if one * last < 0 || other * last < 0 { return true }
      found = point
      return false
    }
    _ = poll.tick(8)
    return found
  }

  /// Whether all that has gone between the neighbours of a point, and the point itself, is near the edge between them.
  private func isNear(
    _ index: Int, _ distance: Double, _ original: UnsafePointer<Int32>, _ poll: inout CancelPoll
  ) -> Bool {
    let (first, second) = (Int(points[index].first), Int(points[index].second))
    guard isNear(index, first, second, distance) else { return false }
    for side in 0..<2 {
      var (previous, at) = (Int32(truncatingIfNeeded: index), original[2 &* index &+ side])
      while !isLeft(at) {
        if poll.tick() { return false }
        guard isNear(Int(at), first, second, distance) else { return false }
        let next = original[2 &* Int(at)] == previous ? original[2 &* Int(at) &+ 1] : original[2 &* Int(at)]
        (previous, at) = (at, next)
      }
    }
    return true
  }

  private func isNear(_ index: Int, _ first: Int, _ second: Int, _ distance: Double) -> Bool {
    var (a, b, p) = (planePlace(first), planePlace(second), planePlace(index))
    if b < a { swap(&a, &b) }
    guard let scales else { return ExactChord(a: a, b: b).compare(p, distance: distance) <= 0 }
    // About the point, in metres.
    let (wide, high) = (scales.wide[index], scales.high[index])
    a = Place(x: (a.x - p.x) * wide, y: (a.y - p.y) * high)
    b = Place(x: (b.x - p.x) * wide, y: (b.y - p.y) * high)
    p = Place(x: 0, y: 0)
    return ExactChord(a: a, b: b).compare(p, distance: distance) <= 0
  }
}

/// Vertices that repeat the one before them.
enum RepeatedPoints {
  /// Marks them as gone; the end of a ring repeats its first vertex, the end of a line stays.
  static func drop(
    _ entries: UnsafePointer<Int32>, _ marks: UnsafeMutablePointer<UInt8>, _ count: Int, isRing: Bool
  ) {
    guard count > 2 else { return }
    for index in 1..<(count &- 1) where entries[index] == entries[index &- 1] { marks[index] = 0 }
    var last = count &- 2
    // Those at the end go instead of what they repeat.
    if isRing {
      while last > 0 && entries[last] == entries[0] {
        marks[last] = 0
        last &-= 1
      }
    } else if entries[last] == entries[count &- 1] {
      while last > 0 && entries[last] == entries[count &- 1] {
        marks[last] = 0
        last &-= 1
      }
    }
  }
}
