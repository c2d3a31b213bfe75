// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Douglas-Peucker on one line or ring at a time, with an explicit stack. Splits do not depend on the tolerance, so the
/// kept sets of ascending tolerances are nested and every distance is one to the original.
struct DouglasPeucker {
  private struct Run {
    var low: Int
    var high: Int
  }
  /// The vertex of a run that is farthest from the run's closed segment; ties go to the least (x, y), between visits of one
  /// place to the first: only there does the direction of a ring matter.
  private struct Farthest {
    var index = -1
    var distance = -1.0
  }

  private let geoms: Geoms
  private let protected: UnsafePointer<UInt8>?
  private let kept: UnsafeMutablePointer<Bool>
  /// The smaller half of a run goes first, so that the larger halves that wait are at most one for each bit of the count.
  private let stack: UnsafeMutablePointer<Run>

  /// `most`: vertices of the longest path. nil = no memory.
  init?(
    _ geoms: Geoms, protected: UnsafePointer<UInt8>?, most: Int, _ call: UnsafeMutablePointer<mrd_call>
  ) {
    guard let marks = call.pointee.scratch(call, Int64(most + 1), 8),
      let runs = call.pointee.scratch(call, Int64(64 * MemoryLayout<Run>.stride), 8)
    else { return nil }
    self.geoms = geoms
    self.protected = protected
    kept = marks.bindMemory(to: Bool.self, capacity: most + 1)
    stack = runs.bindMemory(to: Run.self, capacity: 64)
  }

  /// Whether vertex `offset` of the path simplified last stays.
  func isKept(_ offset: Int) -> Bool { kept[offset] }

  /// Marks a line. How many vertices stay: at least its ends.
  mutating func simplifyLine(_ path: Range<Int>, _ tolerance: Double, _ poll: inout CancelPoll) -> Int {
    let last = path.count - 1
    begin(path, count: path.count)
    guard last > 0 else { return mark(0) }
    var count = mark(0) + mark(last)
    count += splitAtProtected(path, from: 0, to: last, turn: 0, size: path.count, tolerance, &poll)
    return count
  }

  /// Marks the two equal ends of a closed line and the vertex farthest from them. How many vertices stay: 2 when there
  /// is none.
  mutating func keepFarthest(_ path: Range<Int>, _ poll: inout CancelPoll) -> Int {
    let last = path.count - 1
    begin(path, count: path.count)
    let best = farthest(path, 0, path.count, Run(low: 0, high: last), &poll)
    return mark(0) + mark(last) + (best.distance > 0 ? mark(best.index) : 0)
  }

  /// Marks a closed ring without its closing point. How many vertices stay; under 3 when the ring collapses, unless
  /// `keepTriangle` finds a third vertex.
  mutating func simplifyRing(
    _ path: Range<Int>, _ tolerance: Double, keepTriangle: Bool, _ poll: inout CancelPoll
  ) -> Int {
    let size = path.count - 1
    begin(path, count: size)
    var start = 0
    for index in 1..<size where isLess(path.lowerBound + index, path.lowerBound + start) { start = index }
    // The vertex farthest from the start, as the farthest from the segment that runs from the start to itself.
    let opposite = farthest(path, start, size, Run(low: 0, high: size), &poll)
    guard opposite.distance > 0 else { return mark(start) }
    var count = mark(start) + mark((start + opposite.index) % size)
    count += splitAtProtected(path, from: 0, to: opposite.index, turn: start, size: size, tolerance, &poll)
    count += splitAtProtected(path, from: opposite.index, to: size, turn: start, size: size, tolerance, &poll)
    if count == 2 && keepTriangle {
      let one = farthest(path, start, size, Run(low: 0, high: opposite.index), &poll)
      let other = farthest(path, start, size, Run(low: opposite.index, high: size), &poll)
      let third = isFarther(other, one, path, start, size) ? other : one
      if third.distance > 0 { count += mark((start + third.index) % size) }
    }
    return count
  }

  private func begin(_ path: Range<Int>, count: Int) { kept.update(repeating: false, count: count) }

  private func mark(_ offset: Int) -> Int {
    if kept[offset] { return 0 }
    kept[offset] = true
    return 1
  }

  private func isLess(_ a: Int, _ b: Int) -> Bool {
    let (p, q) = (geoms.place(a), geoms.place(b))
    return p.x != q.x ? p.x < q.x : p.y < q.y
  }

  private func isProtected(_ coordinate: Int) -> Bool {
    guard let protected else { return false }
    return protected[coordinate >> 3] >> UInt8(coordinate & 7) & 1 == 1
  }

  /// Simplifies the run in pieces that end at protected vertices. Positions count from `turn` around a path of `size`.
  private mutating func splitAtProtected(
    _ path: Range<Int>, from: Int, to: Int, turn: Int, size: Int, _ tolerance: Double, _ poll: inout CancelPoll
  ) -> Int {
    var count = 0
    var begin = from
    if protected != nil {
      for index in (from + 1)..<max(to, from + 1) where isProtected(path.lowerBound + (turn + index) % size) {
        count += mark((turn + index) % size)
        count += split(path, turn, size, Run(low: begin, high: index), tolerance, &poll)
        begin = index
      }
    }
    return count + split(path, turn, size, Run(low: begin, high: to), tolerance, &poll)
  }

  private mutating func split(
    _ path: Range<Int>, _ turn: Int, _ size: Int, _ whole: Run, _ tolerance: Double, _ poll: inout CancelPoll
  ) -> Int {
    var count = 0
    var waiting = 0
    var run = whole
    while true {
      let split = farthest(path, turn, size, run, &poll)
      if poll.isCancelled { return count }
      if split.distance > tolerance {
        count += mark((turn + split.index) % size)
        let (left, right) = (Run(low: run.low, high: split.index), Run(low: split.index, high: run.high))
        let leftIsSmaller = left.high - left.low <= right.high - right.low
        stack[waiting] = leftIsSmaller ? right : left
        waiting += 1
        run = leftIsSmaller ? left : right
      } else if waiting > 0 {
        waiting -= 1
        run = stack[waiting]
      } else {
        return count
      }
    }
  }

  private func farthest(
    _ path: Range<Int>, _ turn: Int, _ size: Int, _ run: Run, _ poll: inout CancelPoll
  ) -> Farthest {
    var best = Farthest()
    let a = geoms.place(path.lowerBound + (turn + run.low) % size)
    let b = geoms.place(path.lowerBound + (turn + run.high) % size)
    var index = run.low + 1
    while index < run.high && !poll.tick() {
      let place = geoms.place(path.lowerBound + (turn + index) % size)
      let candidate = Farthest(index: index, distance: distance(place, a, b))
      if isFarther(candidate, best, path, turn, size) { best = candidate }
      index += 1
    }
    return best
  }

  private func isFarther(_ a: Farthest, _ b: Farthest, _ path: Range<Int>, _ turn: Int, _ size: Int) -> Bool {
    if a.distance != b.distance || b.index < 0 { return a.distance > b.distance }
    return a.index >= 0
      && isLess(path.lowerBound + (turn + a.index) % size, path.lowerBound + (turn + b.index) % size)
  }

  /// From a place to the closed segment; 0 exactly when it lies on it. The same bits for both directions of the segment.
  private func distance(_ p: Place, _ a: Place, _ b: Place) -> Double {
    let plane = Plane()
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    if !((p.x - a.x) * dx + (p.y - a.y) * dy > 0) { return plane.distance(a, p) }
    if !((b.x - p.x) * dx + (b.y - p.y) * dy > 0) { return plane.distance(b, p) }
    return exactSide(a, b, p).magnitude / plane.distance(a, b)
  }
}
