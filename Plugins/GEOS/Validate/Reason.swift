// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A kind of problem as GEOS words it, with our code. One phrase of GEOS covers several of ours ("Self-intersection" is
/// a crossing, an overlap or a spike): the most usual one is given.
struct Reason {
  let phrase: StaticString
  let jtsCode: Int32
  let code: Int32
}

private let reasons: [Reason] = [
  Reason(phrase: "Hole lies outside shell", jtsCode: MRD_JTS_HOLE_OUTSIDE_SHELL, code: MRD_PROBLEM_HOLE_OUTSIDE_SHELL),
  Reason(phrase: "Holes are nested", jtsCode: MRD_JTS_NESTED_HOLES, code: MRD_PROBLEM_NESTED_HOLES),
  Reason(
    phrase: "Interior is disconnected", jtsCode: MRD_JTS_DISCONNECTED_INTERIOR,
    code: MRD_PROBLEM_DISCONNECTED_INTERIOR),
  Reason(phrase: "Self-intersection", jtsCode: MRD_JTS_SELF_INTERSECTION, code: MRD_PROBLEM_CROSSING),
  Reason(phrase: "Ring Self-intersection", jtsCode: MRD_JTS_RING_SELF_INTERSECTION, code: MRD_PROBLEM_RING_SELF_TOUCH),
  Reason(phrase: "Nested shells", jtsCode: MRD_JTS_NESTED_SHELLS, code: MRD_PROBLEM_NESTED_SHELLS),
  Reason(phrase: "Duplicate Rings", jtsCode: MRD_JTS_DUPLICATE_RINGS, code: MRD_PROBLEM_DUPLICATE_RING),
  Reason(phrase: "Duplicated Rings", jtsCode: MRD_JTS_DUPLICATE_RINGS, code: MRD_PROBLEM_DUPLICATE_RING),
  Reason(
    phrase: "Too few points in geometry component", jtsCode: MRD_JTS_TOO_FEW_POINTS, code: MRD_PROBLEM_TOO_FEW_POINTS),
  Reason(phrase: "Invalid Coordinate", jtsCode: MRD_JTS_INVALID_COORDINATE, code: MRD_PROBLEM_NONFINITE),
  Reason(phrase: "Ring is not closed", jtsCode: MRD_JTS_RING_NOT_CLOSED, code: MRD_PROBLEM_RING_NOT_CLOSED),
]

private let unknownReason = Reason(
  phrase: "Topology Validation Error", jtsCode: MRD_JTS_NONE, code: MRD_PROBLEM_INVALID_OTHER)

extension Reason {
  /// The kind that GEOS's words name; INVALID_OTHER for words that a newer GEOS may bring.
  static func read(_ words: UnsafePointer<CChar>) -> Reason {
    for reason in reasons where isSame(words, reason.phrase) { return reason }
    return unknownReason
  }

  /// The kind of a problem that was found before GEOS saw the row.
  static func of(_ fault: Fault) -> Reason {
    for reason in reasons where reason.code == fault.code { return reason }
    return unknownReason
  }
}
