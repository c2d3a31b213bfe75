// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Douglas-Peucker that keeps what a row is: a run becomes its chord only if no other vertex of the row lies in the closed
/// region between them (Saalfeld 1999).
///
/// "Other" means of the input: so the result does not depend on any order, kept sets of ascending tolerances are nested, and
/// valid rows stay valid. For if two chords crossed, each would have to cross the other's run, since their ends lie outside of
/// the closed curves of run and chord; and an edge of a run that crosses a chord and has its ends outside of that curve crosses
/// the other run, which it did not. Vertices where rings touch stay, and a run of a ring from touch to touch stays bent, since
/// another one may run straight between the same places.
struct TopologyMarker: RowSimplifier {
  private struct Run {
    let low: Int32
    let high: Int32
  }

  private let geoms: Geoms
  private let options: SimplifyOptions
  private var search: FarthestSearch
  /// The row in its own coordinates, where edges are straight: the store itself unless that is in pixels.
  private var plain: PathStore
  private let isMapped: Bool
  private var tree: EdgeTree
  private let owners: UnsafeMutablePointer<Int32>
  private let touches: UnsafeMutablePointer<UInt8>
  private let stack: UnsafeMutablePointer<Run>
  private var waiting = 0

  var failed: Bool { false }

  /// nil = no memory.
  init?(
    _ geoms: Geoms, _ options: SimplifyOptions, _ store: PathStore, _ size: BatchSize,
    _ call: UnsafeMutablePointer<mrd_call>
  ) {
    if case .pixels = options.plane { isMapped = true } else { isMapped = false }
    guard let search = FarthestSearch(store, capacity: size.coordinates, call),
      let plain = isMapped ? PathStore(capacity: size.coordinates, .coordinates, call) : store,
      let tree = EdgeTree(plain, capacity: size.coordinates, call),
      let owners = scratch(call, size.coordinates + 16, of: Int32.self),
      let touches = scratch(call, size.coordinates + 16, of: UInt8.self),
      let stack = scratch(call, size.coordinates + 16, of: Run.self)
    else { return nil }
    self.geoms = geoms
    self.options = options
    self.search = search
    self.plain = plain
    self.tree = tree
    self.owners = owners
    self.touches = touches
    self.stack = stack
  }

  mutating func mark(
    _ row: Int, _ store: PathStore, _ paths: UnsafePointer<PathStore.Path>, _ count: Int, _ poll: inout CancelPoll
  ) -> mrd_item_status {
    // Rings that are none cannot be held against the others.
    if geoms.isPolygonal && count < geoms.pathCount(row) && hasOpenRing(row) { return MRD_ITEM_INVALID }
    if isMapped { copyPlain(paths, count) } else { plain = store }
    for index in 0..<count {
      let path = paths[index]
      (owners + path.start).update(repeating: Int32(truncatingIfNeeded: index), count: path.count)
    }
    touches.update(repeating: 0, count: store.count)
    tree.build(store.count, paths, count)
    var contacts = TouchSearch(
      plain, tree, paths, owners: owners, touches: touches, isPolygonal: geoms.isPolygonal)
    contacts.find(&poll)
    if contacts.hasFault { return MRD_ITEM_INVALID }
    var longest = 0
    for index in 0..<count { longest = max(longest, paths[index].count) }
    search.prepare(count: store.count, longest: longest)
    for index in 0..<count {
      begin(store, paths[index])
      while waiting > 0 {
        waiting &-= 1
        split(store, Int(stack[waiting].low), Int(stack[waiting].high), &poll)
        if poll.isCancelled { return MRD_ITEM_OK }
      }
    }
    return MRD_ITEM_OK
  }

  private func hasOpenRing(_ row: Int) -> Bool {
    for index in 0..<geoms.pathCount(row) {
      let path = geoms.path(row, index)
      if !path.isEmpty && !SimplifyWriter.isRing(path, geoms) { return true }
    }
    return false
  }

  private mutating func copyPlain(_ paths: UnsafePointer<PathStore.Path>, _ count: Int) {
    plain.clear()
    for index in 0..<count {
      let path = paths[index]
      let size = path.count
      _ = plain.add(geoms, path.first..<(path.first &+ size), isRing: path.isRing)
    }
  }

  // MARK: - Runs

  private mutating func begin(_ store: PathStore, _ path: PathStore.Path) {
    let marks = store.marks
    marks[path.start] = DouglasPeucker.everywhere
    marks[path.last] = DouglasPeucker.everywhere
    let protected = options.raw.protected_vertices
    for index in (path.start &+ 1)..<path.last {
      let isProtected = touches[index] != 0 || protected.map { isSet($0, path.coordinate(index)) } ?? false
      if isProtected { marks[index] = DouglasPeucker.everywhere }
    }
    if path.isRing { markTriangle(store, path) } else { markClosedLine(store, path) }
    var begin = path.start
    for index in (path.start &+ 1)...path.last where marks[index] == DouglasPeucker.everywhere {
      push(begin, index)
      begin = index
    }
  }

  /// A ring keeps its least vertex, the one farthest from it, and the one farthest from the segment between them.
  private mutating func markTriangle(_ store: PathStore, _ path: PathStore.Path) {
    let opposite = search.split(path.start, path.last, Tolerance(0))
    guard opposite != path.start else { return }
    store.marks[opposite] = DouglasPeucker.everywhere
    let one = search.split(path.start, opposite, Tolerance(0))
    let other = search.split(opposite, path.last, Tolerance(0))
    if other != opposite && (one == path.start || search.isFarther(other, one, path.start, opposite)) {
      store.marks[other] = DouglasPeucker.everywhere
    } else {
      store.marks[one] = DouglasPeucker.everywhere
    }
  }

  private mutating func markClosedLine(_ store: PathStore, _ path: PathStore.Path) {
    guard store.place(path.start) == store.place(path.last) else { return }
    store.marks[search.split(path.start, path.last, Tolerance(0))] = DouglasPeucker.everywhere
  }

  @inline(__always)
  private mutating func push(_ low: Int, _ high: Int) {
    guard high &- low > 1 else { return }
    stack[waiting] = Run(low: Int32(truncatingIfNeeded: low), high: Int32(truncatingIfNeeded: high))
    waiting &+= 1
  }

  private mutating func split(_ store: PathStore, _ low: Int, _ high: Int, _ poll: inout CancelPoll) {
    _ = poll.tick(high &- low)
    let most = Int(min(store.marks[low], store.marks[high]) & DouglasPeucker.everywhere)
    let levels = min(most, options.levels)
    var farthest = search.split(low, high, Tolerance(options.tolerances[0]))
    var count = 0
    if farthest != low {
      count = 1
      while count < levels && search.exceeds(farthest, low, high, Tolerance(options.tolerances[count])) { count &+= 1 }
    }
    if count < levels && !isFree(low, high, &poll) {
      if farthest == low { farthest = search.split(low, high, Tolerance(0)) }
      // On the chord itself nothing changes.
      count = farthest == low ? 0 : most
    } else if count == levels {
      count = most
    }
    guard count > 0 else { return }
    store.marks[farthest] = UInt8(truncatingIfNeeded: count)
    push(low, farthest)
    push(farthest, high)
  }

  // MARK: - The region between a run and its chord

  private func isFree(_ low: Int, _ high: Int, _ poll: inout CancelPoll) -> Bool {
    if geoms.isPolygonal && touches[low] != 0 && touches[high] != 0 { return false }
    var box = Box.empty
    for index in low...high {
      let (x, y) = (plain.x[index], plain.y[index])
      box.grow(Box(xmin: x, ymin: y, xmax: x, ymax: y))
    }
    let window: Window = [box.xmin, box.ymin, box.xmax, box.ymax]
    var isFree = true
    tree.forEachGroup(meeting: window) { group in
      var bits = placesIn(group, window)
      while bits != 0 && isFree {
        let index = 8 &* group &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        if index >= plain.count || (low <= index && index <= high) { continue }
        isFree = !isBetween(index, low, high)
        _ = poll.tick(high &- low)
      }
      return isFree && !poll.isCancelled
    }
    return isFree
  }

  @inline(__always)
  private func placesIn(_ group: Int, _ window: Window) -> UInt32 {
    withUnsafeBytes(of: window) {
      mrdk_places8_in(
        plain.x + (8 &* group), plain.y + (8 &* group), $0.assumingMemoryBound(to: Double.self).baseAddress)
    }
  }

  /// Whether a vertex of another run lies between a run and its chord, or on one of them; its ends are not meant.
  private func isBetween(_ index: Int, _ low: Int, _ high: Int) -> Bool {
    let place = plain.place(index)
    if place == plain.place(low) || place == plain.place(high) { return false }
    var winding = 0
    var previous = plain.place(high)
    for other in low...high {
      let next = plain.place(other)
      guard let turn = TopologyMarker.winding(place, previous, next) else { return true }
      winding &+= turn
      previous = next
    }
    return winding != 0
  }

  /// What an edge adds to the turns of a closed curve around a place; nil when the place is on it.
  private static func winding(_ place: Place, _ a: Place, _ b: Place) -> Int? {
    if a.y <= place.y {
      if b.y > place.y {
        let side = orientation(a, b, place)
        return side == 0 ? nil : side > 0 ? 1 : 0
      }
      // A level edge.
      if b.y == place.y && a.y == place.y { return min(a.x, b.x) <= place.x && place.x <= max(a.x, b.x) ? nil : 0 }
    } else if b.y <= place.y {
      let side = orientation(a, b, place)
      return side == 0 ? nil : side < 0 ? -1 : 0
    }
    return b == place || a == place ? nil : 0
  }
}
