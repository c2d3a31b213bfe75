// SPDX-License-Identifier: Apache-2.0
import MeridianABI

extension Box {
  /// A box as an index stores it.
  public struct Shape {
    public var box: Box
    /// How many intervals of x the box is: 0 = it can never be hit, 2 = over the antimeridian (curved edges only).
    public var pieces: Int

    public init(box: Box, pieces: Int) {
      self.box = box
      self.pieces = pieces
    }
  }

  /// Planar edges: the box as it is. Curved edges: longitudes brought to [-180, 180], exactly.
  public func shape(curved: Bool) -> Shape {
    // Written so that NaN fails.
    guard ymin <= ymax else { return Shape(box: self, pieces: 0) }
    guard curved else { return Shape(box: self, pieces: xmin <= xmax ? 1 : 0) }
    guard let (west, east) = circleInterval(xmin, xmax) else { return Shape(box: self, pieces: 0) }
    return Shape(box: Box(xmin: west, ymin: ymin, xmax: east, ymax: ymax), pieces: west <= east ? 1 : 2)
  }

  /// What a window asks for, from a box that `shape` gave. 180 and -180 are one meridian: a window that ends on it asks for
  /// both, so that plain comparison finds every box that touches it.
  public func windows(curved: Bool) -> WindowPieces {
    func piece(_ west: Double, _ east: Double) -> Box { Box(xmin: west, ymin: ymin, xmax: east, ymax: ymax) }
    guard curved else { return WindowPieces(self) }
    if xmin > xmax { return WindowPieces(piece(xmin, 180), piece(-180, xmax)) }
    if xmax == 180 && xmin != -180 { return WindowPieces(self, piece(-180, -180)) }
    if xmin == -180 && xmax != 180 { return WindowPieces(self, piece(180, 180)) }
    return WindowPieces(self)
  }

  /// The box around a box of a curved index: one over the antimeridian takes all longitudes.
  @inlinable public var hull: Box { xmin > xmax ? Box(xmin: -180, ymin: ymin, xmax: 180, ymax: ymax) : self }
}

/// One box without wraps, or two.
public struct WindowPieces {
  public let first: Box
  public let second: Box?

  @inlinable init(_ first: Box, _ second: Box? = nil) {
    self.first = first
    self.second = second
  }
}

/// The longitudes from `west` eastward to `east`, both in [-180, 180], west > east over the antimeridian; nil when there
/// is no such interval: NaN, or an infinite end where the other does not follow it.
private func circleInterval(_ west: Double, _ east: Double) -> (Double, Double)? {
  if west <= east {
    if west == -.infinity || east == .infinity { return west == east ? nil : (-180, 180) }
    // west + 360 <= east in exact arithmetic: where the difference rounds to 360, its rounding error decides.
    let width = twoSum(east, -west)
    if width.head > 360 || (width.head == 360 && width.tail >= 0) { return (-180, 180) }
  } else if !(west > east && west.isFinite && east.isFinite) {
    return nil
  }
  // The IEEE remainder is exact and lies in [-180, 180].
  return (west.remainder(dividingBy: 360), east.remainder(dividingBy: 360))
}
