// SPDX-License-Identifier: Apache-2.0
import Meridian

@testable import MeridianBench

/// One case on a fake machine, and an enforcer of budgets about it. Its kernels bear names of synthetic ones, whose host
/// says what they offer; what they do is said here. Used by one thread.
struct FakeBench: @unchecked Sendable {
  let machine = FakeMachine(.normal, seed: 11)
  var options = Enforcer.Options()
  /// Nanoseconds of a run; single calls take a thousandth.
  var nanoseconds = ["steady": 1e6, "twin": 1e6]
  /// True: times grow with the scale, by this power of it.
  var follows = false
  var exponent = 1.0
  /// A size of the case that kernels do not serve.
  var refusedUnits: Int?
  var keptBytes: Int64?
  var oracle: (any Oracle)?
  /// Thrown when the case is prepared.
  var refusal: MeridianError?
  /// The kernel that fails, and in which of its runs.
  var failing = ""
  var failsAtRun = 0
  var failure = MeridianError(.internalError, "out of luck", row: 3)
  /// What the kernels of the host offer is measure.length alone.
  var operation = "measure.length"
  /// Thrown instead of a host.
  var noHost: MeridianError?

  init() {
    options.rounds.budget = .infinity
    options.rounds.leastNanoseconds = 1
    options.rounds.warmup = 0
  }

  func run(
    _ limits: [(Budget.Figure, Double)], kernel: String = "steady", reference: String? = nil, level: String? = nil,
    pending: String? = nil
  ) throws -> Enforcer.Found {
    let synthetic = try syntheticHost()
    let enforcer = Enforcer(
      options: options, timekeeper: machine.timekeeper,
      cases: { (_, scale) throws(MeridianError) in [benchCase(scale)] },
      host: { (_) throws(MeridianError) in
        if let noHost { throw noHost }
        return synthetic
      })
    return try enforcer.run(
      Budget(
        name: "b", suite: .measure, benchCase: "c", scale: 1, kernel: kernel, reference: reference, cpuLevel: level,
        isShort: false, isEnforced: true, margin: 1, limits: limits.map { Budget.Limit(figure: $0.0, value: $0.1) },
        reason: "", pending: pending))
  }

  private func benchCase(_ scale: Double) -> BenchCase {
    let units = max(1, Int(100 * scale))
    let head = CaseResult(
      name: "c", suite: .measure, operation: operation, workload: "", setting: "", unit: .box, units: units, rows: units
    )
    return BenchCase(head, oracle: oracle) { (_, kernel) throws(MeridianError) in
      if let refusal { throw refusal }
      if units == refusedUnits { throw MeridianError(.limit, "too many") }
      let time = (nanoseconds[kernel] ?? 1e6) * (follows ? power(scale) : 1)
      var runs = 0
      var prepared = PreparedRun { () throws(MeridianError) in
        runs += 1
        if kernel == failing, runs == failsAtRun { throw failure }
        machine.spend(time)
        var outcome = Outcome()
        outcome.keptBytes = keptBytes
        return outcome
      }
      prepared.singles = 3
      prepared.single = { (_) throws(MeridianError) in machine.spend(time / 1000) }
      return prepared
    }
  }

  /// scale^exponent for the exponents 1 and 2.
  private func power(_ scale: Double) -> Double { exponent == 2 ? scale * scale : scale }
}

/// Says what it is told to.
struct FakeOracle: Oracle {
  var compared: Int
  var wrong: Int
  var fails = false
  var source: String { "told" }

  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy {
    if fails { throw MeridianError(.internalError, "no truth") }
    return Accuracy(
      unit: "m", compared: compared, largest: 0, mean: 0, rootMeanSquare: 0, p99: 0, largestRelative: 0, wrong: wrong,
      violations: 0)
  }
}
