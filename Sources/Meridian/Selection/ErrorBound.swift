// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// `error<=NUMBER UNIT` of a requirement, held against a kernel's declaration
///
///     |error| <= error_absolute + error_per_vertex * vertices + error_relative * |exact result|
///
/// - `relative`: the relative part is at most NUMBER. The other two are the floor that every sum of rounded terms has
///   near zero, so they do not count. A bound in ulps counts as ulps x 2^-52.
/// - a unit (`m`, `m2`, `deg`, `coord`, `ulp`) or `absolute` for whatever unit but ulps: the declaration is in that unit,
///   error_absolute and what one vertex adds are together at most NUMBER, and the relative part is no more than rounding.
///
/// A kernel that declares no bound meets none.
struct ErrorBound: Equatable, Sendable {
  enum Unit: Equatable, Sendable {
    case relative
    case absolute
    /// `MRD_UNIT_*`
    case declared(Int32)
  }

  let limit: Double
  let unit: Unit

  /// Words of the rule syntax.
  static let unitWords: [(word: String, unit: Unit)] = [
    ("relative", .relative), ("absolute", .absolute), ("m", .declared(MRD_UNIT_METRE)),
    ("m2", .declared(MRD_UNIT_METRE)), ("deg", .declared(MRD_UNIT_DEGREE)), ("coord", .declared(MRD_UNIT_COORD)),
    ("ulp", .declared(MRD_UNIT_ULP)),
  ]

  /// Relative parts up to this are the rounding of doubles, summed.
  private static let rounding = 0x1p-40

  func isMet(by info: mrd_op_info) -> Bool {
    guard info.error_unit != MRD_UNIT_NONE else { return false }
    switch unit {
    case .relative: return Self.relativePart(of: info) <= limit
    case .absolute:
      return info.error_unit != MRD_UNIT_ULP && Self.absolutePart(of: info) <= limit
        && info.error_relative <= Self.rounding
    case .declared(let wanted):
      return info.error_unit == wanted && Self.absolutePart(of: info) <= limit && info.error_relative <= Self.rounding
    }
  }

  /// The error of a result of one million units, or of 90 degrees, with a hundred vertices: how `prefer accurate` ranks
  /// bounds of different make. Infinite when no bound is declared.
  static func nominalError(of info: mrd_op_info) -> Double {
    let magnitude = info.error_unit == MRD_UNIT_DEGREE ? 90.0 : 1e6
    switch info.error_unit {
    case MRD_UNIT_NONE: return .infinity
    case MRD_UNIT_ULP: return relativePart(of: info) * magnitude
    default: return info.error_absolute + info.error_per_vertex * 100 + info.error_relative * magnitude
    }
  }

  private static func relativePart(of info: mrd_op_info) -> Double {
    let ulps = info.error_unit == MRD_UNIT_ULP ? info.error_absolute * 0x1p-52 : 0
    return info.error_relative + ulps
  }

  private static func absolutePart(of info: mrd_op_info) -> Double { info.error_absolute + info.error_per_vertex }

  /// The bound as written in a rule.
  var text: String {
    let word = Self.unitWords.first { $0.unit == unit }?.word ?? ""
    return "error<=\(limit) \(word)"
  }

  /// A declaration in words. An area's metres are square.
  static func text(of info: mrd_op_info, _ operation: Operation) -> String {
    let unit =
      switch info.error_unit {
      case MRD_UNIT_METRE: operation.givesArea ? "m2" : "m"
      case MRD_UNIT_DEGREE: "deg"
      case MRD_UNIT_COORD: "coord"
      case MRD_UNIT_ULP: "ulp"
      default: ""
      }
    if unit.isEmpty { return "no error bound" }
    return
      "an error of \(info.error_absolute) \(unit) + \(info.error_per_vertex) a vertex + \(info.error_relative) relative"
  }
}
