// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Boxes for an index or its queries, in four columns: closed; touching meets. NaN and inverted boxes are counted and
/// never hit.
public struct Boxes: Sendable {
  public var xmin: [Double] = []
  public var ymin: [Double] = []
  public var xmax: [Double] = []
  public var ymax: [Double] = []
  public init() {}

  public var count: Int { xmin.count }
  public mutating func append(_ xmin: Double, _ ymin: Double, _ xmax: Double, _ ymax: Double) {
    self.xmin.append(xmin)
    self.ymin.append(ymin)
    self.xmax.append(xmax)
    self.ymax.append(ymax)
  }
  /// A box without extent.
  public mutating func append(point x: Double, _ y: Double) { append(x, y, x, y) }
}

public struct IndexOptions: Sendable {
  /// The index lives in this file, which must not exist yet; nil = in memory. Needs a kernel with PERSISTS.
  public var path: String?
  /// For an index that is opened from a file: nothing will be inserted or removed.
  public var readOnly = false
  public init(path: String? = nil) { self.path = path }
}

public struct WindowOptions: Sendable {
  /// Ids ascend inside each window; else they come in the index's own fixed order.
  public var ascending = true
  /// Hits a window; 0 = no limit. A window that was cut has the warning `truncated`.
  public var limit = 0
  public init() {}
}

public struct NearestOptions: Sendable {
  public enum Ties: Int32, Sendable { case lowestID = 0, all }
  /// Neighbours a query; 0 = 1.
  public var count = 1
  public var ties = Ties.lowestID
  /// Closed bounds; 0 = none. The one that fits the index's metric is used.
  public var maxDistanceCoord = 0.0
  public var maxDistanceMetres = 0.0
  /// One id a query that is not reported, -1 = none; nil = none.
  public var exclude: [Int64]?
  public init(count: Int = 1) { self.count = count }
}

/// Ids that queries found: query q has `ids[offsets[q]..<offsets[q + 1]]`.
public struct IndexHits: Sendable {
  public let offsets: [Int]
  public let ids: [Int64]
  /// Beside the ids, for `nearest`; empty for windows. In coordinate units or metres, after the index's metric.
  public let distances: [Double]
  /// One a query.
  public let statuses: [RowStatus]
  public let answers: Answers

  public func ids(ofQuery query: Int) -> ArraySlice<Int64> { ids[offsets[query]..<offsets[query + 1]] }
}

/// Pairs that a join found, ascending.
public struct IndexPairs: Sendable {
  public let pairs: [(Int64, Int64)]
  public let answers: Answers
}

/// Facts of an index.
public struct IndexFacts: Sendable, Equatable {
  public var boxes: Int
  /// Null, empty, NaN and inverted ones among them.
  public var neverHit: Int
  /// Memory that it holds; nil = not known.
  public var bytes: Int?
  /// xmin, ymin, xmax, ymax of all boxes that can hit.
  public var bounds: [Double]
  public var canInsertAndRemove: Bool
  public var canSave: Bool
  public var livesInFile: Bool
}
