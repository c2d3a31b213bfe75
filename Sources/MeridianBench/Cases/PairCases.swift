// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// Distances of pairs of points, and ends of lines that begin in points.
enum PairCases {
  /// Distance, or distance and azimuths, of pairs; the distance is judged.
  static func between(_ operation: PairOperation, _ workload: PairWorkload, _ model: NamedModel) -> BenchCase {
    let measure = PairMeasure(
      operation: operation.operation, unit: .pair, columns: ["distance"], difference: .largest, vertices: 2,
      answer: { (host, pairs, run) throws(MeridianError) in
        try host.measurePair(operation, pairs.a, pairs.b, run: run)
      },
      truth: { pairs, radius, rows in SphereTruth.distances(pairs.a, pairs.b, radius: radius, rows: rows) })
    return measure.benchCase(workload, model)
  }

  /// The ends of lines with a start, an azimuth and a length; judged by metres between the ends.
  static func direct(_ workload: PairWorkload, _ model: NamedModel) -> BenchCase {
    let measure = PairMeasure(
      operation: .numbered(.measure, MRD_MEASURE_DIRECT), unit: .point, columns: ["x", "y"],
      difference: .globe(radius: NamedModel.radius), vertices: 1,
      answer: { (host, pairs, run) throws(MeridianError) in
        try host.measureDirect(pairs.a, azimuths: pairs.azimuths, distances: pairs.distances, run: run)
      },
      truth: { pairs, radius, rows in
        SphereTruth.ends(
          pairs.a, azimuths: pairs.azimuths, distances: pairs.distances, radius: radius, rows: rows)
      })
    return measure.benchCase(workload, model)
  }
}

/// What is asked of pairs of points, and what is right on the sphere.
private struct PairMeasure: Sendable {
  let operation: Operation
  let unit: WorkUnit
  /// Columns that are judged.
  let columns: [String]
  let difference: ExactValues.Difference
  /// Of a row, for bounds that grow with them.
  let vertices: Int
  let answer: @Sendable (Host, PointPairs, Run) throws(MeridianError) -> Measured
  let truth: @Sendable (PointPairs, _ radius: Double, _ rows: [Int]) -> ExactValues.Values

  func benchCase(_ workload: PairWorkload, _ model: NamedModel) -> BenchCase {
    let head = CaseResult(
      operation, workload.name, model.name, unit: unit, units: workload.count, rows: workload.count)
    let subject = Subject(operation, type: .point, model: model.model)
    let prepare = { @Sendable (host: Host, kernel: String) throws(MeridianError) -> PreparedRun in
      try prepared(workload, host, Run(rules: Naming.rules(operation, kernel), model: model.model))
    }
    if model.model.edges == MRD_EDGES_GREAT_CIRCLE {
      return BenchCase(head, oracle: oracle(workload, model), subject: subject, prepare: prepare)
    }
    return BenchCase(head, oracleFrom: reference(workload, subject), subject: subject, prepare: prepare)
  }

  private func prepared(_ workload: PairWorkload, _ host: Host, _ run: Run) throws(MeridianError) -> PreparedRun {
    let (pairs, singles) = (try workload.pairs.value(), try workload.singles.value())
    // Tells whether the kernel answers.
    if let first = singles.first { _ = try answer(host, first, run) }
    var prepared = PreparedRun { () throws(MeridianError) in Outcome(try answer(host, pairs, run)) }
    prepared.single = { (number) throws(MeridianError) in _ = try answer(host, singles[number], run) }
    prepared.singles = singles.count
    return prepared
  }

  private func oracle(_ workload: PairWorkload, _ model: NamedModel) -> ExactValues {
    ExactValues(
      source: "great circles in double-double", unit: "m", columns: columns, difference: difference,
      values: Lazily { () throws(MeridianError) in
        truth(try workload.pairs.value(), model.model.semiMajor, workload.sample)
      })
  }

  private func reference(_ workload: PairWorkload, _ subject: Subject) -> ReferenceKernel {
    ReferenceKernel(
      subject, unit: "m", columns: columns, difference: difference, rows: Lazily { workload.sample },
      vertices: { (_) throws(MeridianError) in vertices },
      answer: { (host, run, rows) throws(MeridianError) in
        Outcome(try answer(host, try workload.pairs.value().subset(rows), run))
      })
  }
}

/// Pairs of points as a subject of cases.
struct PairWorkload: Sendable {
  let name: String
  let pairs: Lazily<PointPairs>
  let count: Int
  /// Pairs by themselves, for single calls.
  let singles: Lazily<[PointPairs]>
  /// Pairs that are judged.
  var sample: [Int] { RowSample.spread(count, limit: 20_000) }

  static func uniform(_ workloads: Workloads) -> PairWorkload {
    PairWorkload("P1", workloads.p1, workloads.size.pairs)
  }
  static func near(_ workloads: Workloads) -> PairWorkload { PairWorkload("P2", workloads.p2, workloads.size.pairs) }

  private init(_ name: String, _ pairs: Lazily<PointPairs>, _ count: Int) {
    self.name = name
    self.pairs = pairs
    self.count = count
    singles = Lazily { () throws(MeridianError) in
      let all = try pairs.value()
      var singles: [PointPairs] = []
      for row in RowSample.spread(count, limit: BenchCase.singleCalls) { singles.append(try all.subset([row])) }
      return singles
    }
  }
}
