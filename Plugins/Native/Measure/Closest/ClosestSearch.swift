// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The closest place of a row: what CLOSEST answers.
struct ClosestPlace {
  /// The least of all distances; that of `foot` may be more by rounding.
  var distance = Double.infinity
  var foot = EdgeFoot()
  var edge = -1

  /// Edges come in ascending order. One that is nearer by no more than rounding is a tie, which the smaller one wins; but
  /// where it goes on from the place itself, it is the same minimum, and the nearer one.
  mutating func take(_ foot: EdgeFoot, _ piece: EdgePiece, tieMargin: Double) {
    distance = min(distance, foot.distance)
    let goesOn = piece.edge == edge || piece.start == self.foot.place || piece.end == self.foot.place
    guard foot.distance < self.foot.distance - (goesOn ? 0 : tieMargin) else { return }
    self.foot = foot
    edge = piece.edge
  }
}

/// The search from one point: every block of 64 edges is bounded by its ball, the edges of near blocks by their chords,
/// and only those that may hold the closest place are solved, a vector at a time.
struct ClosestSearch<S: ClosestSurface> {
  let point: Place
  let position: Vector
  private(set) var best = ClosestPlace()
  /// In space: what lies farther cannot be the closest place.
  private var limit = Double.infinity
  private var batch = PieceBatch()

  init(_ surface: S, _ point: Place) {
    self.point = point
    let at = surface.positions(Lanes(repeating: point.x), Lanes(repeating: point.y))
    position = Vector(x: at.x[0], y: at.y[0], z: at.z[0])
  }

  init(_ set: PieceSet<S>, vertex: Int) {
    point = set.place(vertex)
    position = set.position(vertex)
  }

  /// The closest place of a row's edges. Places that are not nearer than `known` need not be found.
  mutating func run(_ set: PieceSet<S>, known: Double = .infinity, _ poll: inout CancelPoll) {
    let nearest = set.boundBlocks(position)
    if known < .infinity { limit = set.surface.longestChord(known) }
    tighten(set, nearest)
    var block = 0
    while block < set.blockCount && best.distance > 0 {
      if set.bound[block] <= limit { visit(set, block, &poll) }
      block &+= 1
    }
    solve(set)
  }

  /// A first limit without solving: the chord of the nearest piece and what it can stray from it.
  private mutating func tighten(_ set: PieceSet<S>, _ block: Int) {
    var least = Double.infinity
    let pieces = set.pieces(ofBlock: block)
    var piece = pieces.lowerBound
    while piece < pieces.upperBound {
      let (squares, strays) = (set.squaredDistances(position, piece), set.strays(piece))
      let reach = pick(strays .>= 0, squares.squareRoot() + strays, Lanes(repeating: .infinity))
      for lane in 0..<min(Lanes.scalarCount, pieces.upperBound &- piece) { least = min(least, reach[lane]) }
      piece &+= Lanes.scalarCount
    }
    limit = min(limit, set.surface.longestChord(set.surface.largestDistance(least * (1 + 0x1p-48))))
  }

  private mutating func visit(_ set: PieceSet<S>, _ block: Int, _ poll: inout CancelPoll) {
    let pieces = set.pieces(ofBlock: block)
    var piece = pieces.lowerBound
    while piece < pieces.upperBound {
      let isNear = set.areNear(position, piece, within: limit)
      if any(isNear) {
        for lane in 0..<min(Lanes.scalarCount, pieces.upperBound &- piece) where isNear[lane] {
          batch.append(set.piece(piece &+ lane))
          if batch.isFull { solve(set) }
        }
      }
      piece &+= Lanes.scalarCount
      if poll.tick() { return }
    }
  }

  private mutating func solve(_ set: PieceSet<S>) {
    guard batch.count > 0 else { return }
    let feet = set.surface.feet(point, batch)
    for index in 0..<batch.count {
      best.take(feet[index], batch.pieces[index], tieMargin: set.surface.tieMargin)
    }
    batch.removeAll()
    limit = min(limit, set.surface.longestChord(best.distance))
  }
}

extension PieceSet {
  /// True when `point` is inside some polygon of the row: inside its shell and in none of its holes, each by the parity of
  /// what a ray meets. A hole that leaves its shell adds nothing.
  func holds(_ point: Place, _ position: Vector, _ poll: inout CancelPoll) -> Bool {
    guard geoms.isPolygonal, count > 0 else { return false }
    // A small row has a pole outside: the one on the other side of the globe.
    let south = centre.z > 0
    if isSmall && surface.isGlobe && side == MRD_SIDE_SMALLER && (position - centre).norm > 0.95 * position.norm {
      return false
    }
    var inside = false
    geoms.forEachPolygon(row) { rings in
      if inside { return }
      for ring in rings {
        let isOdd = meetings(ring, point, south: south, &poll) & 1 == 1
        let holds = isOdd != isRayEndInside(ring, south: south, &poll)
        if holds != (ring == rings.lowerBound) { return }
      }
      if !rings.isEmpty { inside = true }
    }
    return inside
  }

  /// How often the ray from a point meets a ring.
  private func meetings(_ path: Int, _ point: Place, south: Bool, _ poll: inout CancelPoll) -> Int {
    let pieces = pieces(ofPath: path)
    var meetings = 0
    var piece = pieces.lowerBound
    while piece < pieces.upperBound {
      let block = piece >> 6
      let end = min(pieces.upperBound, (block &+ 1) &* 64)
      if mayMeetRay(block, point) {
        while piece < end {
          if isPiece(piece) && surface.rayMeets(place(piece), place(piece &+ 1), point, south: south) { meetings &+= 1 }
          piece &+= 1
        }
        if poll.tick(64) { return 0 }
      }
      piece = end
    }
    return meetings
  }
}
