// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// One of the five families of kernels.
public enum Family: Int, CaseIterable, Sendable {
  case measure, validate, simplify, snap, index

  /// "measure": the name in rules, manifests and messages.
  public var name: String {
    switch self {
    case .measure: "measure"
    case .validate: "validate"
    case .simplify: "simplify"
    case .snap: "snap"
    case .index: "index"
    }
  }

  /// The id of its table in the ABI, with its revision.
  public var tableID: String {
    switch self {
    case .measure: MRD_FAMILY_MEASURE
    case .validate: MRD_FAMILY_VALIDATE
    case .simplify: MRD_FAMILY_SIMPLIFY
    case .snap: MRD_FAMILY_SNAP
    case .index: MRD_FAMILY_INDEX
    }
  }
}

/// One operation of a family: the one list that rules, manifests, help and documentation are held against.
public struct Operation: Equatable, Sendable {
  public let family: Family
  /// Its number in the ABI.
  public let number: UInt32
  /// Its name inside the family: "area".
  public let name: String

  /// "measure.area".
  public var fullName: String { family.name + "." + name }

  /// Its result is an area, so bounds that are declared in a unit of length are in the square of it.
  package var givesArea: Bool {
    family == .measure && (number == MRD_MEASURE_AREA || number == MRD_MEASURE_AREA_SIGNED)
  }

  init(_ family: Family, _ number: UInt32, _ name: String) {
    self.family = family
    self.number = number
    self.name = name
  }

  public static let all: [Operation] = [
    Operation(.measure, MRD_MEASURE_LENGTH, "length"),
    Operation(.measure, MRD_MEASURE_PERIMETER, "perimeter"),
    Operation(.measure, MRD_MEASURE_AREA, "area"),
    Operation(.measure, MRD_MEASURE_AREA_SIGNED, "area_signed"),
    Operation(.measure, MRD_MEASURE_PERIMETER_AREA, "perimeter_area"),
    Operation(.measure, MRD_MEASURE_BOUNDS, "bounds"),
    Operation(.measure, MRD_MEASURE_CENTROID, "centroid"),
    Operation(.measure, MRD_MEASURE_COUNTS, "counts"),
    Operation(.measure, MRD_MEASURE_INTERPOLATE, "interpolate"),
    Operation(.measure, MRD_MEASURE_INVERSE, "inverse"),
    Operation(.measure, MRD_MEASURE_DISTANCE, "distance"),
    Operation(.measure, MRD_MEASURE_CLOSEST, "closest"),
    Operation(.measure, MRD_MEASURE_DIRECT, "direct"),
    Operation(.measure, MRD_MEASURE_DENSIFY, "densify"),
    Operation(.validate, MRD_VALIDATE_VALID, "valid"),
    Operation(.validate, MRD_VALIDATE_SIMPLE, "simple"),
    Operation(.validate, MRD_VALIDATE_LAYER, "layer"),
    Operation(.validate, MRD_VALIDATE_REPAIR, "repair"),
    Operation(.validate, MRD_VALIDATE_PREPARED, "prepared"),
    Operation(.simplify, MRD_SIMPLIFY_DOUGLAS_PEUCKER, "douglas_peucker"),
    Operation(.simplify, MRD_SIMPLIFY_VISVALINGAM, "visvalingam"),
    Operation(.simplify, MRD_SIMPLIFY_TOPOLOGY_PRESERVING, "topology_preserving"),
    Operation(.simplify, MRD_SIMPLIFY_COVERAGE, "coverage"),
    Operation(.snap, MRD_SNAP_QUERY, "query"),
    Operation(.snap, MRD_SNAP_PAIR, "pair"),
    Operation(.snap, MRD_SNAP_LAYER, "layer"),
    Operation(.snap, MRD_SNAP_SELF, "self"),
    Operation(.snap, MRD_SNAP_GRID, "grid"),
    Operation(.index, MRD_INDEX_BUILD, "build"),
    Operation(.index, MRD_INDEX_WINDOW, "window"),
    Operation(.index, MRD_INDEX_NEAREST, "nearest"),
    Operation(.index, MRD_INDEX_JOIN, "join"),
    Operation(.index, MRD_INDEX_INSERT, "insert"),
    Operation(.index, MRD_INDEX_REMOVE, "remove"),
    Operation(.index, MRD_INDEX_SAVE, "save"),
    Operation(.index, MRD_INDEX_OPEN, "open"),
  ]

  public static func find(_ family: Family, _ number: UInt32) -> Operation? {
    all.first { $0.family == family && $0.number == number }
  }
}
