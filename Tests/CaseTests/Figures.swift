// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import TestSupport

/// How much a property test does: small in a debug build, where Embedded kernels are 15 to 50 times slower, and as much
/// as `make test-release` wants with MERIDIAN_TEST_SCALE=large.
enum Scale {
  static func times(_ small: Int) -> Int { TestScale.isLarge ? 50 * small : small }
}

/// Random geometries that also hold what breaks formulas: points that repeat, lie on one line or on an integer grid,
/// figures of no area, far from the origin, tiny or huge.
struct Figures {
  var random: TestRandom

  init(seed: UInt64) { random = TestRandom(seed: seed) }

  mutating func integer(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  mutating func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }

  /// A place of one figure: where it is, how large, and whether on a grid.
  struct Frame {
    var x, y, size: Double
    var isGrid: Bool
  }

  mutating func frame() -> Frame {
    switch integer(0...5) {
    case 0, 1: Frame(x: 0, y: 0, size: 8, isGrid: true)
    case 2: Frame(x: 6e5, y: 5.8e6, size: 100, isGrid: false)
    case 3: Frame(x: number(-1e9...1e9), y: number(-1e9...1e9), size: 1e9, isGrid: false)
    case 4: Frame(x: 0, y: 0, size: 1e-9, isGrid: false)
    default: Frame(x: number(-180...180), y: number(-90...90), size: number(0.001...10), isGrid: false)
    }
  }

  mutating func point(_ frame: Frame) -> (Double, Double) {
    if frame.isGrid { return (Double(integer(-4...4)), Double(integer(-4...4))) }
    return (frame.x + frame.size * number(-1...1), frame.y + frame.size * number(-1...1))
  }

  /// At least two points; now and then one stands twice or the whole is on one line.
  mutating func path(_ frame: Frame, most: Int) -> [(Double, Double)] {
    var points = [point(frame), point(frame)]
    let isStraight = integer(0...9) == 0
    while points.count < integer(2...most) {
      switch integer(0...7) {
      case 0: points.append(points[points.count - 1])
      case 1: points.append(points[0])
      default: points.append(point(frame))
      }
    }
    return isStraight ? points.map { ($0.0, points[0].1) } : points
  }

  /// Any closed ring, itself crossing or not.
  mutating func ring(_ frame: Frame) -> [(Double, Double)] {
    var ring = path(frame, most: 12)
    while ring.count < 3 { ring.append(point(frame)) }
    return ring + ring.prefix(1)
  }

  /// A ring that does not cross itself: its vertices go once round a centre. Some repeat, some rings are flat.
  mutating func star(center: (Double, Double), radius: Double) -> [(Double, Double)] {
    let corners = integer(3...12)
    let flat = integer(0...15) == 0 ? 0.0 : 1.0
    var ring: [(Double, Double)] = []
    for corner in 0..<corners {
      let angle = 2 * Double.pi * Double(corner) / Double(corners)
      let reach = radius * number(0.5...1)
      ring.append((center.0 + reach * cos(angle), center.1 + flat * reach * sin(angle)))
      if integer(0...7) == 0 { ring.append(ring[ring.count - 1]) }
    }
    if integer(0...1) == 0 { ring.reverse() }
    return ring + ring.prefix(1)
  }

  /// One row of `type` in a frame of its own, or in `frame`.
  mutating func append(_ type: GeometryType, to builder: inout GeometryBuilder, in given: Frame? = nil) throws {
    let frame = given ?? self.frame()
    try builder.begin(type, .xy)
    switch type {
    case .point: add([point(frame)], to: &builder)
    case .multiPoint, .lineString: add(path(frame, most: 20), to: &builder)
    case .multiLineString:
      for _ in 0..<integer(1...3) {
        try builder.ring()
        add(path(frame, most: 8), to: &builder)
      }
    case .polygon: try polygon(frame, to: &builder)
    default:
      for _ in 0..<integer(1...3) {
        try builder.part()
        try polygon(frame, to: &builder)
      }
    }
    try builder.end()
  }

  /// One polygon or multipolygon whose rings are stars, each hole inside its shell.
  mutating func appendStars(_ type: GeometryType, to builder: inout GeometryBuilder) throws {
    let frame = self.frame()
    try builder.begin(type, .xy)
    for _ in 0..<(type == .polygon ? 1 : integer(1...3)) {
      if type == .multiPolygon { try builder.part() }
      let (center, radius) = (point(frame), frame.size)
      try builder.ring()
      add(star(center: center, radius: radius), to: &builder)
      if integer(0...2) == 0 {
        try builder.ring()
        add(star(center: center, radius: radius / 8), to: &builder)
      }
    }
    try builder.end()
  }

  private mutating func polygon(_ frame: Frame, to builder: inout GeometryBuilder) throws {
    for _ in 0...(integer(0...3) / 2) {
      try builder.ring()
      add(ring(frame), to: &builder)
    }
  }

  private func add(_ points: [(Double, Double)], to builder: inout GeometryBuilder) {
    for (x, y) in points { builder.add(x, y) }
  }
}

extension GeometryType {
  static let single: [GeometryType] = [.point, .lineString, .polygon]
  static let each: [GeometryType] = single + single.map(\.multi)
}

/// The numbers of a row that bounds of rounding are made of.
struct Extent {
  /// Coordinates; the largest ordinate by amount; the larger side of the bounds.
  var count = 0
  var largest = 0.0
  var side = 0.0

  init(_ set: GeometrySet, row: Int) {
    guard case .geometry(let number, let index) = set.place(ofRow: row) else { return }
    let array = set.arrays[number]
    let all = array.coordinates(ofRow: index)
    count = all.count
    for xs in [all.map(array.x), all.map(array.y)] {
      guard let least = xs.min(), let most = xs.max() else { continue }
      largest = max(largest, abs(least), abs(most))
      side = max(side, most - least)
    }
  }
}
