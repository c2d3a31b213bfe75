// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Lengths and strips of the edges between neighbouring coordinates of an array, a block at a time: vectors run on across
/// short lines and rings, and the functions of a vertex are computed once for both of its edges. Edges that join the end
/// of one path to the start of the next are computed as well and never asked for.
struct EdgeBlock<Method: EdgeMethod> {
  private let method: Method
  private let geoms: Geoms
  private let wantsStrips: Bool
  private let vertices: VertexColumns
  private let results: VertexColumns
  private var first = 0
  private var count = 0

  private static var edges: Int { 256 }
  /// Room behind each column for the last vector and for the vertex behind the last edge.
  private static var room: Int { edges + 16 }

  /// nil = no memory.
  init?(_ method: Method, _ geoms: Geoms, strips: Bool, _ call: UnsafeMutablePointer<mrd_call>) {
    let numbers = (Method.columns + 4) * EdgeBlock.room
    guard let memory = call.pointee.scratch(call, Int64(numbers * 8), 64) else { return nil }
    let table = memory.bindMemory(to: Double.self, capacity: numbers)
    table.update(repeating: 0, count: numbers)
    vertices = VertexColumns(memory: table, room: EdgeBlock.room)
    results = VertexColumns(memory: table + Method.columns * EdgeBlock.room, room: EdgeBlock.room)
    self.method = method
    self.geoms = geoms
    wantsStrips = strips
  }

  /// The edge from coordinate `start` to the next one; see `EdgeLanes`.
  @inline(__always)
  mutating func edge(_ start: Int) -> (length: Double, turn: Double, rise: Double, rest: Double) {
    var index = start &- first
    if index < 0 || index >= count {
      fill(start)
      index = 0
    }
    let at = results.memory + index
    if at[0] < 0 {
      let edge = method.longEdge(geoms.place(start), geoms.place(start &+ 1))
      (at[0], at[2 &* EdgeBlock.room], at[3 &* EdgeBlock.room]) = (edge.length, edge.rise, edge.rest)
    }
    return (at[0], at[EdgeBlock.room], at[2 &* EdgeBlock.room], at[3 &* EdgeBlock.room])
  }

  @inline(never)
  private mutating func fill(_ start: Int) {
    first = start
    count = min(EdgeBlock.edges, Int(geoms.raw.coords.count) &- 1 &- start)
    var index = 0
    while index <= count {
      let (x, y) = geoms.lanes(first &+ index, min(Lanes.scalarCount, count &+ 1 &- index))
      method.prepare(x: x, y: y, vertices, index)
      index &+= Lanes.scalarCount
    }
    if wantsStrips { measureStrips() } else { measureLengths() }
  }

  private func measureLengths() {
    var index = 0
    while index < count {
      let edges = method.lengths(vertices, index)
      results.store(edges.length, 0, index)
      results.store(edges.turn, 1, index)
      index &+= Lanes.scalarCount
    }
    guard Method.isFinishedApart else { return }
    for index in stride(from: 0, to: count, by: Lanes.scalarCount) {
      results.store(method.finished(results.lanes(0, index)), 0, index)
    }
  }

  private func measureStrips() {
    var index = 0
    while index < count {
      let edges = method.edges(vertices, index)
      results.store(edges.length, 0, index)
      results.store(edges.turn, 1, index)
      results.store(edges.rise, 2, index)
      results.store(edges.rest, 3, index)
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
