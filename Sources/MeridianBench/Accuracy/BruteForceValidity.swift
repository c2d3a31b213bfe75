// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Verdicts by comparing all pairs of edges with exact predicates: slow, and nothing that could be wrong in the ways in
/// which fast code is.
enum BruteForceValidity {
  /// Vertices beyond which comparing all pairs takes too long.
  static let limit = 2000

  /// The verdict of OGC Simple Features for polygons of one ring, which are valid when that ring is simple; nil for
  /// everything else, and for what is too large.
  static func verdict(_ set: GeometrySet, row: Int) -> Bool? {
    guard let (array, index) = set.location(ofRow: row), array.type == .polygon else { return nil }
    let rings = array.rings(ofRow: index)
    guard rings.count == 1, rings[0].count <= limit else { return nil }
    return isSimple(rings[0].map { array.place($0) })
  }

  /// Closed, at least three corners, and no two edges meet but neighbours in the vertex that they share.
  static func isSimple(_ ring: [Place]) -> Bool {
    guard ring.allSatisfy({ $0.x.isFinite && $0.y.isFinite }), ring.first == ring.last else { return false }
    // Repeated vertices are one.
    var corners: [Place] = []
    for place in ring.dropLast() where corners.last != place { corners.append(place) }
    if corners.count > 1, corners.first == corners.last { corners.removeLast() }
    guard corners.count >= 3 else { return false }
    let edges = corners.indices.map { Segment(corners[$0], corners[($0 + 1) % corners.count]) }
    for (number, edge) in edges.enumerated() {
      for other in edges.indices where other > number {
        let areNeighbours = other == number + 1 || (number == 0 && other == edges.count - 1)
        if areNeighbours ? foldsBack(edge, edges[other]) : edge.meets(edges[other]) { return false }
      }
    }
    return true
  }

  /// Two edges with a common end that have more in common.
  private static func foldsBack(_ one: Segment, _ two: Segment) -> Bool {
    let (corner, far, other) = one.b == two.a ? (one.b, one.a, two.b) : (one.a, one.b, two.a)
    guard Place.side(corner, far, other) == 0 else { return false }
    return Segment(corner, far).boxHolds(other) || Segment(corner, other).boxHolds(far)
  }
}
