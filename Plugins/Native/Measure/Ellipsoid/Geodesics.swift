// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// An ellipsoid of revolution with the constants of its geodesics. Names are Karney's (2013): a and b the half axes, f
/// the flattening, n the third flattening, e'^2 the square of the second eccentricity, c the authalic radius.
struct Geodesics {
  let a: Double
  let b: Double
  let f: Double
  /// 1 - f = b / a.
  let f1: Double
  let e2: Double
  let ep2: Double
  /// c^2: the ellipsoid has the area 4 pi c^2.
  let c2: Double
  /// (1 - n) e'^2 / 8: the first-order part of the longitude integral, see `LongitudeModel`.
  let kappa: Double
  /// Pairs that lie nearer than this to opposite each other on the auxiliary sphere, as a sine, are solved apart.
  let antipodalSine: Double

  /// b pi / 4 with three spare bits, so that its multiples up to 4 are exact, and what it lacks.
  let eighth: Double
  let eighthTail: Double
  /// Largest residual of the longitude, over sin sigma12, that directions and areas are corrected for.
  let fineLimit: Double

  /// Beyond |f| = 1/150 the reverted distance series alone errs by more than its bound.
  var isVeryFlat: Bool { f.magnitude > 1.0 / 149 }

  // Coefficients of powers of eps, the powers of n summed.
  let a3: InlineArray<6, Double>
  let c3: InlineArray<15, Double>
  let c4: InlineArray<21, Double>

  /// nil unless the radius is positive and finite and |f| <= 1/50.
  init?(radius: Double, flattening: Double) {
    guard radius > 0, radius.isFinite, flattening.magnitude <= 1.0 / 50 else { return nil }
    a = radius
    f = flattening
    // a (1 - f) in two doubles: rounding it would cost 2 nm half way round.
    let ratio = twoSum(1, -f)
    f1 = ratio.head
    let axis = twoProduct(a, f1)
    let axisTail = axis.tail + a * ratio.tail
    b = axis.head + axisTail
    let quarter = twoProduct(axis.head, Double.pi / 4)
    eighth = Double(bitPattern: quarter.head.bitPattern & ~7)
    // 2^-55 x 1.224...: what pi / 4 lacks.
    eighthTail =
      (quarter.head - eighth)
      + (quarter.tail + (axis.head * 3.061616997868383e-17 + axisTail * (Double.pi / 4)))
    e2 = f * (2 - f)
    ep2 = e2 / (f1 * f1)
    let n = f / (2 - f)
    kappa = (1 - n) * ep2 / 8
    let small = 1 / (150 * max(f.magnitude, 1e-3))
    fineLimit = min(2e-8, 2e-9 * (small * small * small))
    antipodalSine = max(4 * Double.pi * f.magnitude, 1e-6)
    a3 = InlineArray { row in Geodesics.sumOfPowers(n, SeriesCoefficients.a3, row: row, first: 0) }
    c3 = InlineArray { row in Geodesics.sumOfPowers(n, SeriesCoefficients.c3, row: row, first: 1) }
    c4 = InlineArray { row in Geodesics.sumOfPowers(n, SeriesCoefficients.c4, row: row, first: 0) }
    c2 = (a * a + b * b * Geodesics.authalicShare(e2)) / 2
  }

  /// Of a metric in metres; a sphere is an ellipsoid without flattening. nil for other metrics.
  init?(metric model: mrd_model) {
    switch model.metric {
    case MRD_METRIC_SPHERE: self.init(radius: model.semi_major, flattening: 0)
    case MRD_METRIC_ELLIPSOID: self.init(radius: model.semi_major, flattening: model.flattening)
    default: return nil
    }
  }

  var totalArea: Double { 4 * Double.pi * c2 }

  /// The row `row` of triangles that start at eps^first, eps^(first + 1), ...: a polynomial in n.
  private static func sumOfPowers<let count: Int>(
    _ n: Double, _ triangles: InlineArray<count, Double>, row: Int, first: Int
  ) -> Double {
    var (index, power, start) = (0, first, first)
    for _ in 0..<row {
      index += 6 - power
      power += 1
      if power == 6 {
        start += 1
        power = start
      }
    }
    var sum = 0.0
    for degree in stride(from: 5 - power, through: 0, by: -1) {
      sum = sum * n + triangles[index + degree]
    }
    return sum
  }

  /// atanh(e) / e, or atan(|e|) / |e| for prolate ellipsoids, from its series in e^2 (eq. 60 and after).
  private static func authalicShare(_ e2: Double) -> Double {
    var sum = 0.0
    for k in stride(from: 15, through: 0, by: -1) { sum = sum * e2 + 1 / Double(2 * k + 1) }
    return sum
  }
}
