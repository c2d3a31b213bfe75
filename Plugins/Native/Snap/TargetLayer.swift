// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Kinds of candidates as a mask.
struct KindMask {
  let bits: UInt32

  static let standard = bit(MRD_SNAP_END_POINT) | bit(MRD_SNAP_VERTEX) | bit(MRD_SNAP_EDGE)
  /// Those that are found among shortest lines, among edges straight in longitude and latitude in metres, and in the plane.
  static let shortest = KindMask(bits: standard | bit(MRD_SNAP_MIDPOINT))
  static let straight = KindMask(bits: shortest.bits | bit(MRD_SNAP_INTERSECTION) | bit(MRD_SNAP_AREA))
  static let plane = KindMask(bits: straight.bits | bit(MRD_SNAP_CENTROID) | bit(MRD_SNAP_PERPENDICULAR))

  static func bit(_ kind: Int32) -> UInt32 { 1 << UInt32(kind) }
  func has(_ kind: Int32) -> Bool { bits & KindMask.bit(kind) != 0 }
}

/// One layer as it was opened: the array is the caller's until the handle is released.
struct TargetLayer {
  let geoms: Geoms
  let kinds: KindMask
  let priority: Int32
  private let limits: (x: Double, y: Double)

  /// nil, with the call's error filled, when the layer is damaged or asks for what this kernel does not serve.
  init?(_ pointer: UnsafePointer<mrd_snap_layer>?, _ call: UnsafeMutablePointer<mrd_call>) {
    guard let pointer, pointer.pointee.struct_size >= UInt32(MemoryLayout<mrd_snap_layer>.size) else {
      _ = fail(call, MRD_E_ABI, "a layer is missing or its struct_size is too small")
      return nil
    }
    guard let layer = readOptions(pointer, zero: mrd_snap_layer()) else {
      _ = fail(call, MRD_E_UNSUPPORTED, "a layer has members that this kernel does not know")
      return nil
    }
    guard let geoms = Geoms(layer.targets, call) else { return nil }
    guard let model = SnapModel(geoms.model) else {
      _ = fail(call, MRD_E_UNSUPPORTED, "native snapping has no such pair of edges and metric, or no such ellipsoid")
      return nil
    }
    guard layer.kinds & ~model.kinds.bits == 0 else {
      _ = fail(
        call, MRD_E_UNSUPPORTED,
        "a layer asks for a kind of candidates that the native kernel does not find with its edges and metric")
      return nil
    }
    // Rows and coordinates are noted in 32 bits.
    guard geoms.count <= TreeShape.mostItems, geoms.raw.coords.count <= Int64(TreeShape.mostItems) else {
      _ = fail(call, MRD_E_UNSUPPORTED, "native snapping takes layers of fewer than 2^32 rows and coordinates")
      return nil
    }
    self.geoms = geoms
    limits = model.limits
    kinds = KindMask(bits: layer.kinds == 0 ? KindMask.standard : layer.kinds)
    priority = layer.priority
  }

  /// Coordinates that can be targets: finite and not too large, on the globe with a latitude.
  @inline(__always)
  func isUsable(_ place: Place) -> Bool { place.x.magnitude <= limits.x && place.y.magnitude <= limits.y }
}

/// Where a coordinate stands in its row, as mrd_problem counts.
struct Position {
  var part: Int64
  var ring: Int64
  var vertex: Int64
}

extension Geoms {
  /// The position of a coordinate of a row.
  func position(_ row: Int, _ coordinate: Int) -> Position {
    let begin = span(row).lowerBound
    switch type {
    case MRD_POINT: return Position(part: 0, ring: -1, vertex: 0)
    case MRD_MULTIPOINT: return Position(part: Int64(coordinate - begin), ring: -1, vertex: 0)
    case MRD_LINESTRING: return Position(part: 0, ring: -1, vertex: Int64(coordinate - begin))
    case MRD_MULTILINESTRING:
      let line = holder(1, span(row), coordinate)
      return Position(part: Int64(line - begin), ring: -1, vertex: Int64(coordinate - offset(1, line)))
    case MRD_POLYGON:
      let ring = holder(1, span(row), coordinate)
      return Position(part: 0, ring: Int64(ring - begin), vertex: Int64(coordinate - offset(1, ring)))
    default:
      let ring = holder(2, rings(row), coordinate)
      let part = holder(1, span(row), ring)
      return Position(
        part: Int64(part - begin), ring: Int64(ring - offset(1, part)), vertex: Int64(coordinate - offset(2, ring)))
    }
  }

  /// The entry of `range` at a level whose span holds `inner`.
  private func holder(_ level: Int, _ range: Range<Int>, _ inner: Int) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if offset(level, middle) <= inner { low = middle } else { high = middle }
    }
    return low
  }

  /// The coordinates of the point, line or ring at a position, and which of them it names; nil when there is none. `ring`
  /// matters in polygons alone.
  func coordinate(_ row: Int, part: Int64, ring: Int64, vertex: Int64) -> (path: Range<Int>, coordinate: Int)? {
    func entry(_ range: Range<Int>, _ index: Int64) -> Int? {
      index >= 0 && index < Int64(range.count) ? range.lowerBound + Int(index) : nil
    }
    let path: Range<Int>
    switch type {
    case MRD_POINT, MRD_MULTIPOINT:
      guard vertex == 0, let coordinate = entry(span(row), part) else { return nil }
      return (coordinate..<(coordinate + 1), coordinate)
    case MRD_LINESTRING:
      guard part == 0 else { return nil }
      path = span(row)
    case MRD_MULTILINESTRING:
      guard let line = entry(span(row), part) else { return nil }
      path = span(level: 1, line)
    case MRD_POLYGON:
      guard part == 0, let entry = entry(span(row), ring) else { return nil }
      path = span(level: 1, entry)
    default:
      guard let polygon = entry(span(row), part), let entry = entry(span(level: 1, polygon), ring) else { return nil }
      path = span(level: 2, entry)
    }
    return entry(path, vertex).map { (path, $0) }
  }
}
