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
  private var kernel: DouglasPeucker
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
    guard let kernel = DouglasPeucker(store, options, capacity: size.coordinates, call),
      let plain = isMapped ? PathStore(capacity: size.coordinates, .coordinates, call) : store,
      let tree = EdgeTree(plain, capacity: size.coordinates, call),
      let owners = scratch(call, size.coordinates + 16, of: Int32.self),
      let touches = scratch(call, size.coordinates + 16, of: UInt8.self),
      let stack = scratch(call, size.coordinates + 16, of: Run.self)
    else { return nil }
    self.geoms = geoms
    self.options = options
    self.kernel = kernel
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
    kernel.prepare(store, paths, count)
    for index in 0..<count { hold(store, paths[index]) }
    if options.levels == 1 { kernel.splitBetweenMarks(paths, count, &poll) }
    for index in 0..<count {
      splitRuns(store, paths[index], &poll)
      if poll.isCancelled { break }
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

  /// Marks what stays whatever the tolerance.
  private mutating func hold(_ store: PathStore, _ path: PathStore.Path) {
    let marks = store.marks
    marks[path.start] = DouglasPeucker.everywhere
    marks[path.last] = DouglasPeucker.everywhere
    let protected = options.raw.protected_vertices
    for index in (path.start &+ 1)..<path.last {
      let isProtected = touches[index] != 0 || protected.map { isSet($0, path.coordinate(index)) } ?? false
      if isProtected { marks[index] = DouglasPeucker.everywhere }
    }
    if path.isRing { markTriangle(store, path) } else { markClosedLine(store, path) }
  }

  /// Splits the runs between marks until each may become its chord. Of one tolerance, those beyond it have been split.
  private mutating func splitRuns(_ store: PathStore, _ path: PathStore.Path, _ poll: inout CancelPoll) {
    let isWithin = options.levels == 1
    var begin = path.start
    for index in (path.start &+ 1)...path.last where store.marks[index] != 0 {
      if index &- begin > 1 {
        if isWithin { resolve(store, begin, index, begin, &poll) } else { push(begin, index) }
      }
      begin = index
      while waiting > 0 && !poll.isCancelled {
        waiting &-= 1
        split(store, Int(stack[waiting].low), Int(stack[waiting].high), &poll)
      }
      if poll.isCancelled { return }
    }
  }

  /// A ring keeps its least vertex, the one farthest from it, and the one farthest from the segment between them.
  private mutating func markTriangle(_ store: PathStore, _ path: PathStore.Path) {
    let opposite = kernel.search.split(path.start, path.last, Tolerance(0))
    guard opposite != path.start else { return }
    store.marks[opposite] = DouglasPeucker.everywhere
    let one = kernel.search.split(path.start, opposite, Tolerance(0))
    let other = kernel.search.split(opposite, path.last, Tolerance(0))
    if other != opposite && (one == path.start || kernel.search.isFarther(other, one, path.start, opposite)) {
      store.marks[other] = DouglasPeucker.everywhere
    } else {
      store.marks[one] = DouglasPeucker.everywhere
    }
  }

  private mutating func markClosedLine(_ store: PathStore, _ path: PathStore.Path) {
    guard store.place(path.start) == store.place(path.last) else { return }
    store.marks[kernel.search.split(path.start, path.last, Tolerance(0))] = DouglasPeucker.everywhere
  }

  @inline(__always)
  private mutating func push(_ low: Int, _ high: Int) {
    guard high &- low > 1 else { return }
    stack[waiting] = Run(low: Int32(truncatingIfNeeded: low), high: Int32(truncatingIfNeeded: high))
    waiting &+= 1
  }

  private mutating func split(_ store: PathStore, _ low: Int, _ high: Int, _ poll: inout CancelPoll) {
    resolve(store, low, high, kernel.search.split(low, high, Tolerance(options.tolerances[0])), &poll)
  }

  /// Keeps the farthest vertex of a run, which is `low` where none is beyond the least tolerance, on as many levels as it has to
  /// stay.
  private mutating func resolve(
    _ store: PathStore, _ low: Int, _ high: Int, _ beyond: Int, _ poll: inout CancelPoll
  ) {
    _ = poll.tick(high &- low)
    let most = Int(min(store.marks[low], store.marks[high]) & DouglasPeucker.everywhere)
    let levels = min(most, options.levels)
    var (farthest, count) = (beyond, 0)
    if farthest != low {
      count = 1
      while count < levels && kernel.search.exceeds(farthest, low, high, Tolerance(options.tolerances[count])) {
        count &+= 1
      }
    }
    if count < levels && !isFree(low, high, &poll) {
      if farthest == low { farthest = kernel.search.split(low, high, Tolerance(0)) }
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

  private func isFree(_ low: Int, _ high: Int, _ poll: inout CancelPoll) -> Bool {
    if geoms.isPolygonal && touches[low] != 0 && touches[high] != 0 { return false }
    return RegionSearch(plain, tree).isFree(low, high, &poll)
  }
}
