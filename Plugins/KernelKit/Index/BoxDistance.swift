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
    square = BoxDistance.square(a, b, scale: 1)
    scaled = square < .infinity ? 0 : BoxDistance.square(a, b, scale: BoxDistance.scale)
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

  @inlinable @inline(__always)
  public static func < (a: BoxDistance, b: BoxDistance) -> Bool {
    a.square < b.square || (a.square == b.square && a.scaled < b.scaled)
  }

  @inlinable @inline(__always)
  public static func == (a: BoxDistance, b: BoxDistance) -> Bool { a.square == b.square && a.scaled == b.scaled }

  @inlinable @inline(__always)
  static func square(_ a: Box, _ b: Box, scale: Double) -> Double {
    let dx = gap(a.xmin * scale, a.xmax * scale, b.xmin * scale, b.xmax * scale)
    let dy = gap(a.ymin * scale, a.ymax * scale, b.ymin * scale, b.ymax * scale)
    return dx * dx + dy * dy
  }

  /// max(amin - bmax, 0, bmin - amax); by comparison first, since equal infinities would make NaN.
  @inlinable @inline(__always)
  static func gap(_ amin: Double, _ amax: Double, _ bmin: Double, _ bmax: Double) -> Double {
    amin > bmax ? amin - bmax : bmin > amax ? bmin - amax : 0
  }
}
