// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
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
}

extension Candidate {
  /// A polygon that holds the query point.
  init(_ item: AreaItem, at point: Place, _ rank: Int32) {
    self.init(
      place: point, distance: 0, area: item.area, rank: rank, kind: MRD_SNAP_AREA, layer: item.layer, row: item.row,
      coordinate: item.part)
  }
}

/// What is kept of a candidate until the records are written: a line of the cache.
struct FoundHit: BitwiseCopyable {
  private let place: Place
  private let distance: Double
  private let z: Double
  private let row: UInt32
  private let coordinate: UInt32
  private let otherRow: UInt32
  private let otherCoordinate: UInt32
  private let layer: Int32
  private let otherLayer: Int32
  private let kind: Int32
  private let group: UInt32

  @inline(__always)
  init(_ candidate: UnsafePointer<Candidate>, group: Int) {
    place = candidate.pointee.place
    distance = candidate.pointee.distance
    z = candidate.pointee.z
    row = UInt32(truncatingIfNeeded: candidate.pointee.row)
    coordinate = UInt32(truncatingIfNeeded: candidate.pointee.coordinate)
    otherRow = UInt32(truncatingIfNeeded: candidate.pointee.otherRow)
    otherCoordinate = UInt32(truncatingIfNeeded: candidate.pointee.otherCoordinate)
    layer = candidate.pointee.layer
    otherLayer = candidate.pointee.otherLayer
    kind = candidate.pointee.kind
    self.group = UInt32(truncatingIfNeeded: group)
  }

  /// Asks for the memory that says where the row begins.
  @inline(__always)
  func prefetch(_ layers: UnsafeBufferPointer<TargetLayer>) {
    let raw = layers[Int(layer)].geoms.raw
    guard let base = raw.offsets.0, raw.type != MRD_POINT else { return }
    mrdk_prefetch(base + (Int(row) &+ Int(raw.first)) &* (raw.offset_bits == 64 ? 8 : 4))
  }

  @inline(__always)
  func write(_ layers: UnsafeBufferPointer<TargetLayer>, to hit: UnsafeMutablePointer<mrd_snap_hit>) {
    var position = Position(part: -1, ring: -1, vertex: -1)
    if kind == MRD_SNAP_AREA {
      position.part = Int64(coordinate)
    } else if kind != MRD_SNAP_CENTROID {
      position = layers[Int(layer)].geoms.position(Int(row), Int(coordinate))
    }
    var other = Position(part: -1, ring: -1, vertex: -1)
    if otherLayer >= 0 { other = layers[Int(otherLayer)].geoms.position(Int(otherRow), Int(otherCoordinate)) }
    hit.pointee = mrd_snap_hit(
      kind: kind, group: group, layer: Int64(layer), feature: Int64(row), part: position.part, ring: position.ring,
      vertex: position.vertex, other_feature: otherLayer >= 0 ? Int64(otherRow) : -1, other_vertex: other.vertex,
      x: place.x, y: place.y, z: z, distance: distance, other_layer: Int64(otherLayer), other_part: other.part,
      other_ring: other.ring)
  }
}
