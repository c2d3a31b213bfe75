// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// A closed box.
struct Box {
  var xmin: Double
  var ymin: Double
  var xmax: Double
  var ymax: Double

  static let empty = Box(xmin: .infinity, ymin: .infinity, xmax: -.infinity, ymax: -.infinity)

  /// NaN compares false, so boxes with NaN and inverted ones can never be hit.
  var canBeHit: Bool { xmin <= xmax && ymin <= ymax }

  var hasNaN: Bool { xmin.isNaN || ymin.isNaN || xmax.isNaN || ymax.isNaN }

  func meets(_ other: Box) -> Bool {
    xmin <= other.xmax && other.xmin <= xmax && ymin <= other.ymax && other.ymin <= ymax
  }

  func union(_ other: Box) -> Box {
    Box(
      xmin: min(xmin, other.xmin), ymin: min(ymin, other.ymin), xmax: max(xmax, other.xmax), ymax: max(ymax, other.ymax)
    )
  }

  /// The box grown by `reach`, rounded outward: what lies outside of it is farther than `reach` in x or in y.
  func grown(by reach: Double) -> Box {
    Box(
      xmin: (xmin - reach).nextDown, ymin: (ymin - reach).nextDown, xmax: (xmax + reach).nextUp,
      ymax: (ymax + reach).nextUp)
  }

  /// The box as the tree keeps it. GEOS sorts by centres, and the centre of an infinite box is no number; clamping is
  /// monotone, so boxes that meet still meet, and the exact test with the true boxes follows.
  var clamped: Box {
    func clamp(_ value: Double) -> Double { max(-1e300, min(1e300, value)) }
    return Box(xmin: clamp(xmin), ymin: clamp(ymin), xmax: clamp(xmax), ymax: clamp(ymax))
  }
}

/// Checked access to an array of boxes that crossed the boundary.
struct Boxes {
  private let raw: mrd_boxes
  let count: Int

  /// nil, with the call's error filled and its status in `status`, when the array breaks its contract or asks for more
  /// than planar edges.
  init?(_ pointer: UnsafePointer<mrd_boxes>?, _ call: UnsafeMutablePointer<mrd_call>, _ status: inout mrd_status) {
    guard let pointer, pointer.pointee.struct_size >= UInt32(MemoryLayout<mrd_boxes>.size) else {
      status = fail(call, MRD_E_ABI, "the boxes are missing or their struct_size is too small")
      return nil
    }
    raw = pointer.pointee
    count = Int(raw.length)
    let v = raw.v
    guard count == 0 || (count > 0 && v.0 != nil && v.1 != nil && v.2 != nil && v.3 != nil) else {
      status = fail(call, MRD_E_ARGUMENT, "the boxes have a negative length or lack a bound")
      return nil
    }
    if let model = raw.model, model.pointee.edges != MRD_EDGES_PLANAR || model.pointee.metric != MRD_METRIC_COORD {
      status = fail(call, MRD_E_UNSUPPORTED, "GEOS's tree is planar, in coordinate units")
      return nil
    }
  }

  subscript(index: Int) -> Box {
    func load(_ base: UnsafePointer<Double>?, _ stride: Int64) -> Double {
      guard let base else { return .nan }
      return UnsafeRawPointer(base).load(fromByteOffset: index &* Int(stride), as: Double.self)
    }
    return Box(
      xmin: load(raw.v.0, raw.stride.0), ymin: load(raw.v.1, raw.stride.1), xmax: load(raw.v.2, raw.stride.2),
      ymax: load(raw.v.3, raw.stride.3))
  }
}
