// SPDX-License-Identifier: Apache-2.0
import MeridianABI

extension Geoms {
  /// Points and multipoints, whose vertices no edge joins.
  @inlinable public var isPuntal: Bool { type == MRD_POINT || type == MRD_MULTIPOINT }
  @inlinable public var isLineal: Bool { type == MRD_LINESTRING || type == MRD_MULTILINESTRING }
  @inlinable public var isPolygonal: Bool { type == MRD_POLYGON || type == MRD_MULTIPOLYGON }

  /// How many lines or rings row `row` has; 0 for points.
  public func pathCount(_ row: Int) -> Int {
    switch type {
    case MRD_POINT, MRD_MULTIPOINT: 0
    case MRD_LINESTRING: 1
    default: rings(row).count
    }
  }

  /// The coordinates of the line or ring `index` of row `row`, counted from 0 in storage order.
  @inline(__always)
  public func path(_ row: Int, _ index: Int) -> Range<Int> {
    switch type {
    case MRD_LINESTRING: span(row)
    default: span(level: Int(raw.n_offsets) &- 1, rings(row).lowerBound &+ index)
    }
  }

  /// Calls `body` for each polygon of a polygonal row with the numbers of its rings, the shell first, as `path` counts.
  public func forEachPolygon(_ row: Int, _ body: (Range<Int>) -> Void) {
    guard isPolygonal else { return }
    guard type == MRD_MULTIPOLYGON else { return body(0..<pathCount(row)) }
    let base = rings(row).lowerBound
    for part in span(row) {
      let rings = span(level: 1, part)
      body((rings.lowerBound &- base)..<(rings.upperBound &- base))
    }
  }

  /// The vertices of a path.
  @inline(__always)
  public func place(_ coordinate: Int) -> Place { Place(x: x(coordinate), y: y(coordinate)) }
}

/// A place in the plane (x, y), or on the globe (longitude, latitude in degrees).
public struct Place: Equatable, BitwiseCopyable, Sendable {
  public var x: Double
  public var y: Double
  @inlinable public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}
