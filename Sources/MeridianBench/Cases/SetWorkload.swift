// SPDX-License-Identifier: Apache-2.0
import Meridian

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
