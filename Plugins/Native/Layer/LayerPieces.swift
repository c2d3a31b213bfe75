// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The edges of a layer cut at their points: pieces that meet at common ends only, each once, with the rows and vertices
/// that it is of.
struct LayerPieces {
  /// Groups are pieces; a tag is an edge of the layer, twice, and 1 more where the edge runs from the higher number to the
  /// lower one, and the ordinal says which piece of that edge it is.
  private(set) var pairs: PointPairs
  /// The pieces of each edge from its lower end on, by their first one; one more for the end.
  private var firstOfEdge: ScratchList<Int32>
  private var ofEdge: ScratchList<Int32>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    pairs = PointPairs(call)
    firstOfEdge = ScratchList(call)
    ofEdge = ScratchList(call)
  }

  var count: Int { pairs.count }

  mutating func build(_ edges: LayerEdges, _ poll: inout CancelPoll) throws(Stop) {
    pairs.clear()
    for edge in 0..<edges.count {
      let ends = edges.ends(edge)
      var from = ends.a
      let cuts = edges.cuts(of: edge)
      for cut in cuts {
        let to = Int(edges.cuts[cut].point)
        try add(from, to, edge, cut &- cuts.lowerBound)
        from = to
      }
      try add(from, ends.b, edge, cuts.count)
      if poll.tick(1 &+ cuts.count) { throw .cancelled }
    }
    try pairs.group(edges.pointCount, &poll)
    try listByEdge(edges, &poll)
  }

  private mutating func add(_ from: Int, _ to: Int, _ edge: Int, _ ordinal: Int) throws(Stop) {
    try pairs.add(
      Int32(truncatingIfNeeded: from), Int32(truncatingIfNeeded: to), edge &* 2 &+ (from < to ? 0 : 1), ordinal: ordinal
    )
  }

  private mutating func listByEdge(_ edges: LayerEdges, _ poll: inout CancelPoll) throws(Stop) {
    try firstOfEdge.fill(edges.count &+ 1, 0)
    try ofEdge.resize(pairs.items.count)
    for edge in 0..<edges.count {
      firstOfEdge[edge &+ 1] = firstOfEdge[edge] &+ Int32(truncatingIfNeeded: edges.cuts(of: edge).count &+ 1)
    }
    for piece in 0..<count {
      for index in pairs.range(piece) {
        let item = pairs.items[index]
        ofEdge[Int(firstOfEdge[Int(item.tag) >> 1] &+ item.ordinal)] = Int32(truncatingIfNeeded: piece)
      }
      if poll.tick() { throw .cancelled }
    }
  }

  // MARK: Asking

  @inline(__always)
  func ends(_ piece: Int) -> (a: Int, b: Int) {
    let item = pairs.items[Int(pairs.starts[piece])]
    return (Int(item.low), Int(item.high))
  }

  /// The ends of an edge that a half-edge is a part of, in its direction: half-edge 2k runs along piece k from its lower
  /// point, 2k + 1 back.
  @inline(__always)
  func line(_ half: Int, _ edges: LayerEdges, _ rows: LayerRows) -> (tail: Place, lead: Place) {
    let tag = Int(pairs.items[Int(pairs.starts[half >> 1])].tag)
    let (a, b) = edges.places(tag >> 1, rows)
    return (tag ^ half) & 1 == 0 ? (a, b) : (b, a)
  }

  /// The pieces of an edge from its lower end on.
  func pieces(of edge: Int) -> Range<Int> { Int(firstOfEdge[edge])..<Int(firstOfEdge[edge &+ 1]) }
  func piece(_ index: Int) -> Int { Int(ofEdge[index]) }

  /// Calls `body` with the vertices at which uses of a piece begin.
  @inline(__always)
  func forEachUse(_ piece: Int, _ edges: LayerEdges, _ body: (_ vertex: Int) throws(Stop) -> Void) throws(Stop) {
    for index in pairs.range(piece) {
      for use in edges.pairs.range(Int(pairs.items[index].tag) >> 1) { try body(Int(edges.pairs.items[use].tag)) }
    }
  }
}
