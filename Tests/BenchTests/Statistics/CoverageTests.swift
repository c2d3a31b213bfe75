// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MeridianBench

/// What the intervals promise, held over thousands of simulated runs. Seeds are fixed: a failure is no accident.
@Suite struct CoverageTests {
  private static let trials = 2000

  /// Runs of two kernels on a fake machine; how many of them tell the kernels apart.
  private func claims(
    _ noise: FakeMachine.Noise, slower: Double, rounds: Int, most: Int? = nil, trials: Int,
    isDecided: Rounds.Decision? = nil
  ) throws -> Int {
    try (0..<trials).count { trial in
      let machine = FakeMachine(noise, seed: UInt64(1000 + trial))
      let meter = Rounds(
        simulation(rounds: rounds, most: most, seed: UInt64(trial)), timekeeper: machine.timekeeper)
      let times = try meter.measure(
        [machine.kernel("a", 1e6), machine.kernel("b", 1e6 * slower)], reference: "a", isDecided: isDecided)
      let ratio = try #require(times.ratios.first)
      return ratio.isDifferent
    }
  }

  @Test(arguments: FakeMachine.Noise.allCases)
  func equalKernelsAreToldApartInAtMostOneOfTwentyRuns(noise: FakeMachine.Noise) throws {
    let claims = try claims(noise, slower: 1, rounds: 15, trials: Self.trials)
    #expect(claims <= Self.trials / 20, "\(noise): \(claims) false claims of \(Self.trials)")
    #expect(claims > 0 || noise == .rhythm, "\(noise): an interval that never errs is wider than it says")
  }

  @Test(arguments: [6, 10, 21])
  func otherCountsOfRoundsHoldAsWell(rounds: Int) throws {
    let claims = try claims(.bursts, slower: 1, rounds: rounds, trials: 1000)
    #expect(claims <= 50, "\(rounds) rounds: \(claims) false claims of 1000")
  }

  /// Short runs are repeated inside a round, and the first of them meets cold caches: near a step of the number of
  /// repeats, equal kernels must still spread that over equally many runs.
  @Test(arguments: [1.68e6, 1.684e6, 2.5e6, 2.525e6, 5.05e6])
  func equalKernelsNearAStepOfTheRepeatsAreNotToldApart(nanoseconds: Double) throws {
    var claims = 0
    for trial in 0..<Self.trials {
      let machine = FakeMachine(.cold, seed: UInt64(5000 + trial))
      var options = Rounds.Options()
      options.budget = .infinity
      options.seed = UInt64(trial)
      let times = try Rounds(options, timekeeper: machine.timekeeper).measure(
        [machine.kernel("a", nanoseconds), machine.kernel("b", nanoseconds)], reference: "a")
      if try #require(times.ratios.first).isDifferent { claims += 1 }
    }
    #expect(claims <= Self.trials / 20, "\(nanoseconds) ns: \(claims) false claims of \(Self.trials)")
    #expect(claims > 0, "an interval that never errs is wider than it says")
  }

  /// Whoever adds rounds until a difference shows finds one in the end, unless looks are paid for.
  @Test(arguments: [FakeMachine.Noise.normal, .bursts])
  func lookingUntilItShowsDoesNotFindMore(noise: FakeMachine.Noise) throws {
    let claims = try claims(noise, slower: 1, rounds: 15, most: 120, trials: 500) {
      $0.ratios.allSatisfy(\.isDifferent)
    }
    #expect(claims <= 25, "\(noise): \(claims) false claims of 500")
  }

  @Test func fivePercentWithTwoPercentNoiseIsFound() throws {
    let found = try claims(.normal, slower: 1.05, rounds: 15, trials: Self.trials)
    #expect(found >= Self.trials * 95 / 100, "found \(found) of \(Self.trials)")
  }

  @Test func moreRoundsFindTwoPercent() throws {
    let found = try claims(.normal, slower: 1.02, rounds: 15, most: 240, trials: 200) {
      $0.ratios.allSatisfy(\.isDifferent)
    }
    #expect(found >= 190, "found \(found) of 200")
  }

  @Test(arguments: [6, 15, 20])
  func mediansAreInsideTheirIntervals(count: Int) {
    var random = SeededRandom(seed: 42)
    let trials = 4000
    let inside = (0..<trials).count { _ in
      // The median of u^-1/2, a tail without a variance, is the square root of 2.
      let values = (0..<count).map { _ in 1 / max(1e-12, random.uniform()).squareRoot() }
      guard let spread = Spread(values) else { return false }
      return spread.low <= 2.0.squareRoot() && 2.0.squareRoot() <= spread.high
    }
    #expect(inside >= trials * 95 / 100, "\(inside) of \(trials)")
  }

  /// The interval of absolute times is paid for at each look as well.
  @Test func timesAreInsideTheirIntervalsAtEveryLook() throws {
    let trials = 1000
    let inside = try (0..<trials).count { trial in
      let machine = FakeMachine(.normal, seed: UInt64(9000 + trial))
      let meter = Rounds(simulation(rounds: 15, most: 120, seed: UInt64(trial)), timekeeper: machine.timekeeper)
      // The median is 1e6: whoever stops as soon as the interval has left it errs most often.
      let times = try meter.measure([machine.kernel("a", 1e6)]) { times in
        times.kernels[0].time.map { $0.low > 1e6 || $0.high < 1e6 } ?? true
      }
      let time = try #require(times.kernels[0].time)
      return time.low <= 1e6 && 1e6 <= time.high
    }
    #expect(inside >= trials * 95 / 100, "\(inside) of \(trials)")
  }

  /// Ten of ten thousand calls are beyond the 99.9th percentile: its interval has to know that they are few.
  @Test func tailsAreInsideTheirIntervals() throws {
    var random = SeededRandom(seed: 77)
    let trials = 200
    let inside = try (0..<trials).count { _ in
      // The 99.9th percentile of 1 / u is 1000.
      let latency = try #require(Latency((0..<10_000).map { _ in 1 / max(1e-12, random.uniform()) }))
      return try #require(latency.p999Low) <= 1000 && 1000 <= #require(latency.p999High)
    }
    #expect(inside >= trials * 95 / 100, "\(inside) of \(trials)")
  }

  /// What idle calls show of the machine is taken from the tail, and the interval knows how little they show of it.
  @Test(arguments: [0, 0.0005, 0.01]) func ownTailsAreInsideTheirIntervals(pauses: Double) throws {
    var random = SeededRandom(seed: 78)
    let trials = 60
    let inside = try (0..<trials).count { _ in
      func pause() -> Double { random.uniform() < pauses ? 2000 / max(1e-12, random.uniform()) : 0 }
      let calls = (0..<10_000).map { _ in 1 / max(1e-12, random.uniform()) + pause() }
      let idle = (0..<10_000).map { _ in 1 + pause() }
      let latency = try #require(Latency(calls, idle: idle))
      // Beyond 1000 are one in a thousand of the kernel's own, and the pauses that both have.
      return try #require(latency.ownP999Low) <= 1000 && 1000 <= #require(latency.ownP999High)
    }
    #expect(inside >= trials * 94 / 100, "\(inside) of \(trials)")
  }

  /// Time = size^1.5 with 3% noise a run and spells that slow whole rounds.
  @Test func exponentsAreInsideTheirIntervals() throws {
    var random = SeededRandom(seed: 7)
    let sizes = [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000]
    let trials = 200
    var inside = 0
    for trial in 0..<trials {
      let spells = (0..<15).map { _ in random.uniform() < 0.2 ? 1.5 : 1.0 }
      let times = sizes.map { size in
        spells.map { $0 * Double(size) * Double(size).squareRoot() * (1 + 0.03 * random.normal()) }
      }
      let fit = try #require(PowerFit(sizes: sizes, times: times, resamples: 100, seed: UInt64(trial)))
      if fit.low <= 1.5 && 1.5 <= fit.high { inside += 1 }
      #expect(abs(fit.exponent - 1.5) < 0.05)
    }
    #expect(inside >= trials * 95 / 100, "\(inside) of \(trials)")
  }

  @Test func fitsAreRepeatableAndRefuseNonsense() throws {
    let sizes = [10, 100, 1000]
    let times = sizes.map { size in (0..<15).map { Double(size) * (1 + 0.01 * Double($0 % 4)) } }
    let one = try #require(PowerFit(sizes: sizes, times: times, seed: 3))
    #expect(one == PowerFit(sizes: sizes, times: times, seed: 3))
    #expect(abs(one.exponent - 1) < 1e-9)
    // The small size, whose constant part counts, is left out.
    let once = [[50_000]] + times.dropFirst().map { [$0[0]] }
    let withConstant = try #require(PowerFit(sizes: sizes, times: once, seed: 3))
    #expect(abs(withConstant.exponent - 1) < 1e-9)
    #expect(withConstant.low < -1e300 && withConstant.high > 1e300, "one round says nothing of the noise")
    #expect(PowerFit(sizes: [10, 10], times: [[1], [1]], seed: 3) == nil)
    #expect(PowerFit(sizes: [10, 20], times: [[1], [0]], seed: 3) == nil)
    #expect(PowerFit(sizes: [], times: [], seed: 3) == nil)
  }
}
