// SPDX-License-Identifier: Apache-2.0
import Meridian

/// The calls of jobs: made in this process, or in a worker where the job isolates its kernels. Faults are those of rows of the
/// set; without isolation there are none, since a fault would have ended the process.
extension JobContext {
  func validate(
    _ operation: ValidateOperation, _ set: GeometrySet, options: ValidateOptions, run: Run
  ) throws(MeridianError) -> (result: Validation, isFull: Bool, faults: [Int: Fault]) {
    let (answer, faults) = try perform(.validate(operation, options), set, run: run)
    let result = Validation(
      verdicts: answer.verdicts, problems: answer.problems, statuses: answer.statuses,
      answers: answer.answers)
    return (result, answer.isFull, faults)
  }

  func repair(
    _ set: GeometrySet, options: RepairOptions, run: Run
  ) throws(MeridianError) -> (result: Repaired, faults: [Int: Fault]) {
    let (answer, faults) = try perform(.repair(options), set, run: run)
    let result = Repaired(
      set: answer.set ?? set, reports: answer.reports, statuses: answer.statuses,
      answers: answer.answers)
    return (result, faults)
  }

  func simplify(
    _ operation: SimplifyOperation, _ set: GeometrySet, options: SimplifyOptions, run: Run
  ) throws(MeridianError) -> (result: Simplified, faults: [Int: Fault]) {
    let (answer, faults) = try perform(.simplify(operation, options), set, run: run)
    let outcomes = answer.outcomes.map { SimplifyOutcome(rawValue: $0) ?? .reduced }
    let result = Simplified(
      set: answer.set ?? set, outcomes: outcomes, kept: nil, statuses: answer.statuses,
      answers: answer.answers)
    return (result, faults)
  }

  func snap(
    _ operation: SnapOperation, _ set: GeometrySet, targets: GeometrySet?, options: SnapOptions,
    run: Run
  ) throws(MeridianError) -> (result: Snapped, faults: [Int: Fault]) {
    let (answer, faults) = try perform(.snap(operation, options), set, targets: targets, run: run)
    let outcomes = answer.outcomes.map { SnapOutcome(rawValue: $0) ?? .moved }
    let result = Snapped(
      set: answer.set ?? set, outcomes: outcomes, statuses: answer.statuses, answers: answer.answers
    )
    return (result, faults)
  }

  func measure(
    _ operation: MeasureOperation, _ set: GeometrySet, run: Run
  ) throws(MeridianError) -> (result: Measured, faults: [Int: Fault]) {
    let (answer, faults) = try perform(.measure(operation), set, run: run)
    let result = Measured(
      names: operation.columns, columns: answer.columns, statuses: answer.statuses,
      answers: answer.answers)
    return (result, faults)
  }

  private func perform(
    _ call: KernelCall, _ set: GeometrySet, targets: GeometrySet? = nil, run: Run
  ) throws(MeridianError) -> (answer: KernelAnswer, faults: [Int: Fault]) {
    guard let isolation else {
      return (try call.perform(on: host, set, targets: targets, run: run), [:])
    }
    return try isolation.perform(call, set, targets: targets, run: run)
  }
}
