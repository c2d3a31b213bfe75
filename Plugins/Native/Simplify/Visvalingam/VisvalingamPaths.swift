// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Visvalingam-Whyatt on many paths at a time, by thresholds.
///
/// Short paths are lists of `AreaLanes` as they are. Of long ones all vertices go whose keys are up to a limit, then what is
/// left is taken together, and so on with greater limits until it is short or the threshold is reached. For such a turn a path
/// is cut between pairs of vertices with large keys, and the pieces are simplified apart, each as if its neighbours' ends
/// stayed. If they did stay, the removals of all pieces in the order of their keys are those of the whole path; where an end
/// went, the pieces beside that cut are done again as one.
struct VisvalingamPaths: PathSimplifier {
  static let batch = 8192
  /// Vertices up to which a path is not cut, and where the next cut is looked for.
  private static let short = 96
  private static let window = 32...64

  private struct Work {
    var start: Int
    /// Vertices that are left, without the one that closes a ring.
    var count: Int
    let isRing: Bool
    var isDone = false
    /// Whether this turn is the last one.
    var isLast = false
    var firstTask = 0
    var endTask = 0

    var tasks: Range<Int> { firstTask..<endTask }
    var end: Int { start &+ count }
  }

  private let store: PathStore
  private let thresholds: UnsafeBufferPointer<Double>
  private let isWeighted: Bool
  /// What the removal of a vertex counts, infinite where it stays; and with what it went, infinite as long as it is there.
  private let keys: UnsafeMutablePointer<Double>
  private let results: UnsafeMutablePointer<Double>
  /// Where a vertex was before others went.
  private let origins: UnsafeMutablePointer<Int32>
  private let works: UnsafeMutablePointer<Work>
  private let tasks: UnsafeMutablePointer<AreaLanes.Task>
  private var taskCount = 0
  /// Pieces that are done again.
  private let repeats: UnsafeMutablePointer<AreaLanes.Task>
  private var lanes: AreaLanes
  private var queue: Visvalingam

  var failed: Bool { queue.failed }

  /// `capacity`: vertices of the store. nil = no memory.
  init?(
    _ store: PathStore, _ options: SimplifyOptions, capacity: Int, paths: Int, _ call: UnsafeMutablePointer<mrd_call>
  ) {
    isWeighted = options.has(MRD_SIMPLIFY_WEIGHTED)
    let pieces = capacity / VisvalingamPaths.window.lowerBound + 2 * paths + 2
    guard let thresholds = options.areaThresholds(call), let keys = scratch(call, capacity + 16, of: Double.self),
      let results = scratch(call, capacity + 16, of: Double.self),
      let origins = scratch(call, capacity + 16, of: Int32.self), let works = scratch(call, paths + 1, of: Work.self),
      let tasks = scratch(call, pieces, of: AreaLanes.Task.self),
      let repeats = scratch(call, pieces, of: AreaLanes.Task.self),
      let lanes = AreaLanes(store, keys: keys, results: results, call),
      let queue = Visvalingam(store, capacity: capacity, paths: 1, weighted: isWeighted, call)
    else { return nil }
    self.store = store
    self.thresholds = thresholds
    self.keys = keys
    self.results = results
    self.origins = origins
    self.works = works
    self.tasks = tasks
    self.repeats = repeats
    self.lanes = lanes
    self.queue = queue
  }

  mutating func run(
    _ store: PathStore, _ paths: UnsafePointer<PathStore.Path>, _ count: Int, protected: UnsafePointer<UInt8>?,
    _ poll: inout CancelPoll
  ) {
    results.update(repeating: .infinity, count: store.count)
    for place in 0..<store.count { origins[place] = Int32(truncatingIfNeeded: place) }
    for index in 0..<count {
      works[index] = Work(
        start: paths[index].start, count: paths[index].count &- (paths[index].isRing ? 1 : 0),
        isRing: paths[index].isRing)
    }
    var left = count
    while left > 0 && !poll.isCancelled && !failed {
      taskCount = 0
      for index in 0..<count where !works[index].isDone { plan(index, paths[index], protected, &poll) }
      lanes.run(tasks, taskCount, &poll)
      if poll.isCancelled { return }
      for index in 0..<count where !works[index].isDone {
        conclude(index, paths[index], protected, &poll)
        if works[index].isDone { left &-= 1 }
      }
    }
  }

  // MARK: - Turns

  private var threshold: Double { min(thresholds[thresholds.count &- 1], .greatestFiniteMagnitude) }

  /// The tasks of a path's next turn.
  private mutating func plan(
    _ index: Int, _ path: PathStore.Path, _ protected: UnsafePointer<UInt8>?, _ poll: inout CancelPoll
  ) {
    _ = poll.tick(works[index].count)
    let work = works[index]
    let first = taskCount
    works[index].isLast = true
    if !isWeighted {
      setKeys(work, path, protected)
      if work.count <= VisvalingamPaths.short {
        addWhole(work)
      } else {
        let limit = median(work)
        works[index].isLast = limit >= threshold
        addPieces(work, min(limit, threshold))
      }
    }
    (works[index].firstTask, works[index].endTask) = (first, taskCount)
  }

  private func setKeys(_ work: Work, _ path: PathStore.Path, _ protected: UnsafePointer<UInt8>?) {
    EffectiveArea.fill(keys, store, work.start..<work.end, isRing: work.isRing)
    guard let protected else { return }
    for place in work.start..<work.end where isSet(protected, path.coordinate(Int(origins[place]))) {
      keys[place] = .infinity
    }
  }

  private mutating func add(_ first: Int, _ count: Int, before: Int, after: Int, _ work: Work, _ limit: Double) {
    tasks[taskCount] = AreaLanes.Task(
      first: Int32(truncatingIfNeeded: first), count: Int32(truncatingIfNeeded: count),
      before: Int32(truncatingIfNeeded: before), after: Int32(truncatingIfNeeded: after),
      end: Int32(truncatingIfNeeded: work.end), size: Int32(truncatingIfNeeded: work.count), limit: limit)
    taskCount &+= 1
  }

  private mutating func addWhole(_ work: Work) {
    if work.isRing {
      add(work.start, work.count, before: -1, after: -1, work, threshold)
    } else if work.count > 2 {
      add(work.start &+ 1, work.count &- 2, before: work.start, after: work.end &- 1, work, threshold)
    }
  }

  /// About the median of the keys.
  private func median(_ work: Work) -> Double {
    var sample = InlineArray<32, Double>(repeating: .infinity)
    let step = work.count / 31
    for number in 0..<31 {
      let key = keys[work.start &+ number &* step &+ step / 2]
      var at = number
      while at > 0 && sample[at &- 1] > key {
        sample[at] = sample[at &- 1]
        at &-= 1
      }
      sample[at] = key
    }
    return sample[15]
  }

  private mutating func addPieces(_ work: Work, _ limit: Double) {
    let (low, high) = (VisvalingamPaths.window.lowerBound, VisvalingamPaths.window.upperBound)
    // A ring may be cut anywhere at first.
    let first = work.isRing ? cut(work, work.start, work.start &+ high) : work.start &+ 1
    let last = work.isRing ? first &+ work.count : work.end &- 1
    var begin = first
    while begin < last {
      let end = last &- begin <= VisvalingamPaths.short ? last : cut(work, begin &+ low, begin &+ high)
      add(
        wrap(begin, work), end &- begin, before: wrap(begin &- 1, work), after: wrap(end, work), work, limit)
      begin = end
    }
  }

  @inline(__always)
  private func wrap(_ place: Int, _ work: Work) -> Int {
    guard work.isRing else { return place }
    return place >= work.end ? place &- work.count : place < work.start ? place &+ work.count : place
  }

  /// The place from `low` to `high` that has, with the one before it, the largest keys.
  private func cut(_ work: Work, _ low: Int, _ high: Int) -> Int {
    var (best, most) = (low, -1.0)
    var before = keys[wrap(low &- 1, work)]
    for place in low...high {
      let key = keys[wrap(place, work)]
      let least = min(before, key)
      if least > most { (best, most) = (place, least) }
      before = key
    }
    return best
  }

  // MARK: - What came of a turn

  private mutating func conclude(
    _ index: Int, _ path: PathStore.Path, _ protected: UnsafePointer<UInt8>?, _ poll: inout CancelPoll
  ) {
    var last = -1
    if isWeighted || (works[index].tasks.count > 1 && !joinPieces(index, &poll)) {
      last = runInOrder(index, path, protected, &poll)
    } else if let task = works[index].tasks.last {
      last = Int(tasks[task].last)
    }
    let work = works[index]
    if work.isLast {
      markRest(work, path, last, protected)
      works[index].isDone = true
    } else {
      works[index].count = takeTogether(work)
    }
  }

  @inline(__always)
  private func hasGone(_ place: Int) -> Bool { results[place] < .infinity }

  /// Does pieces beside whose cuts a vertex went again as one, until there are none. False = they became too long.
  private mutating func joinPieces(_ index: Int, _ poll: inout CancelPoll) -> Bool {
    while !poll.isCancelled {
      guard let count = joined(index) else { return false }
      if count == 0 { return true }
      for number in 0..<count { forget(repeats[number]) }
      lanes.run(repeats, count, &poll)
    }
    return true
  }

  /// Joins tasks of a path at bad cuts; how many have become longer ones, which are in `repeats`.
  private mutating func joined(_ index: Int) -> Int? {
    let work = works[index]
    let old = work.tasks
    var (kept, again) = (old.lowerBound, 0)
    var isLonger = false
    if work.isRing, isBad(tasks[old.upperBound &- 1], tasks[old.lowerBound]) {
      guard rotate(work) else { return nil }
    }
    for number in old {
      if number > old.lowerBound, isBad(tasks[kept &- 1], tasks[number]) {
        tasks[kept &- 1].count &+= tasks[number].count
        tasks[kept &- 1].after = tasks[number].after
        isLonger = true
      } else {
        if isLonger { repeats[again] = tasks[kept &- 1]; again &+= 1 }
        isLonger = false
        tasks[kept] = tasks[number]
        kept &+= 1
      }
      if Int(tasks[kept &- 1].count) > AreaLanes.most &- 2 { return nil }
    }
    if isLonger { repeats[again] = tasks[kept &- 1]; again &+= 1 }
    works[index].endTask = kept
    // Two pieces at least: the ends of a ring's are not its own, and a line keeps more than its ends.
    return kept &- old.lowerBound < 2 ? nil : again
  }

  @inline(__always)
  private func isBad(_ before: AreaLanes.Task, _ behind: AreaLanes.Task) -> Bool {
    hasGone(Int(before.after)) || hasGone(Int(behind.before))
  }

  /// Makes a good cut of a ring the first one. False = there is none.
  private func rotate(_ work: Work) -> Bool {
    let (first, count) = (work.tasks.lowerBound, work.tasks.count)
    var turn = 1
    while turn < count && isBad(tasks[first &+ turn &- 1], tasks[first &+ turn]) { turn &+= 1 }
    guard turn < count else { return false }
    for number in 0..<count { repeats[number] = tasks[first &+ number] }
    for number in 0..<count { tasks[first &+ number] = repeats[(number &+ turn) % count] }
    return true
  }

  private func forget(_ task: AreaLanes.Task) {
    var place = Int(task.first)
    for _ in 0..<task.count {
      results[place] = .infinity
      place &+= 1
      if place == Int(task.end) { place &-= Int(task.size) }
    }
  }

  /// The whole path by one queue. The vertex that went last, -1 for none.
  private mutating func runInOrder(
    _ index: Int, _ path: PathStore.Path, _ protected: UnsafePointer<UInt8>?, _ poll: inout CancelPoll
  ) -> Int {
    let work = works[index]
    works[index].isLast = true
    var rest = PathStore.Path(
      first: 0, count: work.count &+ (work.isRing ? 1 : 0), start: work.start, turn: 0, isRing: work.isRing)
    let (results, origins) = (results, origins)
    results.advanced(by: work.start).update(repeating: .infinity, count: work.count)
    var last = -1
    queue.run(
      &rest, 1, Visvalingam.Goal(threshold: threshold), &poll,
      isFixed: { _, place in protected.map { isSet($0, path.coordinate(Int(origins[place]))) } ?? false },
      removed: { place, key in
        results[place] = key
        last = place
      })
    return last
  }

  /// Marks what went, and moves what is left together. How many that are.
  private func takeTogether(_ work: Work) -> Int {
    var target = work.start
    for place in work.start..<work.end {
      if hasGone(place) {
        store.marks[Int(origins[place])] = AreaMarks.levels(results[place], thresholds)
        results[place] = .infinity
        continue
      }
      store.x[target] = store.x[place]
      store.y[target] = store.y[place]
      origins[target] = origins[place]
      if let scales = store.scales {
        scales.wide[target] = scales.wide[place]
        scales.high[target] = scales.high[place]
      }
      target &+= 1
    }
    return target &- work.start
  }

  // MARK: - Marks

  /// Marks what went on the last turn, and what is left for good.
  private func markRest(
    _ work: Work, _ path: PathStore.Path, _ last: Int, _ protected: UnsafePointer<UInt8>?
  ) {
    var corners = InlineArray<4, Int>(repeating: 0)
    var count = 0
    for place in work.start..<work.end {
      let isGone = hasGone(place)
      store.marks[Int(origins[place])] =
        isGone ? AreaMarks.levels(results[place], thresholds) : DouglasPeucker.everywhere
      if isGone { continue }
      if count < 4 { corners[count] = place }
      count &+= 1
    }
    if work.isRing {
      if count <= 4 { markCorners(path, corners, count, protected) }
      store.marks[path.last] = store.marks[path.start]
    } else if last >= 0, store.place(work.start) == store.place(work.end &- 1) {
      // What a closed line shrinks to.
      note(work.start, UInt8(MRDK_LEAST_FORM))
      note(last, UInt8(MRDK_LEAST_FORM))
      note(work.end &- 1, UInt8(MRDK_LEAST_FORM))
    }
  }

  private func note(_ place: Int, _ mark: UInt8) { store.marks[Int(origins[place])] |= mark }

  /// The last three vertices of a ring have the triangle's area; four are left because nothing has one.
  private func markCorners(
    _ path: PathStore.Path, _ corners: InlineArray<4, Int>, _ count: Int, _ protected: UnsafePointer<UInt8>?
  ) {
    let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
    let (p, q, r) = (store.place(a), store.place(b), store.place(c))
    if count > 3 {
      let s = store.place(d)
      guard orientation(p, q, r) == 0, orientation(p, r, s) == 0, orientation(p, q, s) == 0 else { return }
      for corner in 0..<4 { store.marks[Int(origins[corners[corner]])] = 0 }
      return
    }
    var isHeld = false
    for corner in 0..<3 {
      isHeld = isHeld || (protected.map { isSet($0, path.coordinate(Int(origins[corners[corner]]))) } ?? false)
    }
    let measure = AreaMeasure(store, isWeighted: isWeighted)
    let least = min(measure.area(p, q, r, b), measure.area(q, r, p, c), measure.area(r, p, q, a))
    let levels = isHeld ? DouglasPeucker.everywhere : AreaMarks.levels(least, thresholds)
    for corner in 0..<3 { store.marks[Int(origins[corners[corner]])] = levels | UInt8(MRDK_LEAST_FORM) }
  }
}
