// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// LENGTH, PERIMETER, AREA, AREA_SIGNED and PERIMETER_AREA on the ellipsoid, each in one pass over the edges.
func measurePathsOnEllipsoid(
  _ geodesics: Geodesics, _ op: UInt32, _ geoms: Geoms, side: Int32, _ columns: Columns,
  _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  let wantsArea = op != MRD_MEASURE_LENGTH && op != MRD_MEASURE_PERIMETER
  guard let edges = EdgeBlock(geodesics, geoms, area: wantsArea, call) else {
    return fail(call, MRD_E_MEMORY, "no memory for edges")
  }
  var measure = PathMeasure(geodesics: geodesics, geoms: geoms, side: side, edges: edges)
  let hasMeasure = op == MRD_MEASURE_LENGTH ? geoms.isLineal : geoms.isPolygonal
  let width = op == MRD_MEASURE_PERIMETER_AREA ? 2 : 1
  let loop = RowLoop(geoms, columns, call, domain: .globe, width: width, emptyValue: 0)
  return loop.run { row, poll in
    guard hasMeasure else {
      columns.fill(row, columns: width, 0)
      return MRD_ITEM_OK
    }
    measure.begin()
    if wantsArea {
      let area = measure.area(row, signed: op == MRD_MEASURE_AREA_SIGNED, &poll)
      columns.set(width &- 1, row, area)
      if width == 2 { columns.set(0, row, measure.length) }
    } else {
      columns.set(0, row, measure.length(row, &poll))
    }
    return measure.isAmbiguous ? MRD_ITEM_WARN_AMBIGUOUS_EDGE : MRD_ITEM_OK
  }
}

/// Sums over the edges of a row.
private struct PathMeasure {
  let geodesics: Geodesics
  let geoms: Geoms
  let side: Int32
  var edges: EdgeBlock
  private var total = CompensatedSum()
  /// Some edge spans exactly half a turn.
  private(set) var isAmbiguous = false

  init(geodesics: Geodesics, geoms: Geoms, side: Int32, edges: EdgeBlock) {
    self.geodesics = geodesics
    self.geoms = geoms
    self.side = side
    self.edges = edges
  }

  /// The length of the edges seen since `begin`.
  var length: Double { total.value }

  mutating func begin() {
    total = CompensatedSum()
    isAmbiguous = false
  }

  mutating func length(_ row: Int, _ poll: inout CancelPoll) -> Double {
    for index in 0..<geoms.pathCount(row) {
      for start in geoms.path(row, index).dropLast() {
        let edge = edges.edge(start)
        total.add(edge.length)
        if edge.turn == 180 { isAmbiguous = true }
        if poll.tick() { return 0 }
      }
    }
    return total.value
  }

  mutating func area(_ row: Int, signed: Bool, _ poll: inout CancelPoll) -> Double {
    var sum = CompensatedSum()
    let geoms = geoms
    geoms.forEachPolygon(row) { polygon in
      for index in polygon {
        let area = ring(geoms.path(row, index), &poll)
        sum.add(signed ? area : index == polygon.lowerBound ? area.magnitude : -area.magnitude)
      }
    }
    return sum.value
  }

  /// Signed area: the strips between the edges and the parallel of the first vertex; of small rings by a way of their own.
  private mutating func ring(_ path: Range<Int>, _ poll: inout CancelPoll) -> Double {
    guard let first = path.first.map(geoms.place) else { return 0 }
    var (strips, turns) = (StripSum(), 0.0)
    for start in path.dropLast() {
      let edge = edges.edge(start)
      total.add(edge.length)
      strips.add(rise: edge.rise, rest: edge.rest, turn: edge.turn)
      turns += edge.turn
      if edge.turn == 180 { isAmbiguous = true }
      if poll.tick() { return 0 }
    }
    let area =
      SmallRing(geodesics, first: first).area(geoms, path, &poll)
      ?? strips.area(turns: (turns / 360).rounded(), firstLatitude: first.y, geodesics)
    return ringArea(area, ofTotal: geodesics.totalArea, side: side)
  }
}
