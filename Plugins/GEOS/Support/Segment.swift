// SPDX-License-Identifier: Apache-2.0

/// A straight piece between two points, ends included; both may be equal.
struct Segment {
  let x1: Double
  let y1: Double
  let x2: Double
  let y2: Double

  /// The square of the distance from a point, in plain double arithmetic.
  func squaredDistance(_ x: Double, _ y: Double) -> Double {
    let dx = x2 - x1
    let dy = y2 - y1
    let length = dx * dx + dy * dy
    var share = length > 0 ? ((x - x1) * dx + (y - y1) * dy) / length : 0
    share = share < 0 ? 0 : share > 1 ? 1 : share
    let fx = x - (x1 + share * dx)
    let fy = y - (y1 + share * dy)
    return fx * fx + fy * fy
  }
}
