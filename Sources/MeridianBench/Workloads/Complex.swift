// SPDX-License-Identifier: Apache-2.0

/// A complex number, for Fourier sums.
struct Complex: Sendable, Equatable {
  var real: Double
  var imaginary: Double
  init(_ real: Double, _ imaginary: Double) {
    self.real = real
    self.imaginary = imaginary
  }
  static func + (a: Complex, b: Complex) -> Complex { Complex(a.real + b.real, a.imaginary + b.imaginary) }
  static func * (a: Complex, b: Complex) -> Complex {
    Complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
  }
}
