// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Boxes, or queries, in the order of a Hilbert curve through the middles of their boxes.
enum CurveOrder {
  /// Keys in the order of the curve, whose lower halves are the numbers of the boxes. What lies in one cell of the curve, as
  /// far as it is told apart, is in ascending order. In the call's scratch memory. nil = no memory, or cancelled; `count` is
  /// below 2^32.
  static func keys(
    _ count: Int, _ frame: CellFrame, _ call: UnsafeMutablePointer<mrd_call>, _ poll: inout CancelPoll,
    _ box: (Int) -> Box
  ) -> UnsafeMutablePointer<UInt64>? {
    sorted(count, call, &poll) { keys, poll in
      fill(keys, count, frame, &poll, number: { $0 }, box)
    }?.keys
  }

  /// The same, and where many middles fall into one cell, as in data with clusters and outliers, the order goes on inside
  /// of that cell. `middle`: where on the curve a box lies, as `CellFrame.middle` says.
  static func fineKeys(
    _ count: Int, _ call: UnsafeMutablePointer<mrd_call>, _ poll: inout CancelPoll,
    middle: (_ number: Int, _ x: UnsafeMutablePointer<UInt32>, _ y: UnsafeMutablePointer<UInt32>) -> Void,
    _ box: (Int) -> Box
  ) -> UnsafeMutablePointer<UInt64>? {
    let order = sorted(count, call, &poll) { keys, poll in fill(keys, count, &poll, number: { $0 }, middle) }
    return refined(order, count, &poll, box)
  }

  /// The same of boxes side by side.
  static func fineKeys(
    of boxes: UnsafePointer<Box>, _ count: Int, _ frame: CellFrame, _ call: UnsafeMutablePointer<mrd_call>,
    _ poll: inout CancelPoll
  ) -> UnsafeMutablePointer<UInt64>? {
    let order = sorted(count, call, &poll) { keys, poll in fill(keys, boxes, count, frame, &poll) }
    return refined(order, count, &poll) { boxes[$0] }
  }

  private typealias Order = (keys: UnsafeMutablePointer<UInt64>, from: Int)

  @inline(__always)
  private static func sorted(
    _ count: Int, _ call: UnsafeMutablePointer<mrd_call>, _ poll: inout CancelPoll,
    _ fill: (UnsafeMutablePointer<UInt64>, inout CancelPoll) -> Void
  ) -> Order? {
    guard let keys = scratch(call, count, of: UInt64.self), let spare = scratch(call, count, of: UInt64.self),
      let counters = scratch(call, RadixSort.counters, of: UInt32.self), count > 0
    else { return nil }
    fill(keys, &poll)
    return poll.isCancelled ? nil : RadixSort.sortRoughly(keys, spare, count, counters: counters)
  }

  private static func refined(
    _ order: Order?, _ count: Int, _ poll: inout CancelPoll, _ box: (Int) -> Box
  ) -> UnsafeMutablePointer<UInt64>? {
    guard let order else { return nil }
    refine(UnsafeMutableBufferPointer(start: order.keys, count: count), from: order.from, 0, &poll, box)
    return poll.isCancelled ? nil : order.keys
  }

  @inline(__always)
  static func number(_ key: UInt64) -> Int { Int(truncatingIfNeeded: key & 0xffff_ffff) }

  /// Sets keys to the places of the boxes with the numbers `number(0)`, `number(1)`, ... in a frame.
  @inline(__always)
  static func fill(
    _ keys: UnsafeMutablePointer<UInt64>, _ count: Int, _ frame: CellFrame, _ poll: inout CancelPoll,
    number: (Int) -> Int, _ box: (Int) -> Box
  ) {
    fill(keys, count, &poll, number: number) { frame.middle(box($0), $1, $2) }
  }

  @inline(__always)
  private static func fill(
    _ keys: UnsafeMutablePointer<UInt64>, _ count: Int, _ poll: inout CancelPoll, number: (Int) -> Int,
    _ middle: (_ number: Int, _ x: UnsafeMutablePointer<UInt32>, _ y: UnsafeMutablePointer<UInt32>) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 48) { lanes in
      guard let x = lanes.baseAddress else { return }
      let (y, places) = (x + 16, x + 32)
      lanes.initialize(repeating: 0)
      for start in stride(from: 0, to: count, by: 16) {
        if poll.tick(16) { return }
        let size = min(16, count &- start)
        for lane in 0..<size { middle(number(start &+ lane), x + lane, y + lane) }
        mrdk_hilbert_places(x, y, places)
        for lane in 0..<size { keys[start &+ lane] = UInt64(places[lane]) << 32 | UInt64(number(start &+ lane)) }
      }
    }
  }

  /// The keys of boxes side by side, in their own order.
  private static func fill(
    _ keys: UnsafeMutablePointer<UInt64>, _ boxes: UnsafePointer<Box>, _ count: Int, _ frame: CellFrame,
    _ poll: inout CancelPoll
  ) {
    let whole = count & ~15
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 48) { lanes in
      guard let x = lanes.baseAddress else { return }
      let (y, places) = (x + 16, x + 32)
      lanes.initialize(repeating: 0)
      for start in stride(from: 0, to: whole, by: 16) {
        if poll.tick(16) { return }
        frame.middles(boxes + start, x, y)
        mrdk_hilbert_places(x, y, places)
        mrdk_numbered16(places, UInt64(start), keys + start)
      }
    }
    fill(keys + whole, count &- whole, frame, &poll, number: { whole &+ $0 }) { boxes[$0] }
  }

  /// A node's worth of equals is in no order that matters.
  private static let most = 16
  /// Each step divides a cell by 2^16 along both axes, so few are ever taken.
  private static let deepest = 64

  /// Goes on where more than a node's worth of keys are equal from bit `from` on.
  private static func refine(
    _ keys: UnsafeMutableBufferPointer<UInt64>, from: Int, _ depth: Int, _ poll: inout CancelPoll, _ box: (Int) -> Box
  ) {
    let shift = UInt64(from)
    var begin = 0
    while begin < keys.count {
      let place = keys[begin] &>> shift
      var end = begin &+ 1
      while end < keys.count && keys[end] &>> shift == place { end &+= 1 }
      if end &- begin > most {
        var part = UnsafeMutableBufferPointer(rebasing: keys[begin..<end])
        if from > 32 {
          part.sort()
          refine(part, from: 32, depth, &poll, box)
        } else {
          refineEquals(part, depth, &poll, box)
        }
      }
      if poll.tick(end &- begin) { return }
      begin = end
    }
  }

  /// Orders keys of one place by a frame of their own, if they lie in more than one place of that.
  private static func refineEquals(
    _ keys: UnsafeMutableBufferPointer<UInt64>, _ depth: Int, _ poll: inout CancelPoll, _ box: (Int) -> Box
  ) {
    var bounds = Box.empty
    for key in keys {
      let box = box(number(key))
      let (x, y) = (box.xmin / 2 + box.xmax / 2, box.ymin / 2 + box.ymax / 2)
      if x.isFinite && y.isFinite { bounds.grow(Box(xmin: x, ymin: y, xmax: x, ymax: y)) }
      if poll.tick() { return }
    }
    guard depth < deepest, bounds.xmin < bounds.xmax || bounds.ymin < bounds.ymax else { return }
    guard let base = keys.baseAddress else { return }
    fill(base, keys.count, CellFrame(bounds), &poll, number: { number(base[$0]) }, box)
    var sorted = keys
    sorted.sort()
    refine(keys, from: 32, depth &+ 1, &poll, box)
  }
}
