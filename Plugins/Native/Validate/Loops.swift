// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A visit of a ring to a point where it touches itself, and the arc of the ring from there to the next such visit.
struct LoopStop: BitwiseCopyable {
  var place: Place
  var chain: Int32
  /// The edge that begins there or goes through.
  var edge: Int32
  /// The point, counted over the row: visits to one place have one number.
  var point: Int32 = -1
  /// The loop of the arc, counted over the row.
  var loop: Int32 = -1
}

/// A part of a ring between two visits to one point, without the loops in between: a ring that does not touch itself.
struct RingLoop: BitwiseCopyable {
  /// Where it was cut off.
  var place: Place
  var chain: Int32
  var edge: Int32
  /// Its arcs, in the list of stops by loops.
  var firstArc: Int32 = 0
  var endOfArcs: Int32 = 0

  var arcs: Range<Int> { Int(firstArc)..<Int(endOfArcs) }
}

/// Esri's dialect: rings may touch themselves. Each is cut at its touch points into loops that do not, which stand for
/// rings in the graph of connectedness.
extension PolygonCheck {
  var allowsSelfTouch: Bool { rule == .area && options.dialect == MRD_DIALECT_ESRI }

  /// Cuts the rings and reports loops that enclose a piece of the interior for themselves: a shell that goes round two areas,
  /// a hole round an island.
  mutating func cutRings(_ edges: EdgeSet) {
    gatherStops(edges)
    loops.truncate(0)
    numberPoints()
    guard !poll.isCancelled, let tops = parents.room(for: max(1, stops.count)) else {
      failed = failed || !poll.isCancelled
      return
    }
    tops.update(repeating: -1, count: stops.count)
    var start = 0
    while start < stops.count {
      var end = start
      while end < stops.count && stops[end].chain == stops[start].chain { end &+= 1 }
      let first = loops.count
      cut(start..<end, tops)
      gatherArcs(start..<end, first)
      if hasFailed { return }
      judgeLoops(start..<end, first, edges)
      start = end
    }
  }

  /// The visits of rings to their touch points, in their order along the rings.
  private mutating func gatherStops(_ edges: EdgeSet) {
    stops.truncate(0)
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
  }

  private mutating func numberPoints() {
    candidates.truncate(0)
    for index in 0..<stops.count { candidates.append(Int32(truncatingIfNeeded: index)) }
    let list = stops
    candidates.sort { list[Int($0)].place < list[Int($1)].place }
    var point: Int32 = -1
    for index in 0..<candidates.count {
      let stop = Int(candidates[index])
      if index == 0 || stops[stop].place != stops[Int(candidates[index &- 1])].place { point &+= 1 }
      stops[stop].point = point
      if poll.tick() { return }
    }
  }

  /// Names the loop of each arc of one ring: what lies between two visits to a point on the way. `tops` says for each point
  /// where on the way it is, and is all -1 before and after.
  private mutating func cut(_ range: Range<Int>, _ tops: UnsafeMutablePointer<Int32>) {
    candidates.truncate(0)
    for index in range {
      let point = Int(stops[index].point)
      if tops[point] >= 0 { close(from: Int(tops[point]), at: index, tops) }
      tops[point] = Int32(truncatingIfNeeded: candidates.count)
      candidates.append(Int32(truncatingIfNeeded: index))
      if poll.tick() { return }
    }
    if candidates.count > 0 { close(from: 0, at: range.lowerBound, tops) }
  }

  private mutating func close(from depth: Int, at index: Int, _ tops: UnsafeMutablePointer<Int32>) {
    let stop = stops[index]
    for open in depth..<candidates.count {
      stops[Int(candidates[open])].loop = Int32(truncatingIfNeeded: loops.count)
      tops[Int(stops[Int(candidates[open])].point)] = -1
    }
    loops.append(RingLoop(place: stop.place, chain: stop.chain, edge: stop.edge))
    candidates.truncate(depth)
  }

  /// Lists the stops of a ring by the loops that begin with `first`, in `candidates`.
  private mutating func gatherArcs(_ range: Range<Int>, _ first: Int) {
    candidates.truncate(0)
    for index in range { candidates.append(Int32(truncatingIfNeeded: index)) }
    let list = stops
    candidates.sort { list[Int($0)].loop != list[Int($1)].loop ? list[Int($0)].loop < list[Int($1)].loop : $0 < $1 }
    guard !candidates.failed, !loops.failed, !poll.isCancelled else { return }
    for index in 0..<candidates.count {
      let loop = Int(stops[Int(candidates[index])].loop)
      if loops[loop].endOfArcs == 0 { loops[loop].firstArc = Int32(truncatingIfNeeded: index) }
      loops[loop].endOfArcs = Int32(truncatingIfNeeded: index &+ 1)
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

  /// 1 for a loop that runs counter-clockwise; a loop has an area.
  private func sign(_ loop: Int, _ range: Range<Int>, _ edges: EdgeSet) -> Int {
    areaSign(about: loops[loop].place) { step in
      for arc in loops[loop].arcs { forEachStep(Int(candidates[arc]), range, edges, step) }
    }
  }

  /// The loop with the least vertex is outermost: those that run round the same way enclose areas, the others holes in them.
  private mutating func judgeLoops(_ range: Range<Int>, _ first: Int, _ edges: EdgeSet) {
    let chain = Int(stops[range.lowerBound].chain)
    guard let facts = ringRoom.room(for: edges.chainCount), let parts = partRoom.room(for: partCount) else { return }
    let least = Int(facts[chain].least)
    let outermost = loopOf(chain, Int32(truncatingIfNeeded: least), edges.place(least), edges)
    let isShell = edges.chains[chain].ring == 0
    let outerSign = sign(outermost, range, edges)
    for loop in first..<loops.count where loop != outermost {
      if poll.tick(loops[loop].arcs.count &+ 8) { return }
      if (sign(loop, range, edges) == outerSign) != isShell { continue }
      parts[Int(edges.chains[chain].part)].isFaulty = true
      // The greatest of its touch points, which is where a graph of the same rings cut elsewhere would close a cycle.
      var stop = LoopStop(place: loops[loop].place, chain: loops[loop].chain, edge: loops[loop].edge)
      for arc in loops[loop].arcs where stop.place < stops[Int(candidates[arc])].place {
        stop = stops[Int(candidates[arc])]
      }
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
    if low == 0 || Int(stops[low &- 1].chain) != chain { low = firstStop(Int32(truncatingIfNeeded: chain &+ 1)) }
    return low == 0 ? 0 : Int(stops[low &- 1].loop)
  }

  /// The node of a ring's place in the graph of connectedness: the ring, or its loop there behind all rings.
  func node(_ chain: Int32, _ edge: Int32, _ place: Place, _ edges: EdgeSet) -> Int32 {
    guard stops.count > 0, hasStops(chain) else { return chain }
    return Int32(truncatingIfNeeded: edges.chainCount &+ loopOf(Int(chain), edge, place, edges))
  }

  private func hasStops(_ chain: Int32) -> Bool {
    let first = firstStop(chain)
    return first < stops.count && stops[first].chain == chain
  }

  /// The first stop of a ring or of one behind it.
  private func firstStop(_ chain: Int32) -> Int {
    var (low, high) = (0, stops.count)
    while low < high {
      let middle = (low &+ high) >> 1
      if stops[middle].chain < chain { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}

extension EdgeSet {
  /// The order of two places of edges along the chains.
  func isBefore(_ edge: Int32, _ a: Place, _ other: Int32, _ b: Place) -> Bool {
    if edge != other { return edge < other }
    return place(Int(edge)) < place(Int(edge) &+ 1) ? a < b : b < a
  }
}
