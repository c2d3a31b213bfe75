// SPDX-License-Identifier: Apache-2.0
import Meridian

/// How far output vertices are from the lines that they were moved from, where nothing may move farther than a bound.
///
/// The error of a row is the largest such distance; rows beyond the bound are violations, rows that are gone are wrong.
struct MovementOracle: Oracle {
  let source = "distances from the input"
  let input: Lazily<GeometrySet>
  /// In coordinate units.
  let largest: Double
  /// Coordinates have to be k / scale; nil = any.
  var gridScale: Double?
  /// Distances between a vertex and a segment that may be computed.
  private static let limit = 50_000_000

  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy {
    let (input, output) = (try input.value(), try outcome.required(outcome.set, "geometries"))
    var comparisons: [Accuracy.Comparison] = []
    var (gone, offGrid, work) = (0, 0, 0)
    for row in RowSample.spread(input.count, limit: 2000) where work < Self.limit {
      guard let before = input.location(ofRow: row) else { continue }
      guard row < output.count, let after = output.location(ofRow: row) else {
        gone += 1
        continue
      }
      let segments = before.array.segments(ofRow: before.index)
      let vertices = after.array.coordinates(ofRow: after.index)
      work += segments.count * vertices.count
      if vertices.contains(where: { isOffGrid(after.array.place($0)) }) { offGrid += 1 }
      let farthest = vertices.reduce(0) { farthest, vertex in
        let place = after.array.place(vertex)
        return max(farthest, segments.reduce(.infinity) { min($0, $1.distance(to: place)) })
      }
      comparisons.append(
        Accuracy.Comparison(row: row, error: farthest, exact: largest, vertices: segments.count))
    }
    var accuracy = Accuracy(unit: "coord", comparisons, wrong: gone)
    accuracy.wrong = gone + offGrid
    accuracy.violations = comparisons.count { !($0.error <= largest * (1 + 1e-9)) }
    accuracy.bound = "moved at most \(largest)"
    return accuracy
  }

  private func isOffGrid(_ place: Place) -> Bool {
    guard let gridScale else { return false }
    return [place.x, place.y].contains { ($0 * gridScale).rounded() / gridScale != $0 }
  }
}
