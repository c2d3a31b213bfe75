// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Operations of `Host.measure`, one set in, columns of numbers out. Units: metres and square metres under a metric on
/// the sphere or ellipsoid, coordinate units and their squares under the coordinate metric.
public enum MeasureOperation: UInt32, CaseIterable, Sendable {
  case length = 1
  case perimeter, area, areaSigned, perimeterArea, bounds, centroid, counts, interpolate

  /// "area_signed": its name in rules and messages.
  public var name: String { operation.name }
  /// What the columns hold, in order.
  public var columns: [String] { MeasureColumns.names(rawValue) }
  package var operation: Operation { Operation.numbered(.measure, rawValue) }
}

/// Operations of `Host.measurePair`: row i of the first set with row i of the second.
public enum PairOperation: UInt32, CaseIterable, Sendable {
  /// Points: distance, azimuth at a, azimuth at b.
  case inverse = 16
  /// Any geometries: the smallest distance; a collection's is that of its closest member.
  case distance
  /// Point to geometry: distance, x, y, edge, distance along, kind (`MRD_CLOSEST_*`).
  case closest

  public var name: String { operation.name }
  public var columns: [String] { MeasureColumns.names(rawValue) }
  package var operation: Operation { Operation.numbered(.measure, rawValue) }
}

/// The columns of the measures, by operation number: the one list.
enum MeasureColumns {
  static func names(_ operation: UInt32) -> [String] {
    switch operation {
    case MRD_MEASURE_LENGTH: ["length"]
    case MRD_MEASURE_PERIMETER: ["perimeter"]
    case MRD_MEASURE_AREA: ["area"]
    case MRD_MEASURE_AREA_SIGNED: ["area_signed"]
    case MRD_MEASURE_PERIMETER_AREA: ["perimeter", "area"]
    case MRD_MEASURE_BOUNDS: ["xmin", "ymin", "xmax", "ymax"]
    case MRD_MEASURE_CENTROID: ["x", "y"]
    case MRD_MEASURE_COUNTS: ["parts", "rings", "vertices"]
    case MRD_MEASURE_INTERPOLATE: ["x", "y", "azimuth"]
    case MRD_MEASURE_INVERSE: ["distance", "azimuth_a", "azimuth_b"]
    case MRD_MEASURE_DISTANCE: ["distance"]
    case MRD_MEASURE_CLOSEST: ["distance", "x", "y", "edge", "along", "kind"]
    case MRD_MEASURE_DIRECT: ["x", "y", "azimuth"]
    default: []
    }
  }
}

/// Options of the measures. The defaults are those of the ABI.
public struct MeasureOptions: Sendable {
  /// Which side of a ring is inside on the globe: the smaller one, or what is left of the ring.
  public enum Side: Int32, Sendable { case smaller = 0, left = 1 }
  public var side = Side.smaller
  /// `densify`: largest edge, in metres under a metric in metres, else in coordinate units. Exactly one is > 0.
  public var maxEdgeMetres = 0.0
  public var maxEdgeCoord = 0.0
  /// `interpolate`: share of the length, [0, 1], one a row; or `atDistance`, in the metric's unit, one a row.
  public var atFraction: [Double]?
  public var atDistance: [Double]?
  public init() {}
}

/// Numbers of the rows of a set.
public struct Measured: Sendable {
  /// What each column holds.
  public let names: [String]
  /// One array a column, one value a row; NaN where the row's status has no result.
  public let columns: [[Double]]
  public let statuses: [RowStatus]
  public let answers: Answers

  package init(names: [String], columns: [[Double]], statuses: [RowStatus], answers: Answers) {
    (self.names, self.columns, self.statuses, self.answers) = (names, columns, statuses, answers)
  }

  /// The column called `name`; nil when there is none.
  public func column(_ name: String) -> [Double]? { names.firstIndex { $0 == name }.map { columns[$0] } }
}

/// A new set from every row of another, row i from row i.
public struct Transformed: Sendable {
  public let set: GeometrySet
  public let statuses: [RowStatus]
  public let answers: Answers
}
