// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// Verdicts by the rules of OGC Simple Features, and repair of what is not valid.
enum ValidateCases {
  static func cases(_ workloads: Workloads) -> [BenchCase] {
    let g4 = workloads.g4
    let known = KnownVerdicts(
      source: "known by construction",
      Lazily { () throws(MeridianError) in try g4.value().kinds.map { $0.isValid } })
    let sets: [(SetWorkload, KnownVerdicts)] =
      [workloads.smallRingSet, workloads.ringSet, workloads.coastSet].map { set in
        (set, KnownVerdicts(source: "known by construction", all: true, rows: set.rows))
      } + [(workloads.faultySet, known)]
    return sets.flatMap { set, oracle in
      [valid(set, mode: .first, oracle: oracle), valid(set, mode: .all, oracle: oracle)]
    } + [RepairRule.structure, .linework].map { repair(workloads.invalidSet, rule: $0) }
  }

  /// - Parameter mode: `all` asks for every problem of a row, of kernels that give them; `first` for the first one.
  static func valid(_ workload: SetWorkload, mode: ValidateOptions.Mode, oracle: any Oracle) -> BenchCase {
    let operation = ValidateOperation.valid.operation
    let setting = mode == .all ? "all" : mode == .first ? "first" : "verdict"
    let words = mode == .all ? "all problems" : mode == .first ? "first problem" : "verdict alone"
    let head = CaseResult(
      operation, workload.name, words, as: setting, unit: .vertex, units: workload.vertices, rows: workload.rows)
    return BenchCase(head, oracle: oracle) { (host, kernel) throws(MeridianError) in
      var options = ValidateOptions()
      options.mode = mode
      var rules = Naming.rules(operation, kernel)
      if mode == .all { rules += ";require \(operation.fullName) all-problems" }
      let (run, chosen) = (Run(rules: rules, model: .planar), options)
      _ = try host.validate(.valid, try workload.probe.value(), options: options, run: run)
      let set = try workload.set.value()
      let singles = try workload.singles(Self.singles)
      var prepared = PreparedRun { () throws(MeridianError) in
        Outcome(verdicts: try host.validate(.valid, set, options: chosen, run: run).verdicts)
      }
      prepared.single = { (number) throws(MeridianError) in
        _ = try host.validate(.valid, singles[number], options: chosen, run: run)
      }
      prepared.singles = singles.count
      return prepared
    }
  }

  /// Polygons are large: fewer single calls than elsewhere.
  private static let singles = 200

  /// Judged by the area, and by another kernel, or brute force, that says whether the result is valid.
  static func repair(_ workload: SetWorkload, rule: RepairRule) -> BenchCase {
    let operation = Operation.numbered(.validate, MRD_VALIDATE_REPAIR)
    let head = CaseResult(
      operation, workload.name, "\(rule)", unit: .vertex, units: workload.vertices, rows: workload.rows)
    let oracle = OutputValidity(oracle: RepairOracle(input: workload.set, rule: rule), of: workload)
    return BenchCase(head, oracleFrom: oracle) { (host, kernel) throws(MeridianError) in
      var options = RepairOptions()
      options.rule = rule
      let (run, chosen) = (Run(rules: Naming.rules(operation, kernel), model: .planar), options)
      _ = try host.repair(try workload.probe.value(), options: options, run: run)
      let set = try workload.set.value()
      return PreparedRun { () throws(MeridianError) in
        Outcome(set: try host.repair(set, options: chosen, run: run).set)
      }
    }
  }
}
