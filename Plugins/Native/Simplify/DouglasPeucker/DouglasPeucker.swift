// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Douglas-Peucker on many lines and rings at a time.
///
/// Runs wait in queues instead of on a stack of their path, so that those that are looked at one after the other do not depend
/// on each other and the processor works on several at once. Which vertices stay does not depend on the order: a run splits
/// at the same vertex whenever its turn comes. Splits do not depend on the tolerance either, so the kept sets of ascending
/// tolerances are nested, and every distance is one to the original.
struct DouglasPeucker: PathSimplifier {
  struct Run {
    let low: Int32
    let high: Int32
  }

  /// Marks say on how many levels, from the finest on, a vertex stays; this one, on all.
  static let everywhere: UInt8 = 0x7f
  /// So many tolerances have room in a mark.
  static let mostLevels = 0x7e
  /// Vertices that are waiting in runs before those are looked at: as many as the first cache holds well.
  static let batch = 2048
  /// Inner vertices of a run that is looked at before all others, one at a time.
  private static let large = 1024

  let store: PathStore
  let failed = false
  var search: FarthestSearch
  private let tolerances: UnsafePointer<Double>
  private let levels: Int
  private let finest: Tolerance
  /// Whether what would vanish is held at its least form.
  private let wantsLeastForms: Bool

  /// A queue for each class of runs, and one for those that are longer, each with `room`.
  private let queues: UnsafeMutablePointer<Run>
  private let room: Int
  private var counts = InlineArray<5, Int>(repeating: 0)
  private let largeRuns: UnsafeMutablePointer<Run>
  private var larges = 0
  /// Vertices in the queues.
  private var waiting = 0

  /// `capacity`: vertices of the store. nil = no memory.
  init?(
    _ store: PathStore, _ options: SimplifyOptions, capacity: Int, _ call: UnsafeMutablePointer<mrd_call>
  ) {
    // Of m vertices come at most m runs that have some.
    room = DouglasPeucker.batch + DouglasPeucker.large + 64
    guard let tolerances = options.tolerances.baseAddress,
      let search = FarthestSearch(store, capacity: capacity, call),
      let queues = scratch(call, 5 * room, of: Run.self),
      let largeRuns = scratch(call, capacity / DouglasPeucker.large + 2, of: Run.self)
    else { return nil }
    self.store = store
    self.search = search
    self.tolerances = tolerances
    levels = options.levels
    wantsLeastForms = options.keepsForms
    finest = Tolerance(tolerances[0])
    self.queues = queues
    self.largeRuns = largeRuns
  }

  /// Marks the vertices of paths that the store has, from `first` of `count` paths on; the coordinates `protected` stay.
  mutating func run(
    _ store: PathStore, _ paths: UnsafePointer<PathStore.Path>, _ count: Int, protected: UnsafePointer<UInt8>?,
    _ poll: inout CancelPoll
  ) {
    prepare(store, paths, count)
    for index in 0..<count {
      begin(paths[index], protected, &poll)
      if poll.isCancelled { break }
    }
    drain(&poll)
    larges = 0
    guard wantsLeastForms, !poll.isCancelled else { return }
    for index in 0..<count where keepsLess(paths[index]) {
      if paths[index].isRing { markLeastRing(paths[index]) } else { markLeastLine(paths[index]) }
    }
  }

  /// Call it when the store has new paths; `run` does.
  mutating func prepare(_ store: PathStore, _ paths: UnsafePointer<PathStore.Path>, _ count: Int) {
    var longest = 0
    for index in 0..<count { longest = max(longest, paths[index].count) }
    search.prepare(count: store.count, longest: longest)
  }

  /// Splits the runs between the vertices that stay everywhere, their ends among them.
  mutating func splitBetweenMarks(
    _ paths: UnsafePointer<PathStore.Path>, _ count: Int, _ poll: inout CancelPoll
  ) {
    for path in 0..<count {
      var begin = paths[path].start
      for index in (begin &+ 1)..<(begin &+ paths[path].count) where store.marks[index] == DouglasPeucker.everywhere {
        push(begin, index, &poll)
        begin = index
      }
    }
    drain(&poll)
    larges = 0
  }

  // MARK: - Runs of a path

  private mutating func begin(
    _ path: PathStore.Path, _ protected: UnsafePointer<UInt8>?, _ poll: inout CancelPoll
  ) {
    store.marks[path.start] = DouglasPeucker.everywhere
    store.marks[path.last] = DouglasPeucker.everywhere
    guard path.isRing else { return push(path, path.start, path.last, protected, &poll) }
    _ = poll.tick(path.count)
    let opposite = search.split(path.start, path.last, Tolerance(0))
    store.marks[opposite] = DouglasPeucker.everywhere
    push(path, path.start, opposite, protected, &poll)
    push(path, opposite, path.last, protected, &poll)
  }

  /// Pieces of a run that end at protected vertices.
  private mutating func push(
    _ path: PathStore.Path, _ low: Int, _ high: Int, _ protected: UnsafePointer<UInt8>?, _ poll: inout CancelPoll
  ) {
    var begin = low
    if let protected, high > low {
      for index in (low &+ 1)..<high where isSet(protected, path.coordinate(index)) {
        store.marks[index] = DouglasPeucker.everywhere
        push(begin, index, &poll)
        begin = index
      }
    }
    push(begin, high, &poll)
  }

  private mutating func push(_ low: Int, _ high: Int, _ poll: inout CancelPoll) {
    let size = high &- low &- 1
    guard size > 0 else { return }
    if size > DouglasPeucker.large {
      largeRuns[larges] = Run(low: Int32(low), high: Int32(high))
      larges &+= 1
      splitLarge(&poll)
      return
    }
    if waiting &+ size > DouglasPeucker.batch &+ DouglasPeucker.large { drain(&poll) }
    waiting &+= size
    append(low, high)
  }

  private mutating func splitLarge(_ poll: inout CancelPoll) {
    while larges > 0 && !poll.isCancelled {
      larges &-= 1
      let (low, high) = (Int(largeRuns[larges].low), Int(largeRuns[larges].high))
      _ = poll.tick(min(4096, high &- low))
      let split = search.split(low, high, finest)
      if split == low { continue }
      store.marks[split] = levels == 1 ? 1 : countLevels(split, low, high)
      pushPart(low, split, &poll)
      pushPart(split, high, &poll)
    }
  }

  private mutating func pushPart(_ low: Int, _ high: Int, _ poll: inout CancelPoll) {
    let size = high &- low &- 1
    if size > DouglasPeucker.large {
      largeRuns[larges] = Run(low: Int32(low), high: Int32(high))
      larges &+= 1
      return
    }
    guard size > 0 else { return }
    if waiting &+ size > DouglasPeucker.batch &+ DouglasPeucker.large { drain(&poll) }
    waiting &+= size
    append(low, high)
  }

  // MARK: - The queues

  /// Appends a run of at most `large` vertices to the queue of its class; one without inner vertices is forgotten. No branch:
  /// which it is can hardly be foreseen.
  @inline(__always)
  private mutating func append(_ low: Int, _ high: Int) {
    let size = high &- low &- 1
    let blocks = (size &- 1) >> 3
    let runClass = min(64 &- max(blocks, 0).leadingZeroBitCount, Int(MRDK_RUN_CLASSES))
    let count = counts[runClass]
    queues[runClass &* room &+ count] = Run(low: Int32(truncatingIfNeeded: low), high: Int32(truncatingIfNeeded: high))
    counts[runClass] = count &+ (size > 0 ? 1 : 0)
  }

  /// Looks at all runs, the largest classes first: what they split into is of their own class or a smaller one.
  private mutating func drain(_ poll: inout CancelPoll) {
    let isPlain = levels == 1 && store.scales == nil
    for runClass in stride(from: Int(MRDK_RUN_CLASSES), through: 0, by: -1) {
      if runClass == 0 && isPlain {
        splitShort()
        break
      }
      var at = 0
      while at < counts[runClass] {
        let size = isPlain && runClass < Int(MRDK_RUN_CLASSES) ? min(8, counts[runClass] &- at) : 1
        let first = runClass &* room &+ at
        at &+= size
        if size == 1 {
          let run = queues[first]
          if poll.tick(Int(run.high &- run.low)) { break }
          finish(run, search.split(Int(run.low), Int(run.high), finest))
        } else {
          splitTogether(runClass, first, size)
          if poll.tick(64) { break }
        }
      }
    }
    for runClass in 0...Int(MRDK_RUN_CLASSES) { counts[runClass] = 0 }
    waiting = 0
  }

  /// Up to eight runs of a class; those that are missing repeat the first one.
  private mutating func splitTogether(_ runClass: Int, _ first: Int, _ count: Int) {
    for index in count..<8 { queues[first &+ index] = queues[first] }
    var offsets = InlineArray<8, Int32>(repeating: 0)
    withUnsafeMutableBytes(of: &offsets) {
      mrdk_split_class(
        store.x, store.y, UnsafeRawPointer(queues + first).assumingMemoryBound(to: Int32.self), finest.square,
        $0.assumingMemoryBound(to: Int32.self).baseAddress, Int32(truncatingIfNeeded: runClass))
    }
    for index in 0..<count {
      let run = queues[first &+ index]
      let (low, offset) = (Int(run.low), Int(offsets[index]))
      finish(run, offset >= 0 ? low &+ offset : search.split(low, Int(run.high), finest))
    }
  }

  /// The class of the shortest runs, most of all: what they split into is in no other.
  private mutating func splitShort() {
    let (x, y, marks, runs, square) = (store.x, store.y, store.marks, queues, finest.square)
    var (at, end) = (0, counts[0])
    var offsets = InlineArray<8, Int32>(repeating: 0)
    while at < end {
      let count = min(8, end &- at)
      for index in count..<8 { runs[at &+ index] = runs[at] }
      withUnsafeMutableBytes(of: &offsets) { bytes in
        guard let offsets = bytes.assumingMemoryBound(to: Int32.self).baseAddress else { return }
        mrdk_split_class(x, y, UnsafeRawPointer(runs + at).assumingMemoryBound(to: Int32.self), square, offsets, 0)
        for index in 0..<count {
          let (low, high, offset) = (runs[at &+ index].low, runs[at &+ index].high, offsets[index])
          var split = low &+ offset
          if offset < 0 { split = Int32(truncatingIfNeeded: search.split(Int(low), Int(high), finest)) }
          // Without a split this is an end of the run, which has its mark.
          let isSplit = split == low ? 0 : 1
          marks[Int(split)] |= UInt8(truncatingIfNeeded: isSplit)
          runs[end] = Run(low: low, high: split)
          end &+= split &- low > 1 ? 1 : 0
          runs[end] = Run(low: split, high: high)
          end &+= isSplit & (high &- split > 1 ? 1 : 0)
        }
      }
      at &+= count
    }
    counts[0] = end
  }

  /// Marks where a run splits, and appends what it splits into.
  @inline(__always)
  private mutating func finish(_ run: Run, _ split: Int) {
    let (low, high) = (Int(run.low), Int(run.high))
    let isSplit = split != low
    // Without a split this is an end of the run, which has its mark, and nothing of what is appended has an inner vertex.
    if levels == 1 {
      store.marks[split] |= isSplit ? 1 : 0
    } else if isSplit {
      store.marks[split] = countLevels(split, low, high)
    }
    append(low, split)
    append(split, isSplit ? high : split)
  }

  /// A vertex stays on the levels whose tolerances it exceeds, but on no more than the vertices that its run lies between.
  private func countLevels(_ split: Int, _ low: Int, _ high: Int) -> UInt8 {
    let most = Int(min(store.marks[low], store.marks[high]) & DouglasPeucker.everywhere)
    var count = 1
    while count < min(levels, most) && search.exceeds(split, low, high, Tolerance(tolerances[count])) { count &+= 1 }
    return UInt8(truncatingIfNeeded: count)
  }

  // MARK: - Least forms

  /// True for a path that would vanish on the coarsest level: a ring of under three vertices, a line of two.
  private func keepsLess(_ path: PathStore.Path) -> Bool {
    let size = UInt(path.count &- (path.isRing ? 1 : 0))
    return mrdk_count_kept(store.marks + path.start, size, Int32(levels &- 1), 0) < 3
  }

  /// Marks the triangle that a ring shrinks to: its ends and the vertex farthest from the segment between them.
  private mutating func markLeastRing(_ path: PathStore.Path) {
    var opposite = path.start &+ 1
    var others = 0
    for index in (path.start &+ 1)..<path.last where store.marks[index] == DouglasPeucker.everywhere {
      if others == 0 { opposite = index }
      others &+= 1
    }
    store.marks[path.start] |= UInt8(MRDK_LEAST_FORM)
    // With protected vertices, or when all are one point, there is no triangle to look for.
    guard others == 1 else { return }
    store.marks[opposite] |= UInt8(MRDK_LEAST_FORM)
    var third = search.split(path.start, opposite, Tolerance(0))
    let other = search.split(opposite, path.last, Tolerance(0))
    if third == path.start {
      third = other
    } else if other != opposite, search.isFarther(other, third, path.start, opposite) {
      third = other
    }
    if third != path.start && third != opposite { store.marks[third] |= UInt8(MRDK_LEAST_FORM) }
  }

  /// Marks what a closed line shrinks to: its ends and the vertex farthest from them.
  private mutating func markLeastLine(_ path: PathStore.Path) {
    guard store.place(path.start) == store.place(path.last) else { return }
    store.marks[path.start] |= UInt8(MRDK_LEAST_FORM)
    store.marks[path.last] |= UInt8(MRDK_LEAST_FORM)
    let farthest = search.split(path.start, path.last, Tolerance(0))
    store.marks[farthest] |= UInt8(MRDK_LEAST_FORM)
  }
}
