// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs
import Testing

@testable import MeridianBench

/// The whole way, through the ABI and by the real clock, with kernels whose times are known. Margins are wide: the
/// machine may be busy. What intervals promise is proved in CoverageTests, by a clock that is not.
@Suite(.serialized) struct RunnerTests {
  private func runner(
    _ kernels: [String], rounds: Int = 15, most: Int? = nil, confidence: Double = 0.95, seed: UInt64 = 1
  ) throws -> Runner {
    var options = Runner.Options()
    options.rounds = simulation(rounds: rounds, most: most, seed: seed, confidence: confidence)
    options.rounds.budget = 60
    return Runner(try syntheticHost(), kernels: kernels, options: options)
  }

  @Test func spinsTakeTheirTime() throws {
    let result = try runner(["steady"]).run(try syntheticCase())
    let time = try #require(result.kernels[0].time)
    #expect(time.smallest >= Double(Synthetic.spin) && time.smallest < 20 * Double(Synthetic.spin))
    #expect(result.oracle == "known by construction")
    #expect(result.kernels[0].accuracy?.largest == 0)
    #expect(result.ratios.isEmpty)
  }

  /// A busy machine takes the core away now and then: rounds go on until the interval decides, as for budgets.
  @Test func fivePercentIsFound() throws {
    let benchCase = try syntheticCase(rows: 2)
    let found = try (0..<6).count { seed in
      let runner = try runner(["long", "slower"], most: 960, seed: UInt64(seed))
      let result = try runner.run(benchCase) { $0.ratios.allSatisfy(\.isDifferent) }
      return (result.ratios.first?.low ?? 0) > 1
    }
    #expect(found >= 5, "found in \(found) of 6 runs")
  }

  /// At 99% an interval misses in one run of a hundred; that six of a hundred do is one in ten thousand.
  @Test func equalKernelsAreNotToldApart() throws {
    let benchCase = try syntheticCase(rows: 2)
    let claims = try (0..<100).count { seed in
      let result = try runner(["steady", "twin"], confidence: 0.99, seed: UInt64(seed)).run(benchCase)
      return try #require(result.ratios.first).isDifferent
    }
    #expect(claims <= 5, "\(claims) false claims of 100")
  }

  @Test func driftAndSpikesShowInTheTimes() throws {
    let result = try runner(["steady", "drifting", "spiky"], rounds: 45).run(try syntheticCase(rows: 2))
    let drifting = result.kernels[1].times
    let (early, late) = (drifting.prefix(10).min() ?? 0, drifting.suffix(10).min() ?? 0)
    #expect(late > early + Double(20 * Synthetic.drift), "35 rounds lie between, and a busy machine delays some")
    let spiky = result.kernels[2]
    #expect(spiky.outliers.count >= 4 && spiky.times.count == 45, "marked \(spiky.outliers.count), kept all")
    #expect(try #require(spiky.time).largest >= Double(Synthetic.spike))
  }

  @Test func errorsAreHeldAgainstTheDeclaredBound() throws {
    let result = try runner(["biased", "steady"], rounds: 6).run(try syntheticCase(rows: 200))
    let accuracy = try #require(result.kernels[0].accuracy)
    #expect(accuracy.violations == 20 && accuracy.compared == 200)
    #expect(abs(accuracy.largest - Synthetic.largeError) < 1e-12)
    #expect(accuracy.bound == "0.001 coord")
    #expect(result.kernels[1].accuracy?.violations == nil, "no bound, no violation")
  }

  @Test func refusalsAndFailuresAreResults() throws {
    let result = try runner(["steady", "refuses", "breaks", "absent"]).run(try syntheticCase())
    #expect(result.kernels.map { $0.kernel } == ["steady", "refuses", "breaks", "absent"])
    let refusals = result.kernels.map { $0.refusal ?? "" }
    #expect(refusals[0].isEmpty && result.kernels[0].times.count == 15)
    #expect(refusals[1].contains("not today"), "\(refusals[1])")
    #expect(refusals[2].contains("broke in the middle") && refusals[2].contains("row 3"), "\(refusals[2])")
    #expect(refusals[3].contains("absent"))
    #expect(result.kernels.map { $0.refusalKind } == [nil, .failed, .failed, .failed])
    for failed in result.kernels.dropFirst() { #expect(failed.times.isEmpty && failed.accuracy == nil) }
    #expect(result.ratios.isEmpty)
  }

  @Test func aReferenceMayBeAnyKernel() throws {
    var options = Runner.Options()
    options.rounds = simulation(rounds: 6, seed: 1)
    options.reference = "twin"
    let host = try syntheticHost()
    let result = try Runner(host, kernels: ["steady", "twin"], options: options).run(try syntheticCase())
    #expect(result.ratios.map { [$0.kernel, $0.reference] } == [["steady", "twin"]])
    options.reference = "refuses"
    let none = try Runner(host, kernels: ["refuses", "steady", "twin"], options: options).run(try syntheticCase())
    #expect(none.ratios.isEmpty && none.kernels[1].time != nil)
  }

  @Test func figuresApartAreAskedFor() throws {
    var options = Runner.Options()
    options.measuresTime = false
    options.rounds.budget = 300  // a busy machine may need long for ten thousand calls
    options.measuresLatency = true
    options.measuresMemory = true
    options.judgesAnswers = false
    options.countsInstructions = true
    let kernel = try Runner(try syntheticHost(), kernels: ["biased"], options: options)
      .run(try syntheticCase(rows: 2)).kernels[0]
    #expect(kernel.times.isEmpty && kernel.time == nil && kernel.accuracy == nil)
    let latency = try #require(kernel.latency)
    #expect(latency.calls == 10_000 && latency.p50 <= latency.p99 && latency.p99 <= latency.p999)
    #expect(latency.p999 <= latency.largest && latency.p50 > 0)
    #expect(kernel.memory != nil)
    #expect((kernel.instructionsPerUnit == nil) == (Counters.whyUnavailable != nil))
  }

  @Test func scalingIsThatOfTheKernel() throws {
    let host = try syntheticHost()
    // Runs on this thread alone.
    nonisolated(unsafe) let machine = FakeMachine(.bursts, seed: 9)
    let steps = [100, 200, 400, 800, 1600, 3200].map { size in
      let head = CaseResult(
        name: "n", suite: .index, operation: "index.build", workload: "", setting: "", unit: .box, units: size,
        rows: size)
      return Scaling.Step(
        size: size,
        BenchCase(head) { (_, kernel) throws(MeridianError) in
          if kernel == "limited" && size > 1000 { throw MeridianError(.limit, "too many") }
          if kernel == "refuses" { throw MeridianError(.unsupported, "no") }
          let power = kernel == "quadratic" ? Double(size) : 1
          return PreparedRun { () throws(MeridianError) in
            machine.spend(1000 * Double(size) * power)
            return Outcome()
          }
        })
    }
    let scaling = Scaling(host, simulation(rounds: 15, seed: 1), timekeeper: machine.timekeeper)
    let head = ScalingResult(name: "n", operation: "index.build", variable: "boxes")
    let kernels = ["linear", "quadratic", "limited", "refuses"]
    let result = try scaling.sweep(head, kernels: kernels, steps: steps)
    #expect(result.series.map { $0.kernel } == ["linear", "quadratic", "limited"])
    #expect(abs(result.series[0].exponent - 1) < 0.2 && abs(result.series[1].exponent - 2) < 0.2)
    #expect(result.series[0].low <= 1 && result.series[0].high >= 1)
    #expect(result.series[0].sizes == [100, 200, 400, 800, 1600, 3200])
    #expect(result.series[2].sizes == [100, 200, 400, 800])
  }

  @Test func theBoundaryHasACost() throws {
    var options = Runner.Options()
    options.rounds = simulation(rounds: 6, seed: 1)
    let host = try syntheticHost()
    let runner = Runner(host, kernels: ABICases.contestants + ["steady"], options: options)
    let results = try runner.run(ABICases.all(rows: 5000, calls: 50))
    #expect(results.map { $0.operation } == ["measure.length", "validate.valid", "index.window"].flatMap { [$0, $0] })
    #expect(Set(results.map { $0.name }).count == 6)
    for result in results {
      let (direct, empty) = (try #require(result.kernels[0].time), try #require(result.kernels[1].time))
      #expect(direct.median > 0 && empty.median > direct.smallest, "\(result.name)")
      #expect(result.kernels[2].refusal?.contains("boundary") == true)
      #expect(result.ratios.map { $0.kernel } == ["empty"])
    }
  }

  @Test func interruptionLeavesNoResult() throws {
    let stopped = Timekeeper(now: Timekeeper.system.now, isCancelled: { true })
    let runner = Runner(try syntheticHost(), kernels: ["steady"], timekeeper: stopped)
    do {
      _ = try runner.run([try syntheticCase()])
      Issue.record("it was not interrupted")
    } catch let error as JobError {
      guard case .interrupted = error else { throw error }
    }
  }
}
