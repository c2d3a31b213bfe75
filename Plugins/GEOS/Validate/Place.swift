// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Where in a row a problem is; -1 = not known.
struct Indices {
  var part = -1
  var ring = -1
  var vertex = -1
}

/// The first vertex of the row, in storage order, for which `matches` holds. GEOS gives a place as coordinates only; a
/// crossing inside two edges is no vertex and stays without indices.
func findPlace(_ geoms: Geoms, _ row: Int, _ matches: (Int) -> Bool) -> Indices {
  func vertex(_ span: Range<Int>) -> Int? {
    span.first(where: matches).map { $0 - span.lowerBound }
  }
  let rows = geoms.span(row)
  switch geoms.type {
  case MRD_POINT, MRD_LINESTRING:
    return vertex(rows).map { Indices(part: 0, ring: -1, vertex: $0) } ?? Indices()
  case MRD_MULTIPOINT:
    return vertex(rows).map { Indices(part: $0, ring: -1, vertex: 0) } ?? Indices()
  case MRD_MULTILINESTRING:
    for (part, line) in rows.enumerated() {
      if let vertex = vertex(geoms.span(level: 1, line)) { return Indices(part: part, ring: -1, vertex: vertex) }
    }
    return Indices()
  case MRD_POLYGON:
    return findRing(geoms, rings: rows, level: 1, part: 0, vertex) ?? Indices()
  default:
    for (part, polygon) in rows.enumerated() {
      let rings = geoms.span(level: 1, polygon)
      if let place = findRing(geoms, rings: rings, level: 2, part: part, vertex) { return place }
    }
    return Indices()
  }
}

private func findRing(
  _ geoms: Geoms, rings: Range<Int>, level: Int, part: Int, _ vertex: (Range<Int>) -> Int?
) -> Indices? {
  for (number, ring) in rings.enumerated() {
    if let vertex = vertex(geoms.span(level: level, ring)) { return Indices(part: part, ring: number, vertex: vertex) }
  }
  return nil
}
