// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Numbers the distinct places of some rings and lines: equal places are one point, whatever rows they belong to. Points are
/// numbered along a Hilbert curve, so that near ones are near in memory.
struct PointTable {
  let x: UnsafeMutablePointer<Double>
  let y: UnsafeMutablePointer<Double>
  private(set) var count = 0
  private let capacity: Int
  private let slots: UnsafeMutablePointer<Int32>
  private let mask: Int
  private let call: UnsafeMutablePointer<mrd_call>

  /// `capacity`: vertices. nil = no memory.
  init?(capacity: Int, _ call: UnsafeMutablePointer<mrd_call>) {
    var size = 16
    while size < 2 * capacity { size *= 2 }
    guard let x = scratch(call, capacity + 16, of: Double.self), let y = scratch(call, capacity + 16, of: Double.self),
      let slots = scratch(call, size, of: Int32.self)
    else { return nil }
    x.update(repeating: 0, count: capacity + 16)
    y.update(repeating: 0, count: capacity + 16)
    self.x = x
    self.y = y
    self.capacity = capacity
    self.slots = slots
    self.call = call
    mask = size - 1
    slots.update(repeating: -1, count: size)
  }

  @inline(__always)
  func place(_ point: Int) -> Place { Place(x: x[point], y: y[point]) }

  /// Forgets all points.
  mutating func clear() {
    // Few points are looked up again; many are wiped out at once.
    if count < mask / 16 {
      for point in 0..<count {
        var slot = PointTable.hash(x[point], y[point]) & mask
        while slots[slot] >= 0 {
          slots[slot] = -1
          slot = (slot &+ 1) & mask
        }
      }
    } else {
      slots.update(repeating: -1, count: mask + 1)
    }
    count = 0
  }

  /// The number of a place.
  @inline(__always)
  mutating func number(_ place: Place) -> Int {
    // Minus zero equals zero.
    let (px, py) = (place.x + 0, place.y + 0)
    var slot = PointTable.hash(px, py) & mask
    while slots[slot] >= 0 {
      let point = Int(slots[slot])
      if x[point] == px && y[point] == py { return point }
      slot = (slot &+ 1) & mask
    }
    slots[slot] = Int32(truncatingIfNeeded: count)
    x[count] = px
    y[count] = py
    count &+= 1
    return count &- 1
  }

  @inline(__always)
  private static func hash(_ x: Double, _ y: Double) -> Int {
    var bits = x.bitPattern &* 0x9e37_79b9_7f4a_7c15 ^ (y.bitPattern &* 0xc2b2_ae3d_27d4_eb4f).byteSwapped
    bits ^= bits >> 29
    bits = bits &* 0xbf58_476d_1ce4_e5b9
    bits ^= bits >> 32
    return Int(truncatingIfNeeded: bits)
  }

  /// Numbers the points anew along the curve; `entries` hold numbers of points. The table takes no further points then.
  /// False = no memory, or cancelled.
  mutating func sort(_ entries: UnsafeMutablePointer<Int32>, _ entryCount: Int, _ poll: inout CancelPoll) -> Bool {
    guard count > 64 else { return true }
    var bounds = Box.empty
    for point in 0..<count { bounds.grow(Box(xmin: x[point], ymin: y[point], xmax: x[point], ymax: y[point])) }
    let (xs, ys) = (x, y)
    guard
      let keys = CurveOrder.keys(
        count, CellFrame(bounds), call, &poll,
        { Box(xmin: xs[$0], ymin: ys[$0], xmax: xs[$0], ymax: ys[$0]) }),
      let fresh = scratch(call, count, of: Int32.self), let copy = scratch(call, count, of: Place.self)
    else { return false }
    for point in 0..<count { copy[point] = place(point) }
    for rank in 0..<count {
      let old = CurveOrder.number(keys[rank])
      fresh[old] = Int32(truncatingIfNeeded: rank)
      x[rank] = copy[old].x
      y[rank] = copy[old].y
    }
    for entry in 0..<entryCount where entries[entry] >= 0 { entries[entry] = fresh[Int(entries[entry])] }
    return true
  }
}
