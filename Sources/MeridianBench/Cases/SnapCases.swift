// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// Points to the nearest place on a network; polygons to a grid and to their neighbours.
enum SnapCases {
  /// Degrees: about 20 m.
  private static let reach = 0.0002
  /// Degrees: the whole town.
  private static let farReach = 1.0

  static func cases(_ workloads: Workloads) -> [BenchCase] {
    [
      query(workloads), query(workloads, "far", within: farReach), best(workloads),
      grid(workloads.smallRingSet, scale: 1e6), grid(workloads.ringSet, scale: 1e6),
      pair(workloads),
    ]
  }

  /// One candidate a point, ranked by distance alone: end points, vertices and edges have one priority.
  static func query(_ workloads: Workloads, _ name: String = "nearest", within reach: Double = reach) -> BenchCase {
    var options = SnapQueryOptions()
    options.toleranceCoord = reach
    options.kindPriorities = SnapKind.allCases.map { _ in 0 }
    return query(workloads, name, "nearest within \(reach)", ranks: [[.endPoint, .vertex, .edge]], options)
  }

  /// One candidate a point, the first of the kinds that an editor offers.
  private static func best(_ workloads: Workloads) -> BenchCase {
    var options = SnapQueryOptions()
    options.toleranceCoord = reach
    return query(
      workloads, "best", "vertex, crossing, midpoint or edge within \(reach)",
      ranks: [[.vertex], [.intersection], [.midpoint], [.edge]], options)
  }

  private static func query(
    _ workloads: Workloads, _ name: String, _ words: String, ranks: [[SnapKind]], _ options: SnapQueryOptions
  ) -> BenchCase {
    let operation = Operation.numbered(.snap, MRD_SNAP_QUERY)
    let s1 = workloads.s1
    let points = Lazily { () throws(MeridianError) in try s1.value().points }
    let oracle = SnapQueryOracle(
      targets: Lazily { () throws(MeridianError) in try s1.value().segments }, points: points,
      tolerance: options.toleranceCoord, ranks: ranks)
    let workload = SetWorkload(
      "S1", points, rows: workloads.size.queries, vertices: workloads.size.queries, type: .point)
    let head = CaseResult(
      operation, "S1", "\(words), \(workloads.size.segments) segments", as: name, unit: .query, units: workload.rows,
      rows: workload.rows)
    return BenchCase(head, oracle: oracle) { (host, kernel) throws(MeridianError) in
      let run = Run(rules: Naming.rules(operation, kernel), model: .planar)
      let prepared = try SnapTargets(
        host: host, layers: [TargetLayer(try s1.value().segments, kinds: ranks.flatMap(\.self))], run: run)
      let set = try points.value()
      let singles = try workload.singles(BenchCase.singleCalls)
      var result = PreparedRun { () throws(MeridianError) in
        Outcome(snaps: try prepared.query(set, options: options, run: run))
      }
      result.single = { (number) throws(MeridianError) in
        _ = try prepared.query(singles[number], options: options, run: run)
      }
      result.singles = singles.count
      return result
    }
  }

  /// Coordinates to k / scale.
  static func grid(_ workload: SetWorkload, scale: Double) -> BenchCase {
    // The diagonal of half a cell, and a rounding.
    let oracle = MovementOracle(input: workload.set, largest: 0.7072 / scale, gridScale: scale)
    var options = SnapOptions()
    options.gridScale = scale
    return moving(.grid, workload, targets: nil, options, "cells of \(1 / scale)", oracle)
  }

  /// Row i of the first rows of G2 to the same row with its vertices moved a little. Every kernel that looks at all pairs
  /// of vertices takes long: a tenth of G2 is enough.
  static func pair(_ workloads: Workloads) -> BenchCase {
    let rows = max(8, workloads.size.rings / 10)
    let (g2, seed) = (workloads.g2, workloads.seed)
    let movement = 0.0002
    let set = Lazily { () throws(MeridianError) in try g2.value().subset(Array(0..<rows)) }
    let targets = Lazily { () throws(MeridianError) in
      var random = SeededRandom(seed: seed, stream: "snap.pair")
      let array = try set.value().arrays[0]
      var builder = GeometryBuilder()
      for row in 0..<rows {
        var ring = Ring(array, array.rings(ofRow: row)[0])
        for vertex in 0..<(ring.count - 1) {
          ring.x[vertex] += random.uniform(-movement, movement)
          ring.y[vertex] += random.uniform(-movement, movement)
        }
        (ring.x[ring.count - 1], ring.y[ring.count - 1]) = (ring.x[0], ring.y[0])
        try builder.polygon([ring])
      }
      return try builder.finish()
    }
    let workload = SetWorkload(
      "G2-tenth", set, rows: rows, vertices: rows * workloads.size.ringVertices, type: .polygon)
    var options = SnapOptions()
    options.toleranceCoord = 2 * movement
    // An edge whose ends move by the tolerance moves no farther.
    let oracle = MovementOracle(input: set, largest: options.toleranceCoord)
    return moving(.pair, workload, targets: targets, options, "tolerance \(options.toleranceCoord)", oracle)
  }

  private static func moving(
    _ operation: SnapOperation, _ workload: SetWorkload, targets: Lazily<GeometrySet>?, _ options: SnapOptions,
    _ words: String, _ oracle: MovementOracle
  ) -> BenchCase {
    let head = CaseResult(
      operation.operation, workload.name, words, unit: .vertex, units: workload.vertices, rows: workload.rows)
    return BenchCase(head, oracleFrom: OutputValidity(oracle: oracle, of: workload)) {
      (host, kernel) throws(MeridianError) in
      let run = Run(rules: Naming.rules(operation.operation, kernel), model: .planar)
      let to = try targets?.value()
      _ = try host.snap(
        operation, try workload.probe.value(), targets: try to?.subset([0]), options: options, run: run)
      let set = try workload.set.value()
      return PreparedRun { () throws(MeridianError) in
        Outcome(set: try host.snap(operation, set, targets: to, options: options, run: run).set)
      }
    }
  }
}
