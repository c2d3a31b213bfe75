// SPDX-License-Identifier: Apache-2.0

/// The distance of two boxes, ordered by its square: fl(dx^2 + dy^2) in doubles. A square that overflows is formed from
/// gaps scaled by a power of two and ranks behind all squares that do not.
struct BoxDistance {
  private let overflows: Bool
  private let square: Double

  private static let scale = 0x1p-520

  init(_ a: Box, _ b: Box) {
    self.init(dx: BoxDistance.gap(a.xmin, a.xmax, b.xmin, b.xmax), dy: BoxDistance.gap(a.ymin, a.ymax, b.ymin, b.ymax))
  }

  /// The distance `reach` itself.
  init(reach: Double) { self.init(dx: reach, dy: 0) }

  private init(dx: Double, dy: Double) {
    let plain = dx * dx + dy * dy
    overflows = plain == .infinity
    let (sx, sy) = (dx * BoxDistance.scale, dy * BoxDistance.scale)
    square = overflows ? sx * sx + sy * sy : plain
  }

  var value: Double { overflows ? square.squareRoot() / BoxDistance.scale : square.squareRoot() }

  static func < (a: BoxDistance, b: BoxDistance) -> Bool {
    a.overflows == b.overflows ? a.square < b.square : b.overflows
  }

  static func == (a: BoxDistance, b: BoxDistance) -> Bool { a.overflows == b.overflows && a.square == b.square }

  /// max(amin - bmax, 0, bmin - amax), by comparison first: equal infinite bounds touch.
  private static func gap(_ amin: Double, _ amax: Double, _ bmin: Double, _ bmax: Double) -> Double {
    amin > bmax ? amin - bmax : bmin > amax ? bmin - amax : 0
  }
}
