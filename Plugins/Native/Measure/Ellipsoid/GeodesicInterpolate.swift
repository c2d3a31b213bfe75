// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// INTERPOLATE on the ellipsoid: lengths by blocks of edges, and the places of as many rows as fit in a vector at once.
func measureGeodesicInterpolate(
  _ geodesics: Geodesics, _ geoms: Geoms, _ options: mrd_measure_options, _ columns: Columns,
  _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard let edges = EdgeBlock(geodesics, geoms, strips: false, call) else {
    return fail(call, MRD_E_MEMORY, "no memory for edges")
  }
  var walk = GeodesicWalk(geodesics: geodesics, geoms: geoms, columns: columns, edges: edges)
  return measureInterpolate(&walk, geoms, .globe, options, columns, call)
}

/// Walks along lines to the edge that holds a distance.
private struct GeodesicWalk: LineWalk {
  let geodesics: Geodesics
  let geoms: Geoms
  let columns: Columns
  private var edges: EdgeBlock<Geodesics>

  /// Rows whose place waits for its vector.
  private var waiting = InlineArray<16, Wanted>(repeating: Wanted(row: 0, start: 0, along: 0, vertex: -1))
  private var count = 0

  /// The place at `along` on the edge from coordinate `start`; the coordinate `vertex` when it is one.
  private struct Wanted: BitwiseCopyable {
    var row: Int
    var start: Int
    var along: Double
    var vertex: Int
  }

  init(geodesics: Geodesics, geoms: Geoms, columns: Columns, edges: EdgeBlock<Geodesics>) {
    self.geodesics = geodesics
    self.geoms = geoms
    self.columns = columns
    self.edges = edges
  }

  mutating func length(_ row: Int, _ isAmbiguous: inout Bool, _ poll: inout CancelPoll) -> Double {
    var sum = CompensatedSum()
    for start in geoms.span(row).dropLast() {
      let edge = edges.edge(start)
      sum.add(edge.length)
      if edge.turn == 180 { isAmbiguous = true }
      if poll.tick() { break }
    }
    return sum.value
  }

  /// Ends of edges come back bit-equal.
  mutating func find(_ row: Int, at distance: Double, _ poll: inout CancelPoll) {
    let path = geoms.span(row)
    var before = CompensatedSum()
    var found = Wanted(row: row, start: -1, along: 0, vertex: path.lowerBound)
    for start in path.dropLast() {
      let length = edges.edge(start).length
      let along = max(0, distance - before.value)
      if length > 0 {
        if along < length {
          return wait(Wanted(row: row, start: start, along: along, vertex: along == 0 ? start : -1))
        }
        found = Wanted(row: row, start: start, along: length, vertex: start &+ 1)
      }
      before.add(length)
      if poll.tick() { break }
    }
    if found.start >= 0 { return wait(found) }
    columns.set(0, row, geoms.x(path.lowerBound))
    columns.set(1, row, geoms.y(path.lowerBound))
    columns.set(2, row, 0)
  }

  private mutating func wait(_ wanted: Wanted) {
    waiting[count] = wanted
    count &+= 1
    if count == Lanes.scalarCount { finish() }
  }

  /// Sets the columns of the rows that wait.
  mutating func finish() {
    var (aX, aY, bX, bY, along) = (Lanes(), Lanes(), Lanes(), Lanes(), Lanes())
    for lane in 0..<count {
      let wanted = waiting[lane]
      let (a, b) = (geoms.place(wanted.start), geoms.place(wanted.start &+ 1))
      (aX[lane], aY[lane], bX[lane], bY[lane], along[lane]) = (a.x, a.y, b.x, b.y, wanted.along)
    }
    let azimuth = geodesics.inverse(aY, aX, bY, bX).azimuth1
    let end = DirectLanes(latitude: aY, longitude: aX, azimuth: azimuth, distance: along, geodesics)
    for lane in 0..<count {
      let (row, vertex) = (waiting[lane].row, waiting[lane].vertex)
      columns.set(0, row, vertex < 0 ? end.longitude[lane] : geoms.x(vertex))
      columns.set(1, row, vertex < 0 ? end.latitude[lane] : geoms.y(vertex))
      columns.set(2, row, end.azimuth[lane])
    }
    count = 0
  }
}
