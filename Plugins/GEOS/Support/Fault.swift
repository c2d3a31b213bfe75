// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Why a row cannot become a geometry of GEOS: its constructors refuse what its validator would report. These problems
/// are found here, in the order of the phases of validation.
struct Fault {
  /// MRD_PROBLEM_*.
  let code: Int32
  /// The coordinate of the array that shows it.
  let coordinate: Int

  /// The row status for operations other than validation.
  var itemStatus: mrd_item_status { code == MRD_PROBLEM_NONFINITE ? MRD_ITEM_NONFINITE : MRD_ITEM_INVALID }
}

/// The first fault of a row that is not null, or nil when GEOS can take it.
func findFault(_ geoms: Geoms, _ row: Int) -> Fault? {
  if let coordinate = firstNonFinite(geoms, row) { return Fault(code: MRD_PROBLEM_NONFINITE, coordinate: coordinate) }
  switch geoms.type {
  case MRD_LINESTRING: return lineFault(geoms.span(row))
  case MRD_MULTILINESTRING:
    for line in geoms.span(row) {
      if let fault = lineFault(geoms.span(level: 1, line)) { return fault }
    }
    return nil
  case MRD_POLYGON: return polygonFault(geoms, rings: geoms.span(row), level: 1)
  case MRD_MULTIPOLYGON:
    for part in geoms.span(row) {
      if let fault = polygonFault(geoms, rings: geoms.span(level: 1, part), level: 2) { return fault }
    }
    return nil
  default: return nil
  }
}

private func firstNonFinite(_ geoms: Geoms, _ row: Int) -> Int? {
  guard geoms.raw.flags & MRD_IN_FINITE == 0 else { return nil }
  return geoms.coordinates(row).first { index in
    !(geoms.x(index).isFinite && geoms.y(index).isFinite) && !geoms.isEmptyPoint(index)
  }
}

private func lineFault(_ line: Range<Int>) -> Fault? {
  line.count == 1 ? Fault(code: MRD_PROBLEM_TOO_FEW_POINTS, coordinate: line.lowerBound) : nil
}

private func polygonFault(_ geoms: Geoms, rings: Range<Int>, level: Int) -> Fault? {
  for ring in rings {
    let span = geoms.span(level: level, ring)
    guard !span.isEmpty else { continue }
    let first = span.lowerBound
    let last = span.upperBound - 1
    if geoms.x(first) != geoms.x(last) || geoms.y(first) != geoms.y(last) {
      return Fault(code: MRD_PROBLEM_RING_NOT_CLOSED, coordinate: first)
    }
    // GEOS takes rings of three coordinates and reports them as too short.
    if span.count < 3 { return Fault(code: MRD_PROBLEM_TOO_FEW_POINTS, coordinate: first) }
  }
  return holeInEmptyShell(geoms, rings: rings, level: level)
}

private func holeInEmptyShell(_ geoms: Geoms, rings: Range<Int>, level: Int) -> Fault? {
  guard let shell = rings.first, geoms.span(level: level, shell).isEmpty else { return nil }
  for ring in rings where !geoms.span(level: level, ring).isEmpty {
    return Fault(code: MRD_PROBLEM_HOLE_OUTSIDE_SHELL, coordinate: geoms.span(level: level, ring).lowerBound)
  }
  return nil
}
