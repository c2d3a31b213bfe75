// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// The area of the triangle that a line loses with a vertex, and that area weighted by the angle.
///
/// Nothing is fused, and both directions of a line give the same bits, so that every machine takes vertices away in the
/// same order. Areas are right to some units of the last place but for slivers, whose relative error is below 2^-30;
/// exactly collinear vertices have area 0, no others.
enum EffectiveArea {
  /// Below this share of what is subtracted, sums are exact.
  private static let sliver = 0x1p-20

  @inline(__always)
  static func plain(_ a: Place, _ b: Place, _ c: Place) -> Double {
    // About b, so that a and c may change places.
    let left = (a.x - b.x) * (c.y - b.y)
    let right = (a.y - b.y) * (c.x - b.x)
    let twice = (left - right).magnitude
    return twice > sliver * (left.magnitude + right.magnitude) ? 0.5 * twice : exact(a, b, c)
  }

  @inline(never)
  private static func exact(_ a: Place, _ b: Place, _ c: Place) -> Double {
    // In one order, so that rounding the sum does not tell a from c.
    let (first, last) = c < a ? (c, a) : (a, c)
    let area = 0.5 * exactCross(first, b, last).magnitude
    if area > 0 || orientation(a, b, c) == 0 { return area }
    return .leastNonzeroMagnitude
  }

  /// 1 - 0.7 cos(angle at b), in a plane where units of x and y are `wide` and `high` long: 0.3 for a spike, 1.7 for a straight
  /// line; 1 where there is no angle.
  @inline(__always)
  static func weight(_ a: Place, _ b: Place, _ c: Place, wide: Double = 1, high: Double = 1) -> Double {
    let (ux, uy) = ((a.x - b.x) * wide, (a.y - b.y) * high)
    let (vx, vy) = ((c.x - b.x) * wide, (c.y - b.y) * high)
    let lengths = (ux * ux + uy * uy).squareRoot() * (vx * vx + vy * vy).squareRoot()
    guard lengths > 0, lengths.isFinite else { return 1 }
    return 1 - 0.7 * ((ux * vx + uy * vy) / lengths)
  }

  /// Fills `areas` with what the vertices of a path in the store would take away; ends of lines stay, with infinity.
  static func fill(_ areas: UnsafeMutablePointer<Double>, _ store: PathStore, _ range: Range<Int>, isRing: Bool) {
    let (first, last) = (range.lowerBound, range.upperBound &- 1)
    let (x, y) = (store.x, store.y)
    var octet = InlineArray<8, Double>(repeating: 0)
    withUnsafeMutableBytes(of: &octet) { bytes in
      guard let eight = bytes.assumingMemoryBound(to: Double.self).baseAddress else { return }
      for begin in stride(from: first &+ 1, to: last, by: 8) {
        let count = min(8, last &- begin)
        // What lies behind belongs to the next path.
        let target = count == 8 ? areas + begin : eight
        var slivers = mrdk_areas8(x + (begin &- 1), y + (begin &- 1), sliver, target)
        if count < 8 {
          (areas + begin).update(from: eight, count: count)
          slivers &= (1 << UInt32(count)) &- 1
        }
        while slivers != 0 {
          let index = begin &+ slivers.trailingZeroBitCount
          slivers &= slivers &- 1
          areas[index] = plain(store.place(index &- 1), store.place(index), store.place(index &+ 1))
        }
      }
    }
    areas[first] = isRing ? plain(store.place(last), store.place(first), store.place(first &+ 1)) : .infinity
    areas[last] = isRing ? plain(store.place(last &- 1), store.place(last), store.place(first)) : .infinity
    if let scales = store.scales {
      for index in range { areas[index] *= scales.wide[index] * scales.high[index] }
    }
  }
}

/// Areas in the plane of a store, weighted or not.
struct AreaMeasure {
  private let scales: TolerancePlane.Scales?
  private let isWeighted: Bool

  init(_ store: PathStore, isWeighted: Bool) {
    scales = store.scales
    self.isWeighted = isWeighted
  }

  /// What the triangle counts whose middle vertex `b` is at a place of the store.
  @inline(__always)
  func area(_ a: Place, _ b: Place, _ c: Place, _ index: Int) -> Double {
    var area = EffectiveArea.plain(a, b, c)
    guard isWeighted || scales != nil else { return area }
    let (wide, high) = (scales?.wide[index] ?? 1, scales?.high[index] ?? 1)
    area *= wide * high
    return isWeighted ? area * EffectiveArea.weight(a, b, c, wide: wide, high: high) : area
  }
}
