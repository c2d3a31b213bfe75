// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs
import Testing

@testable import MeridianBench

/// What becomes of a budget: measured on a fake machine, with kernels whose times, errors and failures are known.
@Suite(.serialized) struct EnforcerTests {
  // MARK: - Limits of times

  @Test func aRatioNearItsLimitGoesOnUntilItIsDecided() throws {
    var bench = FakeBench()
    bench.nanoseconds["twin"] = 1.02e6
    let found = try bench.run([(.timeRatio, 1.035)], kernel: "twin", reference: "steady")
    let ratio = try #require(found.result?.ratios.first)
    #expect(found.verdicts.map(\.verdict) == [.kept] && ratio.rounds > 15 && ratio.confidence == 0.99)
  }

  @Test func aRatioAtItsLimitIsUndecided() throws {
    let found = try FakeBench().run([(.timeRatio, 1)], kernel: "twin", reference: "steady")
    #expect(found.verdicts.map(\.verdict) == [.undecided] && found.verdicts.allSatisfy(\.isFailure))
    #expect(found.result?.ratios.first?.rounds == 200)
  }

  @Test func aTimeNearItsLimitGoesOnLikewise() throws {
    let found = try FakeBench().run([(.milliseconds, 1.01)])
    let kernel = try #require(found.result?.kernels.first)
    #expect(found.verdicts.map(\.verdict) == [.kept] && kernel.times.count > 15)
    #expect(kernel.time?.confidence == 0.99)
    // A clear one is settled at the first look.
    let clear = try FakeBench().run([(.milliseconds, 2)])
    #expect(clear.result?.kernels.first?.times.count == 15)
  }

  /// Each limit has its own interval: rounds go on until all are settled.
  @Test func oneSettledLimitDoesNotEndTheOthers() throws {
    let found = try FakeBench().run(
      [(.timeRatio, 2), (.milliseconds, 1.01)], kernel: "twin", reference: "steady")
    #expect(found.verdicts.map(\.verdict) == [.kept, .kept])
    #expect((found.result?.kernels.last?.times.count ?? 0) > 15)
  }

  @Test func aGrowthNearItsLimitGoesOnLikewise() throws {
    var bench = FakeBench()
    bench.follows = true
    bench.options.rounds.most = 15
    #expect(try bench.run([(.growthExponent, 1.015)]).verdicts.map(\.verdict) == [.undecided])
    bench.options.rounds.most = 200
    let found = try bench.run([(.growthExponent, 1.015)])
    #expect(found.verdicts.map(\.verdict) == [.kept], "\(found.verdicts)")
    bench.exponent = 2
    #expect(try bench.run([(.growthExponent, 1.3)]).verdicts.map(\.verdict) == [.exceeded])
  }

  @Test func aTailNearItsLimitTakesMoreCalls() throws {
    // 3.09 standard deviations of 2% above a microsecond.
    let found = try FakeBench().run([(.p999Microseconds, 1.068)])
    let latency = try #require(found.result?.kernels.first?.latency)
    #expect(found.verdicts.map(\.verdict) == [.kept] && latency.calls > 10_000 && latency.confidence == 0.99)
    let verdict = found.verdicts[0]
    #expect(try #require(verdict.low) < #require(verdict.value) && #require(verdict.value) < #require(verdict.high))
    #expect(try FakeBench().run([(.p999Microseconds, 0.9)]).verdicts.map(\.verdict) == [.exceeded])
  }

  // MARK: - Limits of answers and bytes

  @Test func bytesAreThoseOfAUnit() throws {
    var bench = FakeBench()
    bench.keptBytes = 6400
    #expect(try bench.run([(.bytesPerUnit, 64)]).verdicts.map(\.verdict) == [.kept])
    bench.keptBytes = 6500
    #expect(try bench.run([(.bytesPerUnit, 64)]).verdicts.map(\.verdict) == [.exceeded])
    bench.keptBytes = nil
    #expect(try bench.run([(.bytesPerUnit, 64)]).verdicts.map(\.verdict) == [.exceeded])
  }

  @Test func answersAreHeldAgainstTheOracle() throws {
    var bench = FakeBench()
    bench.oracle = FakeOracle(compared: 10, wrong: 0)
    #expect(try bench.run([(.wrong, 0), (.error, 0)]).verdicts.map(\.verdict) == [.kept, .kept])
    bench.oracle = FakeOracle(compared: 10, wrong: 1)
    #expect(try bench.run([(.wrong, 0)]).verdicts.map(\.verdict) == [.exceeded])
  }

  /// No limit of answers is kept where nobody looked.
  @Test(arguments: [Budget.Figure.wrong, .error, .relativeError, .violations])
  func withoutComparisonsNothingIsKept(figure: Budget.Figure) throws {
    var bench = FakeBench()
    let without = try bench.run([(figure, 0)]).verdicts
    #expect(without.map(\.verdict) == [.exceeded] && without[0].note.contains("no oracle"))
    bench.oracle = FakeOracle(compared: 0, wrong: 0)
    let nothing = try bench.run([(figure, 0)]).verdicts
    #expect(nothing.map(\.verdict) == [.exceeded] && nothing[0].note == "nothing was compared")
    bench.oracle = FakeOracle(compared: 10, wrong: 0, fails: true)
    let failing = try bench.run([(figure, 0)]).verdicts
    #expect(failing.map(\.verdict) == [.exceeded] && failing[0].note.contains("could not be judged"))
  }

  /// Of answers that are all absent, no error is large and none is beyond a bound.
  @Test func answersThatAreAllAbsentKeepNothing() throws {
    var bench = FakeBench()
    bench.oracle = FakeOracle(compared: 10, wrong: 10)
    let found = try bench.run([(.error, 1), (.relativeError, 1), (.violations, 0), (.wrong, 10)]).verdicts
    #expect(found.map(\.verdict) == [.exceeded, .exceeded, .exceeded, .kept])
    bench.oracle = FakeOracle(compared: 10, wrong: 9)
    #expect(try bench.run([(.error, 1), (.violations, 0)]).verdicts.map(\.verdict) == [.kept, .kept])
  }

  // MARK: - What breaks, and what is not there

  @Test func aKernelThatBreaksHasExceededEveryLimit() throws {
    for (failing, run) in [("twin", 1), ("twin", 9), ("steady", 1), ("steady", 9)] {
      var bench = FakeBench()
      (bench.failing, bench.failsAtRun) = (failing, run)
      bench.oracle = FakeOracle(compared: 10, wrong: 0)
      let found = try bench.run([(.timeRatio, 9), (.wrong, 0)], kernel: "twin", reference: "steady")
      #expect(found.verdicts.map(\.verdict) == [.exceeded, .exceeded], "\(failing) in run \(run)")
      #expect(found.verdicts.allSatisfy { $0.note == "failed: \(failing): row 3: out of luck" }, "\(found.verdicts)")
    }
  }

  @Test(arguments: [Status.unsupported, .notFound]) func whatSaysBeforehandThatItDoesNotAnswerIsNotRun(
    status: Status
  ) throws {
    var bench = FakeBench()
    bench.refusal = MeridianError(status, "not today")
    #expect(try bench.run([(.milliseconds, 9)]).verdicts.map(\.verdict) == [.notRun])
    // After it began, the same words are a failure.
    bench = FakeBench()
    (bench.failing, bench.failsAtRun, bench.failure) = ("steady", 1, MeridianError(status, "not today"))
    #expect(try bench.run([(.milliseconds, 9)]).verdicts.map(\.verdict) == [.exceeded])
  }

  @Test(arguments: [Status.internalError, .memory, .io, .argument]) func aPreparationThatBreaksIsAFailure(
    status: Status
  ) throws {
    var bench = FakeBench()
    bench.refusal = MeridianError(status, "broken")
    let found = try bench.run([(.milliseconds, 9)])
    #expect(found.verdicts.map(\.verdict) == [.exceeded] && found.verdicts[0].note == "failed: steady: broken")
  }

  @Test func aSweepThatEndsEarlyIsAFailure() throws {
    var bench = FakeBench()
    bench.follows = true
    bench.refusedUnits = 40
    let found = try bench.run([(.growthExponent, 9)])
    #expect(
      found.verdicts.map(\.verdict) == [.exceeded] && found.verdicts[0].note == "failed: the sweep ends after size 20")
    bench.refusedUnits = nil
    bench.options.sweep = []
    do {
      _ = try bench.run([(.growthExponent, 9)])
      Issue.record("a growth without sizes")
    } catch let error as JobError {
      guard case .failed = error else { throw error }
    }
  }

  @Test func absentKernelsAreNotRunAndMissingOperationsAreFailures() throws {
    let bench = FakeBench()
    let absent = try bench.run([(.milliseconds, 9)], kernel: "nobody").verdicts
    #expect(absent.map(\.verdict) == [.notRun] && absent[0].note.contains("not installed"))
    let noReference = try bench.run([(.timeRatio, 9)], reference: "nobody").verdicts
    #expect(noReference.map(\.verdict) == [.notRun])
    let alone = try bench.run([(.milliseconds, 9), (.timeRatio, 9)], reference: "nobody")
    #expect(alone.verdicts.map(\.verdict) == [.kept, .notRun] && alone.result != nil)
    var other = FakeBench()
    other.operation = "measure.area"
    let lacking = try other.run([(.milliseconds, 9)]).verdicts
    #expect(lacking.map(\.verdict) == [.exceeded] && lacking[0].note.contains("does not offer measure.area"))
  }

  @Test func machinesWithoutTheLevelDoNotRunIt() throws {
    var bench = FakeBench()
    bench.noHost = MeridianError(.unsupported, "no such level")
    #expect(try bench.run([(.milliseconds, 9)], level: "x86-64-v4").verdicts.map(\.note) == ["no such level"])
    do {
      _ = try bench.run([(.milliseconds, 9)])
      Issue.record("there was no host")
    } catch let error as JobError {
      guard case .failed = error else { throw error }
    }
  }

  @Test func pendingBudgetsSayWhatTheyWaitFor() throws {
    var bench = FakeBench()
    bench.refusal = MeridianError(.internalError, "nobody may ask")
    let found = try bench.run([(.milliseconds, 9), (.wrong, 0)], pending: "no kernel does it yet")
    #expect(found.verdicts.map(\.verdict) == [.notRun, .notRun] && found.result == nil)
    #expect(found.verdicts.allSatisfy { $0.note == "pending: no kernel does it yet" && !$0.isFailure })
  }

  @Test func aReportWithoutAVerdictIsNoPass() throws {
    var report = BenchReport(context: RunContext.current(host: try syntheticHost(), seed: 1))
    #expect(report.enforcement == .nothingRan)
    report.budgets = try FakeBench().run([(.milliseconds, 9)], kernel: "nobody").verdicts
    #expect(report.enforcement == .nothingRan)
    report.budgets += try FakeBench().run([(.milliseconds, 9)]).verdicts
    #expect(report.enforcement == .kept)
    report.budgets += try FakeBench().run([(.milliseconds, 0.1)]).verdicts
    #expect(report.enforcement == .notKept)
  }

  // MARK: - The budgets of the repository

  /// A budget that no manifest could serve would never run, and nobody would see it.
  @Test func everyBudgetOfTheRepositoryHasAKernelThatOffersIt() throws {
    let budgets = try BudgetFile.read(repositoryRoot + "/benchmarks/budgets.json")
    let workloads = Workloads(scale: 0.0002, seed: 1)
    var checked = 0
    for budget in budgets where budget.isEnforced && budget.pending == nil {
      let cases = try Catalogue.cases(suite: budget.suite, workloads)
      let one = try #require(cases.first { $0.head.name == budget.benchCase }, "\(budget.name)")
      for name in [budget.kernel, budget.reference].compactMap({ $0 }) {
        if budget.suite == .abi {
          #expect(ABICases.contestants.contains(name), "\(budget.name)")
          continue
        }
        // An adapter may have been left out of the build.
        guard let kernel = try? Installed.host.kernel(named: name) else { continue }
        #expect(kernel.operations.contains(one.head.operation), "\(budget.name): \(name)")
        checked += 1
      }
    }
    #expect(checked > 0 || Installed.kernels.isEmpty)
  }
}

@Suite struct BudgetJobTests {
  private func budget(_ name: String, _ suite: MeridianBench.Suite, isShort: Bool) -> Budget {
    Budget(
      name: name, suite: suite, benchCase: "abi.measure.length/one row", scale: 0.001, kernel: "empty",
      isShort: isShort,
      isEnforced: true, margin: 1000, limits: [Budget.Limit(figure: .milliseconds, value: 1000)], reason: "")
  }

  @Test func theShortSetAndTheSuitesAreChosen() {
    var request = BudgetJob.Request(budgets: [
      budget("a", .abi, isShort: true), budget("b", .index, isShort: true), budget("c", .abi, isShort: false),
    ])
    #expect(request.chosen.map(\.name) == ["a", "b", "c"])
    request.suites = [.abi]
    #expect(request.chosen.map(\.name) == ["a", "c"])
    request.isShort = true
    #expect(request.chosen.map(\.name) == ["a"])
  }

  @Test func eachBudgetIsReported() throws {
    let host = try syntheticHost()
    let context = JobContext(host: host, messages: Messages(quiet: true))
    var request = BudgetJob.Request(budgets: [budget("a", .abi, isShort: true)])
    (request.options.rounds.fewest, request.options.rounds.most) = (8, 8)
    let facts = RunContext.current(host: host, seed: 1)
    let report = try BudgetJob(context, request) { _ throws(MeridianError) in host }.run(facts)
    #expect(report.budgets.map(\.budget) == ["a"] && report.budgets.map(\.verdict) == [.kept])
    #expect(report.cases.map(\.name) == ["abi.measure.length/one row"])
    request.suites = [.snap]
    let error = #expect(throws: JobError.self) {
      _ = try BudgetJob(context, request) { _ throws(MeridianError) in host }.run(facts)
    }
    guard case .argument? = error else {
      Issue.record("there was none to run")
      return
    }
  }
}
