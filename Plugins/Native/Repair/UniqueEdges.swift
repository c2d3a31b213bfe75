// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Edges of a row in groups that have the same two ends, for rows of which thousands coincide: the first edge of each group
/// stands for all.
struct UniqueEdges {
  private var order: ScratchList<Int32>
  /// The first of each group in `order`, groups by their first edges; and where its group ends.
  private var starts: ScratchList<Int32>
  private var endOf: ScratchList<Int32>
  /// For each edge the place of its group's start in `order`.
  private var startOf: ScratchList<Int32>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    order = ScratchList(call)
    starts = ScratchList(call)
    endOf = ScratchList(call)
    startOf = ScratchList(call)
  }

  var count: Int { starts.count }

  mutating func build(_ rings: RepairRings) throws(Stop) {
    order.truncate(0)
    for index in 0..<rings.rings.count {
      let ring = rings.rings[index]
      for edge in Int(ring.first)..<Int(ring.last) { try order.push(Int32(truncatingIfNeeded: edge)) }
    }
    let places = rings.places
    func ends(_ edge: Int32) -> (low: Place, high: Place) {
      let (a, b) = (places[Int(edge)], places[Int(edge) + 1])
      return a < b ? (a, b) : (b, a)
    }
    order.sort { one, two in
      let (a, b) = (ends(one), ends(two))
      if a.low != b.low { return a.low < b.low }
      return a.high != b.high ? a.high < b.high : one < two
    }
    starts.truncate(0)
    try endOf.resize(order.count)
    try startOf.resize(rings.places.count)
    var begin = 0
    for index in 0..<order.count {
      if index > 0 && ends(order[index]) != ends(order[begin]) { begin = index }
      if index == begin { try starts.push(Int32(truncatingIfNeeded: begin)) }
      startOf[Int(order[index])] = Int32(truncatingIfNeeded: begin)
      endOf[begin] = Int32(truncatingIfNeeded: index + 1)
    }
    // Along the rings, so that near edges stand together.
    let order = self.order
    starts.sort { order[Int($0)] < order[Int($1)] }
  }

  /// The edge that stands for a group.
  func edge(_ group: Int) -> Int { Int(order[Int(starts[group])]) }

  /// Calls `body` with all edges of the group of an edge.
  func forEachMember(of edge: Int, _ body: (_ member: Int) throws(Stop) -> Void) throws(Stop) {
    let start = Int(startOf[edge])
    for index in start..<Int(endOf[start]) { try body(Int(order[index])) }
  }

  func isAlone(_ edge: Int) -> Bool { Int(endOf[Int(startOf[edge])]) == Int(startOf[edge]) + 1 }
}
