// SPDX-License-Identifier: Apache-2.0

/// A closed box in exact doubles: boxes that touch meet.
public struct Box: Equatable, BitwiseCopyable {
  public var xmin: Double
  public var ymin: Double
  public var xmax: Double
  public var ymax: Double

  @inlinable public init(xmin: Double, ymin: Double, xmax: Double, ymax: Double) {
    self.xmin = xmin
    self.ymin = ymin
    self.xmax = xmax
    self.ymax = ymax
  }

  /// Meets nothing, and is the box around nothing.
  public static var empty: Box { Box(xmin: .infinity, ymin: .infinity, xmax: -.infinity, ymax: -.infinity) }

  /// True for a box of the plane that something can meet. NaN compares false, so boxes with NaN and inverted ones never
  /// are; infinite bounds are legal.
  @inlinable public var canBeHit: Bool { xmin <= xmax && ymin <= ymax }

  public var hasNaN: Bool { xmin.isNaN || ymin.isNaN || xmax.isNaN || ymax.isNaN }

  @inlinable @inline(__always)
  public func meets(_ other: Box) -> Bool {
    xmin <= other.xmax && other.xmin <= xmax && ymin <= other.ymax && other.ymin <= ymax
  }

  /// Grows to hold the finite bounds of another box.
  public mutating func growFinite(_ other: Box) {
    if other.xmin.isFinite { xmin = min(xmin, other.xmin) }
    if other.ymin.isFinite { ymin = min(ymin, other.ymin) }
    if other.xmax.isFinite { xmax = max(xmax, other.xmax) }
    if other.ymax.isFinite { ymax = max(ymax, other.ymax) }
  }

  /// Grows to hold another box as well.
  @inlinable public mutating func grow(_ other: Box) {
    xmin = min(xmin, other.xmin)
    ymin = min(ymin, other.ymin)
    xmax = max(xmax, other.xmax)
    ymax = max(ymax, other.ymax)
  }
}
