// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

/// Runs the cases of budgets, goes on where an interval still holds a limit, and says what was kept.
public struct Enforcer {
  public struct Options: Sendable {
    public var rounds = Rounds.Options()
    /// Sizes of a sweep for a growth exponent, as shares of the budget's scale.
    public var sweep = [0.05, 0.1, 0.2, 0.4, 0.7, 1.0]

    public init() {
      rounds.most = 200
      rounds.budget = 20
      // One of a hundred budgets at its very limit may be judged wrongly, not five.
      rounds.confidence = 0.99
    }
  }

  /// The cases of a suite at a scale.
  public typealias CaseSource = (_ suite: Suite, _ scale: Double) throws(MeridianError) -> [BenchCase]
  /// The host for a CPU level, nil = the machine's best. Throws when the machine lacks the level.
  public typealias HostSource = (_ cpuLevel: String?) throws(MeridianError) -> Host

  private let options: Options
  private let cases: CaseSource
  private let host: HostSource
  private let timekeeper: Timekeeper

  public init(
    options: Options = Options(), timekeeper: Timekeeper = .system, cases: @escaping CaseSource,
    host: @escaping HostSource
  ) {
    self.options = options
    self.timekeeper = timekeeper
    self.cases = cases
    self.host = host
  }

  /// What a budget gave: a verdict a limit, and what was measured for it.
  public struct Found {
    public var verdicts: [BudgetResult] = []
    public var result: CaseResult?
    public var scaling: ScalingResult?
  }

  /// - Throws: `failed` when the budget names a case that does not exist; `interrupted` when the user stops it.
  public func run(_ budget: Budget) throws(JobError) -> Found {
    let benchCase = try find(budget, scale: budget.scale)
    let host: Host
    do {
      host = try self.host(budget.cpuLevel)
      if budget.suite != .abi { try requireKernels(of: budget, host) }
    } catch {
      return Found(verdicts: notRun(budget, error.message))
    }
    let result = try runner(budget, host).run(benchCase) { _, ratios in
      guard let limit = budget.limit(of: .timeRatio) else { return true }
      return ratios.allSatisfy { $0.high <= limit || $0.low > limit }
    }
    if let refused = result.kernels.first(where: { $0.refusal != nil }) {
      return Found(verdicts: notRun(budget, "\(refused.kernel): \(refused.refusal ?? "")"), result: result)
    }
    var found = Found(result: result)
    if budget.limit(of: .growthExponent) != nil { found.scaling = try sweep(budget, host) }
    found.verdicts = budget.limits.map { judge(Judgement(budget: budget, limit: $0), found) }
    return found
  }

  private func notRun(_ budget: Budget, _ reason: String) -> [BudgetResult] {
    budget.limits.map { Judgement(budget: budget, limit: $0).notRun(reason) }
  }

  private func find(_ budget: Budget, scale: Double) throws(JobError) -> BenchCase {
    let list: [BenchCase]
    do {
      list = try cases(budget.suite, scale)
    } catch {
      throw .failed("budget '\(budget.name)': \(error.message)")
    }
    guard let found = list.first(where: { $0.head.name == budget.benchCase }) else {
      throw .failed("budget '\(budget.name)': the suite \(budget.suite.rawValue) has no case '\(budget.benchCase)'")
    }
    return found
  }

  private func requireKernels(of budget: Budget, _ host: Host) throws(MeridianError) {
    for name in [budget.kernel, budget.reference].compactMap({ $0 }) {
      guard host.kernels.contains(where: { $0.shortID == name || $0.id == name }) else {
        throw MeridianError(.notFound, "kernel \(name) is not installed")
      }
    }
  }

  private func runner(_ budget: Budget, _ host: Host) -> Runner {
    var runner = Runner.Options()
    runner.rounds = options.rounds
    runner.measuresTime = budget.limits.contains { $0.figure == .timeRatio || $0.figure == .milliseconds }
    runner.measuresLatency = budget.limit(of: .p999Microseconds) != nil
    runner.judgesAnswers = budget.limits.contains {
      [.error, .relativeError, .violations, .wrong].contains($0.figure)
    }
    runner.reference = budget.reference
    let kernels = [budget.reference, budget.kernel].compactMap { $0 }
    return Runner(host, kernels: kernels, options: runner, timekeeper: timekeeper)
  }

  private func sweep(_ budget: Budget, _ host: Host) throws(JobError) -> ScalingResult {
    let steps = try options.sweep.map { (share) throws(JobError) in
      let benchCase = try find(budget, scale: budget.scale * share)
      return Scaling.Step(size: benchCase.head.units, benchCase)
    }
    let head = ScalingResult(name: budget.benchCase, operation: steps[0].benchCase.head.operation, variable: "units")
    return try Scaling(host, options.rounds, timekeeper: timekeeper).sweep(head, kernels: [budget.kernel], steps: steps)
  }

  // MARK: - Figures

  private func judge(_ judgement: Judgement, _ found: Found) -> BudgetResult {
    guard let result = found.result,
      let kernel = result.kernels.first(where: { $0.kernel == judgement.budget.kernel })
    else { return judgement.missing("the kernel has no result") }
    switch judgement.limit.figure {
    case .timeRatio:
      guard let ratio = result.ratios.first(where: { $0.kernel == kernel.kernel }) else {
        return judgement.missing("there is no ratio")
      }
      return judgement.of(ratio.ratio, low: ratio.low, high: ratio.high)
    case .error, .relativeError, .violations, .wrong: return judgeAccuracy(judgement, kernel.accuracy)
    case .bytesPerUnit:
      guard let kept = kernel.memory?.kept else { return judgement.missing("the case keeps no bytes") }
      return judgement.of(Double(kept) / Double(max(1, result.units)))
    case .growthExponent:
      guard let series = found.scaling?.series.first else { return judgement.missing("there is no sweep") }
      return judgement.of(series.exponent, low: series.low, high: series.high)
    case .milliseconds:
      guard let time = kernel.time else { return judgement.missing("there is no time") }
      return judgement.of(time.median * 1e-6, low: time.low * 1e-6, high: time.high * 1e-6)
    case .p999Microseconds:
      guard let latency = kernel.latency else {
        return judgement.missing("too few single calls for a 99.9th percentile")
      }
      return judgement.of(latency.p999 * 1e-3)
    }
  }

  private func judgeAccuracy(_ judgement: Judgement, _ accuracy: Accuracy?) -> BudgetResult {
    guard let accuracy else { return judgement.missing("the case has no oracle for this kernel") }
    switch judgement.limit.figure {
    case .error: return judgement.of(accuracy.largest)
    case .relativeError:
      return accuracy.largestRelative.map { judgement.of($0) }
        ?? judgement.missing("the oracle gives no relative error")
    case .violations:
      return accuracy.violations.map { judgement.of(Double($0)) } ?? judgement.missing("the kernel declares no bound")
    default: return judgement.of(Double(accuracy.wrong))
    }
  }
}
