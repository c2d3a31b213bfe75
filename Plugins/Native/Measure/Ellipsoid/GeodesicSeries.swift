// SPDX-License-Identifier: Apache-2.0

/// The terms cos(2 l sigma_m) sin(l sigma12), l = 1, 2, ..., of a series between two points: sin 2 l sigma2 - sin 2 l
/// sigma1 is twice such a term. sigma_m is the middle of the two arcs, sigma12 their difference; both factors follow by
/// the recurrence of Chebyshev, so no angle is needed.
struct Harmonics {
  private var even: Lanes
  private var evenBefore = Lanes(repeating: 1)
  private var odd: Lanes
  private var oddBefore = Lanes()
  private let twiceEven: Lanes
  private let twiceOdd: Lanes

  /// `cosTwiceMean`: cos 2 sigma_m.
  @inline(__always)
  init(cosTwiceMean: Lanes, sin: Lanes, cos: Lanes) {
    even = cosTwiceMean
    odd = sin
    twiceEven = 2 * cosTwiceMean
    twiceOdd = 2 * cos
  }

  var term: Lanes { @inline(__always) get { even * odd } }

  @inline(__always)
  mutating func advance() {
    (evenBefore, even) = (even, twiceEven * even - evenBefore)
    (oddBefore, odd) = (odd, twiceOdd * odd - oddBefore)
  }
}

/// The expansion parameter of a geodesic, from cos^2 of its azimuth at the equator: k^2 = e'^2 cos^2 alpha0 (eq. 9),
/// eps = k^2 / (sqrt(1 + k^2) + 1)^2 (eq. 16).
struct Epsilon {
  let value: Lanes
  /// 1 / (1 - eps).
  let overOneLess: Lanes

  @inline(__always)
  init(_ cosSquaredAlpha0: Lanes, _ geodesics: Geodesics) {
    let k2 = cosSquaredAlpha0 * geodesics.ep2
    let root = (1 + k2).squareRoot() + 1
    value = k2 / (root * root)
    overOneLess = 0.5 * root
  }

  /// A1 - 1 (eq. 17), small and without cancellation: 1 / (1 - eps) - 1 = eps / (1 - eps).
  var a1LessOne: Lanes {
    @inline(__always) get {
      let squared = value * value
      return overOneLess * (value + squared * polynomial(squared, SeriesCoefficients.a1, 0, 3))
    }
  }
}

extension Geodesics {
  /// sum C_l (sin 2 l sigma2 - sin 2 l sigma1) for a series laid out as C1.
  @inline(__always)
  func sum(_ c: InlineArray<12, Double>, _ eps: Lanes, _ harmonics: Harmonics) -> Lanes {
    var terms = harmonics
    let squared = eps * eps
    var power = eps
    var sum = power * polynomial(squared, c, 0, 3) * terms.term
    terms.advance()
    power = squared
    sum += power * polynomial(squared, c, 3, 3) * terms.term
    terms.advance()
    power *= eps
    sum += power * polynomial(squared, c, 6, 2) * terms.term
    terms.advance()
    power *= eps
    sum += power * polynomial(squared, c, 8, 2) * terms.term
    terms.advance()
    power *= eps
    sum += power * c[10] * terms.term
    terms.advance()
    power *= eps
    sum += power * c[11] * terms.term
    return 2 * sum
  }

  /// s12 = b A1 (sigma12 + sum ...) (eq. 15) + extra, rounded once at full size: the multiples of b pi / 4 in sigma12 are
  /// exact and everything else is smaller.
  @inline(__always)
  func distance(_ eps: Epsilon, _ sigma: SplitAngle, _ harmonics: Harmonics, extra: Lanes) -> Lanes {
    let terms = sum(SeriesCoefficients.c1, eps.value, harmonics)
    let stretch = eps.a1LessOne * (sigma.value + terms)
    let rest = b * ((sigma.rest + terms) + stretch) + (extra + sigma.eighths * eighthTail)
    return sigma.eighths * eighth + rest
  }

  /// I1(sigma2) - I1(sigma1).
  @inline(__always)
  func distanceIntegral(_ eps: Epsilon, _ sigma: Lanes, _ harmonics: Harmonics) -> Lanes {
    (1 + eps.a1LessOne) * (sigma + sum(SeriesCoefficients.c1, eps.value, harmonics))
  }

  /// I2(sigma2) - I2(sigma1), of the reduced length (eq. 41).
  @inline(__always)
  func reducedIntegral(_ eps: Epsilon, _ sigma: Lanes, _ harmonics: Harmonics) -> Lanes {
    let squared = eps.value * eps.value
    let a2 = (1 - eps.value) * (1 + squared * polynomial(squared, SeriesCoefficients.a2, 0, 3))
    return a2 * (sigma + sum(SeriesCoefficients.c2, eps.value, harmonics))
  }

  /// I3(sigma2) - I3(sigma1) = A3 (sigma12 + sum C3_l (sin 2 l sigma2 - sin 2 l sigma1)) (eq. 23).
  @inline(__always)
  func longitudeIntegral(_ eps: Lanes, _ sigma: Lanes, _ harmonics: Harmonics) -> Lanes {
    var terms = harmonics
    var power = eps
    var sum = power * polynomial(eps, c3, 0, 5) * terms.term
    terms.advance()
    power *= eps
    sum += power * polynomial(eps, c3, 5, 4) * terms.term
    terms.advance()
    power *= eps
    sum += power * polynomial(eps, c3, 9, 3) * terms.term
    terms.advance()
    power *= eps
    sum += power * polynomial(eps, c3, 12, 2) * terms.term
    terms.advance()
    power *= eps
    sum += power * c3[14] * terms.term
    return polynomial(eps, a3, 0, 6) * (sigma + 2 * sum)
  }

  /// The part of S12 (eq. 59) that the series gives: e^2 a^2 cos alpha0 sin alpha0 (I4(sigma2) - I4(sigma1)). Each
  /// difference of cosines is a product, cos (2 l + 1) sigma2 - cos (2 l + 1) sigma1 = (cos sigma2 - cos sigma1)
  /// W_l(2 sigma_m) W_l(sigma12), with W_l(x) = sin((2 l + 1) x / 2) / sin(x / 2), a polynomial in cos x. `drop` is
  /// cos alpha0 (cos sigma2 - cos sigma1).
  @inline(__always)
  func areaIntegral(
    _ eps: Lanes, cosTwiceMean: Lanes, cosSigma: Lanes, sinAlpha0: Lanes, drop: Lanes
  ) -> Lanes {
    var mean = DirichletKernel(cosTwiceMean)
    var arc = DirichletKernel(cosSigma)
    var sum = polynomial(eps, c4, 0, 6)
    var power = eps
    mean.advance()
    arc.advance()
    sum += power * polynomial(eps, c4, 6, 5) * (mean.value * arc.value)
    power *= eps
    mean.advance()
    arc.advance()
    sum += power * polynomial(eps, c4, 11, 4) * (mean.value * arc.value)
    power *= eps
    mean.advance()
    arc.advance()
    sum += power * polynomial(eps, c4, 15, 3) * (mean.value * arc.value)
    power *= eps
    mean.advance()
    arc.advance()
    sum += power * polynomial(eps, c4, 18, 2) * (mean.value * arc.value)
    power *= eps
    mean.advance()
    arc.advance()
    sum += power * c4[20] * (mean.value * arc.value)
    return (e2 * a * a) * (sinAlpha0 * drop * sum)
  }
}

extension Geodesics {
  /// What the terms of total degree 6 in n and eps add to I3(sigma2) - I3(sigma1) and to the sum in `areaIntegral`. Areas
  /// on ellipsoids flatter than 1/150 need them. `eps` and n are of one sign, and so is their ratio in [0, 1].
  @inline(never)
  func lastDegree(
    _ eps: Lanes, sigma: Lanes, _ harmonics: Harmonics, cosTwiceMean: Lanes, cosSigma: Lanes
  ) -> (longitude: Lanes, area: Lanes) {
    let n = f / (2 - f)
    let scale = n * n * n * (n * n * n)
    let ratio = eps / n
    var terms = harmonics
    var (mean, arc) = (DirichletKernel(cosTwiceMean), DirichletKernel(cosSigma))
    var (sum, power) = (Lanes(), Lanes(repeating: 1))
    var area = polynomial(ratio, SeriesCoefficients.c4Last, 0, 7)
    var (first, firstOfArea) = (0, 7)
    for l in 1...6 {
      power *= ratio
      mean.advance()
      arc.advance()
      sum += power * polynomial(ratio, SeriesCoefficients.c3Last, first, 7 - l) * terms.term
      area += power * polynomial(ratio, SeriesCoefficients.c4Last, firstOfArea, 7 - l) * (mean.value * arc.value)
      terms.advance()
      first += 7 - l
      firstOfArea += 7 - l
    }
    let longitude = polynomial(ratio, SeriesCoefficients.a3Last, 0, 7) * sigma + 2 * sum
    return (scale * longitude, scale * area)
  }
}

/// sin((2 l + 1) x / 2) / sin(x / 2) for l = 0, 1, ... by its recurrence.
private struct DirichletKernel {
  private(set) var value = Lanes(repeating: 1)
  private var before = Lanes(repeating: -1)
  private let twice: Lanes

  @inline(__always)
  init(_ cosine: Lanes) { twice = 2 * cosine }

  @inline(__always)
  mutating func advance() { (before, value) = (value, twice * value - before) }
}
