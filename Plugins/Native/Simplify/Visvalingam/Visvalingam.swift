// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// A vertex of a line or ring from which vertices are taken away. Two of them fill a line of memory.
struct VisvalingamNode {
  var x: Double
  var y: Double
  /// What its removal counts; not a number once it is gone, infinite where it stays.
  var key: Double
  var previous: Int32
  var next: Int32

  var place: Place { Place(x: x, y: y) }
}

/// Visvalingam-Whyatt over the paths of a row: the vertex of the least effective area goes first, ties to the least (x, y). An
/// area never counts less than that of a vertex that was taken away beside it, so keys ascend, and the sets that are kept
/// for ascending thresholds are nested.
struct Visvalingam {
  let store: PathStore
  private let nodes: UnsafeMutablePointer<VisvalingamNode>
  private var queue: KeyQueue
  private let measure: AreaMeasure
  /// Vertices of each path that are left, and which path a vertex belongs to.
  private let left: UnsafeMutablePointer<Int32>
  private let owner: UnsafeMutablePointer<Int32>
  /// The vertex of a path that was taken away last, -1 for none.
  private let taken: UnsafeMutablePointer<Int32>
  private var remaining = 0

  /// nil = no memory.
  init?(
    _ store: PathStore, capacity: Int, paths: Int, weighted: Bool, _ call: UnsafeMutablePointer<mrd_call>
  ) {
    guard let nodes = scratch(call, capacity + 8, of: VisvalingamNode.self), let queue = KeyQueue(call),
      let left = scratch(call, paths + 1, of: Int32.self), let owner = scratch(call, capacity + 8, of: Int32.self),
      let taken = scratch(call, paths + 1, of: Int32.self)
    else { return nil }
    self.store = store
    self.nodes = nodes
    self.queue = queue
    measure = AreaMeasure(store, isWeighted: weighted)
    self.left = left
    self.owner = owner
    self.taken = taken
  }

  var failed: Bool { queue.failed }

  /// When removal ends.
  struct Goal {
    /// The largest area that goes.
    var threshold = Double.infinity
    /// Vertices that stay at least, of all paths together.
    var count = 0
  }

  /// Takes vertices away but those that are fixed. `removed` hears of each with its key.
  @inline(__always)
  mutating func run(
    _ paths: UnsafePointer<PathStore.Path>, _ count: Int, _ goal: Goal, _ poll: inout CancelPoll,
    isFixed: (_ path: PathStore.Path, _ place: Int) -> Bool, removed: (_ place: Int, _ key: Double) -> Void
  ) {
    queue.clear()
    remaining = 0
    for index in 0..<count { begin(paths[index], index, goal.threshold, &poll, isFixed) }
    let nodes = nodes
    while remaining > goal.count && !poll.tick() {
      guard
        let entry = queue.pop(
          holds: { nodes[Int($0.number)].key.bitPattern == $0.key },
          comesBefore: { Visvalingam.comesBefore(nodes, $0, $1) },
          willCome: { mrdk_prefetch(nodes + Int($0)) })
      else { return }
      let index = Int(entry.number)
      let path = Int(owner[index])
      guard canLose(index, path, paths[path].isRing) else {
        nodes[index].key = .infinity
        continue
      }
      let key = nodes[index].key
      remove(index, path)
      removed(index, key)
      update(Int(nodes[index].previous), paths[path], key, goal.threshold)
      update(Int(nodes[index].next), paths[path], key, goal.threshold)
    }
  }

  /// The vertex of a path that was taken away last.
  func lastTaken(ofPath path: Int) -> Int? { taken[path] < 0 ? nil : Int(taken[path]) }

  @inline(__always)
  private static func comesBefore(_ nodes: UnsafePointer<VisvalingamNode>, _ a: Int32, _ b: Int32) -> Bool {
    let (one, other) = (nodes[Int(a)], nodes[Int(b)])
    if one.x != other.x { return one.x < other.x }
    return one.y != other.y ? one.y < other.y : a < b
  }

  // MARK: - A path

  private mutating func begin(
    _ path: PathStore.Path, _ number: Int, _ threshold: Double, _ poll: inout CancelPoll,
    _ isFixed: (PathStore.Path, Int) -> Bool
  ) {
    let size = path.count &- (path.isRing ? 1 : 0)
    let (first, end) = (path.start, path.start &+ size)
    left[number] = Int32(truncatingIfNeeded: size)
    taken[number] = -1
    remaining &+= size
    for index in first..<end {
      nodes[index] = VisvalingamNode(
        x: store.x[index], y: store.y[index], key: .infinity, previous: Int32(truncatingIfNeeded: index &- 1),
        next: Int32(truncatingIfNeeded: index &+ 1))
      owner[index] = Int32(truncatingIfNeeded: number)
    }
    if path.isRing {
      nodes[first].previous = Int32(truncatingIfNeeded: end &- 1)
      nodes[end &- 1].next = Int32(truncatingIfNeeded: first)
    }
    let inner = path.isRing ? first..<end : (first &+ 1)..<max(first &+ 1, end &- 1)
    for index in inner where !isFixed(path, index) {
      _ = poll.tick()
      setKey(index, least: 0, threshold)
    }
  }

  @inline(__always)
  private mutating func setKey(_ index: Int, least: Double, _ threshold: Double) {
    let node = nodes[index]
    let (a, c) = (nodes[Int(node.previous)].place, nodes[Int(node.next)].place)
    let key = max(measure.area(a, node.place, c, index), least)
    nodes[index].key = key
    let nodes = nodes
    if key <= threshold { queue.push(key, index) { Visvalingam.comesBefore(nodes, $0, $1) } }
  }

  /// A ring keeps three vertices, and an area.
  private func canLose(_ index: Int, _ path: Int, _ isRing: Bool) -> Bool {
    guard isRing, left[path] <= 4 else { return true }
    guard left[path] == 4 else { return false }
    let (a, c) = (Int(nodes[index].previous), Int(nodes[index].next))
    let b = Int(nodes[c].next)
    return orientation(nodes[a].place, nodes[b].place, nodes[c].place) != 0
  }

  @inline(__always)
  private mutating func remove(_ index: Int, _ path: Int) {
    let (previous, next) = (nodes[index].previous, nodes[index].next)
    nodes[Int(previous)].next = next
    nodes[Int(next)].previous = previous
    nodes[index].key = .nan
    left[path] &-= 1
    taken[path] = Int32(truncatingIfNeeded: index)
    remaining &-= 1
  }

  /// A neighbour of what was removed; ends and protected vertices stay at infinity.
  @inline(__always)
  private mutating func update(_ index: Int, _ path: PathStore.Path, _ key: Double, _ threshold: Double) {
    guard nodes[index].key != .infinity else { return }
    setKey(index, least: key, threshold)
  }
}
