// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

/// Enforces budgets: runs each, reports each.
package struct BudgetJob {
  package struct Request: Sendable {
    package var budgets: [Budget]
    /// Empty = all.
    package var suites: [Suite] = []
    /// Only those of the short set.
    package var isShort = false
    package var options = Enforcer.Options()
    package var seed: UInt64 = 20_261_130
    /// The processor that the run is kept on: nil = left to the system, -1 = the first.
    package var core: Int?

    package init(budgets: [Budget]) { self.budgets = budgets }

    var chosen: [Budget] {
      budgets.filter { (suites.isEmpty || suites.contains($0.suite)) && (!isShort || $0.isShort) }
    }
  }

  private let context: JobContext
  private let request: Request
  private let host: Enforcer.HostSource

  /// - Parameter host: makes a host for a CPU level; nil = the machine's best.
  package init(_ context: JobContext, _ request: Request, host: @escaping Enforcer.HostSource) {
    self.context = context
    self.request = request
    self.host = host
  }

  package func run(_ facts: RunContext) throws(JobError) -> BenchReport {
    let budgets = request.chosen
    guard !budgets.isEmpty else { throw .argument("no budget is in these suites") }
    let seed = request.seed
    let enforcer = Enforcer(
      options: request.options,
      cases: { (suite, scale) throws(MeridianError) in try Catalogue.cases(suite: suite, scale: scale, seed: seed) },
      host: host)
    var report = BenchReport(context: facts)
    if let core = request.core, let warning = Pinning.warning(core) { report.context.warnings.append(warning) }
    for (number, budget) in budgets.enumerated() {
      context.messages.progress(budget.name, Double(number) / Double(budgets.count))
      let found = try enforcer.run(budget)
      report.budgets += found.verdicts
      if let result = found.result { report.cases.append(result) }
      if let scaling = found.scaling { report.scalings.append(scaling) }
    }
    context.messages.clear()
    return report
  }
}
