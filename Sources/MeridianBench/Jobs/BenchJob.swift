// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

/// One run of the harness: suites, kernels, and what is measured of them.
package struct BenchPlan: Sendable {
  /// Empty with `data` given: only that.
  package var suites: [Suite] = []
  /// The user's own files; each gives cases of its own.
  package var data: [UserData] = []
  /// Short ids; nil = all kernels that are installed.
  package var kernels: [String]?
  /// nil = the first kernel.
  package var reference: String?
  /// Cases whose name contains one of these words; empty = all.
  package var only: [String] = []
  /// Of the workloads, in (0, 1].
  package var scale = 1.0
  package var seed: UInt64 = 20_261_130
  package var measurement = Runner.Options()
  /// Sizes of a sweep as shares of `scale`; empty = no sweeps.
  package var sweep: [Double] = []
  /// The processor that the run is kept on: nil = left to the system, -1 = the first.
  package var core: Int?

  package init() {}
}

/// Runs a plan over the kernels of a host.
package struct BenchJob {
  private let context: JobContext
  private let plan: BenchPlan

  package init(_ context: JobContext, _ plan: BenchPlan) {
    self.context = context
    self.plan = plan
  }

  /// The cases of the plan, in order.
  package func cases() throws(JobError) -> [BenchCase] {
    do {
      var cases = try suiteCases(scale: plan.scale)
      for data in plan.data { cases += try Catalogue.cases(data: data).filter(isWanted) }
      return cases
    } catch {
      throw JobError(error)
    }
  }

  /// The names of the cases, fit for a terminal: a case a line, whatever files are called.
  package func caseNames() throws(JobError) -> [String] { try cases().map { harmless($0.head.name) } }

  /// One workload of a kind for all suites.
  private func suiteCases(scale: Double) throws(MeridianError) -> [BenchCase] {
    let workloads = Workloads(scale: scale, seed: plan.seed)
    var cases: [BenchCase] = []
    for suite in plan.suites { cases += try Catalogue.cases(suite: suite, workloads) }
    return cases.filter(isWanted)
  }

  private func isWanted(_ one: BenchCase) -> Bool {
    plan.only.isEmpty || plan.only.contains { one.head.name.contains($0) }
  }

  package func run(_ facts: RunContext) throws(JobError) -> BenchReport {
    var report = BenchReport(context: facts)
    if let core = plan.core, let warning = Pinning.warning(core) { report.context.warnings.append(warning) }
    if plan.measurement.countsInstructions, let reason = Counters.whyUnavailable {
      report.context.warnings.append("no cycles and instructions: \(reason)")
    }
    let cases = try cases()
    guard !cases.isEmpty else { throw nothingToRun }
    for (number, one) in cases.enumerated() {
      context.messages.progress(one.head.name, Double(number) / Double(cases.count))
      if let result = try measure(one) { report.cases.append(result) }
      if !plan.sweep.isEmpty, let scaling = try sweep(one) { report.scalings.append(scaling) }
    }
    context.messages.clear()
    if let reference = plan.reference, let warning = warning(without: reference, report.cases) {
      report.context.warnings.append(warning)
    }
    return report
  }

  private var nothingToRun: JobError {
    guard plan.only.isEmpty, !plan.data.isEmpty else {
      return .argument("no case has that name; see 'meridian bench --list'")
    }
    let files = plan.data.map(\.name).joined(separator: ", ")
    return .failed("\(files): there is no geometry that a case could be made of")
  }

  /// nil when no kernel answers: a case that is about nothing installed is left out, unless kernels were named.
  private func measure(_ one: BenchCase) throws(JobError) -> CaseResult? {
    let result = try runner(kernels(of: one)).run(one)
    if plan.kernels == nil, result.kernels.allSatisfy({ $0.refusal != nil }) { return nil }
    return result
  }

  private func kernels(of one: BenchCase) -> [String] {
    if one.head.suite == .abi { return ABICases.contestants }
    if let kernels = plan.kernels { return kernels }
    return context.host.kernels.filter { $0.operations.contains(one.head.operation) }.map(context.host.plainName)
  }

  private func runner(_ kernels: [String]) -> Runner {
    var options = plan.measurement
    options.reference = reference(among: kernels) ?? kernels.first
    return Runner(context.host, kernels: kernels, options: options)
  }

  /// The kernel that ratios are to be over, as `kernels` names it; nil where it does not take part.
  private func reference(among kernels: [String]) -> String? {
    guard let wanted = plan.reference else { return nil }
    if kernels.contains(wanted) { return wanted }
    let known = try? context.host.kernel(named: wanted)
    return kernels.first { known?.isNamed($0) == true }
  }

  /// Cases in which the ratios are not over the kernel that was asked for.
  private func warning(without reference: String, _ cases: [CaseResult]) -> String? {
    let without = cases.filter { one in
      !one.ratios.isEmpty && self.reference(among: one.ratios.map(\.reference)) == nil
    }
    guard let first = without.first else { return nil }
    let others = without.count > 1 ? " and \(without.count - 1) more cases" : ""
    return "\(reference) does not take part in \(first.name)\(others): ratios there are over another kernel"
  }

  /// The same case at several sizes. A case whose size does not follow the scale has no sweep.
  private func sweep(_ one: BenchCase) throws(JobError) -> ScalingResult? {
    var steps: [Scaling.Step] = []
    do {
      for share in plan.sweep {
        let sized = try suiteCases(scale: plan.scale * share).first { $0.head.name == one.head.name }
        guard let sized else { return nil }
        steps.append(Scaling.Step(sized))
      }
    } catch {
      throw JobError(error)
    }
    guard Set(steps.map(\.size)).count > 2 else { return nil }
    return try Scaling(context.host, plan.measurement.rounds).sweep(
      ScalingResult(of: one), kernels: kernels(of: one), steps: steps)
  }
}
