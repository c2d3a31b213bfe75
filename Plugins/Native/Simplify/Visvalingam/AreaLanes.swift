// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Visvalingam-Whyatt on eight short lists of vertices at a time, a list in each column of a table of keys. The least key
/// of all columns is found together, row by row, without a heap; a column whose list is done takes the next one.
struct AreaLanes {
  /// Rows of the table; a list with its two fixed ends has at most as many vertices.
  static let most = 192
  private static let lanes = 8

  /// Vertices of a path, one after the other, that may go.
  struct Task {
    /// The first one, and how many there are.
    var first: Int32
    var count: Int32
    /// Their neighbours, which stay; -1 where the list is a ring of its own.
    var before: Int32
    var after: Int32
    /// Behind the last vertex of a path, `end`, comes the one that is `size` vertices before.
    var end: Int32
    var size: Int32
    /// The largest key that goes.
    var limit: Double
    /// The vertex that went last, -1 for none.
    var last: Int32 = -1
  }

  private struct Node {
    var x: Double
    var y: Double
    /// The area of a unit square there.
    var unit: Double
    var previous: Int16
    var next: Int16
    var place: Int32

    var position: Place { Place(x: x, y: y) }
  }

  private struct Lane {
    var task: Int32 = -1
    /// Rows that are used.
    var rows: Int32 = 0
    /// Vertices of a ring that are left; none is counted where ends stay.
    var left: Int32 = .max
    var last: Int32 = -1
    var limit: Double = -1
  }

  private let store: PathStore
  /// What the removal of each vertex of the store counts at first, infinite where it stays.
  private let initialKeys: UnsafePointer<Double>
  /// Receives the key with which a vertex goes.
  private let results: UnsafeMutablePointer<Double>
  private let keys: UnsafeMutablePointer<Double>
  private let nodes: UnsafeMutablePointer<Node>
  private let lanes: UnsafeMutablePointer<Lane>
  private let least: UnsafeMutablePointer<Double>
  private let found: UnsafeMutablePointer<Int64>
  private var rows = 4

  /// nil = no memory.
  init?(
    _ store: PathStore, keys initialKeys: UnsafePointer<Double>, results: UnsafeMutablePointer<Double>,
    _ call: UnsafeMutablePointer<mrd_call>
  ) {
    let (columns, room) = (AreaLanes.lanes, AreaLanes.lanes * AreaLanes.most)
    guard let keys = scratch(call, room, of: Double.self), let nodes = scratch(call, room, of: Node.self),
      let lanes = scratch(call, columns, of: Lane.self), let least = scratch(call, columns, of: Double.self),
      let found = scratch(call, columns, of: Int64.self)
    else { return nil }
    keys.update(repeating: .infinity, count: room)
    lanes.update(repeating: Lane(), count: columns)
    self.store = store
    self.initialKeys = initialKeys
    self.results = results
    self.keys = keys
    self.nodes = nodes
    self.lanes = lanes
    self.least = least
    self.found = found
  }

  /// Takes vertices off the lists of all tasks.
  mutating func run(_ tasks: UnsafeMutablePointer<Task>, _ count: Int, _ poll: inout CancelPoll) {
    var next = 0
    var busy = 0
    while busy < AreaLanes.lanes && next < count {
      load(busy, tasks, next)
      next &+= 1
      busy &+= 1
    }
    while busy > 0 {
      mrdk_least_rows8(keys, UInt(rows), least, found)
      for lane in 0..<AreaLanes.lanes {
        let key = least[lane]
        if key <= lanes[lane].limit {
          remove(lane, key)
        } else if lanes[lane].task >= 0 {
          tasks[Int(lanes[lane].task)].last = lanes[lane].last
          if next < count {
            load(lane, tasks, next)
            next &+= 1
          } else {
            clear(lane, from: 0)
            lanes[lane] = Lane()
            busy &-= 1
          }
        }
      }
      if poll.tick(AreaLanes.lanes) { break }
    }
    // Cancelled, or empty.
    for lane in 0..<AreaLanes.lanes {
      clear(lane, from: 0)
      lanes[lane] = Lane()
    }
    rows = 4
  }

  // MARK: - Lists

  private mutating func load(_ lane: Int, _ tasks: UnsafePointer<Task>, _ number: Int) {
    let task = tasks[number]
    let isRing = task.before < 0
    let (count, ends) = (Int(task.count), isRing ? 0 : 1)
    let list = nodes + lane &* AreaLanes.most
    var place = Int(task.first)
    for row in ends..<(ends &+ count) {
      list[row] = node(place, row &- 1, row &+ 1)
      keys[8 &* row &+ lane] = initialKeys[place]
      place &+= 1
      if place == Int(task.end) { place &-= Int(task.size) }
    }
    if isRing {
      list[0].previous = Int16(truncatingIfNeeded: count &- 1)
      list[count &- 1].next = 0
    } else {
      list[0] = node(Int(task.before), 0, 1)
      list[count &+ 1] = node(Int(task.after), count, count &+ 1)
      keys[lane] = .infinity
      keys[8 &* (count &+ 1) &+ lane] = .infinity
    }
    let used = count &+ 2 &* ends
    clear(lane, from: used)
    lanes[lane] = Lane(
      task: Int32(truncatingIfNeeded: number), rows: Int32(truncatingIfNeeded: used), left: isRing ? task.count : .max,
      limit: task.limit)
    rows = 4
    for lane in 0..<AreaLanes.lanes { rows = max(rows, (Int(lanes[lane].rows) &+ 3) & ~3) }
  }

  @inline(__always)
  private func node(_ place: Int, _ previous: Int, _ next: Int) -> Node {
    Node(
      x: store.x[place], y: store.y[place], unit: store.scales.map { $0.wide[place] * $0.high[place] } ?? 1,
      previous: Int16(truncatingIfNeeded: previous), next: Int16(truncatingIfNeeded: next),
      place: Int32(truncatingIfNeeded: place))
  }

  private func clear(_ lane: Int, from row: Int) {
    var row = row
    while row < Int(lanes[lane].rows) {
      keys[8 &* row &+ lane] = .infinity
      row &+= 1
    }
  }

  // MARK: - Removal

  @inline(__always)
  private func remove(_ lane: Int, _ key: Double) {
    let list = nodes + lane &* AreaLanes.most
    var row = Int(truncatingIfNeeded: found[lane] & 0xffff_ffff)
    if found[lane] &>> 32 != 1 { row = firstOfEquals(lane, key) }
    let node = list[row]
    let (previous, next) = (Int(node.previous), Int(node.next))
    keys[8 &* row &+ lane] = .infinity
    if lanes[lane].left <= 4 && !canLose(lane, list, row) { return }
    lanes[lane].left &-= 1
    list[previous].next = node.next
    list[next].previous = node.previous
    results[Int(node.place)] = key
    lanes[lane].last = node.place
    update(lane, list, previous, key)
    update(lane, list, next, key)
  }

  /// A ring keeps three vertices, and an area.
  @inline(never)
  private func canLose(_ lane: Int, _ list: UnsafePointer<Node>, _ row: Int) -> Bool {
    guard lanes[lane].left == 4 else { return false }
    let (a, c) = (list[Int(list[row].previous)], list[Int(list[row].next)])
    return orientation(a.position, list[Int(c.next)].position, c.position) != 0
  }

  /// Ends and protected vertices stay at infinity.
  @inline(__always)
  private func update(_ lane: Int, _ list: UnsafePointer<Node>, _ row: Int, _ least: Double) {
    let slot = keys + (8 &* row &+ lane)
    if slot.pointee == .infinity { return }
    let node = list[row]
    var area = EffectiveArea.plain(list[Int(node.previous)].position, node.position, list[Int(node.next)].position)
    if store.scales != nil { area *= node.unit }
    slot.pointee = max(area, least)
  }

  /// Of the vertices with a key the one that comes first.
  @inline(never)
  private func firstOfEquals(_ lane: Int, _ key: Double) -> Int {
    let list = nodes + lane &* AreaLanes.most
    var best = -1
    for row in 0..<Int(lanes[lane].rows) where keys[8 &* row &+ lane] == key {
      if best < 0 || comesBefore(list[row], list[best]) { best = row }
    }
    return best
  }

  private func comesBefore(_ a: Node, _ b: Node) -> Bool {
    if a.x != b.x { return a.x < b.x }
    return a.y != b.y ? a.y < b.y : a.place < b.place
  }
}
