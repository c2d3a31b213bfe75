// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// LENGTH, PERIMETER, AREA, AREA_SIGNED and PERIMETER_AREA, each in one pass over the edges.
func measurePaths<Method: EdgeMethod>(
  _ method: Method, _ op: UInt32, _ geoms: Geoms, side: Int32, _ columns: Columns,
  _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  let wantsArea = op != MRD_MEASURE_LENGTH && op != MRD_MEASURE_PERIMETER
  guard let edges = EdgeBlock(method, geoms, strips: wantsArea, call) else {
    return fail(call, MRD_E_MEMORY, "no memory for edges")
  }
  var measure = PathMeasure(method: method, geoms: geoms, side: side, edges: edges)
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
private struct PathMeasure<Method: EdgeMethod> {
  let method: Method
  let geoms: Geoms
  let side: Int32
  var edges: EdgeBlock<Method>
  private var total = CompensatedSum()
  /// Some edge spans exactly half a turn.
  private(set) var isAmbiguous = false

  init(method: Method, geoms: Geoms, side: Int32, edges: EdgeBlock<Method>) {
    self.method = method
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
        noteTurn(edge.turn)
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

  private mutating func ring(_ path: Range<Int>, _ poll: inout CancelPoll) -> Double {
    guard let first = path.first.map(geoms.place) else { return 0 }
    var ring = RingEdges(path: path, first: first)
    for start in path.dropLast() {
      let edge = edges.edge(start)
      total.add(edge.length)
      ring.add(rise: edge.rise, rest: edge.rest, turn: edge.turn)
      noteTurn(edge.turn)
      if poll.tick() { return 0 }
    }
    return method.area(ring, geoms, side: side, &poll)
  }

  @inline(__always)
  private mutating func noteTurn(_ turn: Double) {
    if Method.isPeriodic && turn == 180 { isAmbiguous = true }
  }
}
