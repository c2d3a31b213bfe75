// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Sine, cosine and arc tangent in double-double, for the right answers on the sphere.
extension DoubleDouble {
  static let pi = DoubleDouble(3.141592653589793, 1.2246467991473532e-16)
  static let halfPi = DoubleDouble(1.5707963267948966, 6.123233995736766e-17)
  static let radiansPerDegree = pi / DoubleDouble(180)

  struct SineCosine {
    var sine: DoubleDouble
    var cosine: DoubleDouble
  }

  /// Of an angle in degrees, which is reduced without rounding.
  static func sineCosine(degrees: Double) -> SineCosine {
    let rest = remainder(degrees, 90)
    // The quotient is an integer below 2^53 for every angle that is measured here.
    let quarters = ((degrees - rest) / 90).rounded().truncatingRemainder(dividingBy: 4)
    return turned(series(DoubleDouble(rest) * radiansPerDegree), by: Int(quarters))
  }

  /// Of an angle in radians, up to a few turns.
  static func sineCosine(radians angle: DoubleDouble) -> SineCosine {
    let quarters = (angle.high / halfPi.high).rounded()
    return turned(series(angle - halfPi * quarters), by: Int(quarters.truncatingRemainder(dividingBy: 4)))
  }

  private static func turned(_ value: SineCosine, by quarters: Int) -> SineCosine {
    switch (quarters + 4) % 4 {
    case 0: value
    case 1: SineCosine(sine: value.cosine, cosine: -value.sine)
    case 2: SineCosine(sine: -value.sine, cosine: -value.cosine)
    default: SineCosine(sine: -value.cosine, cosine: value.sine)
    }
  }

  /// 1 / n! for n from 0 to 29: the terms behind are below 2^-110 for angles up to pi / 4.
  private static let inverseFactorials: [DoubleDouble] = {
    var values = [DoubleDouble(1)]
    for n in 1..<30 { values.append(values[n - 1] / DoubleDouble(Double(n))) }
    return values
  }()

  /// Taylor's series by Horner's rule, |angle| <= pi / 4.
  private static func series(_ angle: DoubleDouble) -> SineCosine {
    let square = angle * angle
    var (sine, cosine) = (DoubleDouble(0), DoubleDouble(0))
    for n in stride(from: 28, through: 0, by: -2) {
      cosine = inverseFactorials[n] - square * cosine
      sine = inverseFactorials[n + 1] - square * sine
    }
    return SineCosine(sine: sine * angle, cosine: cosine)
  }

  /// The angle of (x, y) in radians, (-pi, pi]: a double's answer with one step of Newton's.
  static func arcTangent(_ y: DoubleDouble, _ x: DoubleDouble) -> DoubleDouble {
    let first = DoubleDouble(atan2(y.high, x.high))
    guard first.high != 0 || y.high != 0 else { return first }
    let near = sineCosine(radians: first)
    let across = y * near.cosine - x * near.sine
    let along = x * near.cosine + y * near.sine
    // tan(rest) = rest + rest^3 / 3, the last below 1e-48.
    return first + across / along
  }
}
