// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A closed curve of half-edges that passes no node twice.
struct BorderLoop: BitwiseCopyable {
  let begin: Int32
  let end: Int32
  /// The face on the left of its half-edges.
  let face: Int32
  /// It runs counter-clockwise: what is on its left is inside of it.
  let isShell: Bool
}

/// Borders of sets of faces, as loops.
///
/// A border is walked with the inside on its left, and at a node with several ways along the edge of the same sector, so that
/// a walk stays with one connected interior. Where it comes back to a node, what lies between is cut off as a loop of its own:
/// so shells and holes touch in points, as Simple Features ask (06-103r4, 6.1.11), and each interior has one shell.
struct BorderLoops {
  /// Half-edges, loop by loop.
  private(set) var halves: ScratchList<Int32>
  private(set) var loops: ScratchList<BorderLoop>
  private var path: ScratchList<Int32>
  /// Where on the path a node is left; -1 elsewhere.
  private var placeOfNode: ScratchList<Int32>
  private var isDone: ScratchList<Bool>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    halves = ScratchList(call)
    loops = ScratchList(call)
    path = ScratchList(call)
    placeOfNode = ScratchList(call)
    isDone = ScratchList(call)
  }

  /// The loops of the half-edges for which `isBorder` holds; round a node a walk passes over those for which `isOpen`
  /// holds. What `isBorder` holds for, `isOpen` does not.
  @inline(__always)
  mutating func trace(
    _ graph: PlanarGraph, _ rings: RepairRings, faceOf: (_ half: Int) -> Int, isBorder: (_ half: Int) -> Bool,
    isOpen: (_ half: Int) -> Bool
  ) throws(Stop) {
    halves.truncate(0)
    loops.truncate(0)
    let total = 2 * graph.arcs.count
    try isDone.fill(total, false)
    try placeOfNode.fill(graph.nodes, -1)
    for begin in 0..<total where graph.stands(begin >> 1) && !isDone[begin] && isBorder(begin) {
      path.truncate(0)
      var half = begin
      while !isDone[half] {
        isDone[half] = true
        placeOfNode[graph.origin(half)] = Int32(truncatingIfNeeded: path.count)
        try path.push(Int32(truncatingIfNeeded: half))
        let node = graph.target(half)
        if placeOfNode[node] >= 0 { try cutOff(Int(placeOfNode[node]), graph, rings, faceOf) }
        half = graph.clockwise(half ^ 1)
        while isOpen(half) { half = graph.clockwise(half) }
      }
    }
  }

  /// Takes the loop off the end of the path.
  @inline(__always)
  private mutating func cutOff(
    _ from: Int, _ graph: PlanarGraph, _ rings: RepairRings, _ faceOf: (_ half: Int) -> Int
  ) throws(Stop) {
    let begin = halves.count
    for index in from..<path.count {
      let half = path[index]
      placeOfNode[graph.origin(Int(half))] = -1
      try halves.push(half)
    }
    path.truncate(from)
    try loops.push(
      BorderLoop(
        begin: Int32(truncatingIfNeeded: begin), end: Int32(truncatingIfNeeded: halves.count),
        face: Int32(truncatingIfNeeded: faceOf(Int(halves[begin]))),
        isShell: isCounterClockwise(begin, halves.count, graph, rings)))
  }

  /// By the turn at the lowest point.
  private func isCounterClockwise(_ begin: Int, _ end: Int, _ graph: PlanarGraph, _ rings: RepairRings) -> Bool {
    var best = begin
    var lowest = lowestPoint(Int(halves[begin]), graph, rings)
    for index in (begin + 1)..<max(end, begin + 1) {
      let point = lowestPoint(Int(halves[index]), graph, rings)
      if graph.isLower(point, lowest, rings) { (best, lowest) = (index, point) }
    }
    let half = Int(halves[best])
    let arc = graph.arcs[half >> 1]
    let place = rings.places[lowest]
    let (before, after): (Int, Int)
    if place == rings.places[graph.point(arc, half & 1 == 0 ? 0 : Int(arc.size), rings)] {
      let former = Int(halves[best == begin ? end - 1 : best - 1])
      (before, after) = (graph.lead(former ^ 1, rings), graph.lead(half, rings))
    } else {
      let ring = rings.rings[Int(arc.ring)]
      let (one, two) = (lowest == ring.first ? Int(ring.last) - 1 : lowest - 1, lowest + 1)
      (before, after) = half & 1 == 0 ? (one, two) : (two, one)
    }
    return orientation(rings.places[before], place, rings.places[after]) > 0
  }

  /// The lowest point of a half-edge but for its end.
  private func lowestPoint(_ half: Int, _ graph: PlanarGraph, _ rings: RepairRings) -> Int {
    let arc = graph.arcs[half >> 1]
    if half & 1 == 0 { return Int(arc.lowest) }
    let end = graph.point(arc, Int(arc.size), rings)
    // Against the arc its start does not count, its end does; the start can be the lowest only as the node before.
    if arc.lowest != arc.first { return graph.isLower(end, Int(arc.lowest), rings) ? end : Int(arc.lowest) }
    return end
  }
}
