// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A visit of a ring to a point where it touches itself, and the arc of the ring from there to the next such visit.
struct LoopStop: BitwiseCopyable {
  var place: Place
  var chain: Int32
  /// The edge that begins there or goes through.
  var edge: Int32
  /// The loop of the arc, counted over the row.
  var loop: Int32 = -1
}

/// A part of a ring between two visits to one point, without the loops in between: a ring that does not touch itself.
struct RingLoop: BitwiseCopyable {
  /// Where it was cut off.
  var place: Place
  var chain: Int32
  var edge: Int32
  /// Twice its area, positive counter-clockwise, and the sum of the terms' magnitudes.
  var area = CompensatedSum()
  var size = 0.0
}

/// Esri's dialect: rings may touch themselves. Each is cut at its touch points into loops that do not, which stand for
/// rings in the graph of connectedness.
extension PolygonCheck {
  var allowsSelfTouch: Bool { rule == .area && options.dialect == MRD_DIALECT_ESRI }

  /// Cuts the rings and reports loops that enclose a piece of the interior for themselves: a shell that goes round two areas,
  /// a hole round an island.
  mutating func cutRings(_ edges: EdgeSet) {
    stops.truncate(0)
    loops.truncate(0)
    for index in 0..<contacts.count where contacts[index].kind == .selfTouch {
      let contact = contacts[index]
      stops.append(LoopStop(place: contact.place, chain: contact.chain, edge: contact.edge))
      stops.append(LoopStop(place: contact.place, chain: contact.chain, edge: contact.otherEdge))
    }
    stops.sort { edges.isBefore($0.edge, $0.place, $1.edge, $1.place) }
    var kept = 0
    for index in 0..<stops.count {
      if kept > 0 && stops[kept &- 1].edge == stops[index].edge && stops[kept &- 1].place == stops[index].place {
        continue
      }
      stops[kept] = stops[index]
      kept &+= 1
    }
    stops.truncate(kept)
    var start = 0
    while start < stops.count {
      var end = start
      while end < stops.count && stops[end].chain == stops[start].chain { end &+= 1 }
      cut(start..<end)
      measureArcs(start..<end, edges)
      judgeLoops(start..<end, edges)
      start = end
    }
  }

  /// Names the loop of each arc of one ring: what lies between two visits to a point on the way.
  private mutating func cut(_ range: Range<Int>) {
    candidates.truncate(0)
    for index in range {
      var depth = candidates.count
      while depth > 0 && stops[Int(candidates[depth &- 1])].place != stops[index].place { depth &-= 1 }
      if depth > 0 { close(from: depth &- 1, at: index) }
      candidates.append(Int32(truncatingIfNeeded: index))
    }
    if candidates.count > 0 { close(from: 0, at: range.lowerBound) }
  }

  private mutating func close(from depth: Int, at index: Int) {
    let stop = stops[index]
    for open in depth..<candidates.count { stops[Int(candidates[open])].loop = Int32(truncatingIfNeeded: loops.count) }
    loops.append(RingLoop(place: stop.place, chain: stop.chain, edge: stop.edge))
    candidates.truncate(depth)
  }

  private mutating func measureArcs(_ range: Range<Int>, _ edges: EdgeSet) {
    for index in range {
      let loop = Int(stops[index].loop)
      var measured = loops[loop]
      forEachStep(index, range, edges) { a, b in
        let (left, right) = (a.x * b.y, a.y * b.x)
        measured.area.add(left)
        measured.area.add(-right)
        measured.size += left.magnitude + right.magnitude
      }
      loops[loop] = measured
    }
  }

  /// The steps of the arc that begins at a stop, to the next stop round the ring.
  private func forEachStep(_ index: Int, _ range: Range<Int>, _ edges: EdgeSet, _ body: (Place, Place) -> Void) {
    let stop = stops[index]
    let next = stops[index &+ 1 == range.upperBound ? range.lowerBound : index &+ 1]
    let ring = edges.chains[Int(stop.chain)]
    var (at, edge) = (stop.place, Int(stop.edge))
    // Round the ring even when the next stop lies before this one on the same edge.
    var goesRound = index &+ 1 == range.upperBound
    while edge != Int(next.edge) || goesRound {
      edge &+= 1
      if edge == Int(ring.last) { (edge, goesRound) = (Int(ring.first), false) }
      body(at, edges.place(edge))
      at = edges.place(edge)
    }
    body(at, next.place)
  }

  private func sign(_ loop: Int, _ range: Range<Int>, _ edges: EdgeSet) -> Int {
    let measured = loops[loop]
    if measured.area.value.magnitude > measured.size * 0x1p-51 + 0x1p-960 { return measured.area.value > 0 ? 1 : -1 }
    var sum = ExactSum()
    for index in range where Int(stops[index].loop) == loop {
      forEachStep(index, range, edges) { a, b in
        let (left, right) = (twoProduct(a.x, b.y), twoProduct(a.y, b.x))
        sum.add(left.tail)
        sum.add(-right.tail)
        sum.add(left.head)
        sum.add(-right.head)
      }
    }
    return sum.value > 0 ? 1 : -1
  }

  /// The loop with the least vertex is outermost: those that run round the same way enclose areas, the others holes in them.
  private mutating func judgeLoops(_ range: Range<Int>, _ edges: EdgeSet) {
    let chain = Int(stops[range.lowerBound].chain)
    guard let facts = ringRoom.room(for: edges.chainCount), let parts = partRoom.room(for: partCount) else { return }
    let least = Int(facts[chain].least)
    let outermost = loopOf(chain, Int32(truncatingIfNeeded: least), edges.place(least), edges)
    let isShell = edges.chains[chain].ring == 0
    let outerSign = sign(outermost, range, edges)
    var (low, high) = (Int.max, Int.min)
    for index in range { (low, high) = (min(low, Int(stops[index].loop)), max(high, Int(stops[index].loop))) }
    for loop in low...high where loop != outermost {
      if (sign(loop, range, edges) == outerSign) != isShell { continue }
      parts[Int(edges.chains[chain].part)].isFaulty = true
      // The greatest of its touch points, which is where a graph of the same rings cut elsewhere would close a cycle.
      var stop = LoopStop(place: loops[loop].place, chain: loops[loop].chain, edge: loops[loop].edge)
      for index in range where Int(stops[index].loop) == loop && stop.place < stops[index].place { stop = stops[index] }
      report(
        MRD_PROBLEM_DISCONNECTED_INTERIOR, MRD_JTS_DISCONNECTED_INTERIOR, ring: chain, at: Int(stop.edge), other: nil,
        place: stop.place, edges)
    }
  }

  /// The loop of the arc that holds a place of a ring's edge and goes on from there.
  private func loopOf(_ chain: Int, _ edge: Int32, _ place: Place, _ edges: EdgeSet) -> Int {
    var (low, high) = (0, stops.count)
    while low < high {
      let middle = (low &+ high) >> 1
      if edges.isBefore(edge, place, stops[middle].edge, stops[middle].place) {
        high = middle
      } else {
        low = middle &+ 1
      }
    }
    // Before the ring's first stop: the arc of its last one.
    if low == 0 || Int(stops[low &- 1].chain) != chain {
      while low < stops.count && Int(stops[low].chain) == chain { low &+= 1 }
    }
    return low == 0 ? 0 : Int(stops[low &- 1].loop)
  }

  /// The node of a ring's place in the graph of connectedness: the ring, or its loop there behind all rings.
  func node(_ chain: Int32, _ edge: Int32, _ place: Place, _ edges: EdgeSet) -> Int32 {
    guard stops.count > 0, hasStops(chain) else { return chain }
    return Int32(truncatingIfNeeded: edges.chainCount &+ loopOf(Int(chain), edge, place, edges))
  }

  private func hasStops(_ chain: Int32) -> Bool {
    var (low, high) = (0, stops.count)
    while low < high {
      let middle = (low &+ high) >> 1
      if stops[middle].chain < chain { low = middle &+ 1 } else { high = middle }
    }
    return low < stops.count && stops[low].chain == chain
  }
}

extension EdgeSet {
  /// The order of two places of edges along the chains.
  func isBefore(_ edge: Int32, _ a: Place, _ other: Int32, _ b: Place) -> Bool {
    if edge != other { return edge < other }
    return place(Int(edge)) < place(Int(edge) &+ 1) ? a < b : b < a
  }
}
