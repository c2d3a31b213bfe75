// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI
import MeridianIO

/// Holds what kernels find against the rules and the baseline.
struct Judge {
  private let rules: FindingRules
  /// Warnings that no rule names are wanted.
  private let warnings: Bool
  /// What is left of the baseline; nil = there is none.
  private(set) var baseline: Baseline?
  /// What was found, for a baseline to be written; nil = none is.
  private(set) var found: Baseline?
  /// Findings that the baseline had.
  private(set) var known = 0

  init(_ request: ValidateJob.Request) {
    rules = request.rules
    warnings = request.options.warnings
    baseline = request.baseline
    found = request.writesBaseline ? Baseline() : nil
  }

  /// The rows of a batch as they count. A problem of a layer stands in one row and is one of the other row too, so verdicts
  /// follow from all findings that name a row.
  mutating func rows(_ rows: [FoundRow], in batch: FeatureBatch) -> [ValidateRow] {
    var counted: [[Finding]] = []
    counted.reserveCapacity(rows.count)
    for row in rows {
      var findings = row.findings.compactMap { rules.judged($0, warnings: warnings) }
      if baseline != nil || found != nil, !findings.isEmpty { recognise(&findings, FeatureKey(row.name, in: batch)) }
      counted.append(findings)
    }
    let others = FoundRows.seenFromOthers(counted, in: batch)
    return rows.indices.map { row in
      let (own, other) = (counted[row], others[row] ?? [])
      let hasErrors = own.contains { $0.severity == .error } || other.contains { $0.severity == .error }
      let verdict = hasErrors ? Verdict.invalid : rows[row].verdictWithoutErrors
      return ValidateRow(
        name: rows[row].name, valid: verdict == .unknown ? nil : verdict == .valid, findings: own,
        otherFindings: other)
    }
  }

  private mutating func recognise(_ findings: inout [Finding], _ key: FeatureKey) {
    for index in findings.indices {
      let fingerprint = Fingerprint(findings[index], key)
      if findings[index].severity != .info { found?.add(fingerprint) }
      guard baseline != nil else { continue }
      let isKnown = baseline?.take(fingerprint) ?? false
      findings[index].isKnown = isKnown
      if isKnown { known += 1 }
    }
  }
}

/// Whether kernels name every problem of a row, or the first one only.
struct Thoroughness {
  private let host: Host
  private let isNarrowed: Bool
  private var answers: [String: Bool] = [:]

  init(_ host: Host, _ options: ValidateOptions) {
    self.host = host
    isNarrowed = options.mode != .all || options.limit > 0
  }

  /// True when all kernels that answered declare that they find every problem, and were asked for all of them.
  mutating func isFull(_ answers: Answers, _ operation: Operation) throws(MeridianError) -> Bool {
    guard !isNarrowed else { return false }
    for answer in answers.list {
      if self.answers[answer.kernel] == nil {
        let declarations = try host.declarations(kernel: answer.kernel, operation: operation)
        self.answers[answer.kernel] = declarations.allSatisfy { $0.pointee.flags & MRD_OP_ALL_PROBLEMS != 0 }
      }
      if self.answers[answer.kernel] == false { return false }
    }
    return true
  }
}
