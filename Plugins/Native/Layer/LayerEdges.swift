// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A point where an edge is cut: a vertex inside of it, or the crossing with another edge.
struct LayerCut: BitwiseCopyable {
  let edge: Int32
  var point: Int32
}

/// Where two edges cross inside both.
struct LayerCrossing: BitwiseCopyable {
  let edge: Int32
  let other: Int32
  /// The exact place rounded to nearest.
  let place: Place
}

/// The distinct edges of a layer, each once however many rows have it, and where they meet elsewhere than at common ends.
///
/// Nothing is moved: a crossing is known by its two edges, and its rounded place serves where rounded places differ. Numbers
/// of points go on behind the vertices with the crossings.
struct LayerEdges {
  /// Groups are edges, tags the vertices at which uses of them begin.
  private(set) var pairs: PointPairs
  /// In the order of edges and along each, from its lower point on; each point once.
  private(set) var cuts: ScratchList<LayerCut>
  private(set) var crossings: ScratchList<LayerCrossing>
  private(set) var tree: BoxedEdges
  /// The first cut of each edge; one more for the end. Empty without cuts.
  private var firstCut: ScratchList<Int32>
  private var parents: ScratchList<Int32>
  private var vertices = 0
  /// More meetings than these are not worked on.
  static let mostCuts = 1 << 25

  init(_ call: UnsafeMutablePointer<mrd_call>) throws(Stop) {
    pairs = PointPairs(call)
    cuts = ScratchList(call)
    crossings = ScratchList(call)
    tree = try BoxedEdges(call)
    firstCut = ScratchList(call)
    parents = ScratchList(call)
  }

  var count: Int { pairs.count }
  /// Vertices and crossings.
  var pointCount: Int { vertices + crossings.count }

  /// Throws `.limit` where edges meet in more than 2^25 places.
  ///
  /// - Parameter crossings: whether edges are cut where they cross inside both.
  mutating func build(_ rows: LayerRows, crossings wantsCrossings: Bool, _ poll: inout CancelPoll) throws(Stop) {
    vertices = rows.points.count
    pairs.clear()
    for index in 0..<rows.paths.count {
      let path = rows.paths[index]
      for vertex in Int(path.first)..<Int(path.last) {
        try pairs.add(rows.entries[vertex], rows.entries[vertex &+ 1], vertex)
      }
    }
    try pairs.group(vertices, &poll)
    let pairs = self.pairs
    try tree.build(count) { edge in
      let item = pairs.items[Int(pairs.starts[edge])]
      return (rows.place(Int(item.low)), rows.place(Int(item.high)))
    }
    try tree.forEachPair(&poll) { (edge: Int, other: Int) throws(Stop) in
      try meet(edge, other, rows, wantsCrossings)
    }
    if cuts.count > 0 { try sortCuts(rows, &poll) }
  }

  // MARK: Asking

  /// The ends of an edge, as points.
  @inline(__always)
  func ends(_ edge: Int) -> (a: Int, b: Int) {
    let item = pairs.items[Int(pairs.starts[edge])]
    return (Int(item.low), Int(item.high))
  }

  @inline(__always)
  func places(_ edge: Int, _ rows: LayerRows) -> (a: Place, b: Place) {
    let ends = ends(edge)
    return (rows.place(ends.a), rows.place(ends.b))
  }

  /// The place of a vertex or, rounded, of a crossing.
  @inline(__always)
  func place(_ point: Int, _ rows: LayerRows) -> Place {
    point < vertices ? rows.place(point) : crossings[point &- vertices].place
  }

  @inline(__always)
  func isVertex(_ point: Int) -> Bool { point < vertices }

  func cuts(of edge: Int) -> Range<Int> {
    firstCut.count == 0 ? 0..<0 : Int(firstCut[edge])..<Int(firstCut[edge &+ 1])
  }

  /// The points of an edge by turns: its lower end, its cuts, the other end.
  func point(_ ordinal: Int, of edge: Int) -> Int {
    let cuts = cuts(of: edge)
    if ordinal == 0 { return ends(edge).a }
    return ordinal > cuts.count ? ends(edge).b : Int(self.cuts[cuts.lowerBound &+ ordinal &- 1].point)
  }

  /// Whether a point lies to the left of a vertical line (-1), on it (0) or to the right (1); exact.
  func side(of point: Int, x: Double, _ rows: LayerRows) -> Int {
    let own = place(point, rows).x
    if own != x { return own < x ? -1 : 1 }
    if isVertex(point) { return 0 }
    // On the left of the line upwards is a lesser x.
    return -exactCrossing(point, rows).side(of: Place(x: x, y: 0), Place(x: x, y: 1))
  }

  private func exactCrossing(_ point: Int, _ rows: LayerRows) -> ExactCrossing {
    let crossing = crossings[point &- vertices]
    let (one, other) = (places(Int(crossing.edge), rows), places(Int(crossing.other), rows))
    return ExactCrossing(one.a, one.b, other.a, other.b)
  }

  // MARK: Meetings

  @inline(__always)
  private mutating func meet(
    _ edge: Int, _ other: Int, _ rows: LayerRows, _ wantsCrossings: Bool
  ) throws(Stop) {
    let (one, two) = (ends(edge), ends(other))
    if one.a == two.a { return try meetAtEnd(edge, one.b, other, two.b, one.a, rows) }
    if one.b == two.b { return try meetAtEnd(edge, one.a, other, two.a, one.b, rows) }
    if one.b == two.a { return try meetAtEnd(edge, one.a, other, two.b, one.b, rows) }
    if one.a == two.b { return try meetAtEnd(edge, one.b, other, two.a, one.a, rows) }
    let (a, b, c, d) = (rows.place(one.a), rows.place(one.b), rows.place(two.a), rows.place(two.b))
    let (sideC, sideD) = (orientation(a, b, c), orientation(a, b, d))
    if sideC &* sideD > 0 { return }
    let (sideA, sideB) = (orientation(c, d, a), orientation(c, d, b))
    if sideA &* sideB > 0 { return }
    if sideA &* sideB &* sideC &* sideD != 0 {
      if wantsCrossings { try cross(edge, other, (a, b, c, d)) }
      return
    }
    if sideA == 0 && isBetween(a, c, d) { try cut(other, one.a) }
    if sideB == 0 && isBetween(b, c, d) { try cut(other, one.b) }
    if sideC == 0 && isBetween(c, a, b) { try cut(edge, two.a) }
    if sideD == 0 && isBetween(d, a, b) { try cut(edge, two.b) }
  }

  /// Two edges from one point to `end` and to `otherEnd`: in one direction the nearer end lies inside the other edge.
  @inline(__always)
  private mutating func meetAtEnd(
    _ edge: Int, _ end: Int, _ other: Int, _ otherEnd: Int, _ point: Int, _ rows: LayerRows
  ) throws(Stop) {
    let (p, q, r) = (rows.place(point), rows.place(end), rows.place(otherEnd))
    guard orientation(p, q, r) == 0, (p < q) == (p < r) else { return }
    if (p < q) == (q < r) { try cut(other, end) } else { try cut(edge, otherEnd) }
  }

  /// For a place on the line of an edge, which is none of its ends.
  private func isBetween(_ p: Place, _ a: Place, _ b: Place) -> Bool { (a < p) == (p < b) }

  private mutating func cut(_ edge: Int, _ point: Int) throws(Stop) {
    try cuts.push(LayerCut(edge: Int32(truncatingIfNeeded: edge), point: Int32(truncatingIfNeeded: point)))
    if cuts.count > LayerEdges.mostCuts { throw .limit }
  }

  private mutating func cross(_ edge: Int, _ other: Int, _ ends: (Place, Place, Place, Place)) throws(Stop) {
    try cut(edge, pointCount)
    try cut(other, pointCount)
    try crossings.push(
      LayerCrossing(
        edge: Int32(truncatingIfNeeded: edge), other: Int32(truncatingIfNeeded: other),
        place: crossingPlace(ends.0, ends.1, ends.2, ends.3).place))
  }

  // MARK: Order along edges

  /// Sorts the cuts along their edges, and finds crossings that are one point, or a vertex.
  private mutating func sortCuts(_ rows: LayerRows, _ poll: inout CancelPoll) throws(Stop) {
    let edges = self
    cuts.sort { a, b in
      if a.edge != b.edge { return a.edge < b.edge }
      let order = edges.order(Int(a.point), Int(b.point), along: Int(a.edge), rows)
      return order != 0 ? order < 0 : a.point < b.point
    }
    if poll.tick(cuts.count) { throw .cancelled }
    if crossings.count > 0 { try unite(rows) }
    var kept = 0
    for index in 0..<cuts.count {
      let cut = cuts[index]
      if kept > 0 && cuts[kept &- 1].edge == cut.edge && cuts[kept &- 1].point == cut.point { continue }
      cuts[kept] = cut
      kept &+= 1
    }
    cuts.truncate(kept)
    try firstCut.fill(count &+ 1, 0)
    for index in 0..<cuts.count { firstCut[Int(cuts[index].edge) &+ 1] &+= 1 }
    for edge in 0..<count { firstCut[edge &+ 1] &+= firstCut[edge] }
  }

  /// Points that are one place on some edge get the least of their numbers.
  private mutating func unite(_ rows: LayerRows) throws(Stop) {
    let sets = try parents.disjointSets(pointCount)
    for index in 1..<cuts.count where cuts[index].edge == cuts[index &- 1].edge {
      let (one, other) = (Int(cuts[index &- 1].point), Int(cuts[index].point))
      if one != other && order(one, other, along: Int(cuts[index].edge), rows) == 0 { _ = sets.join(one, other) }
    }
    for index in 0..<cuts.count {
      cuts[index].point = Int32(truncatingIfNeeded: sets.root(of: Int(cuts[index].point)))
    }
  }

  /// The order of two points of an edge from its lower end on: -1, 0, 1. Exact.
  private func order(_ p: Int, _ q: Int, along edge: Int, _ rows: LayerRows) -> Int {
    if p == q { return 0 }
    let (a, b) = places(edge, rows)
    let order = orderAlong(a, b, place(p, rows), place(q, rows))
    if order != 0 { return order }
    if isVertex(p) { return isVertex(q) ? 0 : compare(p, toCrossing: q, edge, rows) }
    if isVertex(q) { return -compare(q, toCrossing: p, edge, rows) }
    let (one, other) = (places(partner(p, of: edge), rows), places(partner(q, of: edge), rows))
    return compareCrossings(along: a, b, one.a, one.b, other.a, other.b)
  }

  /// A vertex inside an edge against a crossing of it.
  private func compare(_ vertex: Int, toCrossing point: Int, _ edge: Int, _ rows: LayerRows) -> Int {
    let other = places(partner(point, of: edge), rows)
    let side = orientation(other.a, other.b, rows.place(vertex))
    if side == 0 { return 0 }
    return side == orientation(other.a, other.b, places(edge, rows).a) ? -1 : 1
  }

  private func partner(_ point: Int, of edge: Int) -> Int {
    let crossing = crossings[point &- vertices]
    return Int(Int(crossing.edge) == edge ? crossing.other : crossing.edge)
  }
}
