// SPDX-License-Identifier: Apache-2.0

/// The distance of two boxes of the plane, ordered as its square fl(dx^2 + dy^2) is: the order that index.h asks of all
/// kernels.
///
/// Where that square overflows, one of ordinates scaled by 2^-600 decides, which overflows for no finite doubles; such a
/// distance is beyond every one that did not overflow. Rounding and scaling are monotone, so a box around a box is never
/// farther from anything.
public struct BoxDistance: Comparable, BitwiseCopyable {
  @usableFromInline let square: Double
  /// The square of the scaled distance; 0 where `square` is finite.
  @usableFromInline let scaled: Double

  @usableFromInline static var scale: Double { 0x1p-600 }

  @inlinable @inline(__always)
  public init(_ a: Box, _ b: Box) {
    let dx = BoxDistance.gap(a.xmin, a.xmax, b.xmin, b.xmax)
    let dy = BoxDistance.gap(a.ymin, a.ymax, b.ymin, b.ymax)
    square = dx * dx + dy * dy
    scaled = square < .infinity ? 0 : BoxDistance.scaledSquare(a, b)
  }

  /// The distance `reach` itself, which is not negative.
  public init(reach: Double) {
    square = reach * reach
    let small = reach * BoxDistance.scale
    scaled = square < .infinity ? 0 : small * small
  }

  /// Farther than everything.
  public static var infinite: BoxDistance { BoxDistance(reach: .infinity) }

  /// The distance rounded to a double; infinite when it is beyond the doubles.
  @inlinable public var value: Double {
    square < .infinity ? square.squareRoot() : scaled.squareRoot() / BoxDistance.scale
  }

  /// The distance as one number that is ordered as distances are: the bits of the square, and behind those of all finite
  /// squares the bits of the scaled one.
  @inlinable public var key: UInt64 {
    square < .infinity ? square.bitPattern : Double.infinity.bitPattern &+ scaled.bitPattern
  }

  /// The key of a distance whose square did not overflow, or is that of a true infinity.
  @inlinable @inline(__always)
  public static func key(ofSquare square: Double) -> UInt64 {
    square < .infinity ? square.bitPattern : Double.infinity.bitPattern &* 2
  }

  /// The square of the distance with this key; infinity where it overflowed.
  @inlinable @inline(__always)
  public static func square(ofKey key: UInt64) -> Double { Double(bitPattern: min(key, Double.infinity.bitPattern)) }

  /// `value` of the distance with this key.
  @inlinable public static func value(ofKey key: UInt64) -> Double {
    let last = Double.infinity.bitPattern
    return key < last
      ? Double(bitPattern: key).squareRoot() : Double(bitPattern: key &- last).squareRoot() / BoxDistance.scale
  }

  @inlinable @inline(__always)
  public static func < (a: BoxDistance, b: BoxDistance) -> Bool {
    a.square < b.square || (a.square == b.square && a.scaled < b.scaled)
  }

  @inlinable @inline(__always)
  public static func == (a: BoxDistance, b: BoxDistance) -> Bool { a.square == b.square && a.scaled == b.scaled }

  /// What every comparison on the way down a tree asks: one of squares, unless both overflowed.
  @inlinable @inline(__always)
  public static func <= (a: BoxDistance, b: BoxDistance) -> Bool {
    a.square <= b.square && (a.square < .infinity || a.scaled <= b.scaled)
  }

  /// Kept out of the loops, which hardly ever come here.
  @inline(never) @usableFromInline
  static func scaledSquare(_ a: Box, _ b: Box) -> Double {
    let dx = gap(a.xmin * scale, a.xmax * scale, b.xmin * scale, b.xmax * scale)
    let dy = gap(a.ymin * scale, a.ymax * scale, b.ymin * scale, b.ymax * scale)
    return dx * dx + dy * dy
  }

  /// max(amin - bmax, 0, bmin - amax). NaN, which equal infinities give, counts as no gap.
  @inlinable @inline(__always)
  static func gap(_ amin: Double, _ amax: Double, _ bmin: Double, _ bmax: Double) -> Double {
    let (before, behind) = (amin - bmax, bmin - amax)
    return before > 0 ? before : behind > 0 ? behind : 0
  }
}
