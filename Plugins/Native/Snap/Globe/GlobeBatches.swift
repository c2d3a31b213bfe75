// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// An edge from its lesser end, so that edges that are equal have equal feet, whatever their direction.
struct DirectedEdge: BitwiseCopyable {
  let item: TargetItem
  let isReversed: Bool

  init(_ item: TargetItem) {
    self.item = item
    isReversed = (item.b.x, item.b.y) < (item.a.x, item.a.y)
  }

  var source: ItemSource { item.source }
  var a: Place { isReversed ? item.b : item.a }
  var b: Place { isReversed ? item.a : item.b }
}

/// A place whose distance is asked for.
struct Spot: BitwiseCopyable {
  enum Kind: BitwiseCopyable { case vertex, endPoint, midpoint }
  let place: Place
  let source: ItemSource
  let coordinate: Int
  let kind: Kind

  init(_ place: Place, _ source: ItemSource, _ coordinate: Int, _ kind: Kind) {
    self.place = place
    self.source = source
    self.coordinate = coordinate
    self.kind = kind
  }
}

/// Places that are solved together, as many as fit in a vector.
struct SpotBatch {
  private var spots = InlineArray<16, Spot?>(repeating: nil)
  private var (x, y) = (Lanes(), Lanes())
  private(set) var count = 0
  var isFull: Bool { count == Lanes.scalarCount }

  subscript(index: Int) -> Spot { spots[index].unsafelyUnwrapped }

  mutating func append(_ spot: Spot) {
    // Lanes that are not used yet repeat the first place.
    if count == 0 { (x, y) = (Lanes(repeating: spot.place.x), Lanes(repeating: spot.place.y)) }
    (x[count], y[count]) = (spot.place.x, spot.place.y)
    spots[count] = spot
    count &+= 1
  }

  mutating func removeAll() { count = 0 }

  func distances(from point: Place, _ geodesics: Geodesics) -> Lanes {
    geodesics.distances(Lanes(repeating: point.y), Lanes(repeating: point.x), y, x)
  }
}

/// Parts of straight edges that are solved together.
struct StraightBatch {
  private var edges = InlineArray<16, DirectedEdge?>(repeating: nil)
  private(set) var lanes = StraightLanes()
  private(set) var count = 0
  var isFull: Bool { count == Lanes.scalarCount }

  subscript(index: Int) -> DirectedEdge { edges[index].unsafelyUnwrapped }

  mutating func append(_ edge: DirectedEdge, _ low: Double, _ high: Double) {
    // Lanes that are not used yet repeat the first edge.
    for lane in count..<(count == 0 ? Lanes.scalarCount : count &+ 1) { lanes.set(lane, edge.a, edge.b, low, high) }
    edges[count] = edge
    count &+= 1
  }

  mutating func removeAll() { count = 0 }
}

/// Pieces of shortest lines that are solved together; the pieces of an edge side by side.
struct ShortestBatch {
  static var most: Int { PieceBatch.room }

  private var edges = InlineArray<16, DirectedEdge?>(repeating: nil)
  private var lasts: UInt32 = 0
  private(set) var pieces = PieceBatch()
  var count: Int { pieces.count }
  var room: Int { ShortestBatch.most &- pieces.count }

  subscript(index: Int) -> DirectedEdge { edges[index].unsafelyUnwrapped }
  func isLast(_ index: Int) -> Bool { lasts >> UInt32(index) & 1 != 0 }

  mutating func append(_ edge: DirectedEdge, _ count: Int) { append(edge, 0..<count, of: count) }

  mutating func append(_ edge: DirectedEdge, _ range: Range<Int>, of count: Int) {
    for number in range {
      edges[pieces.count] = edge
      if number == range.upperBound &- 1 { lasts |= 1 << UInt32(pieces.count) }
      pieces.append(
        EdgePiece(
          start: edge.a, end: edge.b, edge: 0, first: Double(number) / Double(count),
          last: Double(number &+ 1) / Double(count)))
    }
  }

  mutating func removeAll() {
    pieces.removeAll()
    lasts = 0
  }
}
