// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Operations of `Host.validate`.
public enum ValidateOperation: UInt32, CaseIterable, Sendable {
  /// Each row by the dialect's rules.
  case valid = 1
  /// Does a row pass through itself? Lines and multipoints too.
  case simple
  /// Rows against each other: overlaps, gaps, dangles, duplicates. Single and multi types of one dimension (polygons,
  /// lines, points) are judged together; different ones, and rows with and without Z or M, apart.
  case layer

  public var name: String { operation.name }
  package var operation: Operation { Operation.numbered(.validate, rawValue) }
}

public enum Dialect: Int32, CaseIterable, Sendable {
  case ogc = 0, esri, rfc7946, spherical
}

/// Options of `Host.validate` and `Editor`. The defaults are OGC, all problems, errors only.
public struct ValidateOptions: Sendable {
  public enum Mode: Int32, Sendable { case all = 0, first, verdict }
  public var dialect = Dialect.ogc
  public var mode = Mode.all
  /// Report warnings as well as errors.
  public var warnings = false
  /// Problems a row; 0 = no limit. A row that was cut has the warning `truncated`.
  public var limit = 0
  /// Judge the coordinates as they will be written with this many decimals, 0 to 17.
  public var decimals: Int?
  /// Thresholds of warnings, in coordinate units, their squares, or degrees; 0 = off.
  public var nearRepeatedCoord = 0.0
  public var minAngleDegrees = 0.0
  public var minEdgeCoord = 0.0
  public var minAreaCoord = 0.0
  public var minSliverRatio = 0.0
  public var minClearanceCoord = 0.0
  /// Layer gaps: report those of at most this area, of at most this width; 0 = any.
  public var gapMaxAreaCoord = 0.0
  public var gapMaxWidthCoord = 0.0
  public init() {}

  var abi: mrd_validate_options {
    var options = mrd_validate_options()
    options.struct_size = UInt32(MemoryLayout<mrd_validate_options>.size)
    options.flags = (warnings ? MRD_VALIDATE_WARNINGS : 0) | (decimals != nil ? MRD_VALIDATE_AT_DECIMALS : 0)
    options.dialect = dialect.rawValue
    options.mode = mode.rawValue
    options.limit = Int64(limit)
    options.decimals = Int32(clamping: decimals ?? 0)
    options.near_repeated_coord = nearRepeatedCoord
    options.min_angle_deg = minAngleDegrees
    options.min_edge_coord = minEdgeCoord
    options.min_area_coord = minAreaCoord
    options.min_sliver_ratio = minSliverRatio
    options.min_clearance_coord = minClearanceCoord
    options.gap_max_area_coord = gapMaxAreaCoord
    options.gap_max_width_coord = gapMaxWidthCoord
    return options
  }
}

public enum Verdict: UInt8, Sendable, BitwiseCopyable {
  case invalid = 0
  case valid = 1
  /// A null row, or the row status says why.
  case unknown = 2
}

/// One problem of a row. Numbers count from 0 in storage order inside the row; nil = does not apply or is not known.
public struct Problem: Sendable, Equatable {
  public var code: ProblemCode
  public var severity: Severity
  /// Row of the set.
  public var row: Int
  /// The polygon or line; of a collection, the member.
  public var part: Int?
  public var ring: Int?
  /// The vertex, or the start of the edge that has the problem.
  public var vertex: Int?
  /// The second party.
  public var otherRow: Int?
  public var otherPart: Int?
  public var otherRing: Int?
  public var otherVertex: Int?
  /// The place; nil when there is none. They may be NaN or infinite for `NONFINITE`.
  public var x: Double
  public var y: Double
  /// The number that broke the rule, and what it was held against; NaN when there is none.
  public var value: Double
  public var threshold: Double
  /// What JTS and GEOS would say, `MRD_JTS_*`; a hint, -1 = nothing.
  public var jtsCode: Int32
  /// The kernel's words, or the standard sentence of the code.
  public var message: String

  package init(
    code: ProblemCode, severity: Severity, row: Int, part: Int?, ring: Int?, vertex: Int?, otherRow: Int?,
    otherPart: Int?, otherRing: Int?, otherVertex: Int?, x: Double, y: Double, value: Double, threshold: Double,
    jtsCode: Int32, message: String
  ) {
    (self.code, self.severity, self.message, self.jtsCode) = (code, severity, message, jtsCode)
    (self.row, self.part, self.ring, self.vertex) = (row, part, ring, vertex)
    (self.otherRow, self.otherPart, self.otherRing, self.otherVertex) = (otherRow, otherPart, otherRing, otherVertex)
    (self.x, self.y, self.value, self.threshold) = (x, y, value, threshold)
  }
}

/// What `Host.validate` found.
public struct Validation: Sendable {
  /// One a row.
  public let verdicts: [Verdict]
  /// In order of rows, and in the canonical order inside each.
  public let problems: [Problem]
  public let statuses: [RowStatus]
  public let answers: Answers

  package init(verdicts: [Verdict], problems: [Problem], statuses: [RowStatus], answers: Answers) {
    (self.verdicts, self.problems, self.statuses, self.answers) = (verdicts, problems, statuses, answers)
  }

  /// Rows whose verdict is `invalid`.
  public var invalidCount: Int { verdicts.reduce(0) { $0 + ($1 == .invalid ? 1 : 0) } }
}

/// Rules of repair.
public enum RepairRule: Int32, CaseIterable, Sendable {
  case structure = 0, linework, evenOdd, nonzero
}

public struct RepairOptions: Sendable {
  public var rule = RepairRule.structure
  public var dialect = Dialect.ogc
  public init() {}

  var abi: mrd_repair_options {
    mrd_repair_options(
      struct_size: UInt32(MemoryLayout<mrd_repair_options>.size), flags: 0, rule: rule.rawValue,
      dialect: dialect.rawValue)
  }
}

/// What repair did to one row; of a collection, the sums over its members.
public struct RepairReport: Sendable, Equatable {
  public enum Outcome: Int32, Sendable { case unchanged = 0, repaired, collapsed, withheld }
  public var outcome: Outcome
  /// nil when a kernel names one that is not known here.
  public var rule: RepairRule?
  /// |signed area|, planar, in square coordinate units.
  public var areaBefore: Double
  public var areaAfter: Double
  public var verticesAdded: Int
  public var verticesDropped: Int
  public var partsBefore: Int
  public var partsAfter: Int
  /// Pieces of lower dimension that were dropped.
  public var collapsed: Int

  package init(
    outcome: Outcome, rule: RepairRule? = nil, areaBefore: Double = 0, areaAfter: Double = 0, verticesAdded: Int = 0,
    verticesDropped: Int = 0, partsBefore: Int = 0, partsAfter: Int = 0, collapsed: Int = 0
  ) {
    (self.outcome, self.rule, self.collapsed) = (outcome, rule, collapsed)
    (self.areaBefore, self.areaAfter) = (areaBefore, areaAfter)
    (self.verticesAdded, self.verticesDropped) = (verticesAdded, verticesDropped)
    (self.partsBefore, self.partsAfter) = (partsBefore, partsAfter)
  }
}

public struct Repaired: Sendable {
  /// Row i is what became of row i. Single types stay single where at most one part is left.
  public let set: GeometrySet
  public let reports: [RepairReport]
  public let statuses: [RowStatus]
  public let answers: Answers

  package init(set: GeometrySet, reports: [RepairReport], statuses: [RowStatus], answers: Answers) {
    (self.set, self.reports, self.statuses, self.answers) = (set, reports, statuses, answers)
  }
}
