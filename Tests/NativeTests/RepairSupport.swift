// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport

/// One call of the native `validate.repair` and what it gave back.
struct RepairCall {
  typealias Ring = [SIMD2<Double>]

  let status: mrd_status
  let reports: [mrd_repair_report]
  let call: GuardedCall
  let type: Int32

  init(
    _ table: mrd_family_validate, _ geoms: TestGeoms, rule: Int32, dialect: Int32 = MRD_DIALECT_OGC,
    call: GuardedCall? = nil
  ) {
    let call = call ?? GuardedCall(rows: geoms.rows)
    var options = mrd_repair_options()
    options.struct_size = UInt32(MemoryLayout<mrd_repair_options>.size)
    options.rule = rule
    options.dialect = dialect
    var out = mrd_geoms_out()
    out.struct_size = UInt32(MemoryLayout<mrd_geoms_out>.size)
    var reports = [mrd_repair_report](repeating: mrd_repair_report(), count: geoms.rows)
    let size = UInt32(MemoryLayout<mrd_repair_report>.stride)
    status = call.run { table.repair(geoms.pointer, &options, &out, &reports, size, $0) }
    self.reports = reports
    self.call = call
    type = out.type
  }

  /// The polygons of a row of a result that is a multipolygon.
  func polygons(_ row: Int = 0) -> [[Ring]] {
    let offsets = [MRD_BUF_OFFSETS0, MRD_BUF_OFFSETS1, MRD_BUF_OFFSETS2].map {
      call.values($0, Int64.self).map(Int.init)
    }
    let (x, y) = (call.values(MRD_BUF_X, Double.self), call.values(MRD_BUF_Y, Double.self))
    return (offsets[0][row]..<offsets[0][row + 1]).map { part in
      (offsets[1][part]..<offsets[1][part + 1]).map { ring in
        (offsets[2][ring]..<offsets[2][ring + 1]).map { [x[$0], y[$0]] }
      }
    }
  }

  var xs: [Double] { call.values(MRD_BUF_X, Double.self) }
  var ys: [Double] { call.values(MRD_BUF_Y, Double.self) }
}

/// Polygons as text, and what small whole numbers say about them exactly.
enum RingMath {
  static func wkt(_ parts: [[RepairCall.Ring]]) -> String {
    if parts.isEmpty { return "MULTIPOLYGON EMPTY" }
    func list(_ items: [String]) -> String { "(" + items.joined(separator: ",") + ")" }
    return "MULTIPOLYGON" + list(parts.map { list($0.map { list($0.map { "\($0.x) \($0.y)" }) }) })
  }

  /// How often a closed ring winds round a place that lies on none of its edges. Exact for small whole and half numbers.
  static func winding(_ ring: RepairCall.Ring, _ place: SIMD2<Double>) -> Int {
    var winding = 0
    for (a, b) in zip(ring, ring.dropFirst()) where (a.y <= place.y) != (b.y <= place.y) {
      let side = (b.x - a.x) * (place.y - a.y) - (place.x - a.x) * (b.y - a.y)
      if b.y > a.y { winding += side > 0 ? 1 : 0 } else { winding -= side < 0 ? 1 : 0 }
    }
    return winding
  }

  /// How far a place is from the edges of a ring.
  static func distance(_ ring: RepairCall.Ring, _ place: SIMD2<Double>) -> Double {
    zip(ring, ring.dropFirst()).map { a, b in
      let (edge, way) = (b - a, place - a)
      let square = (edge * edge).sum()
      let share = square > 0 ? min(1, max(0, (edge * way).sum() / square)) : 0
      let rest = way - share * edge
      return (rest * rest).sum().squareRoot()
    }.min() ?? .infinity
  }
}
