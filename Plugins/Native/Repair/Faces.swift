// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The faces of the planar graph of a row. Face 0 is the unbounded one.
///
/// The half-edges with a face on their left are walked round; each connected part of the graph has one walk that runs round
/// it from outside, which belongs to the face that the part lies in: the one above the edge straight below its lowest point.
struct Faces {
  private(set) var count = 0
  /// The face on the left of a half-edge.
  private(set) var left: ScratchList<Int32>
  /// Half-edges by face: `halves[start[f]..<start[f + 1]]`.
  private(set) var halves: ScratchList<Int32>
  private(set) var start: ScratchList<Int32>
  private(set) var components = 0
  private var walk: ScratchList<Int32>
  private var walks = 0
  private var component: ScratchList<Int32>
  /// The lowest point of a component and an arc that it belongs to, by the component's number.
  private var lowest: ScratchList<Int32>
  private var lowestArc: ScratchList<Int32>
  private var numberOf: ScratchList<Int32>
  private var outerWalk: ScratchList<Int32>
  private var faceOfWalk: ScratchList<Int32>
  private var order: ScratchList<Int32>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    left = ScratchList(call)
    halves = ScratchList(call)
    start = ScratchList(call)
    walk = ScratchList(call)
    component = ScratchList(call)
    lowest = ScratchList(call)
    lowestArc = ScratchList(call)
    numberOf = ScratchList(call)
    outerWalk = ScratchList(call)
    faceOfWalk = ScratchList(call)
    order = ScratchList(call)
  }

  /// `blocks` hold the edges of `rings`, or are filled with them where needed.
  mutating func build(
    _ graph: PlanarGraph, _ rings: RepairRings, _ blocks: inout BoxedEdges, blocksAreCurrent: Bool,
    _ poll: inout CancelPoll
  ) throws(Stop) {
    try makeWalks(graph)
    try findComponents(graph, rings)
    if components > 1 && !blocksAreCurrent { try blocks.build(rings) }
    try nameFaces(graph, rings, blocks, &poll)
    try sortHalves(graph)
  }

  private mutating func makeWalks(_ graph: PlanarGraph) throws(Stop) {
    let halves = 2 * graph.arcs.count
    try walk.fill(halves, -1)
    walks = 0
    for begin in 0..<halves where walk[begin] < 0 && graph.stands(begin >> 1) {
      var half = begin
      repeat {
        walk[half] = Int32(truncatingIfNeeded: walks)
        half = graph.next(half)
      } while half != begin
      walks += 1
    }
  }

  private mutating func findComponents(_ graph: PlanarGraph, _ rings: RepairRings) throws(Stop) {
    let connected = try component.disjointSets(graph.nodes)
    for arc in 0..<graph.arcs.count { _ = connected.join(Int(graph.arcs[arc].start), Int(graph.arcs[arc].end)) }
    try numberOf.fill(graph.nodes, -1)
    lowest.truncate(0)
    lowestArc.truncate(0)
    for index in 0..<graph.arcs.count {
      let arc = graph.arcs[index]
      let root = connected.root(of: Int(arc.start))
      if numberOf[root] < 0 {
        numberOf[root] = Int32(truncatingIfNeeded: lowest.count)
        try lowest.push(arc.lowest)
        try lowestArc.push(Int32(truncatingIfNeeded: index))
      } else if graph.isLower(Int(arc.lowest), Int(lowest[Int(numberOf[root])]), rings) {
        lowest[Int(numberOf[root])] = arc.lowest
        lowestArc[Int(numberOf[root])] = Int32(truncatingIfNeeded: index)
      }
    }
    components = lowest.count
  }

  /// The walk round a component from outside: at its lowest point it lies left of the half-edge with the greatest angle.
  private func outerWalk(_ number: Int, _ graph: PlanarGraph, _ rings: RepairRings) -> Int32 {
    let (index, point) = (Int(lowestArc[number]), Int(lowest[number]))
    let arc = graph.arcs[index]
    let forward = Int(graph.standsFor[index])
    if point == arc.first {
      return walk[Int(graph.around[Int(graph.aroundEnd[Int(arc.start)]) - 1])]
    }
    // A vertex inside an arc: the arc turns left here, and outside is on its right, or the other way round.
    let ring = rings.rings[Int(arc.ring)]
    let before = point == ring.first ? Int(ring.last) - 1 : point - 1
    let isLeft = orientation(rings.places[before], rings.places[point], rings.places[point + 1]) > 0
    return walk[isLeft ? forward ^ 1 : forward]
  }

  private mutating func nameFaces(
    _ graph: PlanarGraph, _ rings: RepairRings, _ blocks: BoxedEdges, _ poll: inout CancelPoll
  ) throws(Stop) {
    try faceOfWalk.fill(walks, -1)
    try outerWalk.resize(components)
    for number in 0..<components {
      outerWalk[number] = outerWalk(number, graph, rings)
      faceOfWalk[Int(outerWalk[number])] = 0
    }
    count = 1
    for index in 0..<walks where faceOfWalk[index] < 0 {
      faceOfWalk[index] = Int32(truncatingIfNeeded: count)
      count += 1
    }
    if components > 1 { try placeComponents(graph, rings, blocks, &poll) }
  }

  /// From the lowest component up: what lies straight below a component has its place already.
  private mutating func placeComponents(
    _ graph: PlanarGraph, _ rings: RepairRings, _ blocks: BoxedEdges, _ poll: inout CancelPoll
  ) throws(Stop) {
    try order.resize(components)
    for number in 0..<components { order[number] = Int32(truncatingIfNeeded: number) }
    let lowest = self.lowest.start
    order.sort { a, b in
      let (p, q) = (rings.places[Int(lowest[Int(a)])], rings.places[Int(lowest[Int(b)])])
      return p.y < q.y || (p.y == q.y && (p.x < q.x || (p.x == q.x && a < b)))
    }
    for index in 0..<components {
      if poll.tick(256) { throw .cancelled }
      let number = Int(order[index])
      guard let edge = blocks.edgeBelow(rings.places[Int(lowest[number])], rings) else { continue }
      faceOfWalk[Int(outerWalk[number])] = faceOfWalk[Int(walk[halfAbove(edge, graph, rings)])]
    }
  }

  /// The half-edge that has the upper side of an edge on its left.
  private func halfAbove(_ edge: Int, _ graph: PlanarGraph, _ rings: RepairRings) -> Int {
    let ring = rings.ring(of: edge)
    var (low, high) = (Int(graph.firstArc[ring]), Int(graph.firstArc[ring + 1]))
    let last = high - 1
    // Edges before the first node of a ring belong to its last arc.
    if edge < Int(graph.arcs[low].first) {
      low = last
    } else {
      while high - low > 1 {
        let middle = (low + high) / 2
        if Int(graph.arcs[middle].first) <= edge { low = middle } else { high = middle }
      }
    }
    let forward = Int(graph.standsFor[low])
    return rings.places[edge].x < rings.places[edge + 1].x ? forward : forward ^ 1
  }

  private mutating func sortHalves(_ graph: PlanarGraph) throws(Stop) {
    let total = 2 * graph.arcs.count
    try left.resize(total)
    try start.fill(count + 2, 0)
    try halves.resize(total)
    for half in 0..<total where graph.stands(half >> 1) {
      left[half] = faceOfWalk[Int(walk[half])]
      start[Int(left[half]) + 2] += 1
    }
    for face in 0..<count { start[face + 2] += start[face + 1] }
    // Starts wander to the ends, which are the next faces' starts.
    for half in 0..<total where graph.stands(half >> 1) {
      let face = Int(left[half])
      halves[Int(start[face + 1])] = Int32(truncatingIfNeeded: half)
      start[face + 1] += 1
    }
  }

  @inline(__always)
  func right(_ half: Int) -> Int { Int(left[half ^ 1]) }
}
