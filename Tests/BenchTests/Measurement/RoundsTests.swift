// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs
import Testing

@testable import MeridianBench

@Suite struct RoundsTests {
  @Test func driftCancelsInRatios() throws {
    let machine = FakeMachine(.drift, seed: 5)
    let times = try Rounds(simulation(rounds: 31, seed: 1), timekeeper: machine.timekeeper).measure(
      [machine.kernel("a", 1e6), machine.kernel("b", 1.25e6)], reference: "a")
    let a = try #require(times.kernels[0].time)
    #expect(a.largest > 1.4 * a.smallest, "the machine slowed down")
    let ratio = try #require(times.ratios.first)
    #expect(abs(ratio.ratio - 1.25) < 0.03 && ratio.isDifferent && ratio.rounds == 31)
  }

  @Test func outliersAreMarkedAndKept() throws {
    let machine = FakeMachine(.normal, seed: 5)
    var runs = 0
    let spiky = Rounds.Contender("spiky") { () throws(MeridianError) in
      runs += 1
      machine.spend(runs % 10 == 0 ? 20e6 : 1e6)
      return Outcome()
    }
    let result = try Rounds(simulation(rounds: 30, seed: 1), timekeeper: machine.timekeeper).measure([spiky]).kernels[0]
    #expect(result.times.count == 30 && result.outliers.count == 3)
    #expect(result.outliers.allSatisfy { result.times[$0] > 15e6 })
    let time = try #require(result.time)
    #expect(time.largest > 15e6 && time.median < 1.2e6)
  }

  /// A run of 1 us is repeated until 5 ms are full; its time is that of one run.
  @Test func shortRunsAreRepeated() throws {
    let machine = FakeMachine(.normal, seed: 5)
    var runs = 0
    let short = Rounds.Contender("short") { () throws(MeridianError) in
      runs += 1
      machine.spend(1000)
      return Outcome()
    }
    var options = Rounds.Options()
    options.budget = .infinity
    let times = try Rounds(options, timekeeper: machine.timekeeper).measure([short]).kernels[0].times
    #expect(runs > 15 * 4500 && runs < 15 * 5600)
    #expect(times.count == 15 && times.allSatisfy { abs($0 - 1000) < 20 })
  }

  /// What one kernel's warm-up alone decides must not show in its time: kernels of about one speed repeat equally often,
  /// and where anyone repeats, the first run of each turn is not timed.
  @Test func kernelsOfOneSpeedRepeatAlike() throws {
    let machine = FakeMachine(.cold, seed: 5)
    var runs: [String: Int] = [:]
    func kernel(_ name: String, _ nanoseconds: Double) -> Rounds.Contender {
      Rounds.Contender(name) { () throws(MeridianError) in
        runs[name, default: 0] += 1
        machine.spend(nanoseconds, by: name)
        return Outcome()
      }
    }
    var options = Rounds.Options()
    (options.budget, options.warmup) = (.infinity, 0)
    let times = try Rounds(options, timekeeper: machine.timekeeper).measure(
      [kernel("a", 1.0e6), kernel("b", 1.7e6), kernel("c", 3.0e6), kernel("far", 8e6)], reference: "a")
    // One run of warming up, and 15 rounds with one untimed run each: 5 or 6 timed runs of those that are near each
    // other (c's are ended by the time), one of the kernel that is not.
    #expect(runs["a"] == runs["b"] && (runs["a"] ?? 0) >= 1 + 15 * 6)
    #expect(runs["far"] == 1 + 15 * 2)
    #expect((runs["c"] ?? 0) >= 1 + 15 * 4 && (runs["c"] ?? 0) <= 1 + 15 * 7)
    // No time has a cold run in it.
    #expect(times.kernels[3].times.allSatisfy { $0 < 8e6 * 1.045 })
    // Kernels that do not repeat have no run for warming: each run of theirs is a round.
    runs = [:]
    _ = try Rounds(options, timekeeper: machine.timekeeper).measure([kernel("long", 8e6), kernel("longer", 2e7)])
    #expect(runs == ["long": 16, "longer": 16])
  }

  @Test func theBudgetEndsRounds() throws {
    let machine = FakeMachine(.normal, seed: 5)
    var options = simulation(rounds: 15, seed: 1)
    options.budget = 10
    let times = try Rounds(options, timekeeper: machine.timekeeper).measure(
      [machine.kernel("a", 1e9), machine.kernel("b", 1e9)], reference: "a")
    let rounds = times.kernels[0].times.count
    #expect(rounds >= 1 && rounds < 6)
    #expect(times.ratios.first?.isDifferent == false && times.ratios.first?.low == 0, "too few rounds claim nothing")
  }

  @Test func roundsGoOnUntilDecided() throws {
    let machine = FakeMachine(.normal, seed: 5)
    var asked: [Int] = []
    let meter = Rounds(simulation(rounds: 15, most: 100, seed: 1), timekeeper: machine.timekeeper)
    let kernels = [machine.kernel("a", 1e6), machine.kernel("b", 1e6)]
    let times = try meter.measure(kernels, reference: "a") { times in
      asked.append(times.ratios[0].rounds)
      return asked.count == 3
    }
    #expect(asked == [15, 30, 60] && times.kernels[0].times.count == 60)
    let undecided = try meter.measure(kernels, reference: "a") { _ in false }
    #expect(undecided.kernels[0].times.count == 100)
    #expect(undecided.ratios[0].confidence == 0.95)
  }

  @Test func everyOrderComesUpAndTheSeedSaysWhich() throws {
    func orders(_ seed: UInt64) throws -> [String] {
      var log: [String] = []
      let machine = FakeMachine(.normal, seed: 5)
      let kernels = ["a", "b", "c"].map { name in
        Rounds.Contender(name) { () throws(MeridianError) in
          log.append(name)
          machine.spend(1e6)
          return Outcome()
        }
      }
      _ = try Rounds(simulation(rounds: 60, seed: seed), timekeeper: machine.timekeeper).measure(kernels)
      // The last three a round; what comes before is warming up.
      let timed = log.suffix(180)
      return stride(from: timed.startIndex, to: timed.endIndex, by: 3).map { timed[$0..<$0 + 3].joined() }
    }
    let one = try orders(1)
    #expect(Set(one).count == 6 && one.allSatisfy { Set($0).count == 3 })
    #expect(try orders(1) == one)
    #expect(try orders(2) != one)
  }

  @Test func aKernelThatFailsIsRefusedAndOthersGoOn() throws {
    let machine = FakeMachine(.normal, seed: 5)
    var runs = 0
    let breaks = Rounds.Contender("breaks") { () throws(MeridianError) in
      runs += 1
      machine.spend(1e6)
      if runs == 9 { throw MeridianError(.internalError, "out of luck", row: 4) }
      return Outcome()
    }
    let refuses = Rounds.Contender("refuses") { () throws(MeridianError) in
      throw MeridianError(.unsupported, "no")
    }
    let times = try Rounds(simulation(rounds: 15, seed: 1), timekeeper: machine.timekeeper).measure(
      [machine.kernel("a", 1e6), breaks, refuses, machine.kernel("b", 1e6)], reference: "a")
    #expect(times.kernels.map { $0.times.count } == [15, 0, 0, 15])
    #expect(times.kernels.map { $0.refusal } == [nil, "row 4: out of luck", "no", nil])
    #expect(times.kernels[1].time == nil)
    #expect(times.ratios.map { $0.kernel } == ["b"])
    let nobody = try Rounds(simulation(rounds: 15, seed: 1), timekeeper: machine.timekeeper).measure(
      [refuses], reference: "refuses")
    #expect(nobody.kernels[0].refusal == "no" && nobody.ratios.isEmpty)
  }

  @Test func cancellationInterrupts() throws {
    let machine = FakeMachine(.normal, seed: 5)
    let slow = machine.kernel("a", 1e6)
    let impatient = Timekeeper(now: { machine.now }, isCancelled: { machine.now > 8_000_000 })
    let meter = Rounds(simulation(rounds: 15, seed: 1), timekeeper: impatient)
    do {
      _ = try meter.measure([slow])
      Issue.record("it was not interrupted")
    } catch {
      guard case .interrupted = error else { throw error }
      #expect(machine.now < 10_000_000)
    }
    let cancelled = Rounds.Contender("c") { () throws(MeridianError) in throw MeridianError(.cancelled, "stopped") }
    do {
      _ = try Rounds(simulation(rounds: 15, seed: 1), timekeeper: machine.timekeeper).measure([cancelled])
      Issue.record("a cancelled kernel is no refusal")
    } catch {
      guard case .interrupted = error else { throw error }
    }
  }

  /// The outcome of a run goes when the clock has stopped, not before.
  @Test func outcomesAreFreedUntimed() throws {
    let machine = FakeMachine(.normal, seed: 5)
    var stops: [Bool] = []
    weak var last: Token?
    let keeper = Timekeeper(
      now: {
        if last != nil { stops.append(true) }
        return machine.now
      }, isCancelled: { false })
    let time = keeper.time { () -> Outcome in
      let token = Token()
      last = token
      var outcome = Outcome()
      outcome.set = token.set
      machine.spend(1e6)
      return outcome
    }
    #expect(time > 500_000 && stops == [true], "alive when the clock stopped")
    #expect(last == nil, "and gone after it")
  }
}

/// Something that an outcome holds on to.
private final class Token {
  /// Kept by the set's array; keeps the token.
  var set: GeometrySet {
    GeometrySet(GeometryArray(borrowing: .init(), owner: self))
  }
}
