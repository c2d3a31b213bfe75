// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// A set of geometries as a subject of cases: its counts are known before it is made.
struct SetWorkload: Sendable {
  let name: String
  let set: Lazily<GeometrySet>
  let rows: Int
  let vertices: Int
  /// nil = mixed.
  let type: GeometryType?
  /// One row of each array: running an operation on it tells whether a kernel answers, and why not.
  let probe: Lazily<GeometrySet>

  init(_ name: String, _ set: Lazily<GeometrySet>, rows: Int, vertices: Int, type: GeometryType?) {
    self.name = name
    self.set = set
    self.rows = rows
    self.vertices = vertices
    self.type = type
    probe = Lazily { () throws(MeridianError) in
      let whole = try set.value()
      let firsts = whole.arrays.indices.compactMap { array in
        (0..<whole.count).first { row in
          if case .geometry(array, let index) = whole.place(ofRow: row) { return !whole.arrays[array].isNull(index) }
          return false
        }
      }
      return try whole.subset(firsts)
    }
  }

  /// Rows as sets of one, for single calls.
  func singles(_ limit: Int) throws(MeridianError) -> [GeometrySet] {
    let whole = try set.value()
    var singles: [GeometrySet] = []
    for row in RowSample.spread(whole.count, limit: limit) { singles.append(try whole.subset([row])) }
    return singles
  }
}

extension Workloads {
  var lineSet: SetWorkload {
    SetWorkload("L1", l1, rows: size.lines, vertices: size.lines * size.lineVertices, type: .lineString)
  }
  var smallRingSet: SetWorkload {
    SetWorkload("G1", g1, rows: size.smallRings, vertices: size.smallRings * size.smallRingVertices, type: .polygon)
  }
  var ringSet: SetWorkload {
    SetWorkload("G2", g2, rows: size.rings, vertices: size.rings * size.ringVertices, type: .polygon)
  }
  var coastSet: SetWorkload {
    SetWorkload("G3", g3, rows: size.coasts, vertices: size.coasts * size.coastVertices, type: .polygon)
  }
  var faultySet: SetWorkload {
    let g4 = g4
    return SetWorkload(
      "G4", Lazily { () throws(MeridianError) in try g4.value().set }, rows: size.rings,
      vertices: FaultyPolygons.vertices(size), type: .polygon)
  }
  /// The rows of G4 that are not valid.
  var invalidSet: SetWorkload {
    let damaged = FaultyPolygons.damaged(of: size.rings)
    let kinds = FaultyPolygons.Kind.allCases.filter { !$0.isValid }
    let vertices = kinds.reduce(0) { $0 + damaged * (size.ringVertices + $1.extraVertices) }
    return SetWorkload(
      "G4-invalid", g4Invalid, rows: damaged * kinds.count, vertices: vertices, type: .polygon)
  }
  var districtSet: SetWorkload {
    SetWorkload("C1", c1, rows: size.districts, vertices: size.districts * size.districtVertices, type: .polygon)
  }
}

/// An edge model with its name in cases.
struct NamedModel: Sendable {
  let name: String
  let model: GeometryModel

  /// The mean radius of WGS84, (2 a + b) / 3.
  static let radius = 6_371_008.8
  static let planar = NamedModel(name: "planar", model: .planar)
  static let greatCircle = NamedModel(
    name: "great_circle",
    model: GeometryModel(edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, semiMajor: radius, flattening: 0))
  static let geodesic = NamedModel(name: "geodesic", model: .wgs84)
  static let all = [planar, greatCircle, geodesic]
}

extension BenchCase {
  /// Single calls that a case prepares at most.
  static let singleCalls = 2000

  /// Another setting of the case: the same calls one at a time, for latencies.
  func oneByOne() -> BenchCase {
    var head = CaseResult(
      name: "\(self.head.operation)/\(self.head.workload)/single", suite: .interactive,
      operation: self.head.operation, workload: self.head.workload, setting: "\(self.head.setting), single calls",
      unit: .call, units: min(self.head.rows, Self.singleCalls), rows: min(self.head.rows, Self.singleCalls))
    head.oracle = nil
    let batch = self
    return BenchCase(head) { (host, kernel) throws(MeridianError) in
      let prepared = try batch.prepare(host, kernel: kernel)
      guard let single = prepared.single, prepared.singles > 0 else {
        throw MeridianError(.unsupported, "\(batch.head.name) has no single calls")
      }
      let count = prepared.singles
      var run = PreparedRun { () throws(MeridianError) in
        for number in 0..<count { try single(number) }
        return Outcome()
      }
      run.single = single
      run.singles = count
      return run
    }
  }
}

extension CaseResult {
  /// A head whose name follows from its parts; the suite is the operation's family.
  init(
    _ operation: Operation, _ workload: String, _ setting: String, as naming: String? = nil, unit: WorkUnit, units: Int,
    rows: Int
  ) {
    self.init(
      name: "\(operation.fullName)/\(workload)/\(naming ?? setting)",
      suite: Suite(rawValue: operation.family.name) ?? .measure, operation: operation.fullName, workload: workload,
      setting: setting, unit: unit, units: units, rows: rows)
  }
}
