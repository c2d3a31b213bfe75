// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// What the search for closest places needs of a surface. The search itself is written once: it bounds distances in space,
/// by straight chords between places, and asks the surface only for the few pieces of edges that the bounds leave.
protocol ClosestSurface: ShortestLineSurface {
  /// Places as points in space, in the unit of the metric. No two places are farther apart in space than on the surface.
  func positions(_ x: Lanes, _ y: Lanes) -> (x: Lanes, y: Lanes, z: Lanes)

  /// No point of a piece lies farther from its chord than this times the square of the chord.
  var bend: Double { get }
  /// Distances that differ by no more are equal but for rounding.
  var tieMargin: Double { get }
  /// The longest chord of places that lie within `distance` of each other, with room for all rounding.
  func longestChord(_ distance: Double) -> Double
  /// The largest distance between places whose chord is `chord`; infinite when it could be any.
  func largestDistance(_ chord: Double) -> Double

  /// In how many pieces the edge is searched, 1 to `mostPieces` of its ends.
  func pieceCount(chord: Double) -> Int
  /// An upper bound of `pieceCount` from the coordinates alone.
  func mostPieces(_ a: Place, _ b: Place) -> Int

  /// The closest places of the pieces in a batch to `point`.
  func feet(_ point: Place, _ batch: PieceBatch) -> InlineArray<16, EdgeFoot>
  /// True when the pieces from `a` to `b` and from `c` to `d`, near each other, have a point in common. Where they do so
  /// at an end, answers may differ by rounding on curved surfaces.
  func doCross(_ a: Place, _ b: Place, _ c: Place, _ d: Place) -> Bool

  /// True when the ray from `point` meets the piece from `a` to `b`: in the plane the ray in the direction of x, on the
  /// globe the meridian to the north pole, or to the south pole. Half open, so that a vertex on the ray counts once.
  func rayMeets(_ a: Place, _ b: Place, _ point: Place, south: Bool) -> Bool
  /// True when the far end of the rays is inside a ring: never in the plane; on the globe a pole may be.
  func holdsRayEnd(_ geoms: Geoms, _ path: Range<Int>, side: Int32, south: Bool, _ poll: inout CancelPoll) -> Bool
}

/// The closest place of one edge.
struct EdgeFoot: BitwiseCopyable {
  var distance = Double.infinity
  var place = Place(x: .nan, y: .nan)
  /// From the start of the edge.
  var along = 0.0
  /// MRD_CLOSEST_START, INTERIOR, END.
  var kind = MRD_CLOSEST_START
  /// The middle of the edge hangs on the last bits of its ends, which lie nearly opposite each other.
  var isIllConditioned = false

  /// What the row says of it.
  var status: mrd_item_status { isIllConditioned ? MRD_ITEM_WARN_ILL_CONDITIONED : MRD_ITEM_OK }
}

/// A piece of an edge: the part from `first` to `last` of its length, 0 to 1.
struct EdgePiece: BitwiseCopyable {
  var start = Place(x: 0, y: 0)
  var end = Place(x: 0, y: 0)
  /// The edge counts from 0 in its row.
  var edge = 0
  var first = 0.0
  var last = 1.0
}

/// Pieces that are solved together, as many as fit in a vector.
struct PieceBatch {
  static var room: Int { Lanes.scalarCount }
  private(set) var pieces = InlineArray<16, EdgePiece>(repeating: EdgePiece())
  private(set) var count = 0

  var isFull: Bool { count == PieceBatch.room }

  mutating func append(_ piece: EdgePiece) {
    pieces[count] = piece
    count &+= 1
  }
  mutating func removeAll() { count = 0 }
}
