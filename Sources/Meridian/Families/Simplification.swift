// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Operations of `Host.simplify`.
public enum SimplifyOperation: UInt32, CaseIterable, Sendable {
  case douglasPeucker = 1
  case visvalingam
  case topologyPreserving
  /// Borders shared by rows are simplified once. Polygons and multipolygons are simplified together; rows with and
  /// without Z or M apart.
  case coverage

  /// "douglas_peucker".
  public var name: String { operation.name }
  package var operation: Operation { Operation.numbered(.simplify, rawValue) }
}

public struct SimplifyOptions: Sendable {
  public enum Unit: Int32, Sendable { case coord = 0, metres, pixels }
  public enum Measure: Int32, Sendable { case length = 0, area }
  public enum Collapse: Int32, Sendable { case keep = 0, point, drop }

  /// Ascending, each >= 0. Several make a pyramid: level l of row r is row `l * rows + r` of the result.
  public var tolerances: [Double]
  public var unit = Unit.coord
  public var measure = Measure.length
  /// What becomes of a ring or line that would vanish.
  public var collapse = Collapse.keep
  public var weighted = false
  public var noCrossing = false
  public var fixedBoundary = false
  /// Fill `Simplified.kept`. Needs a kernel with KEPT_VERTICES.
  public var wantKept = false
  /// Visvalingam by number instead of tolerance: vertices to keep a row, or the share (0, 1] of them; 0 = not used.
  public var targetCount = 0
  public var targetShare = 0.0
  /// `pixels`: zoom level, pixels a tile (0 = 512), factor on the pixels (0 = 1).
  public var zoom = 0.0
  public var tileSize = 0.0
  public var pixelFactor = 0.0
  /// `coverage`: a bound on the distance too, in `unit`; 0 = none.
  public var maxDistance = 0.0
  /// One bit a coordinate of the set's array, least significant first, 1 = never dropped. For sets of one array.
  public var protectedVertices: [UInt8]?

  public init(tolerances: [Double]) { self.tolerances = tolerances }
}

/// What simplification did to one row; of a collection the common one of its members, or `reduced`.
public enum SimplifyOutcome: Int32, Sendable, BitwiseCopyable {
  case unchanged = 0, reduced, leastForm, toPoint, dropped, withheld
}

public struct Simplified: Sendable {
  /// `levels * rows` rows, level by level.
  public let set: GeometrySet
  /// One a row of the result.
  public let outcomes: [SimplifyOutcome]
  /// For each row of the result, the numbers of the input vertices inside their row; nil when not asked for. Row r has
  /// `ids[offsets[r]..<offsets[r + 1]]`. A row that became a point has none.
  public let kept: (offsets: [Int64], ids: [Int64])?
  /// One a row of the input.
  public let statuses: [RowStatus]
  public let answers: Answers

  package init(
    set: GeometrySet, outcomes: [SimplifyOutcome], kept: (offsets: [Int64], ids: [Int64])?, statuses: [RowStatus],
    answers: Answers
  ) {
    (self.set, self.outcomes, self.kept) = (set, outcomes, kept)
    (self.statuses, self.answers) = (statuses, answers)
  }
}
