// SPDX-License-Identifier: Apache-2.0
import Meridian

/// The nearest place on any target segment, for a sample of the points: distances of the best candidates.
///
/// For queries whose kinds rank by distance alone.
struct SnapQueryOracle: Oracle {
  let source = "brute force"
  let targets: Lazily<GeometrySet>
  let points: Lazily<GeometrySet>
  /// In coordinate units, closed.
  let tolerance: Double
  /// Distances of a point from a segment that may be computed.
  private static let limit = 50_000_000

  func judge(_ outcome: Outcome, bound: DeclaredBound?) -> Accuracy {
    guard let targets = try? targets.value(), let points = try? points.value(), let snaps = outcome.snaps else {
      return Accuracy(unit: "coord", [], wrong: 1)
    }
    let segments = targets.segments
    var comparisons: [Accuracy.Comparison] = []
    var wrong = 0
    for row in RowSample.spread(points.count, limit: max(8, min(1000, Self.limit / max(1, segments.count)))) {
      guard let (array, index) = points.location(ofRow: row) else { continue }
      let point = array.place(array.coordinates(ofRow: index).lowerBound)
      let nearest = segments.lazy.map { $0.distance(to: point) }.min() ?? .infinity
      let found = row + 1 < snaps.offsets.count ? snaps.hits(ofPoint: row).first : nil
      // Points as far as the tolerance, but for rounding, may go either way.
      if abs(nearest - tolerance) <= 1e-12 * tolerance { continue }
      if let found, nearest < tolerance {
        comparisons.append(
          Accuracy.Comparison(row: row, error: error(of: found, from: point, nearest), exact: nearest, vertices: 0))
      } else if (found == nil) != (nearest > tolerance) {
        wrong += 1
      }
    }
    return Accuracy(unit: "coord", comparisons, wrong: wrong)
  }

  /// The distance that is told, and that of the place that is told.
  private func error(of hit: SnapHit, from point: Place, _ nearest: Double) -> Double {
    let (dx, dy) = (hit.x - point.x, hit.y - point.y)
    return max(abs(hit.distance - nearest), abs((dx * dx + dy * dy).squareRoot() - nearest))
  }
}

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

  func judge(_ outcome: Outcome, bound: DeclaredBound?) -> Accuracy {
    guard let input = try? input.value(), let output = outcome.set else {
      return Accuracy(unit: "coord", [], wrong: outcome.statuses.count)
    }
    var comparisons: [Accuracy.Comparison] = []
    var wrong = 0
    var work = 0
    for row in RowSample.spread(input.count, limit: 2000) where work < Self.limit {
      guard let before = input.location(ofRow: row) else { continue }
      guard row < output.count, let after = output.location(ofRow: row) else {
        wrong += 1
        continue
      }
      let segments = before.array.segments(ofRow: before.index)
      let vertices = after.array.coordinates(ofRow: after.index)
      work += segments.count * vertices.count
      if vertices.contains(where: { isOffGrid(after.array.place($0)) }) { wrong += 1 }
      let farthest = vertices.reduce(0) { farthest, vertex in
        let place = after.array.place(vertex)
        return max(farthest, segments.reduce(.infinity) { min($0, $1.distance(to: place)) })
      }
      comparisons.append(
        Accuracy.Comparison(row: row, error: farthest, exact: largest, vertices: segments.count))
    }
    var accuracy = Accuracy(unit: "coord", comparisons)
    accuracy.wrong = wrong
    accuracy.violations = comparisons.count { !($0.error <= largest * (1 + 1e-9)) }
    accuracy.bound = "moved at most \(largest)"
    return accuracy
  }

  private func isOffGrid(_ place: Place) -> Bool {
    guard let gridScale else { return false }
    return [place.x, place.y].contains { ($0 * gridScale).rounded() / gridScale != $0 }
  }
}

extension GeometrySet {
  /// All edges of all rows; a point is an edge without length.
  var segments: [Segment] {
    arrays.flatMap { array in (0..<array.count).flatMap { array.segments(ofRow: $0) } }
  }
}

extension GeometryArray {
  func segments(ofRow row: Int) -> [Segment] {
    rings(ofRow: row).flatMap { ring in
      type.single == .point || ring.count == 1
        ? ring.map { Segment(place($0), place($0)) } : ring.dropLast().map { Segment(place($0), place($0 + 1)) }
    }
  }
}
