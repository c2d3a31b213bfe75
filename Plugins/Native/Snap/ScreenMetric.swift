// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// How far two places are apart: |M (p - q)| for a 2 x 2 matrix M from coordinate differences to screen points, or plainly
/// |p - q|.
struct ScreenMetric {
  let xx: Double
  let xy: Double
  let yx: Double
  let yy: Double
  /// False for plain coordinate distance.
  let isScreen: Bool
  /// How far in x and y a disc of radius 1 reaches, a little too large.
  let reachX: Double
  let reachY: Double

  /// Coordinate units.
  init() {
    (xx, xy, yx, yy) = (1, 0, 0, 1)
    isScreen = false
    (reachX, reachY) = (1, 1)
  }

  /// nil for a matrix that is singular or not finite, under which far places would be near.
  init?(_ rows: UnsafePointer<Double>) {
    (xx, xy, yx, yy) = (rows[0], rows[1], rows[2], rows[3])
    isScreen = true
    let (left, right) = (twoProduct(xx, yy), twoProduct(xy, yx))
    let determinant = ((left.head - right.head) + (left.tail - right.tail)).magnitude
    // Two doubles know the determinant to 2^-104 of its terms.
    guard determinant > 0x1p-60 * (left.head.magnitude + right.head.magnitude), determinant.isFinite else {
      return nil
    }
    let slack = 1 + 0x1p-30
    reachX = (yy * yy + xy * xy).squareRoot() / determinant * slack
    reachY = (xx * xx + yx * yx).squareRoot() / determinant * slack
    guard reachX.isFinite, reachY.isFinite, reachX > 0, reachY > 0 else { return nil }
  }

  /// M d.
  @inline(__always)
  func image(_ x: TwoDoubles, _ y: TwoDoubles) -> (x: TwoDoubles, y: TwoDoubles) {
    isScreen ? (xx * x + xy * y, yx * x + yy * y) : (x, y)
  }

  /// Right to half an ulp and a little; infinite when squares overflow, beyond 2^511.
  func distance(_ p: Place, _ q: Place) -> Double {
    let (x, y) = image(TwoDoubles(q.x, minus: p.x), TwoDoubles(q.y, minus: p.y))
    let largest = max(x.head.magnitude, y.head.magnitude)
    guard largest > 0 else { return 0 }
    guard largest < 0x1p450 else { return largest < 0x1p511 ? scaled(x, y, 0x1p-300) : .infinity }
    return largest > 0x1p-400 ? (x * x + y * y).squareRoot : scaled(x, y, 0x1p600)
  }

  /// The length through numbers brought nearer to 1 by a power of two.
  private func scaled(_ x: TwoDoubles, _ y: TwoDoubles, _ factor: Double) -> Double {
    let (x, y) = (
      TwoDoubles(x.head * factor, x.tail * factor), TwoDoubles(y.head * factor, y.tail * factor)
    )
    return (x * x + y * y).squareRoot / factor
  }
}
