// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Answers and errors in shared memory.
extension SharedBlock {
  func put(_ answer: KernelAnswer) throws(MeridianError) {
    try put(UInt8(answer.isFull ? 1 : 0))
    try put(array: answer.verdicts.map(\.rawValue))
    try put(array: answer.statuses.map(\.rawValue))
    try put(array: answer.outcomes)
    try put(Int64(answer.columns.count))
    for column in answer.columns { try put(array: column) }
    try put(Int64(answer.reports.count))
    for report in answer.reports { try put(report) }
    try put(Int64(answer.problems.count))
    for problem in answer.problems { try put(problem) }
    try put(Int64(answer.answers.list.count))
    for one in answer.answers.list { try put(one) }
    try put(UInt8(answer.set == nil ? 0 : 1))
    if let set = answer.set { try put(set) }
  }

  private func put(_ report: RepairReport) throws(MeridianError) {
    let numbers = [
      Int(report.outcome.rawValue), Int(report.rule?.rawValue ?? -1), report.verticesAdded,
      report.verticesDropped,
      report.partsBefore, report.partsAfter, report.collapsed,
    ]
    try put(array: numbers)
    try put(array: [report.areaBefore, report.areaAfter])
  }

  private func put(_ problem: Problem) throws(MeridianError) {
    let places = [
      problem.part, problem.ring, problem.vertex, problem.otherRow, problem.otherPart,
      problem.otherRing,
      problem.otherVertex,
    ]
    try put(
      array: [
        Int(problem.code.rawValue), Int(problem.severity.rawValue), problem.row,
        Int(problem.jtsCode),
      ] + places.map { $0 ?? -1 })
    try put(array: [problem.x, problem.y, problem.value, problem.threshold])
    try put(optional: problem.message == problem.code.sentence ? nil : problem.message)
  }

  private func put(_ answer: Answer) throws(MeridianError) {
    try put(answer.operation)
    try put(answer.type?.rawValue ?? 0)
    try put(answer.kernel)
    try put(answer.reason)
    try put(optional: answer.unmet?.rule)
    try put(optional: answer.unmet?.why)
  }

  func put(_ error: MeridianError) throws(MeridianError) {
    try put(array: [Int(error.status.rawValue), error.row ?? -1, error.coordinate ?? -1])
    try put(error.message)
  }
}

extension SharedReader {
  /// - Parameter rows: that the answer must have.
  mutating func answer(rows: Int) throws(MeridianError) -> KernelAnswer {
    var answer = KernelAnswer()
    answer.isFull = try get(UInt8.self) == 1
    answer.verdicts = try array(of: UInt8.self).map { Verdict(rawValue: $0) ?? .unknown }
    answer.statuses = try array(of: Int32.self).map { RowStatus(rawValue: $0) }
    answer.outcomes = try array(of: Int32.self)
    for _ in 0..<(try length()) { answer.columns.append(try array(of: Double.self)) }
    for _ in 0..<(try length()) { answer.reports.append(try report()) }
    for _ in 0..<(try length()) { answer.problems.append(try problem(rows: rows)) }
    for _ in 0..<(try length()) { answer.answers.add(try one()) }
    if try get(UInt8.self) == 1 { answer.set = try set(copies: true) }
    let lengths =
      [answer.verdicts.count, answer.outcomes.count, answer.reports.count]
      + answer.columns.map(\.count)
    guard answer.statuses.count == rows, lengths.allSatisfy({ $0 == 0 || $0 == rows }),
      answer.set.map({ $0.count == rows }) ?? true
    else {
      throw MeridianError(.internalError, "an answer of \(answer.statuses.count) rows for \(rows)")
    }
    return answer
  }

  private mutating func length() throws(MeridianError) -> Int {
    let length = try get(Int64.self)
    guard length >= 0, length < 1 << 40 else {
      throw MeridianError(.internalError, "an answer with a strange length")
    }
    return Int(length)
  }

  private mutating func report() throws(MeridianError) -> RepairReport {
    let (numbers, areas) = (try array(of: Int.self), try array(of: Double.self))
    guard numbers.count == 7, areas.count == 2,
      let outcome = RepairReport.Outcome(rawValue: Int32(truncatingIfNeeded: numbers[0]))
    else { throw MeridianError(.internalError, "a report of a repair that cannot be") }
    return RepairReport(
      outcome: outcome, rule: RepairRule(rawValue: Int32(truncatingIfNeeded: numbers[1])),
      areaBefore: areas[0],
      areaAfter: areas[1], verticesAdded: numbers[2], verticesDropped: numbers[3],
      partsBefore: numbers[4],
      partsAfter: numbers[5], collapsed: numbers[6])
  }

  private mutating func problem(rows: Int) throws(MeridianError) -> Problem {
    let (numbers, values) = (try array(of: Int.self), try array(of: Double.self))
    guard numbers.count == 11, values.count == 4, (0..<rows).contains(numbers[2]) else {
      throw MeridianError(.internalError, "a problem of a row that is not there")
    }
    let code = ProblemCode(rawValue: Int32(truncatingIfNeeded: numbers[0]))
    func known(_ at: Int) -> Int? { numbers[at] >= 0 ? numbers[at] : nil }
    guard known(7).map({ $0 < rows }) ?? true else {
      throw MeridianError(.internalError, "a problem with a row that is not there")
    }
    return Problem(
      code: code, severity: Severity(rawValue: Int32(truncatingIfNeeded: numbers[1])),
      row: numbers[2], part: known(4),
      ring: known(5), vertex: known(6), otherRow: known(7), otherPart: known(8),
      otherRing: known(9),
      otherVertex: known(10), x: values[0], y: values[1], value: values[2], threshold: values[3],
      jtsCode: Int32(truncatingIfNeeded: numbers[3]), message: try optionalText() ?? code.sentence)
  }

  private mutating func one() throws(MeridianError) -> Answer {
    let operation = try text()
    let type = try get(Int32.self)
    let (kernel, reason) = (try text(), try text())
    let (rule, why) = (try optionalText(), try optionalText())
    return Answer(
      operation: operation, type: type == 0 ? nil : GeometryType(rawValue: type), kernel: kernel,
      reason: reason,
      unmet: rule.map { UnmetRule(rule: $0, why: why ?? "") })
  }

  mutating func error() throws(MeridianError) -> MeridianError {
    let numbers = try array(of: Int.self)
    guard numbers.count == 3 else { throw MeridianError(.internalError, "an error that cannot be") }
    return MeridianError(
      Status(rawValue: Int32(truncatingIfNeeded: numbers[0])), try text(),
      row: numbers[1] >= 0 ? numbers[1] : nil,
      coordinate: numbers[2] >= 0 ? numbers[2] : nil)
  }
}
