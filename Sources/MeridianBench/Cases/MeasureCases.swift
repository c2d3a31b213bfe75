// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// Lengths, areas, bounds and centroids of sets; distances and ends of pairs of points (see `PairCases`).
enum MeasureCases {
  static func cases(_ workloads: Workloads) -> [BenchCase] {
    let (lines, small, rings, coasts) =
      (workloads.lineSet, workloads.smallRingSet, workloads.ringSet, workloads.coastSet)
    var cases: [BenchCase] = []
    for pairs in [PairWorkload.uniform(workloads), .near(workloads)] {
      for operation in [PairOperation.distance, .inverse] {
        for model in [NamedModel.greatCircle, .geodesic] { cases.append(PairCases.between(operation, pairs, model)) }
      }
      for model in [NamedModel.greatCircle, .geodesic] { cases.append(PairCases.direct(pairs, model)) }
    }
    for model in NamedModel.all { cases.append(numbers(.length, lines, model)) }
    for rings in [small, rings] {
      for operation in [MeasureOperation.area, .perimeter, .perimeterArea] {
        for model in NamedModel.all { cases.append(numbers(operation, rings, model)) }
      }
    }
    for model in NamedModel.all { cases.append(numbers(.area, coasts, model)) }
    for operation in [MeasureOperation.perimeter, .bounds] { cases.append(numbers(operation, coasts, .planar)) }
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
      if kernel == MemoryRead.name, model.name == NamedModel.planar.name {
        return try MemoryRead.prepare(try workload.set.value())
      }
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
  /// Those that are integrated over, with 64 points an edge.
  private static let quadratureLimit = 20_000

  /// Of areas and perimeters together the area is judged; the perimeter has a case of its own.
  private static func judged(_ operation: MeasureOperation) -> [String] {
    operation == .perimeterArea ? ["area"] : operation.columns
  }

  private static func exactValues(
    _ operation: MeasureOperation, source: String, unit: String, _ difference: ExactValues.Difference,
    _ values: @escaping @Sendable () throws(MeridianError) -> ExactValues.Values
  ) -> ExactValues {
    let columns = judged(operation)
    return ExactValues(
      source: source, unit: unit, columns: columns, difference: difference,
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
      return exactValues(
        operation, source: "sums in double-double", unit: "coord", operation == .centroid ? .place : .largest
      ) { () throws(MeridianError) in
        PlanarTruth.values(operation, try workload.set.value())
      }
    case MRD_EDGES_GREAT_CIRCLE where operation != .bounds && (operation != .centroid || workload.type == .polygon):
      let isArea = operation == .area || operation == .perimeterArea
      return exactValues(
        operation, source: "great circles in double-double", unit: isArea ? "m2" : "m",
        operation == .centroid ? .globe(radius: model.model.semiMajor) : .largest
      ) {
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
    case .centroid where model.model.edges == MRD_EDGES_GEODESIC: return geodesicCentroids(workload, model)
    default: return nil
    }
    return ReferenceKernel(
      subject, unit: unit, columns: judged(operation), difference: operation == .bounds ? .degrees : .largest,
      rows: Lazily { () throws(MeridianError) in
        RowSample.rows(of: try workload.set.value(), vertices: referenceLimit)
      },
      vertices: { (row) throws(MeridianError) in try workload.set.value().vertices(ofRow: row) },
      answer: { (host, run, rows) throws(MeridianError) in
        Outcome(try host.measure(operation, try workload.set.value().subset(rows), run: run))
      })
  }

  /// Quadrature over geodesics that the best kernel for these draws.
  private static func geodesicCentroids(_ workload: SetWorkload, _ model: NamedModel) -> ReferenceKernel {
    let inverse = Subject(PairOperation.inverse.operation, type: .point, model: model.model)
    return ReferenceKernel(
      Subject(.numbered(.measure, MRD_MEASURE_DIRECT), type: .point, model: model.model), unit: "m",
      columns: ["x", "y"], difference: .globe(radius: NamedModel.radius),
      rows: Lazily { () throws(MeridianError) in
        let set = try workload.set.value()
        return RowSample.rows(of: set, vertices: quadratureLimit).filter { GeodesicCentroid.suits(set, row: $0) }
      },
      vertices: { (row) throws(MeridianError) in try workload.set.value().vertices(ofRow: row) },
      answer: { (host, run, rows) throws(MeridianError) in
        var run = run
        if let solver = host.reference(for: inverse) {
          run.rules = (run.rules ?? "") + ";\(inverse.operation.fullName)=\(solver.id)"
        }
        return try GeodesicCentroid.places(of: try workload.set.value().subset(rows), model.model, on: host, run)
      })
  }
}
