// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// Distances of places from a closed segment, compared as real numbers for all coordinates in the domain `plane`. For what
/// the filter of `mrdk_square_error` cannot tell.
struct ExactChord {
  let a: Place
  let b: Place

  private enum Nearest { case start, end, between }

  /// -1, 0 or 1 as `p` is nearer than, as near as, or farther than `q`.
  func compare(_ p: Place, _ q: Place) -> Int {
    let (first, second) = (nearest(p), nearest(q))
    if first == .between && second == .between {
      if let sign = compareHeights(p, q) { return sign }
    } else if first != .between && second != .between {
      if let sign = compareEnds(p, first == .start ? a : b, q, second == .start ? a : b) { return sign }
    }
    let unit = ExactInteger.unitExponent(a.x, a.y, b.x, b.y, p.x, p.y, q.x, q.y)
    let (one, other) = (square(p, first, unit), square(q, second, unit))
    return (one.numerator * other.denominator - other.numerator * one.denominator).sign
  }

  /// -1, 0 or 1 as `p` is nearer than, as near as, or farther than `distance`, which is not negative.
  func compare(_ p: Place, distance: Double) -> Int {
    if distance == .infinity { return -1 }
    if distance == 0 { return isOn(p) ? 0 : 1 }
    let unit = ExactInteger.unitExponent(a.x, a.y, b.x, b.y, p.x, p.y, distance)
    let square = square(p, nearest(p), unit)
    let length = ExactInteger(distance, unit: unit)
    return (square.numerator - length * length * square.denominator).sign
  }

  /// True when the place lies on the segment.
  func isOn(_ p: Place) -> Bool {
    if p == a || p == b { return true }
    return nearest(p) == .between && orientation(a, b, p) == 0
  }

  // MARK: - Exact differences

  /// A difference of places, when doubles hold it.
  private struct Offset {
    let x: Double
    let y: Double

    @inline(__always)
    init?(_ p: Place, from a: Place) {
      let (dx, xTail) = twoSum(p.x, -a.x)
      let (dy, yTail) = twoSum(p.y, -a.y)
      guard xTail == 0, yTail == 0, Offset.isNormal(dx), Offset.isNormal(dy) else { return nil }
      (x, y) = (dx, dy)
    }

    /// Products of such numbers have tails that are doubles.
    @inline(__always)
    private static func isNormal(_ value: Double) -> Bool { value == 0 || value.magnitude >= 0x1p-450 }
  }

  /// a b + c d.
  private func sum(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> ExactSum {
    var sum = ExactSum()
    let (left, right) = (twoProduct(a, b), twoProduct(c, d))
    sum.add(left.tail)
    sum.add(right.tail)
    sum.add(left.head)
    sum.add(right.head)
    return sum
  }

  /// a b + c d when doubles hold it and all that it is made of, as on coarse grids, where ties are common.
  @inline(__always)
  private func exactSum(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double? {
    let (left, right) = (twoProduct(a, b), twoProduct(c, d))
    let (sum, tail) = twoSum(left.head, right.head)
    return left.tail == 0 && right.tail == 0 && tail == 0 ? sum : nil
  }

  private func compareHeights(_ p: Place, _ q: Place) -> Int? {
    guard let chord = Offset(b, from: a), let one = Offset(p, from: a), let other = Offset(q, from: a) else {
      return nil
    }
    if let left = exactSum(one.x, chord.y, -one.y, chord.x), let right = exactSum(other.x, chord.y, -other.y, chord.x) {
      return left.magnitude < right.magnitude ? -1 : left.magnitude > right.magnitude ? 1 : 0
    }
    var first = sum(one.x, chord.y, -one.y, chord.x)
    let second = sum(other.x, chord.y, -other.y, chord.x)
    let (left, right) = (first.value, second.value)
    // |first| - |second| has the sign of first -+ second, turned where first is negative.
    first.add(second, sign: (left < 0) == (right < 0) ? -1 : 1)
    let difference = left < 0 ? -first.value : first.value
    return difference > 0 ? 1 : difference < 0 ? -1 : 0
  }

  private func compareEnds(_ p: Place, _ pEnd: Place, _ q: Place, _ qEnd: Place) -> Int? {
    guard let one = Offset(p, from: pEnd), let other = Offset(q, from: qEnd) else { return nil }
    if let left = exactSum(one.x, one.x, one.y, one.y), let right = exactSum(other.x, other.x, other.y, other.y) {
      return left < right ? -1 : left > right ? 1 : 0
    }
    var difference = sum(one.x, one.x, one.y, one.y)
    difference.add(sum(other.x, other.x, other.y, other.y), sign: -1)
    let value = difference.value
    return value > 0 ? 1 : value < 0 ? -1 : 0
  }

  /// Which part of the segment is the nearest: an end where the foot of the perpendicular is there or beyond it.
  private func nearest(_ p: Place) -> Nearest {
    if dotSign(p, a) <= 0 { return .start }
    return dotSign(p, b) >= 0 ? .end : .between
  }

  /// The sign of (p - from) . (b - a).
  private func dotSign(_ p: Place, _ from: Place) -> Int {
    let (dx, dy, px, py) = (b.x - a.x, b.y - a.y, p.x - from.x, p.y - from.y)
    let (along, across) = (px * dx, py * dy)
    let estimate = along + across
    // As in `exactSide`: four roundings; not where products may fall below the normal numbers.
    if estimate.magnitude > 4.5e-16 * (along.magnitude + across.magnitude) + 0x1p-900, estimate.isFinite {
      return estimate > 0 ? 1 : -1
    }
    if let chord = Offset(b, from: a), let offset = Offset(p, from: from) {
      let value = sum(offset.x, chord.x, offset.y, chord.y).value
      return value > 0 ? 1 : value < 0 ? -1 : 0
    }
    let unit = ExactInteger.unitExponent(a.x, a.y, b.x, b.y, p.x, p.y)
    let chord = difference(b, a, unit)
    let offset = difference(p, from, unit)
    return (offset.x * chord.x + offset.y * chord.y).sign
  }

  // MARK: - Whole numbers

  private func difference(_ p: Place, _ q: Place, _ unit: Int) -> (x: ExactInteger, y: ExactInteger) {
    (
      ExactInteger(p.x, unit: unit) - ExactInteger(q.x, unit: unit),
      ExactInteger(p.y, unit: unit) - ExactInteger(q.y, unit: unit)
    )
  }

  /// The squared distance of a place as a fraction, in units of 2^unit.
  private func square(
    _ p: Place, _ nearest: Nearest, _ unit: Int
  ) -> (numerator: ExactInteger, denominator: ExactInteger) {
    let offset = difference(p, nearest == .end ? b : a, unit)
    guard nearest == .between else {
      return (offset.x * offset.x + offset.y * offset.y, ExactInteger(1, unit: 0))
    }
    let chord = difference(b, a, unit)
    let cross = offset.x * chord.y - offset.y * chord.x
    return (cross * cross, chord.x * chord.x + chord.y * chord.y)
  }
}
