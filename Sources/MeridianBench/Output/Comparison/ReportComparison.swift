// SPDX-License-Identifier: Apache-2.0

/// What became different between two reports, and whether it became worse.
///
/// The rule for figures with an interval: both runs are independent samples, so the interval of their quotient is found
/// on the logarithmic scale from the two intervals by the method of variance estimates recovery (Zou and Donner 2008):
/// the distances of the figures to their limits add in quadrature. A figure changed when that interval does not hold 1
/// and the change is at least `threshold`; all else is noise, of the run or of what differs from start to start.
///
/// - Where a case has the same kernel below the line in both reports, ratios are compared: the machine cancels.
/// - Else times are compared. They count only when the machines and the builds are alike and no ratio speaks for the
///   kernel; the reference of ratios is shown and never counts.
/// - Errors are compared as they are. They count when the workload, the seed and the oracle are the same: more wrong
///   answers, more rows beyond the declared bound, or, unless the bound is declared and kept, a largest error that grew
///   by `threshold`.
/// - Kept memory counts when it grew by `threshold`, the growth exponent when its intervals part, a budget when it was
///   kept and is not any more.
/// - A kernel that answered and refuses now counts. What only one of the reports has is shown and never counts.
package struct ReportComparison: Codable, Equatable, Sendable {
  /// The revision of this layout.
  package var schema = 1
  package var old: ComparedRun
  package var new: ComparedRun
  /// The smallest change that counts, 0.05 = 5%.
  package var threshold: Double
  /// Whether times can be compared: the same machine, CPU level and build.
  package var isSameMachine: Bool
  /// What weakens the comparison.
  package var warnings: [String] = []
  package var findings: [ComparisonFinding] = []

  /// True when something became worse that counts: the reason for a failing exit.
  package var regressed: Bool { findings.contains { $0.counts && $0.verdict == .worse } }

  /// - Parameter threshold: at least 0.
  package init(old: BenchReport, new: BenchReport, threshold: Double = 0.05) {
    self.old = ComparedRun(old.context)
    self.new = ComparedRun(new.context)
    self.threshold = max(0, threshold)
    isSameMachine = old.context.isSameMachine(as: new.context)
    warnings = Self.warnings(old.context, new.context, isSameMachine)
    let rule = ChangeRule(threshold: self.threshold)
    let cases = CaseComparison(
      rule: rule, isSameMachine: isSameMachine, isSameSeed: old.context.seed == new.context.seed)
    findings = cases.findings(old.cases, new.cases)
    findings += OtherComparison.scalings(old.scalings, new.scalings, rule)
    findings += OtherComparison.tolerances(old.tolerances, new.tolerances)
    findings += OtherComparison.budgets(old.budgets, new.budgets)
  }

  private enum CodingKeys: String, CodingKey {
    case schema, old, new, threshold, isSameMachine, warnings, regressed, findings
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    schema = try members.decode(Int.self, forKey: .schema)
    old = try members.decode(ComparedRun.self, forKey: .old)
    new = try members.decode(ComparedRun.self, forKey: .new)
    threshold = try members.decode(Double.self, forKey: .threshold)
    isSameMachine = try members.decode(Bool.self, forKey: .isSameMachine)
    warnings = try members.decode([String].self, forKey: .warnings)
    findings = try members.decode([ComparisonFinding].self, forKey: .findings)
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(schema, forKey: .schema)
    try members.encode(regressed, forKey: .regressed)
    try members.encode(old, forKey: .old)
    try members.encode(new, forKey: .new)
    try members.encode(threshold, forKey: .threshold)
    try members.encode(isSameMachine, forKey: .isSameMachine)
    try members.encode(warnings, forKey: .warnings)
    try members.encode(findings, forKey: .findings)
  }

  private static func warnings(_ old: RunContext, _ new: RunContext, _ isSameMachine: Bool) -> [String] {
    var lines: [String] = []
    if !isSameMachine {
      lines.append("the machines or builds differ: only ratios are judged, times are shown")
    }
    if old.seed != new.seed {
      lines.append("the seeds differ (\(old.seed), \(new.seed)), so the workloads do: errors are shown, not judged")
    }
    for (name, context) in [("old", old), ("new", new)] {
      lines += context.warnings.map { "\(name) run: \($0)" }
    }
    return lines
  }
}

/// A run that took part in a comparison.
package struct ComparedRun: Codable, Equatable, Sendable {
  package var date: String
  package var version: String
  package var build: String
  package var processor: String
  package var platform: String
  package var cpuLevel: String
  package var seed: UInt64

  init(_ context: RunContext) {
    date = context.date
    version = context.version
    build = context.build
    processor = context.machine.processor
    platform = context.machine.platform
    cpuLevel = context.cpuLevel
    seed = context.seed
  }
}

extension RunContext {
  /// True when times of two runs are of the same machine and build. A processor that is not known is nobody's.
  func isSameMachine(as other: RunContext) -> Bool {
    machine.platform == other.machine.platform && machine.processor == other.machine.processor
      && !machine.processor.isEmpty && machine.cores == other.machine.cores && cpuLevel == other.cpuLevel
      && build == other.build
  }
}

/// One figure of two reports, or a thing that only one of them has.
package struct ComparisonFinding: Codable, Equatable, Sendable {
  package enum Verdict: String, Codable, Sendable {
    case better, worse
    /// Inside the noise.
    case same
    /// Changed, with no better or worse.
    case changed
    /// Only the new report has it.
    case added
    /// Only the old report has it.
    case removed
  }

  /// Name of the case, scaling, sweep or budget.
  package var subject: String
  /// Nil where the finding is about the whole.
  package var kernel: String?
  /// "time ratio to geos", "time", "largest error", "wrong answers", ...
  package var figure: String
  /// Unit of `old` and `new`; nil = none.
  package var unit: String?
  package var old: Double?
  package var new: Double?
  /// New over old, with its interval where the figures have one.
  package var factor: Double?
  package var low: Double?
  package var high: Double?
  package var verdict: Verdict
  /// False: shown, and no reason for a failing exit.
  package var counts: Bool
  /// What else there is to say; "" = nothing.
  package var note = ""

  init(_ subject: String, _ kernel: String?, _ figure: String, _ verdict: Verdict, counts: Bool, note: String = "") {
    self.subject = subject
    self.kernel = kernel
    self.figure = figure
    self.verdict = verdict
    self.counts = counts
    self.note = note
  }
}
