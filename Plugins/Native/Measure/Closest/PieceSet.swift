// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The edges of one row as straight chords in space, with what each can stray from its chord, in blocks of 64 with a ball
/// round each block: what a search needs to leave out nearly all edges unsolved. Long edges of the globe are cut in
/// pieces. A single vertex, of a point or of a line that has no edge, is a piece without length.
///
/// Piece k goes from vertex k to vertex k + 1. The memory is that of the largest row of an array; rows are loaded in turn.
struct PieceSet<S: ClosestSurface> {
  let surface: S
  let geoms: Geoms
  let side: Int32
  private(set) var row = -1
  /// Vertices; piece `count - 1` is none.
  private(set) var count = 0
  /// Paths, or points, of the row.
  private(set) var pathCount = 0
  /// All of the row lies within 80 degrees of `centre`, or it is in the plane.
  private(set) var isSmall = false
  private(set) var centre = Vector()

  // Of each vertex.
  private let x: UnsafeMutablePointer<Double>
  private let y: UnsafeMutablePointer<Double>
  private let z: UnsafeMutablePointer<Double>
  private let placeX: UnsafeMutablePointer<Double>
  private let placeY: UnsafeMutablePointer<Double>
  /// How far the piece may lie off its chord; negative where there is none, between two paths.
  private let stray: UnsafeMutablePointer<Double>
  /// The coordinate that the edge starts from; its number in the row; which piece of how many, number + 256 x count.
  private let coordinate: UnsafeMutablePointer<Int>
  private let edge: UnsafeMutablePointer<Int>
  private let share: UnsafeMutablePointer<Int>
  // Of each block.
  private let blockX: UnsafeMutablePointer<Double>
  private let blockY: UnsafeMutablePointer<Double>
  private let blockZ: UnsafeMutablePointer<Double>
  private let radius: UnsafeMutablePointer<Double>
  private let low: UnsafeMutablePointer<Double>
  private let high: UnsafeMutablePointer<Double>
  /// For one search: no place of the block is nearer in space.
  let bound: UnsafeMutablePointer<Double>
  // Of each path.
  private let firstPiece: UnsafeMutablePointer<Int>
  /// Whether the far end of rays is inside the ring: 0 no, 1 yes, -1 not known.
  private let rayEnd: UnsafeMutablePointer<Int>

  static var blockSize: Int { 64 }
  var blockCount: Int { (count &+ 63) >> 6 }

  /// nil, with the call's error filled, when there is no memory.
  init?(_ surface: S, _ geoms: Geoms, side: Int32, _ call: UnsafeMutablePointer<mrd_call>) {
    self.surface = surface
    self.geoms = geoms
    self.side = side
    let most = LargestRow(surface, geoms)
    // Behind each column room for a whole vector.
    let vertices = most.vertices &+ 32
    let blocks = (most.vertices >> 6) &+ 32
    let words = 9 &* vertices &+ 7 &* blocks &+ 2 &* (most.paths &+ 2)
    let (bytes, overflow) = words.multipliedReportingOverflow(by: 8)
    guard !overflow, let memory = call.pointee.scratch(call, Int64(bytes), 64) else {
      _ = fail(call, MRD_E_MEMORY, "no memory for edges")
      return nil
    }
    let base = memory.bindMemory(to: Double.self, capacity: words)
    base.update(repeating: 0, count: words)
    (x, y, z) = (base, base + vertices, base + 2 &* vertices)
    (placeX, placeY, stray) = (base + 3 &* vertices, base + 4 &* vertices, base + 5 &* vertices)
    func integers(_ at: Int, _ count: Int) -> UnsafeMutablePointer<Int> {
      UnsafeMutableRawPointer(base + at).bindMemory(to: Int.self, capacity: count)
    }
    coordinate = integers(6 &* vertices, vertices)
    edge = integers(7 &* vertices, vertices)
    share = integers(8 &* vertices, vertices)
    let block = base + 9 &* vertices
    (blockX, blockY, blockZ) = (block, block + blocks, block + 2 &* blocks)
    (radius, low, high) = (block + 3 &* blocks, block + 4 &* blocks, block + 5 &* blocks)
    bound = block + 6 &* blocks
    let path = 9 &* vertices &+ 7 &* blocks
    firstPiece = integers(path, most.paths &+ 2)
    rayEnd = integers(path &+ most.paths &+ 2, most.paths &+ 2)
  }

  /// What is loaded is of use unless the call is cancelled.
  mutating func load(_ row: Int, _ poll: inout CancelPoll) {
    guard row != self.row else { return }
    self.row = row
    (count, pathCount) = (0, 0)
    var number = 0
    if geoms.isPuntal {
      for index in geoms.coordinates(row) {
        if poll.tick() { break }
        beginPath()
        if !geoms.isEmptyPoint(index) { appendSingle(index, number) }
        number &+= 1
      }
    } else {
      for index in 0..<geoms.pathCount(row) {
        beginPath()
        let path = geoms.path(row, index)
        if path.count == 1 { appendSingle(path.lowerBound, number) }
        if path.count > 1 { appendPath(path, &number, &poll) }
      }
    }
    firstPiece[pathCount] = count
    surroundBlocks()
    findCap()
  }

  private mutating func beginPath() {
    firstPiece[pathCount] = count
    rayEnd[pathCount] = -1
    pathCount &+= 1
  }

  /// A vertex twice, as the ends of a piece without length.
  private mutating func appendSingle(_ index: Int, _ number: Int) {
    let place = geoms.place(index)
    let at = surface.positions(Lanes(repeating: place.x), Lanes(repeating: place.y))
    let position = Vector(x: at.x[0], y: at.y[0], z: at.z[0])
    appendVertex(place, position, index, number, share: 256, stray: 0)
    appendVertex(place, position, index, number, share: 256, stray: -1)
  }

  private mutating func appendPath(_ path: Range<Int>, _ number: inout Int, _ poll: inout CancelPoll) {
    var next = path.lowerBound
    var previous = Vector()
    while next < path.upperBound {
      let lanes = min(Lanes.scalarCount, path.upperBound &- next)
      let (lon, lat) = geoms.lanes(next, lanes)
      let at = surface.positions(lon, lat)
      for lane in 0..<lanes {
        let position = Vector(x: at.x[lane], y: at.y[lane], z: at.z[lane])
        let index = next &+ lane
        if index > path.lowerBound {
          closePiece(previous, position, from: index &- 1)
          number &+= 1
        }
        appendVertex(geoms.place(index), position, index, number, share: 256, stray: -1)
        previous = position
      }
      next &+= lanes
      if poll.tick(lanes) { return }
    }
  }

  private mutating func appendVertex(
    _ place: Place, _ position: Vector, _ index: Int, _ number: Int, share pieces: Int, stray off: Double
  ) {
    (x[count], y[count], z[count]) = (position.x, position.y, position.z)
    (placeX[count], placeY[count], stray[count]) = (place.x, place.y, off)
    (coordinate[count], edge[count], share[count]) = (index, number, pieces)
    count &+= 1
  }

  /// Sets the piece that the last vertex starts, now that the next one is known; of a long edge, all its pieces.
  private mutating func closePiece(_ a: Vector, _ b: Vector, from index: Int) {
    let (start, end) = (geoms.place(index), geoms.place(index &+ 1))
    let chord = (b - a).norm
    let pieces = min(surface.pieceCount(chord: chord), surface.mostPieces(start, end))
    guard pieces > 1 else {
      stray[count &- 1] = strayOf(chord)
      return
    }
    let number = edge[count &- 1]
    share[count &- 1] = pieces &* 256
    let line = surface.line(start, end)
    let length = surface.length(line)
    var before = a
    for piece in 1..<pieces {
      let place = surface.place(on: line, at: length * (Double(piece) / Double(pieces))).place
      let at = surface.positions(Lanes(repeating: place.x), Lanes(repeating: place.y))
      let position = Vector(x: at.x[0], y: at.y[0], z: at.z[0])
      stray[count &- 1] = strayOf((position - before).norm)
      appendVertex(place, position, index, number, share: pieces &* 256 &+ piece, stray: 0)
      before = position
    }
    stray[count &- 1] = strayOf((b - before).norm)
  }

  /// With what the positions and the search may round.
  private func strayOf(_ chord: Double) -> Double { surface.bend * chord * chord + chord * 0x1p-48 }

  // MARK: Blocks

  private func surroundBlocks() {
    for block in 0..<blockCount {
      let first = block &* 64
      let last = min(first &+ 64, count &- 1)
      var (least, most) = (position(first), position(first))
      for vertex in first...last {
        let at = position(vertex)
        least = Vector(x: min(least.x, at.x), y: min(least.y, at.y), z: min(least.z, at.z))
        most = Vector(x: max(most.x, at.x), y: max(most.y, at.y), z: max(most.z, at.z))
      }
      let middle = least * 0.5 + most * 0.5
      var reach = 0.0
      for vertex in first...last {
        reach = max(reach, (position(vertex) - middle).norm + max(0, stray[vertex]))
      }
      (blockX[block], blockY[block], blockZ[block]) = (middle.x, middle.y, middle.z)
      radius[block] = reach * (1 + 0x1p-48)
      (low[block], high[block]) = spanOfRays(first, last)
    }
  }

  /// What rays must lie in to meet the block: a range of y in the plane, of longitudes from `low` eastward on the globe.
  private func spanOfRays(_ first: Int, _ last: Int) -> (low: Double, high: Double) {
    var here = surface.isGlobe ? placeX[first] : placeY[first]
    var (low, high) = (here, here)
    for vertex in first...last where vertex > first {
      here = surface.isGlobe ? here + longitudeDifference(placeX[vertex &- 1], placeX[vertex]) : placeY[vertex]
      (low, high) = (min(low, here), max(high, here))
    }
    return (low, high)
  }

  /// A ball round the mean of the vertices.
  private mutating func findCap() {
    isSmall = !surface.isGlobe
    centre = Vector()
    guard surface.isGlobe, geoms.isPolygonal, count > 0 else { return }
    for vertex in 0..<count { centre += position(vertex) }
    centre = centre * (1 / Double(count))
    // The mean of places of a cap of 60 degrees about some axis is at least half as long as its radius; a ball of 0.95
    // radii about it has no two opposite places.
    let size = position(0).norm
    var reach = 0.0
    for block in 0..<blockCount { reach = max(reach, (blockCentre(block) - centre).norm + radius[block]) }
    isSmall = centre.norm > 0.5 * size && reach < 0.95 * size
  }

  // MARK: Reading

  @inline(__always)
  func position(_ vertex: Int) -> Vector { Vector(x: x[vertex], y: y[vertex], z: z[vertex]) }
  @inline(__always)
  func place(_ vertex: Int) -> Place { Place(x: placeX[vertex], y: placeY[vertex]) }
  @inline(__always)
  func stray(_ piece: Int) -> Double { stray[piece] }
  @inline(__always)
  func isPiece(_ piece: Int) -> Bool { stray[piece] >= 0 }
  /// True for a vertex of the row itself, once each: not for the cuts of long edges, nor for the end of a single point.
  func isVertex(_ vertex: Int) -> Bool {
    share[vertex] & 255 == 0 && !(vertex > 0 && stray[vertex] < 0 && coordinate[vertex] == coordinate[vertex &- 1])
  }

  func blockCentre(_ block: Int) -> Vector { Vector(x: blockX[block], y: blockY[block], z: blockZ[block]) }
  func blockRadius(_ block: Int) -> Double { radius[block] }
  func pieces(ofBlock block: Int) -> Range<Int> { (block &* 64)..<min(block &* 64 &+ 64, count &- 1) }
  func pieces(ofPath path: Int) -> Range<Int> { firstPiece[path]..<firstPiece[path &+ 1] }

  func piece(_ piece: Int) -> EdgePiece {
    let (number, count) = (share[piece] & 255, share[piece] >> 8)
    let start = coordinate[piece]
    let isSingle = start == coordinate[piece &+ 1] && stray[piece] == 0
    return EdgePiece(
      start: geoms.place(start), end: geoms.place(isSingle ? start : start &+ 1), edge: edge[piece],
      first: Double(number) / Double(count), last: Double(number &+ 1) / Double(count))
  }

  /// False when no ray from `point` meets the block.
  @inline(__always)
  func mayMeetRay(_ block: Int, _ point: Place) -> Bool {
    guard surface.isGlobe else { return point.y >= low[block] && point.y <= high[block] }
    let width = high[block] - low[block] + 1e-9
    guard width < 360 else { return true }
    let way = (point.x - low[block] + 0.5e-9).remainder(dividingBy: 360)
    return (way < 0 ? way + 360 : way) <= width
  }

  /// Whether the far end of the rays is inside a ring, found once.
  func isRayEndInside(_ path: Int, south: Bool, _ poll: inout CancelPoll) -> Bool {
    if isSmall && side == MRD_SIDE_SMALLER { return false }
    if rayEnd[path] < 0 {
      rayEnd[path] = surface.holdsRayEnd(geoms, geoms.path(row, path), side: side, south: south, &poll) ? 1 : 0
    }
    return rayEnd[path] == 1
  }

  // MARK: Bounds, a vector at a time

  /// Fills `bound` with lower bounds of distances in space from `p`; the block with the least.
  func boundBlocks(_ p: Vector) -> Int {
    var block = 0
    var best = (block: 0, bound: Double.infinity)
    while block < blockCount {
      let (dx, dy, dz) = (Lanes(blockX, block) - p.x, Lanes(blockY, block) - p.y, Lanes(blockZ, block) - p.z)
      let distances = (dx * dx + dy * dy + dz * dz).squareRoot() - Lanes(radius, block)
      distances.store(bound, block)
      if any(distances .< best.bound) {
        for lane in 0..<min(Lanes.scalarCount, blockCount &- block) where distances[lane] < best.bound {
          best = (block &+ lane, distances[lane])
        }
      }
      block &+= Lanes.scalarCount
    }
    return best.block
  }

  /// Squared distances in space from `p` to the chords of the pieces from `piece` on.
  @inline(__always)
  func squaredDistances(_ p: Vector, _ piece: Int) -> Lanes {
    let (ax, ay, az) = (Lanes(x, piece), Lanes(y, piece), Lanes(z, piece))
    let (ux, uy, uz) = (Lanes(x, piece &+ 1) - ax, Lanes(y, piece &+ 1) - ay, Lanes(z, piece &+ 1) - az)
    let (wx, wy, wz) = (p.x - ax, p.y - ay, p.z - az)
    let square = ux * ux + uy * uy + uz * uz
    let share = (wx * ux + wy * uy + wz * uz) / pick(square .> 0, square, Lanes(repeating: 1))
    let t = greater(lesser(share, Lanes(repeating: 1)), Lanes())
    let (rx, ry, rz) = (wx - t * ux, wy - t * uy, wz - t * uz)
    return rx * rx + ry * ry + rz * rz
  }

  /// The strays of the pieces from `piece` on; negative ones for no piece.
  @inline(__always)
  func strays(_ piece: Int) -> Lanes { Lanes(stray, piece) }

  /// The pieces from `piece` on that may come within `reach` of a position.
  @inline(__always)
  func areNear(_ position: Vector, _ piece: Int, within reach: Double) -> LaneMask {
    let strays = strays(piece)
    let allowed = strays + reach
    return (squaredDistances(position, piece) .<= allowed * allowed) .& (strays .>= 0)
  }
}

/// What the largest row of an array needs.
private struct LargestRow {
  var vertices = 0
  var paths = 0

  init<S: ClosestSurface>(_ surface: S, _ geoms: Geoms) {
    for row in 0..<geoms.count where !geoms.isNull(row) {
      if geoms.isPuntal {
        let count = geoms.coordinates(row).count
        (vertices, paths) = (max(vertices, 2 &* count), max(paths, count))
        continue
      }
      var sum = 0
      let count = geoms.pathCount(row)
      for index in 0..<count {
        let path = geoms.path(row, index)
        sum &+= max(2, path.count)
        if surface.isGlobe {
          for end in path.dropFirst() {
            sum &+= surface.mostPieces(geoms.place(end &- 1), geoms.place(end)) &- 1
          }
        }
      }
      (vertices, paths) = (max(vertices, sum), max(paths, count))
    }
  }
}
