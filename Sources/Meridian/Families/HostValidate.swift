// SPDX-License-Identifier: Apache-2.0
import MeridianABI

extension Host {
  /// Verdicts and problems of every row. A collection is valid when all its members are; its problems carry the member
  /// in `part`. Null rows, and rows that could not be judged, are `unknown`. Safe from any thread.
  public func validate(
    _ operation: ValidateOperation, _ set: GeometrySet, options: ValidateOptions = ValidateOptions(), run: Run = Run()
  ) throws(MeridianError) -> Validation {
    let raw = try validate(operation.operation, set, options.abi, run)
    return Validation(
      verdicts: raw.verdicts.map { Verdict(rawValue: $0) ?? .unknown }, problems: raw.records.problems,
      statuses: raw.statuses, answers: raw.answers)
  }

  /// Makes every row valid. Single types stay single where at most one part is left; a row without errors comes back
  /// bit-equal. A collection is null when a member could not be repaired. Safe from any thread.
  public func repair(
    _ set: GeometrySet, options: RepairOptions = RepairOptions(), run: Run = Run()
  ) throws(MeridianError) -> Repaired {
    let raw = try repair(set, options.abi, run)
    return Repaired(
      set: raw.set, reports: raw.reports.map { RepairReport($0) }, statuses: raw.statuses, answers: raw.answers)
  }
}

extension RepairReport {
  init(_ report: mrd_repair_report) {
    self.init(
      outcome: Outcome(rawValue: report.outcome) ?? .repaired, rule: RepairRule(rawValue: report.rule),
      areaBefore: report.area_before, areaAfter: report.area_after, verticesAdded: Int(report.vertices_added),
      verticesDropped: Int(report.vertices_dropped), partsBefore: Int(report.parts_before),
      partsAfter: Int(report.parts_after), collapsed: Int(report.collapsed))
  }
}

// MARK: - Over the ABI's own options, for the C interface too

struct RawValidation {
  var verdicts: [UInt8]
  var records: ProblemRecords
  var statuses: [RowStatus]
  var answers: Answers
}

struct RawRepair {
  var set: GeometrySet
  var reports: [mrd_repair_report]
  var statuses: [RowStatus]
  var answers: Answers
}

extension Host {
  func validate(
    _ operation: Operation, _ set: GeometrySet, _ options: mrd_validate_options, _ run: Run
  ) throws(MeridianError) -> RawValidation {
    try set.checkLayout()
    let isLayer = operation.number == MRD_VALIDATE_LAYER
    let judged = isLayer ? UnitedSet(set).set : set
    let state = RunState(self, run, work: judged.weight)
    var answers = Answers()
    let gathering = VerdictGathering(judged)
    for (number, array) in judged.arrays.enumerated() where array.count > 0 {
      let choice = try state.choose(operation, state.shape(of: array, dialect: options.dialect))
      answers.add(operation, choice, type: array.type)
      let job = KernelJob(state, operation, choice, array, whole: isLayer)
      let chunks = try judged.locating(number) { () throws(MeridianError) in
        try gathering.check(job, number, operation, options)
      }
      gathering.add(chunks, of: number)
    }
    state.progress?.finish()
    return RawValidation(
      verdicts: gathering.joinedVerdicts(), records: gathering.sortedRecords(),
      statuses: judged.joinedStatuses(gathering.statuses), answers: answers)
  }

  func repair(
    _ set: GeometrySet, _ options: mrd_repair_options, _ run: Run
  ) throws(MeridianError) -> RawRepair {
    try set.checkLayout()
    let operation = Operation.numbered(.validate, MRD_VALIDATE_REPAIR)
    let state = RunState(self, run, work: set.weight)
    let united = UnitedSet(unchanged: set)
    let statuses = ItemColumn.statuses(of: set)
    let reports = set.arrays.map { ReportColumn($0.count) }
    var answers = Answers()
    let job = GeometryRun(
      operation: operation, dialect: options.rule, mayBeMulti: true, records: reports.map { $0.column })
    let results = try job.perform(state, united, outcomes: false, answers: &answers, statuses: statuses) {
      kernel, _, _, geoms, out, _, context in
      guard let repair = kernel.validate?.pointee.repair else { return MRD_E_UNSUPPORTED }
      var options = options
      let records = context.records?.assumingMemoryBound(to: mrd_repair_report.self)
      return repair(geoms, &options, out, records, UInt32(MemoryLayout<mrd_repair_report>.stride), context.call)
    }
    state.progress?.finish()
    return RawRepair(
      set: ResultSet.assemble(united, results), reports: (0..<set.count).map { ReportColumn.joined(reports, set, $0) },
      statuses: set.joinedStatuses(statuses), answers: answers)
  }
}
