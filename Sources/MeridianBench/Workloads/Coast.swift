// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Noise that is alike at every scale, as coasts are.
enum Coast {
  /// One value a corner: waves of every frequency k from 1 to half of the corners with amplitudes of 1 / k^1.25 and random
  /// phases; mean 0, standard deviation 0.15.
  static func noise(_ corners: Int, _ random: inout SeededRandom) -> [Double] {
    var spectrum = [Complex](repeating: Complex(0, 0), count: corners)
    for frequency in 1..<max(2, (corners + 1) / 2) {
      let (strength, phase) = (pow(Double(frequency), -1.25), random.uniform(0, 2 * .pi))
      // A wave and its mirror are each other's conjugates, so the sum is real.
      spectrum[frequency] = Complex(strength * cos(phase), strength * sin(phase))
      spectrum[corners - frequency] = Complex(strength * cos(phase), -strength * sin(phase))
    }
    let values = Fourier.sum(spectrum).map(\.real)
    let deviation = (values.reduce(0) { $0 + $1 * $1 } / Double(corners)).squareRoot()
    return values.map { $0 / deviation * 0.15 }
  }
}
