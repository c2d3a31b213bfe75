// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Something between two points, by their numbers, the lesser one first.
struct PointPair: BitwiseCopyable {
  let low: Int32
  let high: Int32
  let tag: Int32
  /// The caller's.
  let ordinal: Int32
}

/// Brings what lies between the same two points together: groups in the order of their points, and of tags inside.
struct PointPairs {
  private(set) var items: ScratchList<PointPair>
  /// The first item of each group; one more for the end.
  private(set) var starts: ScratchList<Int32>
  private var sorted: ScratchList<PointPair>
  private var counters: ScratchList<Int32>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    items = ScratchList(call)
    starts = ScratchList(call)
    sorted = ScratchList(call)
    counters = ScratchList(call)
  }

  var count: Int { starts.count - 1 }

  @inline(__always)
  func range(_ group: Int) -> Range<Int> { Int(starts[group])..<Int(starts[group &+ 1]) }

  mutating func clear() { items.truncate(0) }

  @inline(__always)
  mutating func add(_ a: Int32, _ b: Int32, _ tag: Int, ordinal: Int = 0) throws(Stop) {
    try items.push(
      PointPair(
        low: min(a, b), high: max(a, b), tag: Int32(truncatingIfNeeded: tag),
        ordinal: Int32(truncatingIfNeeded: ordinal)))
  }

  /// `points`: more than any number.
  mutating func group(_ points: Int, _ poll: inout CancelPoll) throws(Stop) {
    try counters.fill(points &+ 1, 0)
    try sorted.resize(items.count)
    for index in 0..<items.count { counters[Int(items[index].low) &+ 1] &+= 1 }
    for point in 0..<points { counters[point &+ 1] &+= counters[point] }
    for index in 0..<items.count {
      let item = items[index]
      sorted[Int(counters[Int(item.low)])] = item
      counters[Int(item.low)] &+= 1
    }
    swap(&items, &sorted)
    starts.truncate(0)
    var begin = 0
    for point in 0..<points {
      let end = Int(counters[point])
      if end &- begin > 1 {
        items.sort(begin..<end) { $0.high != $1.high ? $0.high < $1.high : $0.tag < $1.tag }
      }
      for index in begin..<end where index == begin || items[index].high != items[index &- 1].high {
        try starts.push(Int32(truncatingIfNeeded: index))
      }
      begin = end
      if poll.tick() { throw .cancelled }
    }
    try starts.push(Int32(truncatingIfNeeded: items.count))
  }
}
