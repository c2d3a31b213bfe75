// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A problem of one row before it becomes a record.
struct Finding: BitwiseCopyable {
  var code: Int32
  var severity = MRD_SEVERITY_ERROR
  var jtsCode = MRD_JTS_NONE
  var part: Int
  var ring: Int
  /// The vertex, or the start of the edge, in the ring as it was given.
  var vertex: Int
  /// The same edge in the row's `EdgeSet`, and the other one; -1 where there is none.
  var edge = -1
  var otherEdge = -1
  var otherPart = -1
  var otherRing = -1
  var otherVertex = -1
  var place: Place
  var value = Double.nan
  var threshold = Double.nan

  func record(row: Int) -> mrd_problem {
    mrd_problem(
      code: code, severity: severity, row: Int64(row), part: Int64(part), ring: Int64(ring), vertex: Int64(vertex),
      other_row: -1, other_part: Int64(otherPart), other_ring: Int64(otherRing), other_vertex: Int64(otherVertex),
      x: place.x, y: place.y, value: value, threshold: threshold, jts_code: jtsCode, text_length: 0, text_offset: 0)
  }

  /// The phase that finds it: 0 a ring alone, 1 contacts, 2 nesting, 3 connectedness, 4 no error at all.
  var phase: Int {
    if severity != MRD_SEVERITY_ERROR { return 4 }
    switch code {
    case MRD_PROBLEM_NONFINITE, MRD_PROBLEM_RING_NOT_CLOSED, MRD_PROBLEM_TOO_FEW_POINTS, MRD_PROBLEM_LONGITUDE_RANGE,
      MRD_PROBLEM_LATITUDE_RANGE, MRD_PROBLEM_ANTIPODAL_EDGE:
      return 0
    case MRD_PROBLEM_HOLE_OUTSIDE_SHELL, MRD_PROBLEM_NESTED_HOLES, MRD_PROBLEM_NESTED_SHELLS: return 2
    case MRD_PROBLEM_DISCONNECTED_INTERIOR: return 3
    default: return 1
    }
  }
}

extension EdgeSet {
  /// The canonical order: part, ring, edge, position on the edge, code, other edge.
  func isBefore(_ a: Finding, _ b: Finding) -> Bool { isBefore(a, b, positionOrder) }

  /// - Parameter positionOrder: the order of two findings on one edge.
  func isBefore(_ a: Finding, _ b: Finding, _ positionOrder: (Finding, Finding) -> Int) -> Bool {
    if a.part != b.part { return a.part < b.part }
    if a.ring != b.ring { return a.ring < b.ring }
    if a.vertex != b.vertex { return a.vertex < b.vertex }
    if a.edge >= 0 && a.edge == b.edge {
      let order = positionOrder(a, b)
      if order != 0 { return order < 0 }
    }
    if a.code != b.code { return a.code < b.code }
    if a.otherPart != b.otherPart { return a.otherPart < b.otherPart }
    if a.otherRing != b.otherRing { return a.otherRing < b.otherRing }
    if a.otherVertex != b.otherVertex { return a.otherVertex < b.otherVertex }
    return a.place < b.place
  }

  /// Which of two places on one edge comes first: -1, 0, 1. Rounded places that differ are in the order of the exact ones.
  private func positionOrder(_ a: Finding, _ b: Finding) -> Int {
    let (start, end) = (place(a.edge), place(a.edge &+ 1))
    let order = orderAlong(start, end, a.place, b.place)
    if order != 0 { return order }
    let (first, second) = (isInside(a), isInside(b))
    if first != second { return first ? 1 : -1 }
    guard first else { return 0 }
    return compareCrossings(
      along: start, end, place(a.otherEdge), place(a.otherEdge &+ 1), place(b.otherEdge), place(b.otherEdge &+ 1))
  }

  /// True for a crossing inside two edges.
  private func isInside(_ finding: Finding) -> Bool {
    guard finding.code == MRD_PROBLEM_CROSSING, finding.otherEdge >= 0 else { return false }
    return EdgeContact(
      place(finding.edge), place(finding.edge &+ 1), place(finding.otherEdge), place(finding.otherEdge &+ 1)
    ).isCrossing
  }
}

extension EdgeContact {
  var isCrossing: Bool { if case .crossing = self { true } else { false } }
}
