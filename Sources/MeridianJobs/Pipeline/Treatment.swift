// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI
import MeridianIO

/// What the user said of the meaning of coordinates; what is left open follows from the file.
public struct Treatment: Sendable {
  public enum Ground: String, Sendable {
    case lonlat, planar
  }

  /// What a job does with coordinates: it decides between geodesic and straight edges for lon/lat data.
  public enum Purpose: Sendable {
    /// Lengths and areas: geodesic edges, metres on the ellipsoid.
    case measuring
    /// Everything else: straight edges in lon, lat; metres on the ellipsoid where a tolerance is in metres.
    case editing
    /// Boxes: straight edges, distances in coordinate units.
    case indexing
  }

  public struct Ellipsoid: Sendable, Equatable {
    public var semiMajor: Double
    public var flattening: Double

    public static let wgs84 = Self(semiMajor: 6_378_137, flattening: 1 / 298.257223563)
    public static let grs80 = Self(semiMajor: 6_378_137, flattening: 1 / 298.257222101)
    /// The mean radius R1 = (2 a + b) / 3 of WGS84.
    public static let sphere = Self(semiMajor: 6_371_008.7714150598, flattening: 0)

    /// "WGS84", "GRS80", "6378137,298.257223563" (semi-major axis and inverse flattening), or "6371000" (a radius).
    public init?(_ text: String) {
      switch text.uppercased() {
      case "WGS84": self = .wgs84
      case "GRS80": self = .grs80
      default:
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0) }
        guard numbers.count == parts.count, (1...2).contains(numbers.count) else { return nil }
        // From pebbles to stars: areas and squares of distances are far from overflow.
        guard numbers[0] >= 1e-3, numbers[0] <= 1e12 else { return nil }
        self.init(semiMajor: numbers[0], flattening: 0)
        guard numbers.count == 2 else { return }
        // The ABI's domain is |f| <= 1/50.
        guard abs(numbers[1]) >= 50, numbers[1].isFinite else { return nil }
        flattening = 1 / numbers[1]
      }
    }

    init(semiMajor: Double, flattening: Double) {
      self.semiMajor = semiMajor
      self.flattening = flattening
    }
  }

  public var ground: Ground?
  /// `MRD_EDGES_*`
  public var edges: Int32?
  /// `MRD_METRIC_*`
  public var metric: Int32?
  public var ellipsoid: Ellipsoid?

  public init() {}

  /// The model for the rows of a layer.
  public func model(for layer: Layer, _ purpose: Purpose) -> GeometryModel {
    guard isOnGlobe(layer) else { return .planar }
    let edges = self.edges ?? (purpose == .measuring ? MRD_EDGES_GEODESIC : MRD_EDGES_PLANAR)
    let metric = self.metric ?? defaultMetric(edges, purpose)
    let round = metric == MRD_METRIC_SPHERE || edges == MRD_EDGES_GREAT_CIRCLE
    let body = ellipsoid ?? (round ? .sphere : .wgs84)
    return GeometryModel(edges: edges, metric: metric, semiMajor: body.semiMajor, flattening: body.flattening)
  }

  /// Great circles are measured on the sphere; lines that were asked to be straight are measured in coordinates.
  private func defaultMetric(_ edges: Int32, _ purpose: Purpose) -> Int32 {
    if ellipsoid != nil { return ellipsoid?.flattening == 0 ? MRD_METRIC_SPHERE : MRD_METRIC_ELLIPSOID }
    if edges == MRD_EDGES_GREAT_CIRCLE { return MRD_METRIC_SPHERE }
    return edges == MRD_EDGES_PLANAR && purpose != .editing ? MRD_METRIC_COORD : MRD_METRIC_ELLIPSOID
  }

  /// What the user says wins; curved edges and metres are only meaningful on the globe.
  private func isOnGlobe(_ layer: Layer) -> Bool {
    if let ground { return ground == .lonlat }
    if let edges, edges != MRD_EDGES_PLANAR { return true }
    if let metric, metric != MRD_METRIC_COORD { return true }
    return layer.crs == .lonLat
  }

  /// The option that puts a layer on the globe.
  private var globeOption: String {
    if ground == .lonlat { return "--crs lonlat" }
    if let edges, edges != MRD_EDGES_PLANAR { return "--edges \(EdgeNames.name(edges))" }
    return "--metric " + (metric == MRD_METRIC_SPHERE ? "sphere" : "ellipsoid")
  }

  /// Why a layer is treated as a plane when the user did not choose, or as degrees although the file says something else;
  /// nil when there is nothing to say.
  public func warning(for layer: Layer, of file: String) -> String? {
    if isOnGlobe(layer) {
      guard case .other(let name) = layer.crs else { return nil }
      return "\(file): coordinates are in \(name), and \(globeOption) takes them for longitude and latitude in degrees"
    }
    guard ground == nil else { return nil }
    let hint = "treated as a plane, results in coordinate units; --crs lonlat if it is longitude and latitude"
    switch layer.crs {
    case .lonLat: return nil
    case .other(let name): return "\(file): coordinates are in \(name), not in WGS84 longitude and latitude: \(hint)"
    case .unknown: return "\(file): the file does not name its reference system: \(hint)"
    }
  }
}
