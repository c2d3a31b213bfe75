// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A run of edges of one ring from node to node.
struct Arc: BitwiseCopyable {
  /// The point it starts at; it goes on over the end of the ring where that lies between.
  let first: Int32
  /// Edges.
  let size: Int32
  let ring: Int32
  let start: Int32
  let end: Int32
  /// Its lowest point but for the end, the leftmost of those.
  let lowest: Int32
}

/// What an arc does to the winding number of a ring: on its left it is higher by `step`.
struct Winding: BitwiseCopyable {
  let ring: Int32
  var step: Int32
}

/// The noded rings of a row as a planar graph.
///
/// A vertex that only one ring passes once belongs to an arc and costs nothing here; nodes are where rings meet, and one
/// point of each ring that meets nothing. Arc k gives the half-edges 2k, along it, and 2k + 1, against it. Arcs that coincide
/// are one: the least of them stands for all, with what all of them do to winding numbers.
struct PlanarGraph {
  private(set) var arcs: ScratchList<Arc>
  /// For each arc the half-edge along it of the arc that stands for it.
  private(set) var standsFor: ScratchList<Int32>
  /// Windings of an arc that stands for others or itself: `windings[windingStart[k]..<windingStart[k + 1]]`.
  private(set) var windingStart: ScratchList<Int32>
  private(set) var windings: ScratchList<Winding>
  /// They are in the order of their places.
  private(set) var nodes = 0
  /// A point of each node; a vertex of the input where there is one.
  private(set) var pointOfNode: ScratchList<Int32>
  /// Half-edges that leave a node, counter-clockwise: `around[aroundStart[n]..<aroundEnd[n]]`.
  private(set) var around: ScratchList<Int32>
  private(set) var aroundStart: ScratchList<Int32>
  private(set) var aroundEnd: ScratchList<Int32>
  private(set) var placeAround: ScratchList<Int32>
  /// The first arc of each ring; one more for the end.
  private(set) var firstArc: ScratchList<Int32>
  private(set) var hasCoincidentArcs = false
  private var flagged: ScratchList<Int32>
  private var order: ScratchList<Int32>
  private var nodeOfFlagged: ScratchList<Int32>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    arcs = ScratchList(call)
    standsFor = ScratchList(call)
    windingStart = ScratchList(call)
    windings = ScratchList(call)
    pointOfNode = ScratchList(call)
    around = ScratchList(call)
    aroundStart = ScratchList(call)
    aroundEnd = ScratchList(call)
    placeAround = ScratchList(call)
    firstArc = ScratchList(call)
    flagged = ScratchList(call)
    order = ScratchList(call)
    nodeOfFlagged = ScratchList(call)
  }

  // MARK: Half-edges

  @inline(__always)
  func origin(_ half: Int) -> Int { Int(half & 1 == 0 ? arcs[half >> 1].start : arcs[half >> 1].end) }
  @inline(__always)
  func target(_ half: Int) -> Int { origin(half ^ 1) }

  /// Whether the arc of a half-edge stands for itself.
  @inline(__always)
  func stands(_ arc: Int) -> Bool { standsFor[arc] == 2 * arc }

  /// The point `step` edges behind the start of an arc.
  @inline(__always)
  func point(_ arc: Arc, _ step: Int, _ rings: RepairRings) -> Int {
    let ring = rings.rings[Int(arc.ring)]
    let point = Int(arc.first) &+ step
    return point < Int(ring.last) ? point : point &- Int(ring.last) &+ Int(ring.first)
  }

  /// The second point of a half-edge, which shows its direction.
  @inline(__always)
  func lead(_ half: Int, _ rings: RepairRings) -> Int {
    let arc = arcs[half >> 1]
    return point(arc, half & 1 == 0 ? 1 : Int(arc.size) - 1, rings)
  }

  /// The half-edge that follows when the face on the left is walked round.
  @inline(__always)
  func next(_ half: Int) -> Int { clockwise(half ^ 1) }

  /// The half-edge before this one, counter-clockwise round its origin.
  @inline(__always)
  func clockwise(_ half: Int) -> Int {
    let node = origin(half)
    let place = placeAround[half]
    return Int(around[Int(place == aroundStart[node] ? aroundEnd[node] : place) &- 1])
  }

  /// The node at a place.
  func node(at place: Place, _ rings: RepairRings) -> Int? {
    var (low, high) = (0, nodes)
    while low < high {
      let middle = (low + high) / 2
      if rings.places[Int(pointOfNode[middle])] < place { low = middle + 1 } else { high = middle }
    }
    return low < nodes && rings.places[Int(pointOfNode[low])] == place ? low : nil
  }

  // MARK: Building

  /// Throws `.notApplied` if the rings are not noded.
  mutating func build(_ rings: inout RepairRings) throws(Stop) {
    try findFlagged(&rings)
    try makeNodes(rings)
    try makeArcs(rings)
    try sortAround(rings)
    try makeWindings()
  }

  private mutating func findFlagged(_ rings: inout RepairRings) throws(Stop) {
    flagged.truncate(0)
    firstArc.truncate(0)
    for index in 0..<rings.rings.count {
      let (first, last) = (Int(rings.rings[index].first), Int(rings.rings[index].last))
      let before = flagged.count
      try firstArc.push(Int32(truncatingIfNeeded: before))
      for point in first..<last where rings.marks[point].contains(.node) {
        try flagged.push(Int32(truncatingIfNeeded: point))
      }
      if flagged.count == before { try flagged.push(Int32(truncatingIfNeeded: first)) }
    }
    try firstArc.push(Int32(truncatingIfNeeded: flagged.count))
  }

  /// One node for all flagged points of a place.
  private mutating func makeNodes(_ rings: RepairRings) throws(Stop) {
    let count = flagged.count
    try order.resize(count)
    try nodeOfFlagged.resize(count)
    for index in 0..<count { order[index] = Int32(truncatingIfNeeded: index) }
    let (places, flagged) = (rings.places.start, self.flagged.start)
    order.sort { a, b in
      let (p, q) = (places[Int(flagged[Int(a)])], places[Int(flagged[Int(b)])])
      return p < q || (p == q && a < b)
    }
    pointOfNode.truncate(0)
    var former = Place(x: .nan, y: .nan)
    for index in 0..<count {
      let number = Int(order[index])
      let point = Int(flagged[number])
      if places[point] != former {
        former = places[point]
        try pointOfNode.push(Int32(truncatingIfNeeded: point))
      } else if rings.marks[Int(pointOfNode[pointOfNode.count - 1])].contains(.inserted) {
        pointOfNode[pointOfNode.count - 1] = Int32(truncatingIfNeeded: point)
      }
      nodeOfFlagged[number] = Int32(truncatingIfNeeded: pointOfNode.count - 1)
    }
    nodes = pointOfNode.count
  }

  private mutating func makeArcs(_ rings: RepairRings) throws(Stop) {
    try arcs.resize(flagged.count)
    for index in 0..<rings.rings.count {
      let ring = rings.rings[index]
      let (begin, end) = (Int(firstArc[index]), Int(firstArc[index + 1]))
      for number in begin..<end {
        let first = Int(flagged[number])
        let isLast = number + 1 == end
        let stop = Int(flagged[isLast ? begin : number + 1])
        let size = isLast ? Int(ring.last) - first + stop - Int(ring.first) : stop - first
        var lowest = first
        for point in first..<(isLast ? Int(ring.last) : stop) where isLower(point, lowest, rings) { lowest = point }
        if isLast {
          for point in Int(ring.first)..<stop where isLower(point, lowest, rings) { lowest = point }
        }
        arcs[number] = Arc(
          first: Int32(truncatingIfNeeded: first), size: Int32(truncatingIfNeeded: size),
          ring: Int32(truncatingIfNeeded: index), start: nodeOfFlagged[number],
          end: nodeOfFlagged[isLast ? begin : number + 1], lowest: Int32(truncatingIfNeeded: lowest))
      }
    }
  }

  @inline(__always)
  func isLower(_ point: Int, _ other: Int, _ rings: RepairRings) -> Bool {
    let (p, q) = (rings.places[point], rings.places[other])
    return p.y < q.y || (p.y == q.y && p.x < q.x)
  }

  // MARK: Order round nodes

  private mutating func sortAround(_ rings: RepairRings) throws(Stop) {
    let halves = 2 * arcs.count
    try around.resize(halves)
    try placeAround.resize(halves)
    try aroundStart.fill(nodes + 1, 0)
    try aroundEnd.resize(nodes)
    try standsFor.resize(arcs.count)
    for half in 0..<halves { aroundStart[origin(half) + 1] += 1 }
    for node in 0..<nodes {
      aroundStart[node + 1] += aroundStart[node]
      aroundEnd[node] = aroundStart[node]
    }
    for half in 0..<halves {
      let node = origin(half)
      around[Int(aroundEnd[node])] = Int32(truncatingIfNeeded: half)
      aroundEnd[node] += 1
    }
    for arc in 0..<arcs.count { standsFor[arc] = Int32(truncatingIfNeeded: 2 * arc) }
    hasCoincidentArcs = false
    for node in 0..<nodes { try sortAround(node, rings) }
    if hasCoincidentArcs { try dropCoincident() }
    for node in 0..<nodes {
      for place in Int(aroundStart[node])..<Int(aroundEnd[node]) {
        placeAround[Int(around[place])] = Int32(truncatingIfNeeded: place)
      }
    }
  }

  private mutating func sortAround(_ node: Int, _ rings: RepairRings) throws(Stop) {
    let (begin, end) = (Int(aroundStart[node]), Int(aroundEnd[node]))
    let place = rings.places[Int(pointOfNode[node])]
    if end - begin <= 16 {
      for index in (begin + 1)..<max(end, begin + 1) {
        let half = around[index]
        var at = index
        while at > begin && compare(Int(half), Int(around[at - 1]), place, rings) < 0 {
          around[at] = around[at - 1]
          at -= 1
        }
        around[at] = half
      }
    } else {
      let graph = self
      around.sort(begin..<end) { graph.compare(Int($0), Int($1), place, rings) < 0 }
    }
    try findCoincident(begin, end, place, rings)
  }

  /// By the angle from the direction of x on, then by number.
  private func compare(_ half: Int, _ other: Int, _ node: Place, _ rings: RepairRings) -> Int {
    let turn = compareDirections(half, other, node, rings)
    return turn != 0 ? turn : half < other ? -1 : half > other ? 1 : 0
  }

  private func compareDirections(_ half: Int, _ other: Int, _ node: Place, _ rings: RepairRings) -> Int {
    let (p, q) = (rings.places[lead(half, rings)], rings.places[lead(other, rings)])
    let (isBelow, otherIsBelow) = (isBelow(p, node), isBelow(q, node))
    if isBelow != otherIsBelow { return isBelow ? 1 : -1 }
    return -orientation(node, p, q)
  }

  /// Directions from half a turn on.
  @inline(__always)
  private func isBelow(_ p: Place, _ node: Place) -> Bool { p.y < node.y || (p.y == node.y && p.x < node.x) }

  /// Half-edges in one direction are one edge each, between the same nodes.
  private mutating func findCoincident(_ begin: Int, _ end: Int, _ node: Place, _ rings: RepairRings) throws(Stop) {
    guard end > begin + 1 else { return }
    var leader = Int(around[begin])
    for index in (begin + 1)..<end {
      let half = Int(around[index])
      guard compareDirections(leader, half, node, rings) == 0 else {
        leader = half
        continue
      }
      let (one, two) = (arcs[leader >> 1], arcs[half >> 1])
      guard one.size == 1, two.size == 1, leader >> 1 != half >> 1, target(leader) == target(half) else {
        throw .notApplied
      }
      hasCoincidentArcs = true
      // The least arc of a direction comes first.
      standsFor[half >> 1] = Int32(truncatingIfNeeded: leader ^ (half & 1))
    }
  }

  private mutating func dropCoincident() throws(Stop) {
    for node in 0..<nodes {
      var kept = Int(aroundStart[node])
      for place in Int(aroundStart[node])..<Int(aroundEnd[node]) where stands(Int(around[place]) >> 1) {
        around[kept] = around[place]
        kept += 1
      }
      aroundEnd[node] = Int32(truncatingIfNeeded: kept)
    }
  }

  /// The sum of the steps of coincident arcs, ring by ring.
  private mutating func makeWindings() throws(Stop) {
    let count = arcs.count
    try windingStart.fill(count + 1, 0)
    try windings.resize(count)
    for arc in 0..<count { windingStart[Int(standsFor[arc]) >> 1 + 1] += 1 }
    for arc in 0..<count { windingStart[arc + 1] += windingStart[arc] }
    try order.resize(count)
    for arc in 0..<count { order[arc] = windingStart[arc] }
    // In ascending order of arcs, so that those of one ring stand together.
    for arc in 0..<count {
      let half = Int(standsFor[arc])
      let place = Int(order[half >> 1])
      windings[place] = Winding(ring: arcs[arc].ring, step: half & 1 == 0 ? 1 : -1)
      order[half >> 1] += 1
    }
    if hasCoincidentArcs { mergeWindings() }
  }

  /// Steps of one ring are added up; what is left over has step 0.
  private mutating func mergeWindings() {
    for arc in 0..<arcs.count {
      let (begin, end) = (Int(windingStart[arc]), Int(windingStart[arc + 1]))
      guard end > begin + 1 else { continue }
      for index in (begin + 1)..<end where windings[index].ring == windings[index - 1].ring {
        windings[index].step += windings[index - 1].step
        windings[index - 1].step = 0
      }
    }
  }

  @inline(__always)
  func windingRange(_ half: Int) -> Range<Int> {
    Int(windingStart[half >> 1])..<Int(windingStart[half >> 1 &+ 1])
  }
}
