// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// The type of all geometries of an array; the raw values are WKB's and the ABI's.
public struct GeometryType: RawRepresentable, Equatable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let point = Self(rawValue: MRD_POINT)
  public static let lineString = Self(rawValue: MRD_LINESTRING)
  public static let polygon = Self(rawValue: MRD_POLYGON)
  public static let multiPoint = Self(rawValue: MRD_MULTIPOINT)
  public static let multiLineString = Self(rawValue: MRD_MULTILINESTRING)
  public static let multiPolygon = Self(rawValue: MRD_MULTIPOLYGON)
  /// Never the type of an array: a row that `GeometrySet` keeps apart.
  public static let collection = Self(rawValue: 7)

  /// How many offset levels an array of this type has.
  public var offsetLevels: Int {
    switch self {
    case .point: 0
    case .lineString, .multiPoint: 1
    case .polygon, .multiLineString: 2
    case .multiPolygon: 3
    default: 0
    }
  }

  /// The type with parts: `polygon` gives `multiPolygon`; a multi type gives itself.
  public var multi: Self { rawValue <= 3 ? Self(rawValue: rawValue + 3) : self }
  /// The type of one part: `multiPolygon` gives `polygon`; a single type gives itself.
  public var single: Self { rawValue > 3 && rawValue < 7 ? Self(rawValue: rawValue - 3) : self }

  /// The name in OGC Simple Features and GeoJSON: "MultiPolygon".
  public var name: String {
    switch self {
    case .point: "Point"
    case .lineString: "LineString"
    case .polygon: "Polygon"
    case .multiPoint: "MultiPoint"
    case .multiLineString: "MultiLineString"
    case .multiPolygon: "MultiPolygon"
    case .collection: "GeometryCollection"
    default: "Unknown"
    }
  }
}

/// Which ordinates a coordinate has.
public struct Dimensions: RawRepresentable, Equatable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let xy = Self(rawValue: MRD_XY)
  public static let xyz = Self(rawValue: MRD_XYZ)
  public static let xym = Self(rawValue: MRD_XYM)
  public static let xyzm = Self(rawValue: MRD_XYZM)

  public init(z: Bool, m: Bool) { self.init(rawValue: 1 + (z ? 1 : 0) + (m ? 2 : 0)) }
  public var hasZ: Bool { self == .xyz || self == .xyzm }
  public var hasM: Bool { self == .xym || self == .xyzm }
  /// Ordinates a coordinate: 2 to 4.
  public var count: Int { self == .xyzm ? 4 : self == .xy ? 2 : 3 }
}

/// Edge model and metric, two separate choices, with the ellipsoid they are on.
public struct GeometryModel: Equatable, Sendable {
  /// `MRD_EDGES_*`: what joins two vertices.
  public var edges: Int32
  /// `MRD_METRIC_*`: what distances and areas are measured in.
  public var metric: Int32
  /// Metres.
  public var semiMajor: Double
  public var flattening: Double

  public init(edges: Int32, metric: Int32, semiMajor: Double, flattening: Double) {
    self.edges = edges
    self.metric = metric
    self.semiMajor = semiMajor
    self.flattening = flattening
  }

  /// Straight edges, coordinate units.
  public static let planar = Self(edges: MRD_EDGES_PLANAR, metric: MRD_METRIC_COORD, semiMajor: 0, flattening: 0)
  /// Geodesic edges and metres on WGS84 (EPSG:7030): how lon/lat data are measured.
  public static let wgs84 = Self(
    edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, semiMajor: 6_378_137, flattening: 1 / 298.257223563)
  /// Straight lon/lat edges, metres on WGS84: how lon/lat data are validated, simplified, snapped and indexed.
  public static let wgs84Planar = Self(
    edges: MRD_EDGES_PLANAR, metric: MRD_METRIC_ELLIPSOID, semiMajor: 6_378_137, flattening: 1 / 298.257223563)

  public init(_ model: mrd_model) {
    self.init(edges: model.edges, metric: model.metric, semiMajor: model.semi_major, flattening: model.flattening)
  }

  public var abi: mrd_model {
    mrd_model(
      struct_size: UInt32(MemoryLayout<mrd_model>.size), edges: edges, metric: metric, pad0: 0,
      semi_major: semiMajor, flattening: flattening)
  }
}
