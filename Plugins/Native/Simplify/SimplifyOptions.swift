// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The options of a call, checked.
struct SimplifyOptions {
  let raw: mrd_simplify_options
  let plane: TolerancePlane
  /// Ascending, in the unit of the plane; empty when a number or share of vertices is asked for.
  let tolerances: UnsafeBufferPointer<Double>

  var levels: Int { max(1, tolerances.count) }
  func has(_ flag: UInt32) -> Bool { raw.flags & flag != 0 }
  var hasTarget: Bool { raw.hasTarget }
  var keepsForms: Bool { raw.collapse == MRD_COLLAPSE_KEEP }

  /// nil, with the call's error filled, when the options are refused.
  init?(
    _ op: UInt32, _ pointer: UnsafePointer<mrd_simplify_options>?, _ geoms: Geoms,
    _ call: UnsafeMutablePointer<mrd_call>
  ) {
    guard let raw = knownOptions(pointer, zero: mrd_simplify_options(), call) else { return nil }
    self.raw = raw
    guard (MRD_COLLAPSE_KEEP...MRD_COLLAPSE_DROP).contains(raw.collapse),
      raw.measure == MRD_SIMPLIFY_BY_LENGTH || raw.measure == MRD_SIMPLIFY_BY_AREA
    else {
      _ = fail(call, MRD_E_ARGUMENT, "the collapse mode or the measure is not known")
      return nil
    }
    guard let plane = SimplifyOptions.plane(raw, geoms, call) else { return nil }
    self.plane = plane
    guard SimplifyOptions.suits(op, raw, geoms, call) else { return nil }
    guard
      let tolerances = raw.hasTarget && raw.n_tolerances == 0
        ? UnsafeBufferPointer(start: nil, count: 0) : SimplifyOptions.tolerances(raw, call)
    else { return nil }
    self.tolerances = tolerances
  }

  /// Flags and targets belong to some operations only.
  private static func suits(
    _ op: UInt32, _ raw: mrd_simplify_options, _ geoms: Geoms, _ call: UnsafeMutablePointer<mrd_call>
  ) -> Bool {
    var flags = MRD_SIMPLIFY_WANT_KEPT
    if op == MRD_SIMPLIFY_VISVALINGAM { flags |= MRD_SIMPLIFY_WEIGHTED | MRD_SIMPLIFY_NO_CROSSING }
    if op == MRD_SIMPLIFY_COVERAGE { flags |= MRD_SIMPLIFY_FIXED_BOUNDARY }
    guard geoms.model.edges == MRD_EDGES_PLANAR, raw.flags & ~flags == 0,
      raw.max_distance == 0 || op == MRD_SIMPLIFY_COVERAGE
    else {
      _ = fail(call, MRD_E_UNSUPPORTED, "the operation has no such variant, or no such edge model")
      return false
    }
    guard !raw.hasTarget || op == MRD_SIMPLIFY_VISVALINGAM else {
      _ = fail(call, MRD_E_UNSUPPORTED, "a number or share of vertices is kept by Visvalingam alone")
      return false
    }
    guard
      !raw.hasTarget
        || (raw.n_tolerances == 0 && raw.target_count >= 0 && raw.target_share >= 0
          && raw.target_share <= 1 && (raw.target_count == 0 || raw.target_share == 0))
    else {
      _ = fail(call, MRD_E_ARGUMENT, "one of tolerances, a number and a share in (0, 1] is needed")
      return false
    }
    guard raw.max_distance >= 0 else {
      _ = fail(call, MRD_E_ARGUMENT, "max_distance must not be negative")
      return false
    }
    return true
  }

  /// Of tiles and pixels: the plane's coordinates stay in the domain of exact decisions.
  private static let scales = 0x1p-32...0x1p32

  private static func plane(
    _ raw: mrd_simplify_options, _ geoms: Geoms, _ call: UnsafeMutablePointer<mrd_call>
  ) -> TolerancePlane? {
    switch raw.unit {
    case MRD_TOLERANCE_COORD: return .coordinates
    case MRD_TOLERANCE_METRES:
      let model = geoms.model
      let flattening = model.metric == MRD_METRIC_SPHERE ? 0 : model.flattening
      guard model.metric != MRD_METRIC_COORD, model.semi_major > 0, model.semi_major.isFinite,
        flattening.magnitude <= 0.5
      else {
        _ = fail(call, MRD_E_ARGUMENT, "tolerances in metres need a model with a metric on the sphere or ellipsoid")
        return nil
      }
      return .metres(semiMajor: model.semi_major, flattening: flattening)
    case MRD_TOLERANCE_PIXELS:
      let tile = raw.tile_size == 0 ? 512 : raw.tile_size
      let factor = raw.pixel_factor == 0 ? 1 : raw.pixel_factor
      guard raw.zoom >= 0, raw.zoom <= 64, scales.contains(tile), scales.contains(factor) else {
        _ = fail(
          call, MRD_E_ARGUMENT, "zoom must lie in [0, 64], tile_size and pixel_factor must lie in [2^-32, 2^32]")
        return nil
      }
      // Pixels divided by the factor: a tolerance of one is as many pixels as the factor says.
      return .pixels(around: tile * powerOfTwo(raw.zoom) / factor)
    default:
      _ = fail(call, MRD_E_UNSUPPORTED, "the unit of the tolerances is not known")
      return nil
    }
  }

  /// 2^x for x in [0, 64]; the fraction by the series of exp.
  private static func powerOfTwo(_ x: Double) -> Double {
    let whole = x.rounded(.down)
    let power = (x - whole) * 0.6931471805599453
    var (sum, term) = (1.0, 1.0)
    for index in 1...22 {
      term *= power / Double(index)
      sum += term
    }
    return sum * Double(sign: .plus, exponent: Int(whole), significand: 1)
  }

  private static func tolerances(
    _ raw: mrd_simplify_options, _ call: UnsafeMutablePointer<mrd_call>
  ) -> UnsafeBufferPointer<Double>? {
    guard raw.n_tolerances > 0, let base = raw.tolerances, isAscending(base, Int(raw.n_tolerances)) else {
      _ = fail(call, MRD_E_ARGUMENT, "tolerances must ascend from 0 or more")
      return nil
    }
    guard raw.n_tolerances <= UInt32(DouglasPeucker.mostLevels) else {
      _ = fail(call, MRD_E_LIMIT, "at most 126 tolerances at once")
      return nil
    }
    return UnsafeBufferPointer(start: base, count: Int(raw.n_tolerances))
  }

  private static func isAscending(_ tolerances: UnsafePointer<Double>, _ count: Int) -> Bool {
    guard tolerances[0] >= 0 else { return false }
    for index in 1..<max(1, count) where !(tolerances[index] >= tolerances[index - 1]) { return false }
    return true
  }
}

extension mrd_simplify_options {
  /// By number or share of vertices instead of by tolerance.
  var hasTarget: Bool { target_count != 0 || target_share != 0 }
}
