// SPDX-License-Identifier: Apache-2.0
import Meridian

/// What a point can snap to on single segments: the distance of the nearest candidate of each kind, by definition
/// (vertices, middles and edges) or by all pairs of the segments in reach (crossings).
struct SnapCandidates {
  private let point: Place
  private let inReach: [Segment]
  /// Of the nearest place of any segment.
  private let nearest: Double

  init(of point: Place, on segments: [Segment], within tolerance: Double) {
    self.point = point
    var nearest = Double.infinity
    inReach = segments.filter { segment in
      let distance = segment.distance(to: point)
      nearest = min(nearest, distance)
      // A margin for rounding: who is just out of reach only meets others out of reach.
      return distance <= 1.01 * tolerance
    }
    self.nearest = nearest
  }

  /// Infinite where there is no candidate, or none of this kind is looked for here: kinds that take more than segments.
  func distance(to kind: SnapKind) -> Double {
    switch kind {
    case .edge: nearest
    case .endPoint, .vertex: smallest(inReach.lazy.flatMap { [$0.a, $0.b] })
    case .midpoint: smallest(inReach.lazy.map { $0.place(at: 0.5) })
    case .intersection: smallest(crossings)
    case .perpendicular, .centroid, .area: .infinity
    }
  }

  private func smallest(_ places: some Sequence<Place>) -> Double {
    places.reduce(.infinity) { min($0, $1.distance(to: point)) }
  }

  /// Where segments cross inside both; where they touch there is a vertex.
  private var crossings: [Place] {
    var places: [Place] = []
    for (number, one) in inReach.enumerated() {
      for other in inReach[..<number] where one.crosses(other) { places.append(one.crossing(other)) }
    }
    return places
  }
}
