// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Operations of `Host.snap`.
public enum SnapOperation: UInt32, CaseIterable, Sendable {
  /// Row i to row i of the targets.
  case pair = 16
  /// Every row to all targets. Targets of one dimension keep it; lines and polygons together count as lines, so the
  /// rings of polygons are targets, their areas are not. Points cannot be mixed with others.
  case layer
  /// The set to itself; single and multi types of one dimension together, different ones apart.
  case ownLayer
  /// Coordinates to k / scale.
  case grid

  /// "self" for `ownLayer`.
  public var name: String { operation.name }
  package var operation: Operation { Operation.numbered(.snap, rawValue) }
}

public struct SnapOptions: Sendable {
  /// `pair`, `layer`, `ownLayer`: exactly one of the two is > 0.
  public var toleranceCoord = 0.0
  public var toleranceMetres = 0.0
  /// `grid`: 1e7 = seven decimals.
  public var gridScale = 0.0
  public var verticesOnly = false
  public var endPointsOnly = false
  public var insertVertices = false
  public var keepCollapsed = false
  public init() {}

  var abi: mrd_snap_options {
    var flags: UInt32 = 0
    if verticesOnly { flags |= MRD_SNAP_VERTICES_ONLY }
    if endPointsOnly { flags |= MRD_SNAP_END_POINTS_ONLY }
    if insertVertices { flags |= MRD_SNAP_INSERT_VERTICES }
    if keepCollapsed { flags |= MRD_SNAP_KEEP_COLLAPSED }
    return mrd_snap_options(
      struct_size: UInt32(MemoryLayout<mrd_snap_options>.size), flags: flags, tolerance_coord: toleranceCoord,
      tolerance_m: toleranceMetres, grid_scale: gridScale)
  }
}

/// What snapping did to one row; of a collection the common one of its members, `partly` when some were held back, or
/// `moved`.
public enum SnapOutcome: Int32, Sendable, BitwiseCopyable {
  case unchanged = 0, moved, partly, withheld, collapsed
}

public struct Snapped: Sendable {
  public let set: GeometrySet
  public let outcomes: [SnapOutcome]
  public let statuses: [RowStatus]
  public let answers: Answers

  package init(set: GeometrySet, outcomes: [SnapOutcome], statuses: [RowStatus], answers: Answers) {
    (self.set, self.outcomes, self.statuses, self.answers) = (set, outcomes, statuses, answers)
  }
}

/// What kind of place a candidate is. They rank in this order when priorities are equal.
public enum SnapKind: Int32, CaseIterable, Sendable {
  case endPoint = 0, vertex, intersection, midpoint, perpendicular, edge, centroid, area
}

/// One layer of targets.
public struct TargetLayer: Sendable {
  public var set: GeometrySet
  /// Empty = end points, vertices and edges.
  public var kinds: [SnapKind]
  /// Smaller ranks first.
  public var priority: Int
  public init(_ set: GeometrySet, kinds: [SnapKind] = [], priority: Int = 0) {
    self.set = set
    self.kinds = kinds
    self.priority = priority
  }
}

/// A feature or vertex that is being moved and must not attract itself.
public struct SnapExclusion: Sendable {
  public var layer: Int
  /// Row of the layer's set.
  public var feature: Int
  /// nil = the whole feature. In a collection, the member.
  public var part: Int?
  public var ring: Int
  public var vertex: Int
  public init(layer: Int, feature: Int, part: Int? = nil, ring: Int = 0, vertex: Int = 0) {
    self.layer = layer
    self.feature = feature
    self.part = part
    self.ring = ring
    self.vertex = vertex
  }
}

public struct SnapQueryOptions: Sendable {
  /// Exactly one of the two is > 0.
  public var toleranceCoord = 0.0
  public var toleranceMetres = 0.0
  /// Places a point, each with all its targets; 0 = 1.
  public var maxCandidates = 0
  /// One a kind in the order of `SnapKind`, each in [0, 1]: the kind's share of the tolerance; nil = all 1.
  public var kindFactors: [Double]?
  /// One a kind, smaller ranks first; nil = the order of the kinds.
  public var kindPriorities: [Int32]?
  /// 2 x 2, row by row, from coordinate differences to screen points; `toleranceCoord` is then in screen points.
  public var screenMetric: [Double]?
  public var exclusions: [SnapExclusion] = []
  /// Of each row of the points the x and y of the vertex before the pointer, two numbers a row, NaN = none: what
  /// perpendiculars start from. nil = no row has one.
  public var previous: [Double]?
  public init() {}
}

/// One candidate of a query point. nil = does not apply.
public struct SnapHit: Sendable, Equatable {
  public var kind: Int32
  /// Hits of one point with one group are the same place; they stand together.
  public var group: UInt32
  public var layer: Int
  /// Row of the layer's set.
  public var feature: Int
  /// In a collection, the member.
  public var part: Int?
  public var ring: Int?
  public var vertex: Int?
  /// Of an intersection the second edge.
  public var otherLayer: Int?
  public var otherFeature: Int?
  public var otherPart: Int?
  public var otherRing: Int?
  public var otherVertex: Int?
  public var x: Double
  public var y: Double
  /// NaN without.
  public var z: Double
  /// In the unit of the tolerance.
  public var distance: Double

  public var snapKind: SnapKind? { SnapKind(rawValue: kind) }
}

public struct SnapHits: Sendable {
  /// Point r has `hits[offsets[r]..<offsets[r + 1]]`, best first.
  public let offsets: [Int]
  public let hits: [SnapHit]
  public let statuses: [RowStatus]
  public let answers: Answers

  public func hits(ofPoint row: Int) -> ArraySlice<SnapHit> { hits[offsets[row]..<offsets[row + 1]] }
}
