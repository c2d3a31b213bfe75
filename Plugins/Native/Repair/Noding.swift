// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A point to be put into an edge.
struct Insertion: BitwiseCopyable {
  let edge: Int32
  let source: Int32
  let place: Place
}

/// Cuts the edges of a row's rings where they meet, until they meet in common points only.
///
/// Which edges meet is decided exactly; a crossing becomes the exact one rounded to nearest. That moves the pieces of an edge
/// by half an ulp, so the pieces that were moved are looked at again, and cut again where they meet something. Nearly all rows
/// come to rest after a round or two. The others, bundles of edges that an ulp separates, are snap-rounded on a grid of two
/// ulp of the row's largest ordinate: vertices and crossings go to the middles of their cells, and so does every edge that
/// passes such a cell (Hobby 1999; Guibas, Marimont 1998).
struct Noding {
  /// What the contacts of the row as loaded were.
  struct Findings {
    /// Edges cross inside, run along each other or back over themselves: an error in any row.
    var hasCrossing = false
    /// Rings meet in points.
    var hasTouch = false
  }

  private static let fineRounds = 5
  private static let snapRounds = 8
  /// Insertions of a round: beyond them a row is left as it is.
  private static let mostInsertions = 1 << 25

  var findings = Findings()
  var insertions: ScratchList<Insertion>
  private var places: ScratchList<Place>
  private var marks: ScratchList<PointMarks>
  private var sources: ScratchList<Int32>
  private var origins: ScratchList<Int32>
  private var hasBends = false
  /// So many edges coincide that one is looked at for all of them.
  private var isDense = false
  /// Coincident pairs that the search may still find one by one; nil outside of it.
  private var coincidencesLeft: Int?
  var unique: UniqueEdges
  var isMoved: ScratchList<Bool>
  /// The crossing that each edge was cut at last in this round.
  private var lastCrossing: ScratchList<Place>
  private var isSnapping = false
  private var grid = SnapGrid(largest: 0)

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    insertions = ScratchList(call)
    places = ScratchList(call)
    marks = ScratchList(call)
    sources = ScratchList(call)
    origins = ScratchList(call)
    unique = UniqueEdges(call)
    isMoved = ScratchList(call)
    lastCrossing = ScratchList(call)
  }

  /// Nodes the rings. `blocks` holds their edges afterwards unless it answers false.
  mutating func run(
    _ rings: inout RepairRings, _ blocks: inout BoxedEdges, _ geoms: Geoms, _ row: Int, _ poll: inout CancelPoll
  ) throws(Stop) -> Bool {
    findings = Findings()
    (isSnapping, isDense) = (false, false)
    try blocks.build(rings)
    try findSpikes(&rings)
    try search(&rings, &blocks, geoms, &poll)
    if insertions.count == 0 { return !isDense }
    var round = 1
    while insertions.count > 0 {
      let moved = hasBends
      if moved && round == 2 { try keepOriginal(&rings) }
      try insert(&rings)
      if !moved {
        if round > 2 { try checkMoves(rings) }
        return false
      }
      round += 1
      if poll.tick(rings.places.count) { throw .cancelled }
      try blocks.build(rings)
      try lookAgain(&rings, &blocks, geoms, &poll)
      if insertions.count > 0 && round > Noding.fineRounds { try snap(&rings, &blocks, geoms, row, &poll) }
    }
    if round > 2 { try checkMoves(rings) }
    return !isDense
  }

  /// All pairs of edges. Pairs that coincide are few, or looked for in another way.
  private mutating func search(
    _ rings: inout RepairRings, _ blocks: inout BoxedEdges, _ geoms: Geoms, _ poll: inout CancelPoll
  ) throws(Stop) {
    if !isDense {
      coincidencesLeft = 2 * rings.places.count + 1024
      defer { coincidencesLeft = nil }
      do throws(Stop) {
        return try blocks.forEachPair(&poll) { (edge: Int, other: Int) throws(Stop) in
          try meet(edge, other, &rings, geoms)
        }
      } catch {
        guard isDense else { throw error }
      }
      // What was found is found again.
      try findSpikes(&rings)
    }
    try searchUnique(&rings, &blocks, geoms, movedOnly: false, &poll)
  }

  private mutating func noteCoincidence() throws(Stop) {
    guard let left = coincidencesLeft else { return }
    coincidencesLeft = left - 1
    if left > 0 { return }
    isDense = true
    throw .limit
  }

  // MARK: Snap rounding

  /// Leaves rings that are noded on the grid, and no insertions.
  private mutating func snap(
    _ rings: inout RepairRings, _ blocks: inout BoxedEdges, _ geoms: Geoms, _ row: Int, _ poll: inout CancelPoll
  ) throws(Stop) {
    guard rings.largest < 0x1p1023 else { throw .notApplied }
    // From the beginning, so that nothing is moved twice.
    try rings.load(geoms, row)
    insertions.truncate(0)
    grid = SnapGrid(largest: rings.largest)
    isSnapping = true
    rings.isSnapped = true
    for round in 0..<Noding.snapRounds {
      if round == 0 { try snapVertices(&rings) }
      try blocks.build(rings)
      try findSpikes(&rings)
      try search(&rings, &blocks, geoms, &poll)
      if insertions.count == 0 { return }
      if isDense { try blocks.build(rings) }
      try passCells(&rings, blocks, &poll)
      try insert(&rings)
    }
    throw .notApplied
  }

  private func snapVertices(_ rings: inout RepairRings) throws(Stop) {
    var (count, kept) = (0, 0)
    for index in 0..<rings.rings.count {
      var ring = rings.rings[index]
      let first = count
      for point in Int(ring.first)..<Int(ring.last) {
        let place = grid.nearest(rings.places[point])
        let isMoved = place != rings.places[point]
        if isMoved { ring.isBent = true }
        if count > first && place == rings.places[count - 1] {
          // The edge that goes on is that of the vertex that was dropped.
          rings.origins[count - 1] = rings.origins[point]
          continue
        }
        rings.places[count] = place
        rings.marks[count] = isMoved ? [.inserted] : rings.marks[point].intersection(.inserted)
        rings.sources[count] = rings.sources[point]
        rings.origins[count] = rings.origins[point]
        count += 1
      }
      while count > first + 1 && rings.places[count - 1] == rings.places[first] { count -= 1 }
      if count == first + 1 {
        try rings.pointRings.push(rings.places[first])
        count = first
        continue
      }
      rings.places[count] = rings.places[first]
      rings.marks[count] = rings.marks[first]
      rings.sources[count] = rings.sources[first]
      rings.origins[count] = rings.origins[first]
      ring.first = Int32(truncatingIfNeeded: first)
      ring.last = Int32(truncatingIfNeeded: count)
      rings.rings[kept] = ring
      kept += 1
      count += 1
    }
    rings.rings.truncate(kept)
    rings.truncate(count)
  }

  /// Every edge is put through the middles of the cells that it passes and that hold a vertex or a crossing.
  private mutating func passCells(
    _ rings: inout RepairRings, _ blocks: BoxedEdges, _ poll: inout CancelPoll
  ) throws(Stop) {
    let found = insertions.count
    for index in 0..<found {
      if poll.tick(16) { throw .cancelled }
      try passCell(insertions[index].place, insertions[index].source, &rings, blocks)
    }
    for point in 0..<rings.places.count {
      if poll.tick(16) { throw .cancelled }
      try passCell(rings.places[point], rings.sources[point], &rings, blocks)
    }
  }

  private mutating func passCell(
    _ middle: Place, _ source: Int32, _ rings: inout RepairRings, _ blocks: BoxedEdges
  ) throws(Stop) {
    try blocks.forEachEdge(in: grid.cell(middle)) { (edge: Int) throws(Stop) in
      let (a, b) = (rings.places[edge], rings.places[edge + 1])
      if a == middle || b == middle || !grid.passes(a, b, middle) { return }
      if orientation(a, b, middle) != 0 { bend(edge, &rings) }
      try insert(middle, source, in: edge, &rings)
    }
  }

  // MARK: Contacts

  /// Finds the pieces that were moved to meet something.
  private mutating func lookAgain(
    _ rings: inout RepairRings, _ blocks: inout BoxedEdges, _ geoms: Geoms, _ poll: inout CancelPoll
  ) throws(Stop) {
    hasBends = false
    insertions.truncate(0)
    try findSpikes(&rings)
    if isDense { return try searchUnique(&rings, &blocks, geoms, movedOnly: true, &poll) }
    for edge in 0..<(rings.places.count - 1) where rings.marks[edge].contains(.moved) {
      if poll.tick() { throw .cancelled }
      try blocks.forEachNeighbour(of: edge) { (other: Int) throws(Stop) in
        // Pairs of moved pieces once.
        if rings.marks[other].contains(.moved) && other < edge { return }
        try meet(Swift.min(edge, other), Swift.max(edge, other), &rings, geoms)
      }
    }
  }

  /// Edges that run back over the one before.
  private mutating func findSpikes(_ rings: inout RepairRings) throws(Stop) {
    insertions.truncate(0)
    lastCrossing.truncate(0)
    hasBends = false
    for index in 0..<rings.rings.count {
      let (first, last) = (Int(rings.rings[index].first), Int(rings.rings[index].last))
      let places = rings.places.start
      var former = places[last - 1]
      for tip in first..<last {
        let (place, next) = (places[tip], places[tip + 1])
        let turn = (place.x - former.x) * (next.x - place.x) + (place.y - former.y) * (next.y - place.y)
        // NaN after an overflow as well.
        if !(turn > 0) && orientation(former, place, next) == 0 {
          try meetSpike(tip == first ? last - 1 : tip - 1, tip, &rings)
        }
        former = place
      }
    }
  }

  /// Three points on one line; the edges `incoming` and `tip` meet at the middle one.
  private mutating func meetSpike(_ incoming: Int, _ tip: Int, _ rings: inout RepairRings) throws(Stop) {
    let (start, middle, end) = (rings.places[incoming], rings.places[tip], rings.places[tip + 1])
    // Going on in one direction is no spike.
    if (start < middle) != (end < middle) { return }
    findings.hasCrossing = true
    rings.mark(tip, .node)
    let startIsNearer = (start < middle) == (end < start)
    if start == end || startIsNearer {
      rings.mark(incoming, .node)
      try insert(start, rings.sources[incoming], in: tip, &rings)
    } else {
      rings.mark(tip + 1, .node)
      try insert(end, rings.sources[tip + 1], in: incoming, &rings)
    }
  }

  /// `edge` < `other`; they do not follow each other in storage, but may where a ring closes.
  @inline(__always)
  mutating func meet(
    _ edge: Int, _ other: Int, _ rings: inout RepairRings, _ geoms: Geoms
  ) throws(Stop) {
    let places = rings.places.start
    let (a, b, c, d) = (places[edge], places[edge + 1], places[other], places[other + 1])
    if a == c || a == d || b == c || b == d { return try meetAtEnd(edge, other, &rings) }
    let (sideC, sideD) = (orientation(a, b, c), orientation(a, b, d))
    if sideC &* sideD > 0 { return }
    let (sideA, sideB) = (orientation(c, d, a), orientation(c, d, b))
    if sideA &* sideB > 0 { return }
    if sideA &* sideB &* sideC &* sideD != 0 { return try cross(edge, other, &rings, geoms) }
    try touch(edge, other, (sideA, sideB, sideC, sideD), &rings)
  }

  /// Some end of one is an end of the other: one look tells whether they share more than that.
  private mutating func meetAtEnd(_ edge: Int, _ other: Int, _ rings: inout RepairRings) throws(Stop) {
    let (a, b) = (rings.places[edge], rings.places[edge + 1])
    let (c, d) = (rings.places[other], rings.places[other + 1])
    let (one, two) = (a == c || a == d ? edge : edge + 1, c == a || c == b ? other : other + 1)
    if (a == c && b == d) || (a == d && b == c) {
      findings.hasCrossing = true
      try noteCoincidence()
      for point in edge...(edge + 1) { rings.mark(point, .node) }
      for point in other...(other + 1) { rings.mark(point, .node) }
      return
    }
    let (middle, end, otherEnd) = (rings.places[one], one == edge ? b : a, two == other ? d : c)
    if orientation(middle, end, otherEnd) == 0 { return try touch(edge, other, (0, 0, 0, 0), &rings) }
    if areBeside(edge, other, rings) { return }
    findings.hasTouch = true
    rings.mark(one, .node)
    rings.mark(two, .node)
  }

  /// At least one end lies on the line of the other edge.
  private mutating func touch(
    _ edge: Int, _ other: Int, _ sides: (Int, Int, Int, Int), _ rings: inout RepairRings
  ) throws(Stop) {
    let (a, b) = (rings.places[edge], rings.places[edge + 1])
    let (c, d) = (rings.places[other], rings.places[other + 1])
    let isOneLine = sides.0 == 0 && sides.1 == 0 && sides.2 == 0 && sides.3 == 0
    if isOneLine, max(c < d ? c : d, a < b ? a : b) < min(c < d ? d : c, a < b ? b : a) {
      // Spikes were found before; two edges that make up a ring are both.
      findings.hasCrossing = true
    } else if areBeside(edge, other, rings) {
      return
    }
    findings.hasTouch = true
    if sides.0 == 0 && isWithin(a, c, d) { try join(edge, other, &rings) }
    if sides.1 == 0 && isWithin(b, c, d) { try join(edge + 1, other, &rings) }
    if sides.2 == 0 && isWithin(c, a, b) { try join(other, edge, &rings) }
    if sides.3 == 0 && isWithin(d, a, b) { try join(other + 1, edge, &rings) }
  }

  private func max(_ p: Place, _ q: Place) -> Place { p < q ? q : p }
  private func min(_ p: Place, _ q: Place) -> Place { p < q ? p : q }

  /// The last edge of a ring and its first one.
  private func areBeside(_ edge: Int, _ other: Int, _ rings: RepairRings) -> Bool {
    let ring = rings.rings[rings.ring(of: edge)]
    return edge == ring.first && other + 1 == ring.last
  }

  private func isWithin(_ p: Place, _ a: Place, _ b: Place) -> Bool {
    a < b ? a <= p && p <= b : b <= p && p <= a
  }

  /// A point that lies on an edge is a node of both.
  private mutating func join(_ point: Int, _ edge: Int, _ rings: inout RepairRings) throws(Stop) {
    rings.mark(point, .node)
    try insert(rings.places[point], rings.sources[point], in: edge, &rings)
  }

  private mutating func cross(
    _ edge: Int, _ other: Int, _ rings: inout RepairRings, _ geoms: Geoms
  ) throws(Stop) {
    findings.hasCrossing = true
    let (a, b) = (rings.places[edge], rings.places[edge + 1])
    let (c, d) = (rings.places[other], rings.places[other + 1])
    if lastCrossing.count == 0 { try lastCrossing.fill(rings.places.count, Place(x: .nan, y: .nan)) }
    // Where thousands of edges go through one point, nearly every pair is cut there already.
    let known = lastCrossing[edge]
    if known == lastCrossing[other] && orientation(a, b, known) == 0 && orientation(c, d, known) == 0 { return }
    let place = isSnapping ? grid.nearest(crossingPlace(a, b, c, d).place) : crossingPlace(a, b, c, d).place
    if orientation(a, b, place) != 0 { bend(edge, &rings) }
    if orientation(c, d, place) != 0 { bend(other, &rings) }
    (lastCrossing[edge], lastCrossing[other]) = (place, place)
    let source = try makePoint(place, edge, other, &rings, geoms)
    try insert(place, source, in: edge, &rings)
    try insert(place, source, in: other, &rings)
  }

  mutating func bend(_ edge: Int, _ rings: inout RepairRings) {
    rings.marks[edge].formUnion(.bends)
    rings.rings[rings.ring(of: edge)].isBent = true
    hasBends = true
  }

  /// Z is the mean of both edges', M what both have, if that is one number.
  private func makePoint(
    _ place: Place, _ edge: Int, _ other: Int, _ rings: inout RepairRings, _ geoms: Geoms
  ) throws(Stop) -> Int32 {
    let (one, two) = (interpolate(place, edge, rings, geoms), interpolate(place, other, rings, geoms))
    try rings.made.push(MadePoint(z: one.z + (two.z - one.z) / 2, m: one.m == two.m ? one.m : .nan))
    return Int32(truncatingIfNeeded: -rings.made.count)
  }

  private func interpolate(_ place: Place, _ edge: Int, _ rings: RepairRings, _ geoms: Geoms) -> MadePoint {
    guard geoms.hasZ || geoms.hasM else { return MadePoint(z: .nan, m: .nan) }
    let (a, b) = (rings.places[edge], rings.places[edge + 1])
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let share = dx.magnitude > dy.magnitude ? (place.x - a.x) / dx : (place.y - a.y) / dy
    let start = rings.ordinates(rings.sources[edge], geoms)
    let end = rings.ordinates(rings.sources[edge + 1], geoms)
    return MadePoint(z: start.z + (end.z - start.z) * share, m: start.m + (end.m - start.m) * share)
  }

  mutating func insert(
    _ place: Place, _ source: Int32, in edge: Int, _ rings: inout RepairRings
  ) throws(Stop) {
    if place == rings.places[edge] { return rings.mark(edge, .node) }
    if place == rings.places[edge + 1] { return rings.mark(edge + 1, .node) }
    guard insertions.count < Noding.mostInsertions else { throw .limit }
    try insertions.push(Insertion(edge: Int32(truncatingIfNeeded: edge), source: source, place: place))
  }

  // MARK: Rebuilding

  /// Puts the insertions into the rings. Rounding keeps order, so points on an edge stand as their ordinates do.
  private mutating func insert(_ rings: inout RepairRings) throws(Stop) {
    let before = rings.places.start
    insertions.sort { a, b in
      if a.edge != b.edge { return a.edge < b.edge }
      let (start, end) = (before[Int(a.edge)], before[Int(a.edge) + 1])
      if a.place.x != b.place.x { return (a.place.x < b.place.x) == (start.x < end.x) }
      return a.place.y != b.place.y && (a.place.y < b.place.y) == (start.y < end.y)
    }
    let room = rings.places.count + insertions.count
    guard room < 1 << 30 else { throw .limit }
    try places.resize(room)
    try marks.resize(room)
    try sources.resize(room)
    try origins.resize(room)
    var (next, count) = (0, 0)
    for index in 0..<rings.rings.count {
      let ring = rings.rings[index]
      rings.rings[index].first = Int32(truncatingIfNeeded: count)
      for point in Int(ring.first)..<Int(ring.last) { copy(point, rings, &next, &count) }
      let first = Int(rings.rings[index].first)
      places[count] = places[first]
      marks[count] = marks[first].intersection([.node, .inserted])
      sources[count] = sources[first]
      origins[count] = origins[first]
      rings.rings[index].last = Int32(truncatingIfNeeded: count)
      count += 1
    }
    places.truncate(count)
    marks.truncate(count)
    sources.truncate(count)
    origins.truncate(count)
    swap(&places, &rings.places)
    swap(&marks, &rings.marks)
    swap(&sources, &rings.sources)
    swap(&origins, &rings.origins)
    insertions.truncate(0)
  }

  /// A point and what is inserted behind it.
  @inline(__always)
  private func copy(_ point: Int, _ rings: RepairRings, _ next: inout Int, _ count: inout Int) {
    let isMoved = rings.marks[point].contains(.bends)
    let tag: PointMarks = isMoved ? .moved : []
    let origin = rings.origins[point]
    put(
      rings.places[point], rings.marks[point].intersection([.node, .inserted]).union(tag), rings.sources[point], origin,
      &count)
    while next < insertions.count && Int(insertions[next].edge) == point {
      let insertion = insertions[next]
      next &+= 1
      if insertion.place == places[count - 1] { continue }
      put(insertion.place, [.node, .inserted, tag], insertion.source, origin, &count)
    }
  }

  @inline(__always)
  private func put(_ place: Place, _ marks: PointMarks, _ source: Int32, _ origin: Int32, _ count: inout Int) {
    places.start[count] = place
    self.marks.start[count] = marks
    sources.start[count] = source
    origins.start[count] = origin
    count &+= 1
  }

  // MARK: The bound

  private func keepOriginal(_ rings: inout RepairRings) throws(Stop) {
    // Points of the input are never moved: what is inserted so far lies within half an ulp of their edges, so the ends of
    // the edges as loaded can be gathered now.
    try rings.original.resize(rings.loaded)
    for point in 0..<rings.places.count where !rings.marks[point].contains(.inserted) {
      rings.original[Int(rings.origins[point])] = rings.places[point]
    }
    for index in 0..<rings.rings.count {
      let last = Int(rings.rings[index].last)
      // The closing point stands behind the last vertex of the ring as loaded.
      rings.original[Int(rings.origins[last - 1]) + 1] = rings.places[last]
    }
  }

  /// No inserted point is farther than four ulp of the largest ordinate from the edge that it was put into.
  private func checkMoves(_ rings: RepairRings) throws(Stop) {
    let most = 4 * rings.largest.ulp
    for point in 0..<rings.places.count where rings.marks[point].contains(.inserted) {
      let origin = Int(rings.origins[point])
      let (a, b, p) = (rings.original[origin], rings.original[origin + 1], rings.places[point])
      // Relative to the nearer end, so that small offsets keep their digits.
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let isNearStart = (p.x - a.x).magnitude + (p.y - a.y).magnitude <= (p.x - b.x).magnitude + (p.y - b.y).magnitude
      let end = isNearStart ? a : b
      let (px, py) = (p.x - end.x, p.y - end.y)
      let scale = Swift.max(dx.magnitude, dy.magnitude)
      let (ux, uy) = (dx / scale, dy / scale)
      let (one, two) = (TwoDoubles(ux) * TwoDoubles(py), TwoDoubles(uy) * TwoDoubles(px))
      let offset = (one - two).head.magnitude / (ux * ux + uy * uy).squareRoot()
      if !(offset <= most) { throw .notApplied }
    }
  }
}
