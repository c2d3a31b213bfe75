// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// What AREA, AREA_SIGNED and PERIMETER_AREA need beyond lengths.
public protocol AreaSurface: Surface {
  /// Area of one polygonal row: |shell| - sum |hole|, or the plain sum of signed ring areas. `side` is MRD_SIDE_*.
  func area(_ geoms: Geoms, _ row: Int, signed: Bool, side: Int32, _ poll: inout CancelPoll) -> Double
}

/// AREA, AREA_SIGNED; rows that are not polygonal measure 0.
public func measureAreas<S: AreaSurface>(
  _ surface: S, _ geoms: Geoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>, signed: Bool, side: Int32
) -> mrd_status {
  let loop = RowLoop(geoms, columns, call, domain: surface.domain, width: 1, emptyValue: 0)
  return loop.run { row, poll in
    guard geoms.isPolygonal else {
      columns.set(0, row, 0)
      return MRD_ITEM_OK
    }
    columns.set(0, row, surface.area(geoms, row, signed: signed, side: side, &poll))
    return surface.hasHalfTurn(geoms, row, &poll) ? MRD_ITEM_WARN_AMBIGUOUS_EDGE : MRD_ITEM_OK
  }
}

/// PERIMETER_AREA: perimeter and unsigned area.
public func measurePerimeterAreas<S: AreaSurface>(
  _ surface: S, _ geoms: Geoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>, side: Int32
) -> mrd_status {
  let loop = RowLoop(geoms, columns, call, domain: surface.domain, width: 2, emptyValue: 0)
  return loop.run { row, poll in
    guard geoms.isPolygonal else {
      columns.fill(row, columns: 2, 0)
      return MRD_ITEM_OK
    }
    var ambiguous = false
    columns.set(0, row, totalLength(surface, geoms, row, &ambiguous, &poll))
    columns.set(1, row, surface.area(geoms, row, signed: false, side: side, &poll))
    return ambiguous ? MRD_ITEM_WARN_AMBIGUOUS_EDGE : MRD_ITEM_OK
  }
}

extension Surface {
  /// True when some edge of a row spans exactly half a turn.
  func hasHalfTurn(_ geoms: Geoms, _ row: Int, _ poll: inout CancelPoll) -> Bool {
    guard isGlobe else { return false }
    for index in 0..<geoms.pathCount(row) {
      for coordinate in geoms.path(row, index).dropFirst() {
        if isHalfTurn(geoms.x(coordinate &- 1), geoms.x(coordinate)) { return true }
        if poll.tick() { return false }
      }
    }
    return false
  }
}
