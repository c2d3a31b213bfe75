// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

/// Runs the cases of budgets, goes on where an interval still holds a limit, and says what was kept.
package struct Enforcer {
  package struct Options: Sendable {
    package var rounds = Rounds.Options()
    /// Sizes of a sweep for a growth exponent, as shares of the budget's scale.
    package var sweep = Scaling.shares

    package init() {
      rounds.most = 200
      rounds.budget = 20
      // One of a hundred limits whose figure is at the very limit may be judged wrongly, not five.
      rounds.confidence = 0.99
    }
  }

  /// The cases of a suite at a scale.
  package typealias CaseSource = (_ suite: Suite, _ scale: Double) throws(MeridianError) -> [BenchCase]
  /// The host for a CPU level, nil = the machine's best. Throws when the machine lacks the level.
  package typealias HostSource = (_ cpuLevel: String?) throws(MeridianError) -> Host

  private let options: Options
  private let cases: CaseSource
  private let host: HostSource
  private let timekeeper: Timekeeper

  package init(
    options: Options = Options(), timekeeper: Timekeeper = .system, cases: @escaping CaseSource,
    host: @escaping HostSource
  ) {
    self.options = options
    self.timekeeper = timekeeper
    self.cases = cases
    self.host = host
  }

  /// What a budget gave: a verdict a limit, and what was measured for it.
  package struct Found {
    package var verdicts: [BudgetResult] = []
    package var result: CaseResult?
    package var scaling: ScalingResult?
  }

  /// - Throws: `failed` when the budget names a case that does not exist, or there is no host at all; `interrupted` when
  ///   the user stops it.
  package func run(_ budget: Budget) throws(JobError) -> Found {
    let benchCase = try find(budget, scale: budget.scale)
    if let reason = budget.pending { return Found(verdicts: budget.notRun("pending: \(reason)")) }
    let host: Host
    do {
      host = try self.host(budget.cpuLevel)
    } catch {
      guard budget.cpuLevel != nil else { throw .failed(error.message) }
      return Found(verdicts: budget.notRun(error.message))
    }
    if let verdicts = lacking(budget, benchCase, host) { return Found(verdicts: verdicts) }
    if let reason = withoutReference(budget, benchCase, host) { return try run(budget, alone: reason) }
    let result = try runner(budget, host).run(benchCase) { isDecided(budget, Found(result: $0)) }
    if let verdicts = refused(budget, result) { return Found(verdicts: verdicts, result: result) }
    var found = Found(result: result)
    if budget.limit(of: .growthExponent) != nil { found.scaling = try sweep(budget, host) }
    found.verdicts = budget.limits.map { judge(Judgement(budget: budget, limit: $0), found) }
    return found
  }

  /// The limits that need no reference are held without it.
  private func run(_ budget: Budget, alone reason: String) throws(JobError) -> Found {
    var rest = budget
    rest.reference = nil
    rest.limits.removeAll { $0.figure == .timeRatio }
    var found = rest.limits.isEmpty ? Found() : try run(rest)
    for limit in budget.limits where limit.figure == .timeRatio {
      found.verdicts.append(Judgement(budget: budget, limit: limit).notRun(reason))
    }
    return found
  }

  /// True when no interval holds its limit any more. Figures that are not there are decided: they are another step's.
  private func isDecided(_ budget: Budget, _ found: Found) -> Bool {
    budget.limits.filter { $0.figure.isTimed }.allSatisfy {
      judge(Judgement(budget: budget, limit: $0), found).verdict != .undecided
    }
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

  // MARK: - What is not there

  /// Verdicts without a run; nil when the kernel is there. A kernel that is not installed is no failure; one that is and
  /// lacks the operation breaks its promise.
  private func lacking(_ budget: Budget, _ benchCase: BenchCase, _ host: Host) -> [BudgetResult]? {
    if budget.suite == .abi { return nil }
    switch presence(of: budget.kernel, benchCase, host) {
    case .there: return nil
    case .notInstalled(let reason): return budget.notRun(reason)
    case .incapable(let reason): return budget.exceeded(reason)
    }
  }

  /// Why the reference cannot be run; nil when it can, or there is none.
  private func withoutReference(_ budget: Budget, _ benchCase: BenchCase, _ host: Host) -> String? {
    guard budget.suite != .abi, let reference = budget.reference else { return nil }
    switch presence(of: reference, benchCase, host) {
    case .there: return nil
    case .notInstalled(let reason), .incapable(let reason): return reason
    }
  }

  private enum Presence {
    case there
    case notInstalled(String)
    /// Broken, or without the operation.
    case incapable(String)
  }

  private func presence(of name: String, _ benchCase: BenchCase, _ host: Host) -> Presence {
    let operation = benchCase.head.operation
    do {
      guard try host.kernel(named: name).operations.contains(operation) else {
        return .incapable("\(name) is installed and does not offer \(operation)")
      }
      return .there
    } catch {
      return error.status == .notFound ? .notInstalled("kernel \(name) is not installed") : .incapable(error.message)
    }
  }

  /// Verdicts when a kernel gave no figures; nil when both did. Only a kernel that says beforehand that it does not answer
  /// is not run: one that breaks has failed every limit.
  private func refused(_ budget: Budget, _ result: CaseResult) -> [BudgetResult]? {
    let refused = result.kernels.filter { $0.refusal != nil }
    if let broken = refused.first(where: { $0.refusalKind != .unsupported }) {
      return budget.exceeded("failed: \(broken.kernel): \(broken.refusal ?? "")")
    }
    return refused.first.map { budget.notRun("\($0.kernel): \($0.refusal ?? "")") }
  }

  // MARK: - Measuring

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
      Scaling.Step(try find(budget, scale: budget.scale * share))
    }
    guard let first = steps.first else { throw .failed("budget '\(budget.name)': a growth needs sizes to sweep over") }
    let scaling = Scaling(host, options.rounds, timekeeper: timekeeper)
    return try scaling.sweep(ScalingResult(of: first.benchCase), kernels: [budget.kernel], steps: steps) { series in
      budget.limits.filter { $0.figure == .growthExponent }.allSatisfy { limit in
        growth(Judgement(budget: budget, limit: limit), series).verdict != .undecided
      }
    }
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
      return growth(judgement, series)
    case .milliseconds:
      guard let time = kernel.time else { return judgement.missing("there is no time") }
      return judgement.of(time.median * 1e-6, low: time.low * 1e-6, high: time.high * 1e-6)
    case .p999Microseconds:
      guard let latency = kernel.latency else {
        return judgement.missing("too few single calls for a 99.9th percentile")
      }
      // What the machine does to idle calls is not the kernel's.
      return judgement.of(
        (latency.ownP999 ?? latency.p999) * 1e-3, low: (latency.ownP999Low ?? latency.p999Low ?? 0) * 1e-3,
        high: (latency.ownP999High ?? latency.p999High ?? .infinity) * 1e-3)
    }
  }

  private func growth(_ judgement: Judgement, _ series: ScalingResult.Series) -> BudgetResult {
    guard series.sizes.count == options.sweep.count else {
      return judgement.missing("failed: the sweep ends after size \(series.sizes.last ?? 0)")
    }
    return judgement.of(series.exponent, low: series.low, high: series.high)
  }

  private func judgeAccuracy(_ judgement: Judgement, _ accuracy: Accuracy?) -> BudgetResult {
    guard let accuracy else { return judgement.missing("the case has no oracle for this kernel") }
    guard accuracy.compared > 0 else { return judgement.missing("nothing was compared") }
    // Of answers that are all absent, no error is large and no row beyond a bound.
    if judgement.limit.figure != .wrong, accuracy.compared == accuracy.wrong {
      return judgement.missing("all of \(accuracy.compared) answers are wrong or absent")
    }
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

extension Budget {
  /// One verdict for each limit.
  fileprivate func notRun(_ reason: String) -> [BudgetResult] {
    limits.map { Judgement(budget: self, limit: $0).notRun(reason) }
  }

  fileprivate func exceeded(_ reason: String) -> [BudgetResult] {
    limits.map { Judgement(budget: self, limit: $0).missing(reason) }
  }
}
