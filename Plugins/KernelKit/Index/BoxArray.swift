// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Checked access to an array of boxes that crossed the boundary.
public struct BoxArray {
  /// Why an array is refused.
  public struct Fault: Error {
    public let status: mrd_status
    public let message: StaticString
  }

  @usableFromInline let raw: mrd_boxes
  @inlinable public var count: Int { Int(raw.length) }

  public init(_ pointer: UnsafePointer<mrd_boxes>?) throws(Fault) {
    guard let pointer, pointer.pointee.struct_size >= UInt32(MemoryLayout<mrd_boxes>.size) else {
      throw Fault(status: MRD_E_ABI, message: "the box array is missing or its struct_size is too small")
    }
    raw = pointer.pointee
    guard isKnownModel(raw.model) else {
      throw Fault(status: MRD_E_ABI, message: "the struct_size of the boxes' model is too small")
    }
    let v = raw.v
    guard raw.length >= 0, raw.length == 0 || (v.0 != nil && v.1 != nil && v.2 != nil && v.3 != nil) else {
      throw Fault(status: MRD_E_ARGUMENT, message: "the box array has a negative length or lacks a column")
    }
  }

  /// Boxes of the plane that lie side by side; they must outlive the array.
  public init(_ boxes: UnsafePointer<Box>, count: Int) {
    let column = UnsafeRawPointer(boxes).assumingMemoryBound(to: Double.self)
    let stride = Int64(MemoryLayout<Box>.stride)
    var raw = mrd_boxes()
    raw.struct_size = UInt32(MemoryLayout<mrd_boxes>.size)
    raw.length = Int64(count)
    raw.v = (column, column + 1, column + 2, column + 3)
    raw.stride = (stride, stride, stride, stride)
    self.raw = raw
  }

  /// Throws also for edge models that have no boxes. Those of the three curved ones are the same thing: intervals of
  /// longitude and of latitude.
  public init(anyEdges pointer: UnsafePointer<mrd_boxes>?) throws(Fault) {
    try self.init(pointer)
    guard (MRD_EDGES_PLANAR...MRD_EDGES_PLATE_CARREE).contains(edges) else {
      throw Fault(status: MRD_E_UNSUPPORTED, message: "the index knows no boxes of this edge model")
    }
  }

  /// The same; nil, with the call's error filled, instead.
  public init?(anyEdges pointer: UnsafePointer<mrd_boxes>?, _ call: UnsafeMutablePointer<mrd_call>) {
    do throws(Fault) {
      try self.init(anyEdges: pointer)
    } catch {
      _ = fail(call, error.status, error.message)
      return nil
    }
  }

  /// For an index of the plane: nil, with the call's error filled, also for other edges and metrics.
  public init?(planar pointer: UnsafePointer<mrd_boxes>?, _ call: UnsafeMutablePointer<mrd_call>) {
    do throws(Fault) {
      try self.init(pointer)
    } catch {
      _ = fail(call, error.status, error.message)
      return nil
    }
    guard edges == MRD_EDGES_PLANAR, metric == MRD_METRIC_COORD else {
      _ = fail(call, MRD_E_UNSUPPORTED, "this index knows boxes with planar edges, in coordinate units, only")
      return nil
    }
  }

  /// MRD_EDGES_*; planar when the array has no model.
  public var edges: Int32 { raw.model?.pointee.edges ?? MRD_EDGES_PLANAR }
  /// Edges on the globe: longitudes modulo 360, and boxes over the antimeridian.
  public var isCurved: Bool { edges != MRD_EDGES_PLANAR }
  /// MRD_METRIC_*; coordinate units when the array has no model.
  public var metric: Int32 { raw.model?.pointee.metric ?? MRD_METRIC_COORD }

  /// The model; its size is 0 when the array has none.
  public var model: mrd_model { raw.model?.pointee ?? mrd_model() }

  @inlinable @inline(__always)
  public subscript(index: Int) -> Box {
    Box(
      xmin: value(raw.v.0, raw.stride.0, index), ymin: value(raw.v.1, raw.stride.1, index),
      xmax: value(raw.v.2, raw.stride.2, index), ymax: value(raw.v.3, raw.stride.3, index))
  }

  /// The boxes as they are in memory, when their four numbers lie side by side.
  public var contiguous: UnsafePointer<Box>? {
    guard let start = raw.v.0, raw.v.1 == start + 1, raw.v.2 == start + 2, raw.v.3 == start + 3 else { return nil }
    let stride = Int64(MemoryLayout<Box>.stride)
    guard raw.stride == (stride, stride, stride, stride) else { return nil }
    return UnsafeRawPointer(start).assumingMemoryBound(to: Box.self)
  }

  @inlinable @inline(__always)
  func value(_ base: UnsafePointer<Double>?, _ stride: Int64, _ index: Int) -> Double {
    guard let base else { return .nan }
    return UnsafeRawPointer(base).load(fromByteOffset: index &* Int(stride), as: Double.self)
  }
}
