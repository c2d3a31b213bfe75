// SPDX-License-Identifier: Apache-2.0
import Meridian

@testable import MeridianBench

/// A machine whose clock stands still but for what runs take, with noise of a known shape: claims about intervals are
/// checked over thousands of runs, and come out the same every time.
final class FakeMachine {
  enum Noise: CaseIterable {
    /// 2%, normal.
    case normal
    /// Log-normal of 5%; each tenth run is up to many times slower.
    case heavyTailed
    /// Each run 1% slower than the one before, and 2% normal.
    case drift
    /// Spells of 20 runs at half speed, and 2% normal.
    case bursts
    /// Every second, third and fourth run is slower, and hardly any other noise: rhythms of the machine that a fixed
    /// order of kernels would fall in step with.
    case rhythm
    /// The first run after another kernel's is 5% slower, its caches being cold, and 1% normal.
    case cold
  }

  private(set) var now: Int64 = 0
  private var random: SeededRandom
  private let noise: Noise
  private var runs = 0
  private var isSlow = false
  /// Who ran last.
  private var last = ""

  init(_ noise: Noise, seed: UInt64) {
    self.noise = noise
    random = SeededRandom(seed: seed)
  }

  var timekeeper: Timekeeper { Timekeeper(now: { self.now }, isCancelled: { false }) }

  /// One that stops each run, of kernels and of nothing, for a millisecond in one of `rarity`.
  func timekeeper(stoppedOneIn rarity: Double) -> Timekeeper {
    Timekeeper(now: { self.now }, isCancelled: { false }) { nanoseconds in
      self.now += nanoseconds
      self.stop(oneIn: rarity)
    }
  }

  func stop(oneIn rarity: Double) {
    if random.uniform() * rarity < 1 { now += Int64(1e6 * (1 + random.uniform())) }
  }

  /// A kernel that takes `nanoseconds` of this machine when there is no noise.
  func kernel(_ name: String, _ nanoseconds: Double) -> Rounds.Contender {
    Rounds.Contender(name) { () throws(MeridianError) in
      self.spend(nanoseconds, by: name)
      return Outcome()
    }
  }

  func spend(_ nanoseconds: Double, by kernel: String = "") {
    runs += 1
    now += max(1, Int64(nanoseconds * factor(isCold: kernel != last)))
    last = kernel
  }

  private func factor(isCold: Bool) -> Double {
    let steady = max(0.5, 1 + 0.02 * random.normal())
    switch noise {
    case .normal: return steady
    case .heavyTailed:
      let usual = exponential(0.05 * random.normal())
      return random.uniform() < 0.1 ? usual / max(0.01, random.uniform()) : usual
    case .drift: return steady * (1 + 0.01 * Double(runs))
    case .bursts:
      if random.uniform() < 0.05 { isSlow.toggle() }
      return isSlow ? 2 * steady : steady
    case .rhythm:
      let beat = (runs % 2 == 0 ? 0.1 : 0) + (runs % 3 == 0 ? 0.07 : 0) + (runs % 4 == 0 ? 0.05 : 0)
      return 1 + beat + 0.0001 * random.normal()
    case .cold: return max(0.5, (isCold ? 1.05 : 1) * (1 + 0.01 * random.normal()))
    }
  }

  /// e^x to the accuracy that noise needs.
  private func exponential(_ x: Double) -> Double { 1 + x + x * x / 2 + x * x * x / 6 }
}

/// A round a run, no time for warming up, and no budget that could end it.
func simulation(rounds: Int, most: Int? = nil, seed: UInt64, confidence: Double = 0.95) -> Rounds.Options {
  var options = Rounds.Options()
  options.fewest = rounds
  options.most = most ?? rounds
  options.leastNanoseconds = 1
  options.warmup = 0
  options.budget = .infinity
  options.confidence = confidence
  options.seed = seed
  return options
}
