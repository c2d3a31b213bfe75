// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// Geodesics as edges of paths: kept of a vertex are longitude, latitude and the three numbers of `VertexLanes`.
extension Geodesics: EdgeMethod {
  static var columns: Int { 5 }
  static var isPeriodic: Bool { true }

  @inline(__always)
  func prepare(x: Lanes, y: Lanes, _ vertices: VertexColumns, _ index: Int) {
    let vertex = VertexLanes(latitude: y, self)
    vertices.store(x, 0, index)
    vertices.store(y, 1, index)
    vertices.store(vertex.sinBeta, 2, index)
    vertices.store(vertex.cosBeta, 3, index)
    vertices.store(vertex.scale, 4, index)
  }

  @inline(__always)
  func lengths(_ vertices: VertexColumns, _ index: Int) -> EdgeLanes {
    let turn = TurnLanes(from: vertices.lanes(0, index), to: vertices.lanes(0, index &+ 1))
    return EdgeLanes(length: distances(pair(vertices, index, turn)), turn: turn.value)
  }

  @inline(__always)
  func edges(_ vertices: VertexColumns, _ index: Int) -> EdgeLanes {
    let turn = TurnLanes(from: vertices.lanes(0, index), to: vertices.lanes(0, index &+ 1))
    let (distance, strip) = distancesAndStrips(pair(vertices, index, turn))
    return EdgeLanes(length: distance, turn: turn.value, rise: strip.rise, rest: strip.rest)
  }

  @inline(__always)
  private func pair(_ vertices: VertexColumns, _ index: Int, _ turn: TurnLanes) -> CanonicalPair {
    CanonicalPair(vertex(vertices, index), vertex(vertices, index &+ 1), turn, self)
  }

  @inline(__always)
  private func vertex(_ vertices: VertexColumns, _ index: Int) -> VertexLanes {
    VertexLanes(
      latitude: vertices.lanes(1, index), sinBeta: vertices.lanes(2, index), cosBeta: vertices.lanes(3, index),
      scale: vertices.lanes(4, index))
  }

  /// Each turn around the globe adds what lies between the parallel of the first vertex and its nearer pole; small rings
  /// have a way of their own.
  func area(_ ring: RingEdges, _ geoms: Geoms, side: Int32, _ poll: inout CancelPoll) -> Double {
    let area =
      SmallRing(self, first: ring.first).area(geoms, ring.path, &poll)
      ?? ring.area(cap: ring.turns == 0 ? 0 : cap(latitude: ring.first.y))
    return ringArea(area, ofTotal: totalArea, side: side)
  }

  private func cap(latitude: Double) -> Double {
    let vertex = VertexLanes(latitude: Lanes(repeating: latitude), self)
    return polarCap(sine: vertex.sinBeta[0], cosine: vertex.cosBeta[0], squaredRadius: c2)
  }
}

extension TurnLanes {
  /// The way in degrees, east positive; 180 and -180 are left to exact half turns.
  var value: Lanes {
    @inline(__always) get {
      let sum = size + tail
      let inside = pick((sum .== 180) .& .!isHalfTurn, 0x1.67fffffffffffp7, sum)
      return negate(inside, where: isWestward)
    }
  }
}
