// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The distance between two rows of any types: 0 where they meet. Two edges that do not cross are nearest at an end of one
/// of them, in the plane and wherever the surface is curved like a ball, so the rest is the search from every vertex.
struct GeometryDistance<S: ClosestSurface> {
  let a: PieceSet<S>
  let b: PieceSet<S>

  /// The closest place, seen from a vertex of either row.
  func nearest(_ poll: inout CancelPoll) -> ClosestPlace {
    guard a.count > 0, b.count > 0 else { return ClosestPlace(distance: .nan) }
    if isInside(a, b, &poll) || isInside(b, a, &poll) || doEdgesCross(&poll) { return ClosestPlace(distance: 0) }
    var best = ClosestPlace()
    search(a, b, &best, &poll)
    if best.distance > 0 && !(a.geoms.isPuntal && b.geoms.isPuntal) { search(b, a, &best, &poll) }
    return best
  }

  /// True when a path or point of `one` starts inside a polygon of `other`.
  private func isInside(_ one: PieceSet<S>, _ other: PieceSet<S>, _ poll: inout CancelPoll) -> Bool {
    guard other.geoms.isPolygonal else { return false }
    for path in 0..<one.pathCount {
      let pieces = one.pieces(ofPath: path)
      guard let first = pieces.first else { continue }
      if other.holds(one.place(first), one.position(first), &poll) { return true }
    }
    return false
  }

  /// From every vertex of `one` to the edges of `other`, but for blocks that are too far apart.
  private func search(_ one: PieceSet<S>, _ other: PieceSet<S>, _ best: inout ClosestPlace, _ poll: inout CancelPoll) {
    for block in 0..<one.blockCount {
      let centre = one.blockCentre(block)
      let near = other.boundBlocks(centre)
      if other.bound[near] - one.blockRadius(block) > one.surface.longestChord(best.distance) { continue }
      let first = block &* PieceSet<S>.blockSize
      for vertex in first..<min(first &+ PieceSet<S>.blockSize, one.count) where one.isVertex(vertex) {
        var search = ClosestSearch(one, vertex: vertex)
        search.run(other, known: best.distance, &poll)
        if search.best.distance < best.distance { best = search.best }
        if best.distance == 0 || poll.tick() { return }
      }
    }
  }

  // MARK: Crossings

  private func doEdgesCross(_ poll: inout CancelPoll) -> Bool {
    guard !a.geoms.isPuntal, !b.geoms.isPuntal else { return false }
    let room = a.surface.longestChord(0)
    for block in 0..<a.blockCount {
      let reach = a.blockRadius(block) + room
      _ = b.boundBlocks(a.blockCentre(block))
      for other in 0..<b.blockCount where b.bound[other] <= reach {
        if doBlocksCross(block, other, room, &poll) { return true }
        if poll.tick(64) { return false }
      }
    }
    return false
  }

  private func doBlocksCross(_ one: Int, _ other: Int, _ room: Double, _ poll: inout CancelPoll) -> Bool {
    for piece in a.pieces(ofBlock: one) where a.isPiece(piece) {
      let (from, to) = (a.position(piece), a.position(piece &+ 1))
      let middle = (from + to) * 0.5
      let reach = (to - from).norm * 0.5 + a.stray(piece) + room
      guard (middle - b.blockCentre(other)).norm <= reach + b.blockRadius(other) else { continue }
      let pieces = b.pieces(ofBlock: other)
      var next = pieces.lowerBound
      while next < pieces.upperBound {
        let isNear = b.areNear(middle, next, within: reach)
        if any(isNear) {
          for lane in 0..<min(Lanes.scalarCount, pieces.upperBound &- next) where isNear[lane] {
            if doPiecesCross(piece, next &+ lane) { return true }
          }
        }
        next &+= Lanes.scalarCount
      }
      if poll.tick(64) { return false }
    }
    return false
  }

  private func doPiecesCross(_ one: Int, _ other: Int) -> Bool {
    a.surface.doCross(a.place(one), a.place(one &+ 1), b.place(other), b.place(other &+ 1))
  }
}
