// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The pieces of a layer that bound some row, as a planar graph: half-edge 2k runs along piece k from its lower point, 2k + 1
/// back. Directions are those of the edges as they were given, so the order round a point is exact though the place of a
/// crossing is rounded.
struct LayerGraph {
  let rows: LayerRows
  let edges: LayerEdges
  let pieces: LayerPieces
  /// The rows that each piece bounds.
  let borders: NumberLists
  /// Half-edges that leave a point, counter-clockwise from the direction of x on.
  private var around: NumberLists
  private var placeAround: ScratchList<Int32>

  init(
    _ rows: LayerRows, _ edges: LayerEdges, _ pieces: LayerPieces, _ borders: NumberLists,
    _ call: UnsafeMutablePointer<mrd_call>, _ poll: inout CancelPoll
  ) throws(Stop) {
    self.rows = rows
    self.edges = edges
    self.pieces = pieces
    self.borders = borders
    around = NumberLists(call)
    placeAround = ScratchList(call)
    try around.fill(edges.pointCount) { (add: (Int, Int) -> Void) throws(Stop) in
      for piece in 0..<pieces.count where !borders.range(piece).isEmpty {
        let ends = pieces.ends(piece)
        add(ends.a, 2 &* piece)
        add(ends.b, 2 &* piece &+ 1)
      }
    }
    try placeAround.resize(2 &* pieces.count)
    for point in 0..<edges.pointCount {
      if poll.tick() { throw .cancelled }
      let range = around.range(point)
      if range.count > 2 { around.values.sort(range) { [self] in isBefore(Int($0), Int($1)) } }
      for place in range { placeAround[Int(around.values[place])] = Int32(truncatingIfNeeded: place) }
    }
  }

  @inline(__always)
  func isLive(_ piece: Int) -> Bool { !borders.range(piece).isEmpty }

  @inline(__always)
  func origin(_ half: Int) -> Int {
    let ends = pieces.ends(half >> 1)
    return half & 1 == 0 ? ends.a : ends.b
  }

  func halves(from point: Int) -> Range<Int> { around.range(point) }
  func half(_ index: Int) -> Int { Int(around.values[index]) }

  /// The half-edge that follows when the face on the left is walked round.
  @inline(__always)
  func next(_ half: Int) -> Int {
    let range = around.range(origin(half ^ 1))
    let place = Int(placeAround[half ^ 1])
    return Int(around.values[place == range.lowerBound ? range.upperBound &- 1 : place &- 1])
  }

  /// The half-edge from a point with the greatest angle.
  func lastHalf(from point: Int) -> Int {
    let range = around.range(point)
    var last = half(range.lowerBound)
    for place in range.dropFirst() where isBefore(last, half(place)) { last = half(place) }
    return last
  }

  /// By the angle of their directions from that of x on; no two from one point are equal.
  private func isBefore(_ half: Int, _ other: Int) -> Bool {
    let (one, two) = (pieces.line(half, edges, rows), pieces.line(other, edges, rows))
    let (isBelow, otherIsBelow) = (LayerGraph.pointsDown(one), LayerGraph.pointsDown(two))
    if isBelow != otherIsBelow { return !isBelow }
    // The common point lies on both lines, and the lead of the other one ahead of it.
    return orientation(one.tail, one.lead, two.lead) > 0
  }

  /// Directions from half a turn on.
  private static func pointsDown(_ line: (tail: Place, lead: Place)) -> Bool {
    line.lead.y < line.tail.y || (line.lead.y == line.tail.y && line.lead.x < line.tail.x)
  }

  // MARK: What a problem names

  /// The edge of a row that begins at a point or goes through it, the first one; nothing where the row is not there.
  func vertex(of row: Int, at point: Int) throws(Stop) -> (name: LayerVertex, runsBack: Bool) {
    var found = -1
    for index in halves(from: point) {
      try pieces.forEachUse(half(index) >> 1, edges) { (vertex: Int) throws(Stop) in
        guard rows.row(of: vertex) == row, Int(rows.entries[vertex &+ 1]) != point else { return }
        if found < 0 || vertex < found { found = vertex }
      }
    }
    return found < 0 ? (LayerVertex(), false) : (rows.name(found), runsBack(found))
  }

  /// Whether the edge that begins at a vertex runs from the greater place to the lesser one.
  func runsBack(_ vertex: Int) -> Bool {
    rows.place(Int(rows.entries[vertex &+ 1])) < rows.place(Int(rows.entries[vertex]))
  }
}
