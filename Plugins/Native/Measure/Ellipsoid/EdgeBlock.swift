// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Lengths and areas of the edges between neighbouring coordinates of an array, a block at a time: vectors run on across
/// short lines and rings, and the functions of a vertex are computed once for both of its edges. Edges that join the end
/// of one path to the start of the next are computed as well and never asked for.
struct EdgeBlock {
  private let geodesics: Geodesics
  private let geoms: Geoms
  private let wantsArea: Bool
  private let memory: UnsafeMutablePointer<Double>
  private var first = 0
  private var count = 0

  private static let edges = 256
  private static let columns = 9
  /// Room behind each column for the last vector and for the vertex behind the last edge.
  private static let room = edges + 16

  private var latitude: UnsafeMutablePointer<Double> { memory }
  private var longitude: UnsafeMutablePointer<Double> { memory + EdgeBlock.room }
  private var sinBeta: UnsafeMutablePointer<Double> { memory + 2 * EdgeBlock.room }
  private var cosBeta: UnsafeMutablePointer<Double> { memory + 3 * EdgeBlock.room }
  private var scale: UnsafeMutablePointer<Double> { memory + 4 * EdgeBlock.room }
  private var length: UnsafeMutablePointer<Double> { memory + 5 * EdgeBlock.room }
  private var rise: UnsafeMutablePointer<Double> { memory + 6 * EdgeBlock.room }
  private var rest: UnsafeMutablePointer<Double> { memory + 7 * EdgeBlock.room }
  private var turn: UnsafeMutablePointer<Double> { memory + 8 * EdgeBlock.room }

  /// nil = no memory.
  init?(_ geodesics: Geodesics, _ geoms: Geoms, area: Bool, _ call: UnsafeMutablePointer<mrd_call>) {
    guard let memory = call.pointee.scratch(call, Int64(EdgeBlock.columns * EdgeBlock.room * 8), 64) else {
      return nil
    }
    self.memory = memory.bindMemory(to: Double.self, capacity: EdgeBlock.columns * EdgeBlock.room)
    self.memory.update(repeating: 0, count: EdgeBlock.columns * EdgeBlock.room)
    self.geodesics = geodesics
    self.geoms = geoms
    wantsArea = area
  }

  /// The edge from coordinate `start` to the next one: its length; its strip (`StripLanes`); the way in longitude, 180
  /// exactly only for half a turn.
  @inline(__always)
  mutating func edge(_ start: Int) -> (length: Double, rise: Double, rest: Double, turn: Double) {
    var index = start &- first
    if index < 0 || index >= count {
      fill(start)
      index = 0
    }
    return (length[index], rise[index], rest[index], turn[index])
  }

  @inline(never)
  private mutating func fill(_ start: Int) {
    first = start
    count = min(EdgeBlock.edges, Int(geoms.raw.coords.count) &- 1 &- start)
    prepareVertices()
    if wantsArea { measureAreas() } else { measureLengths() }
  }

  private func prepareVertices() {
    var index = 0
    while index <= count {
      let (x, y) = geoms.lanes(first &+ index, min(Lanes.scalarCount, count &+ 1 &- index))
      let vertex = VertexLanes(latitude: y, geodesics)
      x.store(longitude, index)
      y.store(latitude, index)
      vertex.sinBeta.store(sinBeta, index)
      vertex.cosBeta.store(cosBeta, index)
      vertex.scale.store(scale, index)
      index &+= Lanes.scalarCount
    }
  }

  @inline(__always)
  private func vertex(_ index: Int) -> VertexLanes {
    VertexLanes(
      latitude: Lanes(latitude, index), sinBeta: Lanes(sinBeta, index),
      cosBeta: Lanes(cosBeta, index),
      scale: Lanes(scale, index))
  }

  @inline(__always)
  private func pair(_ index: Int) -> CanonicalPair {
    let way = TurnLanes(from: Lanes(longitude, index), to: Lanes(longitude, index &+ 1))
    way.value.store(turn, index)
    return CanonicalPair(vertex(index), vertex(index &+ 1), way, geodesics)
  }

  private func measureLengths() {
    var index = 0
    while index < count {
      geodesics.distances(pair(index)).store(length, index)
      index &+= Lanes.scalarCount
    }
  }

  private func measureAreas() {
    var index = 0
    while index < count {
      let edges = geodesics.distancesAndStrips(pair(index))
      edges.distance.store(length, index)
      edges.strip.rise.store(rise, index)
      edges.strip.rest.store(rest, index)
      index &+= Lanes.scalarCount
    }
  }
}

extension Lanes {
  /// A whole vector from scratch memory, at any alignment.
  @inline(__always)
  init(_ base: UnsafeMutablePointer<Double>, _ index: Int) {
    self = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index &* 8, as: Lanes.self)
  }

  @inline(__always)
  func store(_ base: UnsafeMutablePointer<Double>, _ index: Int) {
    UnsafeMutableRawPointer(base).storeBytes(of: self, toByteOffset: index &* 8, as: Lanes.self)
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
