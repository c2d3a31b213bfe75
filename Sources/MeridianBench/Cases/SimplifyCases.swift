// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Fewer vertices within a tolerance.
enum SimplifyCases {
  static func cases(_ workloads: Workloads) -> [BenchCase] {
    let (lines, small, rings, coasts) =
      (workloads.lineSet, workloads.smallRingSet, workloads.ringSet, workloads.coastSet)
    return [
      simplify(.douglasPeucker, lines, tolerance: 0.001, as: "coarse"),
      simplify(.douglasPeucker, lines, tolerance: 0.0001, as: "fine"),
      simplify(.douglasPeucker, rings, tolerance: 0.001),
      simplify(.douglasPeucker, coasts, tolerance: 0.001),
      simplify(.topologyPreserving, small, tolerance: 0.0005),
      simplify(.topologyPreserving, rings, tolerance: 0.001),
      simplify(.topologyPreserving, coasts, tolerance: 0.001),
      simplify(.visvalingam, lines, tolerance: 0.0005),
      simplify(.visvalingam, rings, tolerance: 0.001),
      simplify(.visvalingam, coasts, tolerance: 0.001),
      simplify(.coverage, workloads.districtSet, tolerance: 0.001),
    ]
  }

  /// Visvalingam and coverages hold areas against the tolerance, so only their vertices are judged; output that has to be
  /// valid is judged by a kernel as well.
  static func simplify(
    _ operation: SimplifyOperation, _ workload: SetWorkload, tolerance: Double, as naming: String? = nil
  ) -> BenchCase {
    let words = "tolerance \(tolerance)"
    let head = CaseResult(
      operation.operation, workload.name, words, as: naming ?? words, unit: .vertex, units: workload.vertices,
      rows: workload.rows)
    let boundsDistance = operation == .douglasPeucker || operation == .topologyPreserving
    let vertices = SimplifyOracle(input: workload.set, tolerance: boundsDistance ? tolerance : nil)
    let prepare = { @Sendable (host: Host, kernel: String) throws(MeridianError) -> PreparedRun in
      let options = SimplifyOptions(tolerances: [tolerance])
      let run = Run(rules: Naming.rules(operation.operation, kernel), model: .planar)
      _ = try host.simplify(operation, try workload.probe.value(), options: options, run: run)
      let set = try workload.set.value()
      return PreparedRun { () throws(MeridianError) in
        Outcome(set: try host.simplify(operation, set, options: options, run: run).set)
      }
    }
    switch operation {
    case .topologyPreserving, .coverage:
      return BenchCase(head, oracleFrom: OutputValidity(oracle: vertices, of: workload), prepare: prepare)
    case .douglasPeucker, .visvalingam: return BenchCase(head, oracle: vertices, prepare: prepare)
    }
  }
}
