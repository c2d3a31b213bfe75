// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The linework rule: of the dissolved edges an area is built, its border is taken out of the edges, and so on with what is
/// left; the result is the symmetric difference of these areas.
///
/// An area is built as JTS and GEOS do: of the faces of the edges, those that have an even number of ancestors, where the
/// parent of a face is one whose hole is just that face's outer ring. Where no two edges coincide, the result is that of
/// parity, which needs no peeling.
struct LineworkRule {
  /// The faces of the edges that are left, as sets of faces of the graph.
  private var merged: DisjointSets
  private var mergedRoom: ScratchList<Int32>
  private var isAlive: ScratchList<Bool>
  private var parent: ScratchList<Int32>
  /// Ancestors: 0 even, 1 odd, 2 not known yet.
  private var parity: ScratchList<UInt8>
  private var loops: BorderLoops
  private var loopOf: ScratchList<Int32>
  private var chain: ScratchList<Int32>

  init(_ call: UnsafeMutablePointer<mrd_call>) throws(Stop) {
    mergedRoom = ScratchList(call)
    merged = try mergedRoom.disjointSets(1)
    isAlive = ScratchList(call)
    parent = ScratchList(call)
    parity = ScratchList(call)
    loops = BorderLoops(call)
    loopOf = ScratchList(call)
    chain = ScratchList(call)
  }

  /// Labels faces; `isLeft` tells which arcs are left over.
  mutating func label(
    _ graph: PlanarGraph, _ faces: Faces, _ rings: RepairRings, _ isInside: inout ScratchList<Bool>,
    _ isLeft: inout ScratchList<Bool>, _ poll: inout CancelPoll
  ) throws(Stop) {
    try isInside.fill(faces.count, false)
    try isLeft.fill(graph.arcs.count, false)
    merged = try mergedRoom.disjointSets(faces.count)
    try isAlive.fill(graph.arcs.count, false)
    for arc in 0..<graph.arcs.count { isAlive[arc] = graph.stands(arc) }
    while true {
      if poll.tick(graph.arcs.count) { throw .cancelled }
      guard dropOpenEdges(graph, faces, &isLeft) else { return }
      try findParents(graph, faces, rings)
      try peel(graph, faces, &isInside)
    }
  }

  /// Edges with one face on both sides enclose nothing. False when no edge is left.
  private mutating func dropOpenEdges(
    _ graph: PlanarGraph, _ faces: Faces, _ isLeft: inout ScratchList<Bool>
  ) -> Bool {
    var isAny = false
    for arc in 0..<graph.arcs.count where isAlive[arc] {
      if merged.root(of: Int(faces.left[2 * arc])) == merged.root(of: Int(faces.left[2 * arc + 1])) {
        isAlive[arc] = false
        isLeft[arc] = true
      } else {
        isAny = true
      }
    }
    return isAny
  }

  private mutating func findParents(_ graph: PlanarGraph, _ faces: Faces, _ rings: RepairRings) throws(Stop) {
    let alive = isAlive.start
    // A walk keeps to the sector of its face: round a node nothing that is alive is passed over.
    try loops.trace(
      graph, rings, faceOf: { Int(faces.left[$0]) }, isBorder: { alive[$0 >> 1] }, isOpen: { !alive[$0 >> 1] })
    try loopOf.resize(2 * graph.arcs.count)
    for index in 0..<loops.loops.count {
      let loop = loops.loops[index]
      for place in Int(loop.begin)..<Int(loop.end) {
        loopOf[Int(loops.halves[place])] = Int32(truncatingIfNeeded: index)
      }
    }
    try parent.fill(faces.count, -1)
    for index in 0..<loops.loops.count where loops.loops[index].isShell {
      let loop = loops.loops[index]
      let outside = loopOf[Int(loops.halves[Int(loop.begin)]) ^ 1]
      let hole = loops.loops[Int(outside)]
      guard !hole.isShell, hole.end - hole.begin == loop.end - loop.begin else { continue }
      var isSame = true
      for place in Int(loop.begin)..<Int(loop.end) where loopOf[Int(loops.halves[place]) ^ 1] != outside {
        isSame = false
      }
      let (face, container) = (merged.root(of: Int(loop.face)), merged.root(of: Int(hole.face)))
      if isSame && container != merged.root(of: 0) { parent[face] = Int32(truncatingIfNeeded: container) }
    }
  }

  /// Changes the label of the faces with an even number of ancestors and takes their common border out of the edges.
  private mutating func peel(_ graph: PlanarGraph, _ faces: Faces, _ isInside: inout ScratchList<Bool>) throws(Stop) {
    try parity.fill(faces.count, 2)
    for face in 0..<faces.count { try findParity(merged.root(of: face)) }
    let outside = merged.root(of: 0)
    func isChosen(_ face: Int) -> Bool { face != outside && parity[face] == 0 }
    for face in 0..<faces.count where isChosen(merged.root(of: face)) { isInside[face].toggle() }
    chain.truncate(0)
    for arc in 0..<graph.arcs.count where isAlive[arc] {
      let (one, two) = (merged.root(of: Int(faces.left[2 * arc])), merged.root(of: Int(faces.left[2 * arc + 1])))
      if isChosen(one) != isChosen(two) {
        isAlive[arc] = false
        try chain.push(Int32(truncatingIfNeeded: arc))
      }
    }
    for index in 0..<chain.count {
      let arc = Int(chain[index])
      _ = merged.join(Int(faces.left[2 * arc]), Int(faces.left[2 * arc + 1]))
    }
  }

  private mutating func findParity(_ face: Int) throws(Stop) {
    chain.truncate(0)
    var at = face
    while parity[at] == 2 && parent[at] >= 0 {
      try chain.push(Int32(truncatingIfNeeded: at))
      at = Int(parent[at])
    }
    if parity[at] == 2 { parity[at] = 0 }
    var last = parity[at]
    for index in stride(from: chain.count - 1, through: 0, by: -1) {
      last = 1 - last
      parity[Int(chain[index])] = last
    }
  }
}
