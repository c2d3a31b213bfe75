// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

extension PolygonCheck {
  /// Judges a row of points or lines: finite coordinates, lines of two vertices at least. An empty line is valid. nil = no
  /// memory, or cancelled.
  mutating func checkPaths(_ row: Int) -> EdgeSet? {
    begin()
    let span = geoms.span(row)
    switch geoms.type {
    case MRD_POINT, MRD_MULTIPOINT:
      for (part, coordinate) in span.enumerated() where !geoms.isEmptyPoint(coordinate) {
        checkFinite(coordinate, part, 0)
        if isSpherical { _ = isOnSphere(coordinate..<(coordinate &+ 1), part, -1) }
      }
    case MRD_LINESTRING: checkLine(span, 0)
    default: for (part, line) in span.enumerated() { checkLine(geoms.span(level: 1, line), part) }
    }
    guard !poll.tick(geoms.coordinates(row).count), let edges = loadNothing() else { return nil }
    if hasExtras && !hasEnough { addExtras(row, edges) }
    return hasFailed ? nil : edges
  }

  private mutating func checkLine(_ span: Range<Int>, _ part: Int) {
    guard !span.isEmpty else { return }
    let before = findings.count
    for index in span { checkFinite(index, part, index &- span.lowerBound) }
    guard findings.count == before else { return }
    if isSpherical && !isOnSphere(span, part, -1) { return }
    let first = geoms.place(span.lowerBound)
    if span.allSatisfy({ geoms.place($0) == first }) {
      report(MRD_PROBLEM_TOO_FEW_POINTS, MRD_JTS_TOO_FEW_POINTS, part, -1, 0, first)
    }
  }

  private mutating func checkFinite(_ coordinate: Int, _ part: Int, _ vertex: Int) {
    let place = geoms.place(coordinate)
    if place.x.isFinite && place.y.isFinite { return }
    report(MRD_PROBLEM_NONFINITE, MRD_JTS_INVALID_COORDINATE, part, -1, vertex, place)
  }
}
