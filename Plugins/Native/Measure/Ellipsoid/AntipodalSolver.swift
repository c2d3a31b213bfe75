// SPDX-License-Identifier: Apache-2.0
import KernelMath

/// The inverse problem for one pair near the antipode, after Karney (2013), sections 4 and 5: Newton's method on alpha1
/// with the exact derivative, kept inside a bracket that is halved where a step leaves it or does not halve the error. The longitude rises with alpha1
/// from 0 at alpha1 = 0 to pi at alpha1 = pi, so the bracket always holds the one solution.
struct AntipodalSolver {
  let geodesics: Geodesics
  // The canonical pair; see `CanonicalPair`.
  let sinBeta1: Double
  let cosBeta1: Double
  let sinBeta2: Double
  let cosBeta2: Double
  let sinHalf: Double
  let cosHalf: Double

  /// What was found.
  struct Solution {
    var distance: Double
    var sinAlpha1: Double
    var cosAlpha1: Double
    var sinAlpha2: Double
    var cosAlpha2: Double
    var reducedLength: Double
    /// S12 of eq. 59, without the term c^2 (alpha2 - alpha1).
    var areaIntegral: Double
    /// lambda12.
    var longitude: Double

    /// alpha2 - alpha1. A meridian over a pole turns half round, on the side of that pole.
    var turn: Double {
      let sine = sinAlpha2 * cosAlpha1 - cosAlpha2 * sinAlpha1
      let cosine = cosAlpha2 * cosAlpha1 + sinAlpha2 * sinAlpha1
      return sine == 0 && cosine < 0
        ? (cosAlpha1 < 0 ? -Double.pi : Double.pi) : atan2(sine, cosine)
    }
  }

  init(_ pair: CanonicalPair, lane: Int, _ geodesics: Geodesics) {
    self.geodesics = geodesics
    // A point on the equator counts as a little south of it, so that its arc from the node is -0 or -pi.
    sinBeta1 = pair.sinBeta1[lane] == 0 ? -0.0 : pair.sinBeta1[lane]
    cosBeta1 = pair.cosBeta1[lane]
    sinBeta2 = pair.sinBeta2[lane]
    cosBeta2 = pair.cosBeta2[lane]
    sinHalf = pair.sinHalf[lane]
    cosHalf = pair.cosHalf[lane]
  }

  private var sinLambda: Double { 2 * sinHalf * cosHalf }
  private var cosLambda: Double { (cosHalf - sinHalf) * (cosHalf + sinHalf) }
  fileprivate var lambda: Double { 2 * atan2(sinHalf, cosHalf) }

  func solve() -> Solution {
    if let meridional = meridional() { return meridional }
    if let equatorial = equatorial() { return equatorial }
    return general()
  }

  /// Along a meridian, where that is the shortest way: the reduced length tells (section 4).
  private func meridional() -> Solution? {
    guard cosHalf == 0 || cosBeta1 == 0 else { return nil }
    let trial = Trial(self, sinAlpha1: sinLambda, cosAlpha1: cosLambda)
    return trial.reducedLength >= 0 ? trial.solution(self, residual: 0) : nil
  }

  private func equatorial() -> Solution? {
    guard sinBeta1 == 0, geodesics.f <= 0 || lambda <= geodesics.f1 * .pi else { return nil }
    let reduced = geodesics.b * sin(lambda / geodesics.f1)
    return Solution(
      distance: geodesics.a * lambda, sinAlpha1: 1, cosAlpha1: 0, sinAlpha2: 1, cosAlpha2: 0,
      reducedLength: reduced,
      areaIntegral: 0, longitude: lambda)
  }

  private func general() -> Solution {
    var azimuth = startingAzimuth()
    // alpha1 lies between these two.
    var (low, high) = ((sin: 1e-300, cos: 1.0), (sin: 1e-300, cos: -1.0))
    var trial = Trial(self, sinAlpha1: azimuth.sin, cosAlpha1: azimuth.cos)
    var residual = trial.longitudeResidual(self)
    for _ in 0..<120 where residual.magnitude > 2e-16 {
      if residual > 0 { high = azimuth } else { low = azimuth }
      let middle = middle(low, high)
      if !isAscending(low, middle) || !isAscending(middle, high) { break }
      let before = residual.magnitude
      azimuth = turned(azimuth, by: -residual / trial.longitudeSlope)
      if isAscending(low, azimuth) && isAscending(azimuth, high) {
        trial = Trial(self, sinAlpha1: azimuth.sin, cosAlpha1: azimuth.cos)
        residual = trial.longitudeResidual(self)
        if residual.magnitude < before / 2 { continue }
        if residual > 0 { high = azimuth } else { low = azimuth }
      }
      azimuth = self.middle(low, high)
      trial = Trial(self, sinAlpha1: azimuth.sin, cosAlpha1: azimuth.cos)
      residual = trial.longitudeResidual(self)
    }
    return trial.solution(self, residual: residual)
  }

  /// Scaled coordinates about the antipode (eq. 53) and the largest root kappa of the astroid's equation 55 give alpha1 by
  /// eq. 56. For prolate ellipsoids, and where that fails, due east will do.
  private func startingAzimuth() -> (sin: Double, cos: Double) {
    guard geodesics.f > 0 else { return (1, 0) }
    let scale = geodesics.f * .pi * cosBeta1 * a3OfEastward()
    guard scale > 0 else { return (1, 0) }
    let x = -2 * atan2(cosHalf, sinHalf) / scale
    let y = (sinBeta2 * cosBeta1 + cosBeta2 * sinBeta1) / (scale * cosBeta1)
    if y > -1e-12 {
      // On the axis (eq. 57).
      let sine = min(1, -x)
      return normalized(sine, -(max(0, 1 - x * x)).squareRoot())
    }
    let kappa = astroidRoot(x, y)
    return normalized(max(1e-12, -x / (1 + kappa)), y / kappa)
  }

  /// A3 of the geodesic that leaves the first point due east.
  private func a3OfEastward() -> Double {
    let eps = Epsilon(Lanes(repeating: sinBeta1 * sinBeta1), geodesics)
    return polynomial(eps.value, geodesics.a3, 0, 6)[0]
  }

  /// The positive root of kappa^4 + 2 kappa^3 + (1 - x^2 - y^2) kappa^2 - 2 y^2 kappa - y^2, y != 0: one sign change in the
  /// coefficients, so just one; found by halving and Newton from above, where the polynomial is convex.
  private func astroidRoot(_ x: Double, _ y: Double) -> Double {
    let (p, q) = (x * x, y * y)
    var root = 1 + (p + q).squareRoot()
    for _ in 0..<60 {
      let value = (((root + 2) * root + (1 - p - q)) * root - 2 * q) * root - q
      let slope = ((4 * root + 6) * root + 2 * (1 - p - q)) * root - 2 * q
      guard slope > 0 else { break }
      let next = root - value / slope
      if !(next > 0) || (next - root).magnitude <= 1e-10 * root { return next > 0 ? next : root }
      root = next
    }
    return root
  }

  /// A step of half a turn and more is none: its result is not inside any bracket.
  private func turned(_ azimuth: (sin: Double, cos: Double), by step: Double) -> (
    sin: Double, cos: Double
  ) {
    guard step.magnitude < 3 else { return (-1, 0) }
    let (s, c) = (sin(step), cos(step))
    return normalized(azimuth.sin * c + azimuth.cos * s, azimuth.cos * c - azimuth.sin * s)
  }

  private func normalized(_ sine: Double, _ cosine: Double) -> (sin: Double, cos: Double) {
    let length = hypot(sine, cosine)
    return (sine / length, cosine / length)
  }

  private func middle(_ a: (sin: Double, cos: Double), _ b: (sin: Double, cos: Double)) -> (
    sin: Double, cos: Double
  ) {
    let (sine, cosine) = (a.sin + b.sin, a.cos + b.cos)
    return sine.magnitude + cosine.magnitude > 1e-8 ? normalized(sine, cosine) : (1, 0)
  }

  /// Angles in (0, pi): the cotangent falls.
  private func isAscending(_ a: (sin: Double, cos: Double), _ b: (sin: Double, cos: Double)) -> Bool {
    a.sin > 0 && b.sin > 0 && a.cos * b.sin > b.cos * a.sin
  }
}

/// The geodesic that leaves the first point of a canonical pair at some azimuth, up to the latitude of the second.
private struct Trial {
  let geodesics: Geodesics
  let sinAlpha0: Double
  let sinAlpha1: Double
  let cosAlpha1: Double
  let sinAlpha2: Double
  let cosAlpha2: Double
  let sigma: Double
  let sinSigma: Double
  let cosSigma: Double
  /// sin and cos of omega12, times some positive number.
  let omega: (sin: Double, cos: Double)
  let reducedLength: Double
  /// d lambda12 / d alpha1 (eq. 46 and 47).
  let longitudeSlope: Double
  private let cosTwiceMean: Double
  /// cos alpha0 (cos sigma2 - cos sigma1).
  private let drop: Double
  private let eps: Epsilon
  private let harmonics: Harmonics

  init(_ pair: AntipodalSolver, sinAlpha1: Double, cosAlpha1: Double) {
    geodesics = pair.geodesics
    self.sinAlpha1 = sinAlpha1
    // Due east from the equator means a little to the south, as the point lies a little south of it.
    self.cosAlpha1 = pair.sinBeta1 == 0 && cosAlpha1 == 0 ? -1e-150 : cosAlpha1
    let alpha0 = sinAlpha1 * pair.cosBeta1
    sinAlpha0 = alpha0
    let isPole = pair.cosBeta2 == 0
    let isLevel =
      !isPole && pair.cosBeta2 == pair.cosBeta1 && pair.sinBeta2.magnitude == pair.sinBeta1.magnitude
    sinAlpha2 = isLevel ? sinAlpha1 : isPole ? 0 : alpha0 / pair.cosBeta2
    // Clairaut; the difference of the squares as a product (eq. 45), of the smaller pair of numbers.
    let rise =
      pair.cosBeta1 < -pair.sinBeta1
      ? (pair.cosBeta2 - pair.cosBeta1) * (pair.cosBeta2 + pair.cosBeta1)
      : (pair.sinBeta1 - pair.sinBeta2) * (pair.sinBeta1 + pair.sinBeta2)
    let north1 = self.cosAlpha1 * pair.cosBeta1
    let north2 =
      isLevel ? self.cosAlpha1.magnitude * pair.cosBeta2 : (north1 * north1 + rise).squareRoot()
    cosAlpha2 = isLevel ? self.cosAlpha1.magnitude : isPole ? 1 : north2 / pair.cosBeta2
    // Arcs from the node northward, and their longitudes (eq. 10 to 12).
    let (s1, c1) = (pair.sinBeta1, north1)
    let (s2, c2) = (pair.sinBeta2, north2)
    let sine = max(0, c1 * s2 - s1 * c2) + 0
    let cosine = c1 * c2 + s1 * s2
    sigma = atan2(sine, cosine)
    let (o1, o2) = (alpha0 * s1, alpha0 * s2)
    omega = (max(0, c1 * o2 - o1 * c2) + 0, c1 * c2 + o1 * o2)
    drop = c2 - c1
    let norm = hypot(sine, cosine)
    cosSigma = norm > 0 ? cosine / norm : 1
    sinSigma = norm > 0 ? sine / norm : 0
    let square = 1 - alpha0 * alpha0
    cosTwiceMean = max(-1, min(1, square > 0 ? cosSigma - 2 * s1 * s2 / square : 1))
    eps = Epsilon(Lanes(repeating: square), geodesics)
    harmonics = Harmonics(
      cosTwiceMean: Lanes(repeating: cosTwiceMean), sin: Lanes(repeating: sinSigma),
      cos: Lanes(repeating: cosSigma))
    let arc = Lanes(repeating: sigma)
    let difference =
      geodesics.distanceIntegral(eps, arc, harmonics)[0]
      - geodesics.reducedIntegral(eps, arc, harmonics)[0]
    reducedLength = Trial.reducedLength(geodesics, (s1, c1), (s2, c2), difference)
    if c2 > 0 {
      longitudeSlope = reducedLength / (geodesics.a * c2)
    } else {
      longitudeSlope = -2 * (1 - geodesics.e2 * pair.cosBeta1 * pair.cosBeta1).squareRoot() / s1
    }
  }

  /// m12 (eq. 38); the arguments are sines and cosines of the arcs from the node.
  private static func reducedLength(
    _ geodesics: Geodesics, _ start: (sin: Double, cos: Double), _ end: (sin: Double, cos: Double),
    _ integral: Double
  ) -> Double {
    let (one, two) = (hypot(start.sin, start.cos), hypot(end.sin, end.cos))
    guard one > 0, two > 0 else { return geodesics.b * integral }
    let (s1, c1, s2, c2) = (start.sin / one, start.cos / one, end.sin / two, end.cos / two)
    // k^2 sin^2 sigma = e'^2 sin^2 beta.
    let root1 = (1 + geodesics.ep2 * start.sin * start.sin).squareRoot()
    let root2 = (1 + geodesics.ep2 * end.sin * end.sin).squareRoot()
    return geodesics.b * (root2 * c1 * s2 - root1 * s1 * c2 - c1 * c2 * integral)
  }

  /// What ellipsoids flatter than 1/150 need beyond order 6.
  private var lastDegree: (longitude: Lanes, area: Lanes) {
    geodesics.lastDegree(
      eps.value, sigma: Lanes(repeating: sigma), harmonics, cosTwiceMean: Lanes(repeating: cosTwiceMean),
      cosSigma: Lanes(repeating: cosSigma))
  }

  /// lambda12 of this geodesic less that of the pair.
  func longitudeResidual(_ pair: AntipodalSolver) -> Double {
    let (s, c) = (
      2 * pair.sinHalf * pair.cosHalf, (pair.cosHalf - pair.sinHalf) * (pair.cosHalf + pair.sinHalf)
    )
    let turn = atan2(omega.sin * c - omega.cos * s, omega.cos * c + omega.sin * s)
    var integral = geodesics.longitudeIntegral(eps.value, Lanes(repeating: sigma), harmonics)[0]
    if geodesics.isVeryFlat { integral += lastDegree.longitude[0] }
    return turn - geodesics.f * sinAlpha0 * integral
  }

  func solution(_ pair: AntipodalSolver, residual: Double) -> AntipodalSolver.Solution {
    let extra = Lanes(repeating: -geodesics.a * sinAlpha0 * residual)
    let arc = SplitAngle(Lanes(repeating: max(0, sinSigma)), Lanes(repeating: cosSigma))
    var area = geodesics.areaIntegral(
      eps.value, cosTwiceMean: Lanes(repeating: cosTwiceMean), cosSigma: Lanes(repeating: cosSigma),
      sinAlpha0: Lanes(repeating: sinAlpha0), drop: Lanes(repeating: drop))[0]
    if geodesics.isVeryFlat {
      area += geodesics.e2 * geodesics.a * geodesics.a * (sinAlpha0 * drop * lastDegree.area[0])
    }
    return AntipodalSolver.Solution(
      distance: geodesics.distance(eps, arc, harmonics, extra: extra)[0], sinAlpha1: sinAlpha1,
      cosAlpha1: cosAlpha1,
      sinAlpha2: sinAlpha2, cosAlpha2: cosAlpha2, reducedLength: reducedLength, areaIntegral: area,
      longitude: pair.lambda)
  }
}
