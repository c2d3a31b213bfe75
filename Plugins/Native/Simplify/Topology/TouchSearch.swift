// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Finds where the edges of a row meet other than at their common ends: the vertices of such contacts have to stay. All
/// decisions are exact.
struct TouchSearch {
  private let store: PathStore
  private let tree: EdgeTree
  private let paths: UnsafePointer<PathStore.Path>
  private let owners: UnsafePointer<Int32>
  /// 1 for a vertex that touches another one or an edge.
  private let touches: UnsafeMutablePointer<UInt8>
  private let isPolygonal: Bool
  /// Edges that cross or overlap, a ring that touches itself: no valid polygon has them.
  private(set) var hasFault = false

  init(
    _ store: PathStore, _ tree: EdgeTree, _ paths: UnsafePointer<PathStore.Path>, owners: UnsafePointer<Int32>,
    touches: UnsafeMutablePointer<UInt8>, isPolygonal: Bool
  ) {
    self.store = store
    self.tree = tree
    self.paths = paths
    self.owners = owners
    self.touches = touches
    self.isPolygonal = isPolygonal
  }

  /// Looks at all pairs of edges whose boxes meet, until a fault is found.
  mutating func find(_ poll: inout CancelPoll) {
    hasFault = isPolygonal && hasSpike()
    if hasFault { return }
    for group in 0..<tree.groups {
      let box = tree.box(group)
      let own = tree.edges(group)
      if own == 0 { continue }
      let window: Window = [box.xmin, box.ymin, box.xmax, box.ymax]
      tree.forEachGroup(meeting: window, from: group) { other in
        compare(group, own, window, other)
        return !hasFault && !poll.tick(8)
      }
      if hasFault || poll.isCancelled { return }
    }
  }

  private mutating func compare(_ group: Int, _ own: UInt32, _ window: Window, _ other: Int) {
    var theirs = meeting(other, window) & tree.edges(other)
    while theirs != 0 {
      let second = 8 &* other &+ theirs.trailingZeroBitCount
      theirs &= theirs &- 1
      // Edges that follow each other meet at their common vertex.
      let before = min(second &- 8 &* group &- 1, 8)
      if before <= 0 { continue }
      let (a, b) = (store.place(second), store.place(second &+ 1))
      var ours = meeting(group, [min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)]) & own
      ours &= (1 << UInt32(before)) &- 1
      while ours != 0 {
        contact(8 &* group &+ ours.trailingZeroBitCount, second)
        ours &= ours &- 1
      }
    }
  }

  @inline(__always)
  private func meeting(_ group: Int, _ window: Window) -> UInt32 {
    withUnsafeBytes(of: window) {
      mrdk_edges8_meeting(
        store.x + (8 &* group), store.y + (8 &* group), $0.assumingMemoryBound(to: Double.self).baseAddress)
    }
  }

  /// Two edges of which the second does not follow the first.
  private mutating func contact(_ first: Int, _ second: Int) {
    let (a, b) = (store.place(first), store.place(first &+ 1))
    let (c, d) = (store.place(second), store.place(second &+ 1))
    // An edge without length is its vertex, which other edges have as well.
    if a == b || c == d { return }
    if closeRing(first, second) {
      hasFault = hasFault || (isPolygonal && haveSameDirection(a, b, c))
      return
    }
    switch EdgeContact(a, b, c, d) {
    case .apart: return
    case .crossing: hasFault = hasFault || isPolygonal
    case .touch(let place): touch(at: place, first, second)
    case .overlap(let from, let to):
      hasFault = hasFault || isPolygonal
      if hasFault { return }
      touch(at: from, first, second)
      touch(at: to, first, second)
    }
  }

  // MARK: - One pair

  private func closeRing(_ first: Int, _ second: Int) -> Bool {
    guard owners[first] == owners[second] else { return false }
    let path = paths[Int(owners[first])]
    return path.isRing && first == path.start && second == path.last &- 1
  }

  /// True when of two edges that follow each other one runs back over the other.
  private func hasSpike() -> Bool {
    for vertex in 1..<max(1, store.count) where tree.hasEdge(vertex &- 1) && tree.hasEdge(vertex) {
      let (before, middle, after) = (store.place(vertex &- 1), store.place(vertex), store.place(vertex &+ 1))
      if before != middle && middle != after && haveSameDirection(middle, before, after) { return true }
    }
    return false
  }

  /// Two edges meet at a place that is an end of one of them, or of both.
  private mutating func touch(at place: Place, _ first: Int, _ second: Int) {
    if store.place(second) == place { touch(second, first) }
    if store.place(second &+ 1) == place { touch(second &+ 1, first) }
    if store.place(first) == place { touch(first, second) }
    if store.place(first &+ 1) == place { touch(first &+ 1, second) }
  }

  /// A vertex lies on an edge of a path, or on one of its ends.
  private mutating func touch(_ vertex: Int, _ edge: Int) {
    let place = store.place(vertex)
    let end = place == store.place(edge) ? edge : place == store.place(edge &+ 1) ? edge &+ 1 : -1
    if end >= 0 && isOneVertex(min(vertex, end), max(vertex, end)) { return }
    if isPolygonal && (owners[vertex] == owners[edge] || crosses(vertex, edge, end)) {
      hasFault = true
      return
    }
    note(vertex)
    if end >= 0 { note(end) }
  }

  private func note(_ vertex: Int) {
    touches[vertex] = 1
    let path = paths[Int(owners[vertex])]
    if path.isRing && (vertex == path.start || vertex == path.last) {
      touches[path.start] = 1
      touches[path.last] = 1
    }
  }

  /// Equal places that follow each other along a path are one vertex.
  private func isOneVertex(_ first: Int, _ second: Int) -> Bool {
    guard owners[first] == owners[second] else { return false }
    let place = store.place(first)
    func areEqual(_ range: ClosedRange<Int>) -> Bool {
      for index in range where store.place(index) != place { return false }
      return true
    }
    if areEqual(first...second) { return true }
    let path = paths[Int(owners[first])]
    return path.isRing && areEqual(path.start...first) && areEqual(second...path.last)
  }

  /// True when the curves through a vertex and through an edge, or its end, change sides there.
  private func crosses(_ vertex: Int, _ edge: Int, _ end: Int) -> Bool {
    let place = store.place(vertex)
    let (before, after) = end < 0 ? (store.place(edge), store.place(edge &+ 1)) : neighbours(end)
    let (first, second) = neighbours(vertex)
    return isLeft(first, before, place, after) != isLeft(second, before, place, after)
  }

  /// The places before and behind a vertex that differ from it.
  private func neighbours(_ vertex: Int) -> (Place, Place) {
    let path = paths[Int(owners[vertex])]
    let place = store.place(vertex)
    func step(_ by: Int) -> Place {
      var index = vertex
      for _ in 0..<path.count {
        index &+= by
        if index < path.start { index = path.last &- 1 }
        if index > path.last { index = path.start &+ 1 }
        if store.place(index) != place { return store.place(index) }
      }
      return place
    }
    return (step(-1), step(1))
  }

  /// Whether `p` lies left of the way from `a` over `b` to `c`.
  private func isLeft(_ p: Place, _ a: Place, _ b: Place, _ c: Place) -> Bool {
    let (first, second) = (orientation(a, b, p) > 0, orientation(b, c, p) > 0)
    return orientation(a, b, c) >= 0 ? first && second : first || second
  }
}
