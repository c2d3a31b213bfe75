// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// What is wrong with a geometry. A struct, so that a code of a newer kernel survives.
public struct ProblemCode: RawRepresentable, Equatable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// One line of the catalogue.
  public struct Entry: Sendable {
    public let code: ProblemCode
    /// "CROSSING": the name after `MRD_PROBLEM_`.
    public let name: StaticString
    public let severity: Severity
    /// The standard sentence, without a full stop.
    public let sentence: StaticString

    init(_ code: Int32, _ name: StaticString, _ severity: Severity, _ sentence: StaticString) {
      self.code = ProblemCode(rawValue: code)
      self.name = name
      self.severity = severity
      self.sentence = sentence
    }
  }

  /// Every code with its name, usual severity and sentence: the one list that messages, the C interface, reports and
  /// documentation are made from.
  public static let catalog: [Entry] = [
    Entry(MRD_PROBLEM_NONFINITE, "NONFINITE", .error, "A coordinate is NaN or infinite"),
    Entry(MRD_PROBLEM_RING_NOT_CLOSED, "RING_NOT_CLOSED", .error, "The first and the last point of a ring differ"),
    Entry(
      MRD_PROBLEM_TOO_FEW_POINTS, "TOO_FEW_POINTS", .error,
      "A ring has fewer than 3 different points, or a line fewer than 2"),
    Entry(MRD_PROBLEM_CROSSING, "CROSSING", .error, "Edges cross"),
    Entry(MRD_PROBLEM_RING_SELF_TOUCH, "RING_SELF_TOUCH", .error, "A ring touches itself at a point"),
    Entry(MRD_PROBLEM_EDGE_OVERLAP, "EDGE_OVERLAP", .error, "Edges overlap along a stretch"),
    Entry(MRD_PROBLEM_DUPLICATE_RING, "DUPLICATE_RING", .error, "Two rings are the same"),
    Entry(MRD_PROBLEM_SPIKE, "SPIKE", .error, "An edge runs back over itself"),
    Entry(MRD_PROBLEM_HOLE_OUTSIDE_SHELL, "HOLE_OUTSIDE_SHELL", .error, "A hole lies outside its shell"),
    Entry(MRD_PROBLEM_NESTED_HOLES, "NESTED_HOLES", .error, "A hole lies inside another hole"),
    Entry(MRD_PROBLEM_NESTED_SHELLS, "NESTED_SHELLS", .error, "A polygon lies inside another polygon of the geometry"),
    Entry(
      MRD_PROBLEM_DISCONNECTED_INTERIOR, "DISCONNECTED_INTERIOR", .error,
      "Rings that touch cut the interior in pieces"),
    Entry(MRD_PROBLEM_INVALID_OTHER, "INVALID_OTHER", .error, "The geometry is not valid"),
    Entry(MRD_PROBLEM_NOT_SIMPLE_CROSSING, "NOT_SIMPLE_CROSSING", .error, "A line passes through itself"),
    Entry(MRD_PROBLEM_NOT_SIMPLE_REPEATED, "NOT_SIMPLE_REPEATED", .error, "A multipoint holds a point twice"),
    Entry(MRD_PROBLEM_LONGITUDE_RANGE, "LONGITUDE_RANGE", .error, "A longitude is outside [-180, 180]"),
    Entry(MRD_PROBLEM_LATITUDE_RANGE, "LATITUDE_RANGE", .error, "A latitude is outside [-90, 90]"),
    Entry(
      MRD_PROBLEM_WRONG_WINDING, "WRONG_WINDING", .warning, "A shell runs clockwise, or a hole counter-clockwise"),
    Entry(
      MRD_PROBLEM_ANTIMERIDIAN_NOT_CUT, "ANTIMERIDIAN_NOT_CUT", .warning,
      "An edge spans more than 180 degrees of longitude and is not cut at the antimeridian"),
    Entry(
      MRD_PROBLEM_ANTIPODAL_EDGE, "ANTIPODAL_EDGE", .error,
      "An edge joins opposite points of the sphere, which any great circle would join"),
    Entry(MRD_PROBLEM_REPEATED_POINT, "REPEATED_POINT", .warning, "Consecutive points are equal"),
    Entry(
      MRD_PROBLEM_NEAR_REPEATED_POINT, "NEAR_REPEATED_POINT", .warning,
      "Consecutive points are closer than the tolerance"),
    Entry(MRD_PROBLEM_EMPTY_PART, "EMPTY_PART", .warning, "A part or ring is empty"),
    Entry(MRD_PROBLEM_ZERO_AREA_RING, "ZERO_AREA_RING", .warning, "A ring has no area"),
    Entry(MRD_PROBLEM_Z_DIFFERS, "Z_DIFFERS", .warning, "Points with equal x and y have different z"),
    Entry(MRD_PROBLEM_OVERFLOW, "OVERFLOW", .warning, "Coordinates are so large that areas or lengths overflow"),
    Entry(MRD_PROBLEM_SMALL_ANGLE, "SMALL_ANGLE", .warning, "An angle is smaller than the threshold"),
    Entry(MRD_PROBLEM_SHORT_EDGE, "SHORT_EDGE", .warning, "An edge is shorter than the threshold"),
    Entry(MRD_PROBLEM_SMALL_AREA, "SMALL_AREA", .warning, "An area is smaller than the threshold"),
    Entry(MRD_PROBLEM_SLIVER, "SLIVER", .warning, "A polygon is narrower than the threshold allows"),
    Entry(
      MRD_PROBLEM_LOW_CLEARANCE, "LOW_CLEARANCE", .warning, "Vertices and edges come closer than the threshold allows"),
    Entry(MRD_PROBLEM_LAYER_OVERLAP, "LAYER_OVERLAP", .error, "Two rows overlap"),
    Entry(MRD_PROBLEM_LAYER_GAP, "LAYER_GAP", .error, "Rows leave a gap between them"),
    Entry(
      MRD_PROBLEM_LAYER_UNMATCHED_EDGE, "LAYER_UNMATCHED_EDGE", .error,
      "Borders of two rows meet without the same vertices"),
    Entry(MRD_PROBLEM_LAYER_DUPLICATE, "LAYER_DUPLICATE", .error, "Two rows hold the same geometry"),
    Entry(MRD_PROBLEM_LAYER_DANGLE, "LAYER_DANGLE", .error, "A line ends where no other line is"),
    Entry(
      MRD_PROBLEM_LAYER_PSEUDO_NODE, "LAYER_PSEUDO_NODE", .error, "Exactly two lines meet end to end and could be one"),
  ]

  /// nil for a code that this host does not know.
  public var entry: Entry? { Self.catalog.first { $0.code == self } }
  /// "CROSSING"; "PROBLEM_77" for a code that this host does not know.
  public var name: String { entry.map { "\($0.name)" } ?? "PROBLEM_\(rawValue)" }
  /// The standard sentence, without a full stop.
  public var sentence: String { entry.map { "\($0.sentence)" } ?? "Problem of an unknown kind, number \(rawValue)" }

  public static func named(_ name: String) -> ProblemCode? { catalog.first { "\($0.name)" == name }?.code }
}

/// How bad a problem is. Only an error makes a row invalid.
public struct Severity: RawRepresentable, Equatable, Sendable {
  public let rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let error = Self(rawValue: MRD_SEVERITY_ERROR)
  public static let warning = Self(rawValue: MRD_SEVERITY_WARNING)
  public static let info = Self(rawValue: MRD_SEVERITY_INFO)

  /// "error", "warning", "info".
  public var name: String { self == .error ? "error" : self == .warning ? "warning" : "info" }
}
