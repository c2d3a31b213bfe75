// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A face of a layer's graph.
struct LayerFace: BitwiseCopyable {
  /// With the sign of its walks: positive but for face 0, the unbounded one. In square coordinate units, of rounded places.
  var area = 0.0
  /// The point of its border with the least rounded place.
  var least: Int32 = -1
}

/// The faces of a layer's graph. Each connected part of it has one walk round it from outside, which belongs to the face that
/// the part lies in: the one above the piece straight below the part's lowest point.
struct LayerFaces {
  private(set) var faces: ScratchList<LayerFace>
  /// The half-edges with each face on their left.
  private(set) var halves: NumberLists
  /// The face on the left of a half-edge.
  private(set) var left: ScratchList<Int32>
  private var walk: ScratchList<Int32>
  private var walks: ScratchList<LayerFace>
  private var faceOfWalk: ScratchList<Int32>
  private var sets: ScratchList<Int32>
  /// The lowest point of each connected part, in ascending order.
  private var lowest: ScratchList<Int32>
  private var lowestOf: ScratchList<Int32>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    faces = ScratchList(call)
    halves = NumberLists(call)
    left = ScratchList(call)
    walk = ScratchList(call)
    walks = ScratchList(call)
    faceOfWalk = ScratchList(call)
    sets = ScratchList(call)
    lowest = ScratchList(call)
    lowestOf = ScratchList(call)
  }

  var count: Int { faces.count }

  mutating func build(_ graph: LayerGraph, _ poll: inout CancelPoll) throws(Stop) {
    try makeWalks(graph, &poll)
    try findParts(graph)
    try nameFaces(graph, &poll)
    try left.fill(walk.count, 0)
    for half in 0..<walk.count where walk[half] >= 0 { left[half] = faceOfWalk[Int(walk[half])] }
    let (walk, left) = (self.walk, self.left)
    try halves.fill(count) { (add: (Int, Int) -> Void) throws(Stop) in
      for half in 0..<walk.count where walk[half] >= 0 { add(Int(left[half]), half) }
    }
  }

  private mutating func makeWalks(_ graph: LayerGraph, _ poll: inout CancelPoll) throws(Stop) {
    walks.truncate(0)
    try walk.fill(2 &* graph.pieces.count, -1)
    for begin in 0..<walk.count where walk[begin] < 0 && graph.isLive(begin >> 1) {
      let origin = graph.edges.place(graph.origin(begin), graph.rows)
      var area = CompensatedSum()
      var least = (point: graph.origin(begin), place: origin)
      var here = Place(x: 0, y: 0)
      var half = begin
      repeat {
        walk[half] = Int32(truncatingIfNeeded: walks.count)
        let target = graph.origin(half ^ 1)
        let place = graph.edges.place(target, graph.rows)
        if place < least.place || (place == least.place && target < least.point) { least = (target, place) }
        let there = Place(x: place.x - origin.x, y: place.y - origin.y)
        area.add(here.x * there.y)
        area.add(-(here.y * there.x))
        here = there
        half = graph.next(half)
        if poll.tick() { throw .cancelled }
      } while half != begin
      try walks.push(LayerFace(area: area.value / 2, least: Int32(truncatingIfNeeded: least.point)))
    }
  }

  /// The lowest point of a part is a vertex: two edges that cross lie below their crossing, one way or the other.
  private mutating func findParts(_ graph: LayerGraph) throws(Stop) {
    let connected = try sets.disjointSets(graph.edges.pointCount)
    for piece in 0..<graph.pieces.count where graph.isLive(piece) {
      let ends = graph.pieces.ends(piece)
      _ = connected.join(ends.a, ends.b)
    }
    try lowestOf.fill(graph.edges.pointCount, -1)
    for point in 0..<graph.rows.points.count where !graph.halves(from: point).isEmpty {
      let root = connected.root(of: point)
      let known = Int(lowestOf[root])
      if known < 0 || LayerFaces.isLower(graph.rows.place(point), graph.rows.place(known)) {
        lowestOf[root] = Int32(truncatingIfNeeded: point)
      }
    }
    lowest.truncate(0)
    for root in 0..<lowestOf.count where lowestOf[root] >= 0 { try lowest.push(lowestOf[root]) }
    let rows = graph.rows
    lowest.sort { LayerFaces.isLower(rows.place(Int($0)), rows.place(Int($1))) }
  }

  private static func isLower(_ p: Place, _ q: Place) -> Bool { p.y < q.y || (p.y == q.y && p.x < q.x) }

  private mutating func nameFaces(_ graph: LayerGraph, _ poll: inout CancelPoll) throws(Stop) {
    try faceOfWalk.fill(walks.count, -1)
    for index in 0..<lowest.count { faceOfWalk[outerWalk(index, graph)] = 0 }
    faces.truncate(0)
    try faces.push(LayerFace())
    for index in 0..<walks.count where faceOfWalk[index] < 0 {
      faceOfWalk[index] = Int32(truncatingIfNeeded: faces.count)
      try faces.push(walks[index])
    }
    // What lies below a part has its place already.
    for index in 0..<lowest.count {
      if poll.tick(64) { throw .cancelled }
      let outer = outerWalk(index, graph)
      if let half = graph.halfBelow(Int(lowest[index])) { faceOfWalk[outer] = faceOfWalk[Int(walk[half])] }
      let face = Int(faceOfWalk[outer])
      faces[face].area += walks[outer].area
      // The outer border of a face has its least place, but for the unbounded one, which has none.
    }
  }

  /// At its lowest point the outside of a part is left of the half-edge with the greatest angle.
  private func outerWalk(_ index: Int, _ graph: LayerGraph) -> Int {
    Int(walk[graph.lastHalf(from: Int(lowest[index]))])
  }
}
