// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Discrete Fourier sums of any length, by the length's prime factors (Cooley, Tukey): n log n steps where they are small.
enum Fourier {
  /// f[j] = sum over k of spectrum[k] exp(2 pi i j k / n).
  static func sum(_ spectrum: [Complex]) -> [Complex] {
    let count = spectrum.count
    // Each root from its own angle: a product of roots would collect rounding.
    let roots = (0..<count).map { number in
      let angle = 2 * Double.pi * Double(number) / Double(count)
      return Complex(cos(angle), sin(angle))
    }
    var result = [Complex](repeating: Complex(0, 0), count: count)
    combine(spectrum, from: 0, step: 1, roots, &result, at: 0, count)
    return result
  }

  /// The sum of the `count` terms spectrum[from + step k], to result[at..<at + count].
  private static func combine(
    _ spectrum: [Complex], from: Int, step: Int, _ roots: [Complex], _ result: inout [Complex], at: Int, _ count: Int
  ) {
    guard count > 1 else {
      if count == 1 { result[at] = spectrum[from] }
      return
    }
    let radix = smallestFactor(of: count)
    let part = count / radix
    for number in 0..<radix {
      combine(spectrum, from: from + step * number, step: step * radix, roots, &result, at: at + part * number, part)
    }
    var terms = [Complex](repeating: Complex(0, 0), count: radix)
    for place in 0..<part {
      for number in 0..<radix { terms[number] = result[at + part * number + place] }
      for block in 0..<radix {
        let output = place + part * block
        var sum = terms[0]
        for number in 1..<radix { sum = sum + terms[number] * roots[number * output % count * step] }
        result[at + output] = sum
      }
    }
  }

  private static func smallestFactor(of count: Int) -> Int {
    var factor = 2
    while factor * factor <= count {
      if count % factor == 0 { return factor }
      factor += 1
    }
    return count
  }
}
