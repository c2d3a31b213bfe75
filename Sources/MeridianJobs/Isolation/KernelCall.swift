// SPDX-License-Identifier: Apache-2.0
import Meridian

/// A call of the host that may be made in another process.
enum KernelCall {
  case validate(ValidateOperation, ValidateOptions)
  case repair(RepairOptions)
  case simplify(SimplifyOperation, SimplifyOptions)
  case snap(SnapOperation, SnapOptions)
  case measure(MeasureOperation)

  /// True when rows depend on each other, so that the set cannot be cut.
  var isWhole: Bool {
    switch self {
    case .validate(let operation, _): operation == .layer
    case .repair, .measure: false
    case .simplify(let operation, _): operation == .coverage
    case .snap(let operation, _): operation == .ownLayer || operation == .pair
    }
  }

  var name: String {
    switch self {
    case .validate(let operation, _): "validate." + operation.name
    case .repair: "validate.repair"
    case .simplify(let operation, _): "simplify." + operation.name
    case .snap(let operation, _): "snap." + operation.name
    case .measure(let operation): "measure." + operation.name
    }
  }

  /// Makes the call in this process.
  func perform(
    on host: Host, _ set: GeometrySet, targets: GeometrySet?, run: Run
  ) throws(MeridianError) -> KernelAnswer {
    var answer = KernelAnswer()
    switch self {
    case .validate(let operation, let options):
      let result = try host.validate(operation, set, options: options, run: run)
      (answer.verdicts, answer.problems) = (result.verdicts, result.problems)
      (answer.statuses, answer.answers) = (result.statuses, result.answers)
      var thoroughness = Thoroughness(host, options)
      answer.isFull = try thoroughness.isFull(result.answers, operation.operation)
    case .repair(let options):
      let result = try host.repair(set, options: options, run: run)
      (answer.set, answer.reports) = (result.set, result.reports)
      (answer.statuses, answer.answers) = (result.statuses, result.answers)
    case .simplify(let operation, let options):
      let result = try host.simplify(operation, set, options: options, run: run)
      (answer.set, answer.outcomes) = (result.set, result.outcomes.map(\.rawValue))
      (answer.statuses, answer.answers) = (result.statuses, result.answers)
    case .snap(let operation, let options):
      let result = try host.snap(operation, set, targets: targets, options: options, run: run)
      (answer.set, answer.outcomes) = (result.set, result.outcomes.map(\.rawValue))
      (answer.statuses, answer.answers) = (result.statuses, result.answers)
    case .measure(let operation):
      let result = try host.measure(operation, set, run: run)
      (answer.columns, answer.statuses, answer.answers) = (
        result.columns, result.statuses, result.answers
      )
    }
    return answer
  }

  /// What stands for the answer of a row on which the kernel failed: the row as it was, and no result.
  func answerOfFault(_ row: GeometrySet) -> KernelAnswer {
    var answer = KernelAnswer()
    answer.statuses = [.failed]
    switch self {
    case .validate: answer.verdicts = [.unknown]
    case .repair:
      answer.set = row
      answer.reports = [RepairReport(outcome: .withheld)]
    case .simplify:
      answer.set = row
      answer.outcomes = [SimplifyOutcome.withheld.rawValue]
    case .snap:
      answer.set = row
      answer.outcomes = [SnapOutcome.withheld.rawValue]
    case .measure(let operation): answer.columns = operation.columns.map { _ in [.nan] }
    }
    return answer
  }
}

/// What came of a call, whichever it was; what a call does not have is empty.
struct KernelAnswer {
  var set: GeometrySet?
  var verdicts: [Verdict] = []
  var problems: [Problem] = []
  var reports: [RepairReport] = []
  var outcomes: [Int32] = []
  var columns: [[Double]] = []
  var statuses: [RowStatus] = []
  var answers = Answers()
  /// Every problem of every row was asked for and can be found by those who answered.
  var isFull = true

  /// The answers for consecutive parts of a set, as the answer for all of it.
  static func joined(_ parts: [KernelAnswer]) -> KernelAnswer {
    guard parts.count != 1 else { return parts[0] }
    var whole = KernelAnswer()
    var row = 0
    for part in parts {
      whole.problems += part.problems.map { problem in
        var problem = problem
        problem.row += row
        problem.otherRow = problem.otherRow.map { $0 + row }
        return problem
      }
      whole.verdicts += part.verdicts
      whole.reports += part.reports
      whole.outcomes += part.outcomes
      whole.columns =
        whole.columns.isEmpty ? part.columns : zip(whole.columns, part.columns).map { $0 + $1 }
      whole.statuses += part.statuses
      for answer in part.answers.list { whole.answers.add(answer) }
      whole.isFull = whole.isFull && part.isFull
      row += part.statuses.count
    }
    let sets = parts.compactMap(\.set)
    if !sets.isEmpty { whole.set = .joined(sets) }
    return whole
  }
}
