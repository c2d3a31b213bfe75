// SPDX-License-Identifier: Apache-2.0
import KernelKit

extension Vector {
  /// The unit vector of a longitude and a latitude in degrees, each ordinate within 2^-52 of the true one: x to (0, 0), y to
  /// (90, 0), z to the north pole. Both are finite, the latitude lies in [-90, 90].
  ///
  /// Additions and products of doubles alone, in a fixed order and nothing fused, so that every processor and every build gets
  /// the same bits. Multiples of 90 degrees give exact zeros and ones, longitudes that differ by whole turns the same vector,
  /// opposite places opposite vectors.
  init(longitude: Double, latitude: Double) {
    let (meridian, parallel) = (exactTurn(longitude.remainder(dividingBy: 360)), exactTurn(latitude))
    self.init(x: parallel.cos * meridian.cos, y: parallel.cos * meridian.sin, z: parallel.sin)
  }

  static func == (a: Vector, b: Vector) -> Bool { a.x == b.x && a.y == b.y && a.z == b.z }

  /// The order by x, y, z.
  static func < (a: Vector, b: Vector) -> Bool { a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z }
}

/// Sine and cosine of up to 180 degrees, each within 0.6 ulp. The rest to the next quarter turn is exact.
private func exactTurn(_ degrees: Double) -> (sin: Double, cos: Double) {
  let rest = degrees.remainder(dividingBy: 90)
  let quadrant = ((degrees - rest) / 90).remainder(dividingBy: 4)
  let (s, c) = shortTurn(rest)
  // Differences from 0, so that no zero is negative.
  switch quadrant {
  case 0: return (s + 0, c)
  case 1: return (c, 0 - s)
  case -1: return (0 - c, s + 0)
  default: return (0 - s, 0 - c)
  }
}

/// The same of up to 45 degrees: the angle as two doubles, then the series of Taylor to x^17 and x^18, the last terms below
/// 2^-60.
private func shortTurn(_ degrees: Double) -> (sin: Double, cos: Double) {
  // Pi / 180 is the sum of both.
  let (unit, unitTail) = (0x1.1df46a2529d39p-6, 0x1.5c1d8becdd291p-62)
  var (x, y) = (degrees * unit, 0.0)
  // Below that the angle is its sine, and errors of products would vanish.
  if x.magnitude > 0x1p-200 {
    let product = twoProduct(degrees, unit)
    (x, y) = (product.head, product.tail + degrees * unitTail)
  }
  let z = x * x
  let s =
    z
    * (-1.0 / 6 + z
      * (1.0 / 120 + z
        * (-1.0 / 5040 + z
          * (1.0 / 362_880 + z
            * (-1.0 / 39_916_800 + z
              * (1.0 / 6_227_020_800 + z * (-1.0 / 1_307_674_368_000 + z * (1.0 / 355_687_428_096_000))))))))
  let sine = x + (x * s + y * (1 - 0.5 * z))
  let half = 0.5 * z
  let head = 1 - half
  let c =
    z * z
    * (1.0 / 24 + z
      * (-1.0 / 720 + z
        * (1.0 / 40_320 + z
          * (-1.0 / 3_628_800 + z
            * (1.0 / 479_001_600 + z
              * (-1.0 / 87_178_291_200 + z
                * (1.0 / 20_922_789_888_000 + z * (-1.0 / 6_402_373_705_728_000))))))))
  return (sine, head + (((1 - head) - half) + (c - x * y)))
}

/// A place of the sphere by its one name: longitude in [-180, 180), and 0 at the poles.
func canonicalPlace(_ place: Place) -> Place {
  if place.y.magnitude == 90 { return Place(x: 0, y: place.y) }
  let longitude = place.x.remainder(dividingBy: 360) + 0
  return Place(x: longitude == 180 ? -180 : longitude, y: place.y + 0)
}
