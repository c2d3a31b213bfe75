// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// Lengths, areas, bounds and centroids of sets; distances and ends of pairs of points.
enum MeasureCases {
  static func cases(_ workloads: Workloads) -> [BenchCase] {
    let (lines, small, rings, coasts) =
      (workloads.lineSet, workloads.smallRingSet, workloads.ringSet, workloads.coastSet)
    var cases: [BenchCase] = []
    for pairs in [PairWorkload.uniform(workloads), .near(workloads)] {
      for model in [NamedModel.greatCircle, .geodesic] { cases.append(inverse(pairs, model)) }
      for model in [NamedModel.greatCircle, .geodesic] { cases.append(direct(pairs, model)) }
    }
    for model in NamedModel.all { cases.append(numbers(.length, lines, model)) }
    for rings in [small, rings] {
      for operation in [MeasureOperation.area, .perimeter, .perimeterArea] {
        for model in NamedModel.all { cases.append(numbers(operation, rings, model)) }
      }
    }
    for model in NamedModel.all { cases.append(numbers(.area, coasts, model)) }
    for rings in [small, rings, lines] {
      cases.append(numbers(.bounds, rings, .planar))
      cases.append(numbers(.centroid, rings, .planar))
    }
    for model in [NamedModel.greatCircle, .geodesic] {
      cases.append(numbers(.bounds, rings, model))
      cases.append(numbers(.centroid, rings, model))
    }
    return cases
  }

  // MARK: - Sets

  /// One measure of a set: nanoseconds a vertex.
  static func numbers(_ operation: MeasureOperation, _ workload: SetWorkload, _ model: NamedModel) -> BenchCase {
    let head = CaseResult(
      operation.operation, workload.name, model.name, unit: .vertex, units: workload.vertices, rows: workload.rows)
    let subject = Subject(operation.operation, type: workload.type, model: model.model)
    let prepare = { @Sendable (host: Host, kernel: String) throws(MeridianError) -> PreparedRun in
      let run = Run(rules: Naming.rules(operation.operation, kernel), model: model.model)
      _ = try host.measure(operation, try workload.probe.value(), run: run)
      let set = try workload.set.value()
      return PreparedRun { () throws(MeridianError) in Outcome(try host.measure(operation, set, run: run)) }
    }
    if let oracle = oracle(operation, workload, model) {
      return BenchCase(head, oracle: oracle, subject: subject, prepare: prepare)
    }
    if let source = reference(operation, workload, model, subject) {
      return BenchCase(head, oracleFrom: source, subject: subject, prepare: prepare)
    }
    return BenchCase(head, subject: subject, prepare: prepare)
  }

  /// Vertices that right answers on the sphere are computed for, and those that a reference kernel is asked for.
  private static let sphereLimit = 200_000
  private static let referenceLimit = 250_000

  /// Of areas and perimeters together the area is judged; the perimeter has a case of its own.
  private static func judged(_ operation: MeasureOperation) -> [String] {
    operation == .perimeterArea ? ["area"] : operation.columns
  }

  private static func exactValues(
    _ operation: MeasureOperation, source: String, unit: String,
    _ values: @escaping @Sendable () throws(MeridianError) -> ExactValues.Values
  ) -> ExactValues {
    let columns = judged(operation)
    return ExactValues(
      source: source, unit: unit, columns: columns, difference: operation == .centroid ? .place : .largest,
      values: Lazily { () throws(MeridianError) in
        var all = try values()
        let kept = operation.columns.indices.filter { columns.contains(operation.columns[$0]) }
        all.exact = all.exact.map { row in kept.map { row[$0] } }
        return all
      })
  }

  private static func oracle(
    _ operation: MeasureOperation, _ workload: SetWorkload, _ model: NamedModel
  ) -> ExactValues? {
    switch model.model.edges {
    case MRD_EDGES_PLANAR:
      return exactValues(operation, source: "sums in double-double", unit: "coord") { () throws(MeridianError) in
        PlanarTruth.values(operation, try workload.set.value())
      }
    case MRD_EDGES_GREAT_CIRCLE where operation != .bounds && operation != .centroid:
      let isArea = operation == .area || operation == .perimeterArea
      return exactValues(operation, source: "great circles in double-double", unit: isArea ? "m2" : "m") {
        () throws(MeridianError) in
        let set = try workload.set.value()
        return SphereTruth.values(
          operation, set, radius: model.model.semiMajor, rows: RowSample.rows(of: set, vertices: sphereLimit))
      }
    default: return nil
    }
  }

  private static func reference(
    _ operation: MeasureOperation, _ workload: SetWorkload, _ model: NamedModel, _ subject: Subject
  ) -> ReferenceKernel? {
    let unit: String
    switch operation {
    case .bounds: unit = "deg"
    case .area, .perimeterArea: unit = "m2"
    case .length, .perimeter: unit = "m"
    default: return nil
    }
    return ReferenceKernel(
      subject, unit: unit, columns: judged(operation), difference: operation == .bounds ? .degrees : .largest,
      rows: Lazily { () throws(MeridianError) in
        RowSample.rows(of: try workload.set.value(), vertices: referenceLimit)
      },
      vertices: { (row) throws(MeridianError) in try workload.set.value().vertices(ofRow: row) },
      answer: { (host, run, rows) throws(MeridianError) in
        try host.measure(operation, try workload.set.value().subset(rows), run: run)
      })
  }

  // MARK: - Pairs of points

  /// Distance and azimuths of pairs; the distance is judged.
  static func inverse(_ workload: PairWorkload, _ model: NamedModel) -> BenchCase {
    let operation = PairOperation.inverse.operation
    let head = CaseResult(
      operation, workload.name, model.name, unit: .pair, units: workload.count, rows: workload.count)
    let subject = Subject(operation, type: .point, model: model.model)
    let prepare = { @Sendable (host: Host, kernel: String) throws(MeridianError) -> PreparedRun in
      let run = Run(rules: Naming.rules(operation, kernel), model: model.model)
      let pairs = try workload.pairs.value()
      let singles = try workload.singles.value()
      _ = try host.measurePair(.inverse, singles[0].a, singles[0].b, run: run)
      var prepared = PreparedRun { () throws(MeridianError) in
        Outcome(try host.measurePair(.inverse, pairs.a, pairs.b, run: run))
      }
      prepared.single = { (number) throws(MeridianError) in
        _ = try host.measurePair(.inverse, singles[number].a, singles[number].b, run: run)
      }
      prepared.singles = singles.count
      return prepared
    }
    if model.model.edges == MRD_EDGES_GREAT_CIRCLE {
      let oracle = ExactValues(
        source: "great circles in double-double", unit: "m", columns: ["distance"],
        values: Lazily { () throws(MeridianError) in
          let pairs = try workload.pairs.value()
          return SphereTruth.distances(pairs.a, pairs.b, radius: model.model.semiMajor, rows: workload.sample)
        })
      return BenchCase(head, oracle: oracle, subject: subject, prepare: prepare)
    }
    let reference = ReferenceKernel(
      subject, unit: "m", columns: ["distance"], rows: Lazily { workload.sample },
      vertices: { (_) throws(MeridianError) in 2 },
      answer: { (host, run, rows) throws(MeridianError) in
        let pairs = try workload.pairs.value()
        return try host.measurePair(.inverse, try pairs.a.subset(rows), try pairs.b.subset(rows), run: run)
      })
    return BenchCase(head, oracleFrom: reference, subject: subject, prepare: prepare)
  }

  /// The ends of lines with a start, an azimuth and a length; judged by metres between the ends.
  static func direct(_ workload: PairWorkload, _ model: NamedModel) -> BenchCase {
    let operation = Operation.numbered(.measure, MRD_MEASURE_DIRECT)
    let head = CaseResult(
      operation, workload.name, model.name, unit: .point, units: workload.count, rows: workload.count)
    let subject = Subject(operation, type: .point, model: model.model)
    let prepare = { @Sendable (host: Host, kernel: String) throws(MeridianError) -> PreparedRun in
      let run = Run(rules: Naming.rules(operation, kernel), model: model.model)
      let pairs = try workload.pairs.value()
      _ = try ends(host, run, pairs, [0])
      return PreparedRun { () throws(MeridianError) in
        Outcome(
          try host.measureDirect(pairs.a, azimuths: pairs.azimuths, distances: pairs.distances, run: run))
      }
    }
    let difference = ExactValues.Difference.globe(radius: NamedModel.radius)
    if model.model.edges == MRD_EDGES_GREAT_CIRCLE {
      let oracle = ExactValues(
        source: "great circles in double-double", unit: "m", columns: ["x", "y"], difference: difference,
        values: Lazily { () throws(MeridianError) in
          let pairs = try workload.pairs.value()
          return SphereTruth.ends(
            pairs.a, azimuths: pairs.azimuths, distances: pairs.distances, radius: model.model.semiMajor,
            rows: workload.sample)
        })
      return BenchCase(head, oracle: oracle, subject: subject, prepare: prepare)
    }
    let reference = ReferenceKernel(
      subject, unit: "m", columns: ["x", "y"], difference: difference, rows: Lazily { workload.sample },
      vertices: { (_) throws(MeridianError) in 1 },
      answer: { (host, run, rows) throws(MeridianError) in try ends(host, run, try workload.pairs.value(), rows) })
    return BenchCase(head, oracleFrom: reference, subject: subject, prepare: prepare)
  }

  private static func ends(
    _ host: Host, _ run: Run, _ pairs: PointPairs, _ rows: [Int]
  ) throws(MeridianError) -> Measured {
    try host.measureDirect(
      try pairs.a.subset(rows), azimuths: rows.map { pairs.azimuths[$0] },
      distances: rows.map { pairs.distances[$0] }, run: run)
  }
}

/// Pairs of points as a subject of cases.
struct PairWorkload: Sendable {
  let name: String
  let pairs: Lazily<PointPairs>
  let count: Int
  /// Pairs as sets of one row.
  let singles: Lazily<[(a: GeometrySet, b: GeometrySet)]>
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
      var singles: [(a: GeometrySet, b: GeometrySet)] = []
      for row in RowSample.spread(count, limit: BenchCase.singleCalls) {
        singles.append((try all.a.subset([row]), try all.b.subset([row])))
      }
      return singles
    }
  }
}

extension Outcome {
  init(_ measured: Measured) {
    self.init()
    statuses = measured.statuses
    names = measured.names
    columns = measured.columns
  }
}
