// SPDX-License-Identifier: Apache-2.0
// Printed by scripts/geodesic-series, which derives the numbers; change the script, not this file.

/// Coefficients of the series of Karney (2013) to order 6. A triangle has one row for each power of eps, upward
/// from the one named, and in it the coefficients of n^0, n^1, ... to total degree 5.
enum SeriesCoefficients {
  /// (1 - eps) A1 = 1 + these times eps^2, eps^4, eps^6 (eq. 17).
  static let a1: InlineArray<3, Double> = [
    1.0 / 4, 1.0 / 64, 1.0 / 256,
  ]
  /// C1_l, l = 1 to 6 (eq. 18): for each l the coefficients of eps^l, eps^(l + 2), ... to eps^6.
  static let c1: InlineArray<12, Double> = [
    -1.0 / 2, 3.0 / 16, -1.0 / 32, -1.0 / 16, 1.0 / 32, -9.0 / 2048, -1.0 / 48, 3.0 / 256, -5.0 / 512, 3.0 / 512,
    -7.0 / 1280, -7.0 / 2048,
  ]
  /// C1'_l, l = 1 to 6 (eq. 21), laid out as C1_l.
  static let c1Reverted: InlineArray<12, Double> = [
    1.0 / 2, -9.0 / 32, 205.0 / 1536, 5.0 / 16, -37.0 / 96, 1335.0 / 4096, 29.0 / 96, -75.0 / 128, 539.0 / 1536,
    -2391.0 / 2560, 3467.0 / 7680, 38081.0 / 61440,
  ]
  /// A2 / (1 - eps) = 1 + these times eps^2, eps^4, eps^6 (eq. 42).
  static let a2: InlineArray<3, Double> = [
    1.0 / 4, 9.0 / 64, 25.0 / 256,
  ]
  /// C2_l, l = 1 to 6 (eq. 43), laid out as C1_l.
  static let c2: InlineArray<12, Double> = [
    1.0 / 2, 1.0 / 16, 1.0 / 32, 3.0 / 16, 1.0 / 32, 35.0 / 2048, 5.0 / 48, 5.0 / 256, 35.0 / 512, 7.0 / 512,
    63.0 / 1280, 77.0 / 2048,
  ]
  /// A3 (eq. 24), a triangle from eps^0.
  static let a3: InlineArray<21, Double> = [
    1, 0, 0, 0, 0, 0, -1.0 / 2, 1.0 / 2, 0, 0, 0, -1.0 / 4, -1.0 / 8, 3.0 / 8, 0, -1.0 / 16, -3.0 / 16, -1.0 / 16,
    -3.0 / 64, -1.0 / 32, -3.0 / 128,
  ]
  /// C3_l, l = 1 to 5 (eq. 25), a triangle from eps^l each.
  static let c3: InlineArray<35, Double> = [
    1.0 / 4, -1.0 / 4, 0, 0, 0, 1.0 / 8, 0, -1.0 / 8, 0, 3.0 / 64, 3.0 / 64, -1.0 / 64, 5.0 / 128, 1.0 / 64, 3.0 / 128,
    1.0 / 16, -3.0 / 32, 1.0 / 32, 0, 3.0 / 64, -1.0 / 32, -3.0 / 64, 3.0 / 128, 1.0 / 128, 5.0 / 256, 5.0 / 192,
    -3.0 / 64, 5.0 / 192, 3.0 / 128, -5.0 / 192, 7.0 / 512, 7.0 / 512, -7.0 / 256, 7.0 / 512, 21.0 / 2560,
  ]
  /// C4_l, l = 0 to 5 (eq. 63), a triangle from eps^l each.
  static let c4: InlineArray<56, Double> = [
    2.0 / 3, -4.0 / 15, 8.0 / 105, 4.0 / 315, 16.0 / 3465, 20.0 / 9009, -1.0 / 5, 16.0 / 35, -32.0 / 105, 16.0 / 385,
    64.0 / 15015, -2.0 / 105, -32.0 / 315, 1088.0 / 3465, -1184.0 / 5005, 11.0 / 315, -368.0 / 3465, -32.0 / 6435,
    4.0 / 1155, 1088.0 / 45045, 97.0 / 15015, 1.0 / 45, -16.0 / 315, 32.0 / 945, -16.0 / 3465, -64.0 / 135135,
    -2.0 / 105, 64.0 / 945, -128.0 / 1485, 1984.0 / 45045, -1.0 / 105, 16.0 / 2079, 5792.0 / 135135, 4.0 / 1155,
    -2944.0 / 135135, 1.0 / 9009, 4.0 / 525, -32.0 / 1575, 64.0 / 3465, -32.0 / 5005, -8.0 / 1575, 128.0 / 5775,
    -256.0 / 6825, -8.0 / 1925, 1856.0 / 225225, 8.0 / 10725, 8.0 / 2205, -256.0 / 24255, 512.0 / 45045, -16.0 / 8085,
    1024.0 / 105105, -136.0 / 63063, 64.0 / 31185, -512.0 / 81081, -128.0 / 135135, 128.0 / 99099,
  ]
  /// The terms of A3 of total degree 6, over n^6: powers of eps / n from the 0th.
  static let a3Last: InlineArray<7, Double> = [
    0, 0, 0, 5.0 / 16, -5.0 / 32, -5.0 / 128, -5.0 / 256,
  ]
  /// The same of C3_l, l = 1 to 6, from (eps / n)^l each.
  static let c3Last: InlineArray<21, Double> = [
    0, 0, -5.0 / 64, 1.0 / 64, 11.0 / 512, 21.0 / 1024, 0, 1.0 / 32, -9.0 / 256, 1.0 / 256, 27.0 / 2048, -1.0 / 192,
    -1.0 / 64, -1.0 / 384, 3.0 / 256, 5.0 / 256, -5.0 / 256, 9.0 / 1024, -9.0 / 512, 9.0 / 1024, 11.0 / 2048,
  ]
  /// The same of C4_l, l = 0 to 6, from (eps / n)^l each.
  static let c4Last: InlineArray<28, Double> = [
    8.0 / 6435, 16.0 / 15015, 128.0 / 3465, 976.0 / 4095, -128.0 / 1287, -464.0 / 45045, 10.0 / 9009, -16.0 / 135135,
    -256.0 / 45045, -3568.0 / 45045, 256.0 / 9009, 16.0 / 19305, 10.0 / 9009, 128.0 / 225225, 6784.0 / 225225,
    128.0 / 17325, -128.0 / 17325, -4.0 / 25025, -256.0 / 45045, -2048.0 / 105105, 256.0 / 45045, 64.0 / 315315,
    1024.0 / 135135, 2048.0 / 405405, -512.0 / 405405, -2048.0 / 495495, -256.0 / 495495, 512.0 / 585585,
  ]
}

/// Polynomials in the square of the argument.
enum TrigonometricCoefficients {
  /// sin x = x + x^3 P(x^2) for |x| <= pi / 4.
  static let sine: InlineArray<6, Double> = [
    -0.16666666666666666, 0.008333333333330946, -0.000198412698367542, 2.7557316100283695e-06, -2.5051131372218632e-08,
    1.5918095236696272e-10,
  ]
  /// cos x = 1 - x^2 / 2 + x^4 P(x^2) for |x| <= pi / 4.
  static let cosine: InlineArray<6, Double> = [
    0.041666666666666664, -0.0013888888888887395, 2.480158729876295e-05, -2.755731727031051e-07, 2.087614597263508e-09,
    -1.1382611119025631e-11,
  ]
  /// atan t = t + t^3 P(t^2) for |t| <= tan(pi / 8).
  static let arcTangent: InlineArray<12, Double> = [
    -0.3333333333333333, 0.19999999999999804, -0.14285714285659748, 0.11111111105147764, -0.09090908753118594,
    0.07692296363979952, -0.066664246872465, 0.05878926715756726, -0.052304374642516874, 0.045515165635903104,
    -0.0345685906686069, 0.01628357235648259,
  ]
  /// The same for |t| <= tan(pi / 16).
  static let narrowArcTangent: InlineArray<8, Double> = [
    -0.3333333333333333, 0.19999999999997273, -0.14285714284266307, 0.11111110817779483, -0.09090879855287892,
    0.07690720569520378, -0.06618654861992083, 0.05115142972163441,
  ]
  /// The first one to 1e-8.
  static let roughArcTangent: InlineArray<5, Double> = [
    -0.3333333176000804, 0.19999540216937534, -0.1426394635791234, 0.10743631627144574, -0.06451597258952992,
  ]
}

/// Quadrature on [-1/2, 1/2]: nodes that are not negative, outward, and the weights of the nodes.
enum GaussLegendre {
  /// 3 nodes.
  static let threeNodes: InlineArray<2, Double> = [
    0.0, 0.3872983346207417,
  ]
  /// Their weights.
  static let threeWeights: InlineArray<2, Double> = [
    0.4444444444444444, 0.2777777777777778,
  ]
  /// 7 nodes.
  static let sevenNodes: InlineArray<4, Double> = [
    0.0, 0.2029225756886986, 0.37076559279969723, 0.47455395617137924,
  ]
  /// Their weights.
  static let sevenWeights: InlineArray<4, Double> = [
    0.2089795918367347, 0.19091502525255946, 0.13985269574463832, 0.06474248308443485,
  ]
  /// 10 nodes.
  static let tenNodes: InlineArray<5, Double> = [
    0.07443716949081561, 0.2166976970646236, 0.3397047841495122, 0.43253168334449227, 0.48695326425858587,
  ]
  /// Their weights.
  static let tenWeights: InlineArray<5, Double> = [
    0.14776211235737644, 0.13463335965499817, 0.10954318125799102, 0.0747256745752903, 0.03333567215434407,
  ]
}
