// SPDX-License-Identifier: Apache-2.0
import CGEOS
import KernelKit
import MeridianABI

/// What GEOS is given as Z.
enum ThirdOrdinate {
  case none
  /// The row's own Z, when it has one.
  case z
  /// The number of the coordinate, so that a vertex of the result tells which input vertex it is.
  case number
}

/// Makes geometries of GEOS from rows. The row must have no fault (`findFault`).
struct RowBuilder {
  let session: Session
  let geoms: Geoms
  let third: ThirdOrdinate
  /// Leaves empty members of multipoints out.
  let skipsEmptyPoints: Bool
  /// Gives rings of three coordinates their middle one twice, which changes no measure: GEOS asks rings for their
  /// direction, and refuses those of fewer than four. Only without a third ordinate.
  let padsShortRings: Bool

  init(
    _ session: Session, _ geoms: Geoms, third: ThirdOrdinate = .none, skipsEmptyPoints: Bool = false,
    padsShortRings: Bool = false
  ) {
    self.session = session
    self.geoms = geoms
    self.skipsEmptyPoints = skipsEmptyPoints
    self.padsShortRings = padsShortRings && third == .none
    self.third = third == .z && !geoms.hasZ ? .none : third
  }

  /// nil when GEOS refuses or has no memory.
  func geometry(_ row: Int) -> Geometry? {
    let span = geoms.span(row)
    switch geoms.type {
    case MRD_POINT: return point(span.lowerBound)
    case MRD_LINESTRING: return line(span)
    case MRD_POLYGON: return polygon(span, level: 1)
    case MRD_MULTIPOINT:
      guard skipsEmptyPoints else { return collection(GEOS_MULTIPOINT, span) { point($0) } }
      return collection(GEOS_MULTIPOINT, span.filter { !geoms.isEmptyPoint($0) }) { point($0) }
    case MRD_MULTILINESTRING: return collection(GEOS_MULTILINESTRING, span) { line(geoms.span(level: 1, $0)) }
    default: return collection(GEOS_MULTIPOLYGON, span) { polygon(geoms.span(level: 1, $0), level: 2) }
    }
  }

  private func point(_ coordinate: Int) -> Geometry? {
    if geoms.isEmptyPoint(coordinate) { return GEOSGeom_createEmptyPoint_r(session.context) }
    return sequence(coordinate..<(coordinate + 1)).flatMap { GEOSGeom_createPoint_r(session.context, $0) }
  }

  private func line(_ span: Range<Int>) -> Geometry? {
    sequence(span).flatMap { GEOSGeom_createLineString_r(session.context, $0) }
  }

  private func ring(_ span: Range<Int>) -> Geometry? {
    let coordinates = padsShortRings && span.count == 3 ? paddedSequence(span) : sequence(span)
    return coordinates.flatMap { GEOSGeom_createLinearRing_r(session.context, $0) }
  }

  private func paddedSequence(_ span: Range<Int>) -> OpaquePointer? {
    guard let staging = session.stage(4), let xs = staging.column(0), let ys = staging.column(1) else { return nil }
    let first = span.lowerBound
    for (slot, index) in [first, first + 1, first + 1, first + 2].enumerated() {
      xs[slot] = geoms.x(index)
      ys[slot] = geoms.y(index)
    }
    return GEOSCoordSeq_copyFromArrays_r(session.context, xs, ys, nil, nil, 4)
  }

  private func polygon(_ rings: Range<Int>, level: Int) -> Geometry? {
    guard !rings.isEmpty else { return GEOSGeom_createEmptyPolygon_r(session.context) }
    guard let parts = members(rings, { ring(geoms.span(level: level, $0)) }) else { return nil }
    var holes = parts
    let shell = holes.removeFirst()
    // GEOS owns shell and holes from here on, also when it answers NULL.
    return holes.withUnsafeMutableBufferPointer {
      GEOSGeom_createPolygon_r(session.context, shell, $0.baseAddress, UInt32($0.count))
    }
  }

  private func collection(
    _ type: GEOSGeomTypes, _ indices: some Collection<Int>, _ member: (Int) -> Geometry?
  ) -> Geometry? {
    guard var parts = members(indices, member) else { return nil }
    return parts.withUnsafeMutableBufferPointer {
      GEOSGeom_createCollection_r(session.context, Int32(type.rawValue), $0.baseAddress, UInt32($0.count))
    }
  }

  /// All members or none. GEOS counts in 32 bits.
  private func members(_ indices: some Collection<Int>, _ member: (Int) -> Geometry?) -> [Geometry?]? {
    guard indices.count <= Int(Int32.max) else { return nil }
    var parts: [Geometry?] = []
    parts.reserveCapacity(indices.count)
    for index in indices {
      guard let part = member(index) else {
        for made in parts { session.destroy(made) }
        return nil
      }
      parts.append(part)
    }
    return parts
  }

  /// The coordinates as GEOS keeps them; without a copy of ours where the layout is one that GEOS reads.
  private func sequence(_ span: Range<Int>) -> OpaquePointer? {
    guard span.count <= Int(Int32.max) else { return nil }
    let context = session.context
    let count = UInt32(span.count)
    let coords = geoms.raw.coords
    guard count > 0, let x = coords.v.0, let y = coords.v.1 else {
      return GEOSCoordSeq_create_r(context, 0, third == .none ? 2 : 3)
    }
    let first = span.lowerBound
    if third == .none, coords.stride.0 == 16, coords.stride.1 == 16, y == x + 1 {
      return GEOSCoordSeq_copyFromBuffer_r(context, x + 2 * first, count, 0, 0)
    }
    let separated = coords.stride.0 == 8 && coords.stride.1 == 8
    if third == .none, separated {
      return GEOSCoordSeq_copyFromArrays_r(context, x + first, y + first, nil, nil, count)
    }
    if third == .z, separated, coords.stride.2 == 8, let z = coords.v.2 {
      return GEOSCoordSeq_copyFromArrays_r(context, x + first, y + first, z + first, nil, count)
    }
    return stagedSequence(span)
  }

  private func stagedSequence(_ span: Range<Int>) -> OpaquePointer? {
    guard let staging = session.stage(span.count), let xs = staging.column(0), let ys = staging.column(1),
      let zs = staging.column(2)
    else { return nil }
    for (slot, index) in span.enumerated() {
      xs[slot] = geoms.x(index)
      ys[slot] = geoms.y(index)
      switch third {
      case .none: break
      case .z: zs[slot] = geoms.z(index)
      case .number: zs[slot] = Double(index)
      }
    }
    return GEOSCoordSeq_copyFromArrays_r(session.context, xs, ys, third == .none ? nil : zs, nil, UInt32(span.count))
  }
}
