// SPDX-License-Identifier: Apache-2.0
import MeridianABI

extension CallShape {
  /// Why a kernel that declares `info` does not serve a call of this shape, or nil. Masks have bit k set for value k.
  func objection(to info: mrd_op_info, _ operation: Operation) -> String? {
    let takesGeometry = info.type_mask != 0
    if let type, takesGeometry, !info.type_mask.has(type.rawValue) { return "does not take \(type.name)s" }
    if let dimensions, takesGeometry, !info.dims_mask.has(dimensions.rawValue) {
      return "does not take dimensions \(dimensions.name)"
    }
    // An operation on boxes or bytes that says nothing of edges and metric does not depend on them.
    if takesGeometry || info.edges_mask != 0, !info.edges_mask.has(model.edges) {
      return "does not take \(EdgeNames.name(model.edges)) edges"
    }
    if takesGeometry || info.metric_mask != 0, !info.metric_mask.has(model.metric) {
      return "does not measure in the \(metricName(model.metric)) metric"
    }
    if let dialect, !info.dialect_mask.has(dialect) { return "does not serve \(dialectName(dialect, operation))" }
    if let toleranceUnit, toleranceUnit != MRD_TOLERANCE_COORD, !info.dialect_mask.has(toleranceUnit) {
      return "does not take tolerances in \(toleranceUnit == MRD_TOLERANCE_METRES ? "metres" : "pixels")"
    }
    if abilities & MRD_OP_PERSISTS & ~info.flags != 0 { return "does not keep an index in a file" }
    if abilities & MRD_OP_KEPT_VERTICES & ~info.flags != 0 { return "does not tell the kept vertices" }
    if boundDependsOnFlattening(info), model.flattening.magnitude > info.max_flattening {
      return "declares its error up to a flattening of \(info.max_flattening) only, not \(model.flattening)"
    }
    return nil
  }

  /// An ellipsoid enters a result in metres, and every geodesic. Operations without a bound have none to lose.
  private func boundDependsOnFlattening(_ info: mrd_op_info) -> Bool {
    switch info.error_unit {
    case MRD_UNIT_NONE: false
    case MRD_UNIT_METRE, MRD_UNIT_DEGREE: model.edges == MRD_EDGES_GEODESIC || model.metric == MRD_METRIC_ELLIPSOID
    default: model.edges == MRD_EDGES_GEODESIC
    }
  }
}

extension UInt32 {
  /// True when bit `value` is set; values outside 0 to 31 are in no mask.
  fileprivate func has(_ value: Int32) -> Bool { value >= 0 && value < 32 && self >> UInt32(value) & 1 == 1 }
}

/// The words of the command's options for what the mask of an operation is about: "the rule even_odd".
private func dialectName(_ number: Int32, _ operation: Operation) -> String {
  let (what, names): (String, [String]) =
    switch operation.family {
    case .validate where operation.number == MRD_VALIDATE_REPAIR:
      ("the rule", ["structure", "linework", "even_odd", "nonzero"])
    case .validate: ("the dialect", ["ogc", "esri", "rfc7946", "spherical"])
    case .snap:
      (
        "the kind",
        ["end point", "vertex", "intersection", "midpoint", "perpendicular", "edge", "centroid", "area"]
      )
    default: ("kind", [])
    }
  let isKnown = number >= 0 && Int(number) < names.count
  return "\(what) \(isKnown ? names[Int(number)] : "\(number)")"
}

/// "ellipsoid" for MRD_METRIC_ELLIPSOID.
func metricName(_ metric: Int32) -> String {
  switch metric {
  case MRD_METRIC_COORD: "coordinate"
  case MRD_METRIC_SPHERE: "spherical"
  case MRD_METRIC_ELLIPSOID: "ellipsoidal"
  default: "unknown (\(metric))"
  }
}

extension Dimensions {
  /// "XYZ"
  var name: String {
    switch self {
    case .xy: "XY"
    case .xyz: "XYZ"
    case .xym: "XYM"
    case .xyzm: "XYZM"
    default: "unknown"
    }
  }
}
