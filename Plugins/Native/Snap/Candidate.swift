// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A place that a point may snap to, and why.
struct Candidate: BitwiseCopyable {
  var place: Place
  var distance: Double
  /// Of the polygon, kind AREA; else 0.
  var area = 0.0
  var rank: Int32
  var kind: Int32
  var layer: Int32
  /// The layer of the second edge, kind INTERSECTION.
  var otherLayer: Int32 = -1
  var row: Int
  /// The vertex, or the start of the edge; -1 for a centroid, the number of the polygon for an area.
  var coordinate: Int
  var otherRow = -1
  var otherCoordinate = -1
  var z = Double.nan

  /// The order of the candidates of a point: rank, distance, smallest area, then as they are stored.
  static func comesBefore(_ a: Candidate, _ b: Candidate) -> Bool {
    if a.rank != b.rank { return a.rank < b.rank }
    if a.distance != b.distance { return a.distance < b.distance }
    if a.area != b.area { return a.area < b.area }
    if a.layer != b.layer { return a.layer < b.layer }
    if a.row != b.row { return a.row < b.row }
    if a.coordinate != b.coordinate { return a.coordinate < b.coordinate }
    if a.kind != b.kind { return a.kind < b.kind }
    if a.otherLayer != b.otherLayer { return a.otherLayer < b.otherLayer }
    if a.otherRow != b.otherRow { return a.otherRow < b.otherRow }
    return a.otherCoordinate < b.otherCoordinate
  }

  /// By place, and by rank in one place.
  static func byPlace(_ a: Candidate, _ b: Candidate) -> Bool {
    if a.place.x != b.place.x { return a.place.x < b.place.x }
    if a.place.y != b.place.y { return a.place.y < b.place.y }
    return comesBefore(a, b)
  }

  func hit(_ layers: UnsafeBufferPointer<TargetLayer>, group: Int) -> mrd_snap_hit {
    var hit = mrd_snap_hit()
    hit.kind = kind
    hit.group = UInt32(truncatingIfNeeded: group)
    hit.layer = Int64(layer)
    hit.feature = Int64(row)
    (hit.part, hit.ring, hit.vertex) = (-1, -1, -1)
    (hit.other_layer, hit.other_feature, hit.other_part) = (Int64(otherLayer), Int64(otherRow), -1)
    (hit.other_ring, hit.other_vertex) = (-1, -1)
    (hit.x, hit.y, hit.z, hit.distance) = (place.x, place.y, z, distance)
    if kind == MRD_SNAP_AREA {
      hit.part = Int64(coordinate)
    } else if kind != MRD_SNAP_CENTROID {
      let position = layers[Int(layer)].geoms.position(row, coordinate)
      (hit.part, hit.ring, hit.vertex) = (position.part, position.ring, position.vertex)
    }
    if otherRow >= 0 {
      let position = layers[Int(otherLayer)].geoms.position(otherRow, otherCoordinate)
      (hit.other_part, hit.other_ring, hit.other_vertex) = (position.part, position.ring, position.vertex)
    }
    return hit
  }
}
