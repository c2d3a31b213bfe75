// SPDX-License-Identifier: Apache-2.0

/// Compares the cases of two reports.
struct CaseComparison {
  let rule: ChangeRule
  let isSameMachine: Bool
  let isSameSeed: Bool

  func findings(_ old: [CaseResult], _ new: [CaseResult]) -> [ComparisonFinding] {
    var findings: [ComparisonFinding] = []
    // Budgets may ask for one case several times, of several kernels: the n-th time meets the n-th time.
    var rest = old
    for result in new {
      if let index = rest.firstIndex(where: { $0.name == result.name }) {
        findings += compare(rest.remove(at: index), result)
      } else {
        findings.append(ComparisonFinding(result.name, nil, "case", .added, counts: false))
      }
    }
    return findings + rest.map { ComparisonFinding($0.name, nil, "case", .removed, counts: false) }
  }

  private func compare(_ old: CaseResult, _ new: CaseResult) -> [ComparisonFinding] {
    var findings: [ComparisonFinding] = []
    for kernel in new.kernels {
      guard let before = old.kernels.first(where: { $0.kernel == kernel.kernel }) else {
        findings.append(ComparisonFinding(new.name, kernel.kernel, "kernel", .added, counts: false))
        continue
      }
      findings += KernelComparison(self, old, new, before, kernel).findings
    }
    for kernel in old.kernels where !new.kernels.contains(where: { $0.kernel == kernel.kernel }) {
      findings.append(ComparisonFinding(new.name, kernel.kernel, "kernel", .removed, counts: false))
    }
    return findings
  }
}

/// Compares one kernel in one case.
private struct KernelComparison {
  private let frame: CaseComparison
  private let oldCase: CaseResult
  private let newCase: CaseResult
  private let old: KernelResult
  private let new: KernelResult
  /// The same workload in the same amount.
  private let isSameWork: Bool

  init(_ frame: CaseComparison, _ oldCase: CaseResult, _ newCase: CaseResult, _ old: KernelResult, _ new: KernelResult)
  {
    self.frame = frame
    self.oldCase = oldCase
    self.newCase = newCase
    self.old = old
    self.new = new
    isSameWork = oldCase.units == newCase.units && oldCase.rows == newCase.rows && oldCase.unit == newCase.unit
  }

  var findings: [ComparisonFinding] {
    switch (old.refusal, new.refusal) {
    case (nil, let reason?):
      return [finding("answer", .worse, counts: true, note: "refuses now: \(reason)")]
    case (_?, nil): return [finding("answer", .better, counts: true, note: "answers now")]
    case (_?, _?): return []
    case (nil, nil): return [speed, largestError].compactMap { $0 } + wrongAnswers + [keptMemory].compactMap { $0 }
    }
  }

  private func finding(
    _ figure: String, _ verdict: ComparisonFinding.Verdict, counts: Bool, note: String = ""
  ) -> ComparisonFinding {
    ComparisonFinding(newCase.name, new.kernel, figure, verdict, counts: counts, note: note)
  }

  // MARK: - Speed

  private var speed: ComparisonFinding? { ratio ?? time }

  /// The ratio with a reference that both reports have.
  private var ratio: ComparisonFinding? {
    for after in newCase.ratios where after.kernel == new.kernel {
      guard
        let before = oldCase.ratios.first(where: { $0.kernel == after.kernel && $0.reference == after.reference }),
        let first = ChangeRule.Estimate(before), let second = ChangeRule.Estimate(after)
      else { continue }
      let change = frame.rule.change(first, second)
      var finding = finding(
        "time ratio to \(after.reference)", change.verdict, counts: isSameWork,
        note: notes(after.reference, before, after))
      finding.set(before.ratio, after.ratio)
      finding.set(change)
      return finding
    }
    return nil
  }

  private func notes(_ reference: String, _ before: RatioResult, _ after: RatioResult) -> String {
    var notes: [String] = []
    if !isSameWork { notes.append("the workload has another size") }
    if before.confidence != after.confidence {
      notes.append("intervals of \(Figures.percent(before.confidence)) and \(Figures.percent(after.confidence))")
    }
    if frame.isSameMachine, isSameWork, let own = timeFactor(old, new),
      let below = oldCase.kernels.first(where: { $0.kernel == reference }),
      let above = newCase.kernels.first(where: { $0.kernel == reference }), let other = timeFactor(below, above)
    {
      notes.append("own time \(Figures.change(own)), that of \(reference) \(Figures.change(other))")
    }
    return notes.joined(separator: "; ")
  }

  private func timeFactor(_ old: KernelResult, _ new: KernelResult) -> Double? {
    guard let before = old.time?.median, let after = new.time?.median, before > 0 else { return nil }
    return after / before
  }

  private var time: ComparisonFinding? {
    guard let before = old.time, let after = new.time, let first = perUnit(before, oldCase),
      let second = perUnit(after, newCase)
    else { return nil }
    let change = frame.rule.change(first, second)
    let isReference = newCase.ratios.contains { $0.reference == new.kernel }
    var notes: [String] = []
    if !isSameWork { notes.append("the workload has another size") }
    if !frame.isSameMachine { notes.append("not the same machine") }
    if isReference { notes.append("the reference of ratios") }
    var finding = finding(
      "time", change.verdict, counts: isSameWork && frame.isSameMachine && !isReference,
      note: notes.joined(separator: "; "))
    finding.set(first.value, second.value, unit: "ns per \(newCase.unit.rawValue)")
    finding.set(change)
    return finding
  }

  private func perUnit(_ time: Spread, _ result: CaseResult) -> ChangeRule.Estimate? {
    ChangeRule.Estimate(result.perUnit(time.median), result.perUnit(time.low), result.perUnit(time.high))
  }

  // MARK: - Answers

  /// Errors are functions of the workload and the oracle: where these are the same, differences are no noise.
  private var isSameQuestion: Bool { isSameWork && frame.isSameSeed && oldCase.oracle == newCase.oracle }

  private var largestError: ComparisonFinding? {
    guard let before = old.accuracy, let after = new.accuracy, after.isGraded, before.unit == after.unit else {
      return nil
    }
    let keepsBound = before.violations == 0 && after.violations == 0
    var finding = finding(
      "largest error", frame.rule.verdict(abs(before.largest), abs(after.largest)),
      counts: isSameQuestion && !keepsBound, note: keepsBound ? "inside the declared bound" : "")
    finding.set(abs(before.largest), abs(after.largest), unit: after.unit)
    return finding
  }

  private var wrongAnswers: [ComparisonFinding] {
    guard let before = old.accuracy, let after = new.accuracy else { return [] }
    return [
      count("wrong or absent answers", before.wrong, after.wrong),
      count("rows beyond the declared bound", before.violations, after.violations),
    ].compactMap { $0 }
  }

  /// Counts in which each one matters.
  private func count(_ figure: String, _ old: Int?, _ new: Int?) -> ComparisonFinding? {
    guard let old, let new, old > 0 || new > 0 else { return nil }
    var finding = finding(figure, new > old ? .worse : new < old ? .better : .same, counts: isSameQuestion)
    finding.set(Double(old), Double(new))
    return finding
  }

  // MARK: - Memory

  private var keptMemory: ComparisonFinding? {
    guard let before = old.memory?.kept, let after = new.memory?.kept else { return nil }
    var finding = finding("kept memory", frame.rule.verdict(Double(before), Double(after)), counts: isSameQuestion)
    finding.set(Double(before), Double(after), unit: "B")
    return finding
  }
}
