// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The nearest places of edges: many edges are solved together where each takes one lane, or few, of a vector.
extension GlobeSearch {
  mutating func addStraight(_ item: TargetItem, _ cap: GlobeCap) {
    let edge = DirectedEdge(item)
    guard let part = StraightPart(edge.a, edge.b, point, cap, targets.geodesics) else { return }
    if part.pieces > 1 { return take(edge, straightFoot(edge, part)) }
    straightEdges.append(edge, part.low, part.high)
    if straightEdges.isFull { solveStraightEdges() }
  }

  mutating func solveStraightEdges() {
    guard straightEdges.count > 0 else { return }
    let feet = StraightFeet(point, straightEdges.lanes, targets.geodesics)
    for index in 0..<straightEdges.count { take(straightEdges[index], feet.foot(index)) }
    straightEdges.removeAll()
  }

  /// The best of the pieces of one edge.
  private mutating func straightFoot(_ edge: DirectedEdge, _ part: StraightPart) -> StraightFoot {
    var best = StraightFoot()
    let step = (part.high - part.low) / Double(part.pieces)
    for first in stride(from: 0, to: part.pieces, by: Lanes.scalarCount) {
      if poll.tick(Lanes.scalarCount) { return best }
      var lanes = StraightLanes()
      for lane in 0..<Lanes.scalarCount {
        let piece = min(first + lane, part.pieces - 1)
        let end = piece + 1 == part.pieces ? part.high : part.low + step * Double(piece + 1)
        lanes.set(lane, edge.a, edge.b, part.low + step * Double(piece), end)
      }
      let feet = StraightFeet(point, lanes, targets.geodesics)
      for lane in 0..<Lanes.scalarCount where feet.foot(lane).distance < best.distance { best = feet.foot(lane) }
    }
    return best
  }

  mutating func addShortest(_ item: TargetItem) {
    let (edge, surface) = (DirectedEdge(item), targets.surface)
    var pieces = surface.mostPieces(edge.a, edge.b)
    if pieces > 1 {
      let ends = surface.positions(lanes(edge.a.x, edge.b.x), lanes(edge.a.y, edge.b.y))
      let (dx, dy, dz) = (ends.x[1] - ends.x[0], ends.y[1] - ends.y[0], ends.z[1] - ends.z[0])
      pieces = min(pieces, surface.pieceCount(chord: (dx * dx + dy * dy + dz * dz).squareRoot()))
    }
    // An edge stays in one batch.
    if shortestEdges.room < pieces { solveShortestEdges() }
    if pieces > ShortestBatch.most { return take(edge, shortestFoot(edge, pieces)) }
    shortestEdges.append(edge, pieces)
  }

  private func lanes(_ first: Double, _ second: Double) -> Lanes {
    var lanes = Lanes(repeating: first)
    lanes[1] = second
    return lanes
  }

  mutating func solveShortestEdges() {
    guard shortestEdges.count > 0 else { return }
    let feet = targets.surface.feet(point, shortestEdges.pieces)
    var best = EdgeFoot()
    for index in 0..<shortestEdges.count {
      if feet[index].distance < best.distance { best = feet[index] }
      if shortestEdges.isLast(index) {
        take(shortestEdges[index], best)
        best = EdgeFoot()
      }
    }
    shortestEdges.removeAll()
  }

  /// The best of more pieces than a vector has.
  private func shortestFoot(_ edge: DirectedEdge, _ pieces: Int) -> EdgeFoot {
    var best = EdgeFoot()
    for first in stride(from: 0, to: pieces, by: ShortestBatch.most) {
      var batch = ShortestBatch()
      batch.append(edge, first..<min(pieces, first + ShortestBatch.most), of: pieces)
      let feet = targets.surface.feet(point, batch.pieces)
      for index in 0..<batch.count where feet[index].distance < best.distance { best = feet[index] }
    }
    return best
  }

  private mutating func take(_ edge: DirectedEdge, _ foot: EdgeFoot) {
    var share = foot.kind == MRD_CLOSEST_START ? 0.0 : 1.0
    if foot.kind == MRD_CLOSEST_INTERIOR {
      share = hasZ ? foot.along / targets.surface.distance(edge.a, edge.b) : 0.5
    }
    take(edge, StraightFoot(distance: foot.distance, place: foot.place, share: share))
  }

  private mutating func take(_ edge: DirectedEdge, _ foot: StraightFoot) {
    let source = edge.source
    guard foot.distance <= reach, !options.exclusions.hasEdge(source.layer, source.row, source.coordinate) else {
      return
    }
    let crossing = options.plan(source.layer, MRD_SNAP_INTERSECTION)
    if crossing.rank >= 0 && foot.distance <= crossing.reach { crossingEdges.append(edge.item) }
    let plan = options.plan(source.layer, MRD_SNAP_EDGE)
    guard plan.rank >= 0, foot.distance <= plan.reach else { return }
    var share = edge.isReversed ? 1 - foot.share : foot.share
    if foot.place == edge.item.a { share = 0 } else if foot.place == edge.item.b { share = 1 }
    if share == 0 || share == 1 {
      let isEndPoint = source.flags.contains(share == 0 ? .startIsEndPoint : .endIsEndPoint)
      if options.vertex(source.layer, isEndPoint: isEndPoint, foot.distance) != nil { return }
    }
    append(foot.place, foot.distance, plan.rank, MRD_SNAP_EDGE, source, source.coordinate, z(source, share))
  }
}
