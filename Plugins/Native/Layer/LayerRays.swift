// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

extension LayerGraph {
  /// The half-edge whose left side is what one sees straight below a vertex, a hair to the right of the vertical line through
  /// it; nil when there is nothing. Edges through the vertex do not count. Exact, though edges cross.
  func halfBelow(_ vertex: Int) -> Int? {
    let place = rows.place(vertex)
    var best = (left: place, right: place)
    var found: Int?
    edges.tree.searchBelow(place) { edge, floor in
      let line = rightward(edge)
      guard line.left.x <= place.x, place.x < line.right.x, orientation(line.left, line.right, place) > 0 else {
        return
      }
      if found != nil && !isHigher(line, best, at: place.x) { return }
      guard let half = half(of: edge, rightOf: place.x) else { return }
      (found, best) = (half, line)
      floor = min(line.left.y, line.right.y)
    }
    return found
  }

  private func rightward(_ edge: Int) -> (left: Place, right: Place) {
    let (a, b) = edges.places(edge, rows)
    return a.x <= b.x ? (a, b) : (b, a)
  }

  /// The half-edge of an edge that begins at `x` or before and ends behind it, from left to right; nil when that piece
  /// bounds nothing.
  private func half(of edge: Int, rightOf x: Double) -> Int? {
    let ends = edges.places(edge, rows)
    let isForward = ends.a.x < ends.b.x
    /// Whether the piece, or one before it, ends behind the vertical line.
    func isReached(_ ordinal: Int) -> Bool {
      (edges.side(of: edges.point(ordinal &+ 1, of: edge), x: x, rows) > 0) == isForward
    }
    var (ordinal, end) = (0, edges.cuts(of: edge).count)
    while ordinal < end {
      let middle = (ordinal &+ end) / 2
      if isReached(middle) { end = middle } else { ordinal = middle &+ 1 }
    }
    let piece = pieces.piece(pieces.pieces(of: edge).lowerBound &+ ordinal)
    let left = edges.point(isForward ? ordinal : ordinal &+ 1, of: edge)
    return isLive(piece) ? 2 &* piece &+ (left == pieces.ends(piece).a ? 0 : 1) : nil
  }

  /// Whether an edge lies above another one a hair to the right of a vertical line that both meet, neither at its right end.
  private func isHigher(_ one: (left: Place, right: Place), _ other: (left: Place, right: Place), at x: Double) -> Bool
  {
    if min(one.left.y, one.right.y) > max(other.left.y, other.right.y) { return true }
    if max(one.left.y, one.right.y) < min(other.left.y, other.right.y) { return false }
    let order = LayerGraph.compareHeights(one, other, at: x)
    // From a common place on, the steeper one.
    return order != 0 ? order > 0 : orientation(other.left, other.right, one.right) > 0
  }

  /// The sign of the difference of the heights of two edges at `x`.
  private static func compareHeights(
    _ one: (left: Place, right: Place), _ other: (left: Place, right: Place), at x: Double
  ) -> Int {
    let unit = min(
      ExactInteger.unitExponent(one.left.x, one.left.y, one.right.x, one.right.y, x, 0),
      ExactInteger.unitExponent(other.left.x, other.left.y, other.right.x, other.right.y))
    func whole(_ value: Double) -> ExactInteger { ExactInteger(value, unit: unit) }
    /// Height times width, and width, which is positive.
    func height(_ line: (left: Place, right: Place)) -> (ExactInteger, ExactInteger) {
      let (from, to) = (whole(line.left.x), whole(line.right.x))
      let (low, high) = (whole(line.left.y), whole(line.right.y))
      let width = to - from
      return (low * width + (high - low) * (whole(x) - from), width)
    }
    let ((a, wide), (b, otherWide)) = (height(one), height(other))
    return (a * otherWide - b * wide).sign
  }
}
