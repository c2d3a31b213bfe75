// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// xoshiro256** (Blackman, Vigna 2018), its state filled by SplitMix64 from one seed: the same numbers on every machine.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)
  /// The second number of a pair that the polar method makes.
  private var spareNormal: Double?

  package init(seed: UInt64) {
    var mixer = seed
    func next() -> UInt64 {
      mixer &+= 0x9e37_79b9_7f4a_7c15
      var word = mixer
      word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
      word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
      return word ^ word >> 31
    }
    state = (next(), next(), next(), next())
  }

  /// A generator of its own for a part of the work, so that parts do not depend on what others draw.
  package init(seed: UInt64, stream: String) {
    // FNV-1a of the name.
    let hash = stream.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    self.init(seed: seed ^ hash)
  }

  package mutating func next() -> UInt64 {
    func rotated(_ word: UInt64, _ by: UInt64) -> UInt64 { word << by | word >> (64 - by) }
    let result = rotated(state.1 &* 5, 7) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = rotated(state.3, 45)
    return result
  }

  /// Uniform in [low, high), from 53 bits.
  package mutating func uniform(_ low: Double = 0, _ high: Double = 1) -> Double {
    low + (high - low) * (Double(next() >> 11) * 0x1p-53)
  }

  /// Normal with mean 0 and standard deviation 1 (Marsaglia's polar method).
  package mutating func normal() -> Double {
    if let spare = spareNormal {
      spareNormal = nil
      return spare
    }
    while true {
      let (u, v) = (uniform(-1, 1), uniform(-1, 1))
      let square = u * u + v * v
      guard square > 0, square < 1 else { continue }
      let factor = (-2 * log(square) / square).squareRoot()
      spareNormal = v * factor
      return u * factor
    }
  }
}
