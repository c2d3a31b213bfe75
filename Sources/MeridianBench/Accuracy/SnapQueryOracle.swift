// SPDX-License-Identifier: Apache-2.0
import Meridian

/// The best candidates on target segments, for a sample of the points, by looking at every segment.
///
/// Whether a hit is the best is decided by its rank and its distance: one of another rank is wrong, one that is farther
/// off than rounding explains is a violation.
struct SnapQueryOracle: Oracle {
  let source = "brute force"
  let targets: Lazily<GeometrySet>
  let points: Lazily<GeometrySet>
  /// In coordinate units, closed.
  let tolerance: Double
  /// Kinds by rank, the best first; those of one rank compete by distance.
  var ranks: [[SnapKind]] = [[.endPoint, .vertex, .edge]]
  /// Distances of a point from a segment that may be computed.
  private static let limit = 50_000_000

  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy {
    let (targets, points) = (try targets.value(), try points.value())
    let snaps = try outcome.required(outcome.snaps, "hits")
    let segments = targets.segments
    let allowed = allowed(segments)
    var comparisons: [Accuracy.Comparison] = []
    var wrong = 0
    for row in RowSample.spread(points.count, limit: max(8, min(1000, Self.limit / max(1, segments.count)))) {
      guard let (array, index) = points.location(ofRow: row) else { continue }
      let point = array.place(array.coordinates(ofRow: index).lowerBound)
      let candidates = SnapCandidates(of: point, on: segments, within: tolerance)
      let nearest = ranks.map { $0.reduce(.infinity) { min($0, candidates.distance(to: $1)) } }
      // Points as far as the tolerance, but for rounding, may go either way.
      if nearest.contains(where: { abs($0 - tolerance) <= 1e-12 * tolerance }) { continue }
      let best = nearest.firstIndex { $0 < tolerance }
      let found = row + 1 < snaps.offsets.count ? snaps.hits(ofPoint: row).first : nil
      switch (best, found) {
      case (let best?, let found?) where found.snapKind.map(ranks[best].contains) ?? false:
        comparisons.append(
          Accuracy.Comparison(
            row: row, error: error(of: found, from: point, nearest[best]), exact: nearest[best], vertices: 0))
      case (nil, nil):
        // Nothing is in reach and nothing was found: right, without an error.
        comparisons.append(Accuracy.Comparison(row: row, error: 0, exact: 0, vertices: 0))
      default: wrong += 1
      }
    }
    var accuracy = Accuracy(unit: "coord", comparisons, wrong: wrong)
    accuracy.violations = comparisons.count { !($0.error <= allowed) }
    accuracy.bound = "the nearest place, but for \(allowed)"
    return accuracy
  }

  /// Rounding of distances within the tolerance, and of places: 4 ulp of the largest coordinate.
  private func allowed(_ segments: [Segment]) -> Double {
    let largest = segments.reduce(0) { max($0, abs($1.a.x), abs($1.a.y), abs($1.b.x), abs($1.b.y)) }
    return 1e-12 * tolerance + 4 * largest.ulp
  }

  /// The distance that is told, and that of the place that is told.
  private func error(of hit: SnapHit, from point: Place, _ nearest: Double) -> Double {
    max(abs(hit.distance - nearest), abs(Place(hit.x, hit.y).distance(to: point) - nearest))
  }
}
