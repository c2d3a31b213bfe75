// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Checked, cheap access to an array that crossed the boundary. Shape errors are found once, in `init`; the accessors
/// then read without checks. The offsets of the array's own rows are among what is checked: a damaged array is refused,
/// it never makes a kernel read out of bounds.
public struct Geoms: BitwiseCopyable {
  public let raw: mrd_geoms
  @usableFromInline let first: Int

  /// Rows.
  @inlinable public var count: Int { Int(raw.length) }
  @inlinable public var type: Int32 { raw.type }
  @inlinable public var hasZ: Bool { raw.dims == MRD_XYZ || raw.dims == MRD_XYZM }
  @inlinable public var hasM: Bool { raw.dims == MRD_XYM || raw.dims == MRD_XYZM }

  /// nil, with the call's error filled, when the array breaks its contract.
  public init?(_ pointer: UnsafePointer<mrd_geoms>?, _ call: UnsafeMutablePointer<mrd_call>) {
    guard let pointer, pointer.pointee.struct_size >= UInt32(MemoryLayout<mrd_geoms>.size) else {
      _ = fail(call, MRD_E_ABI, "the geometry array is missing or its struct_size is too small")
      return nil
    }
    raw = pointer.pointee
    first = Int(raw.first)
    let levels: UInt32 =
      switch raw.type {
      case MRD_POINT: 0
      case MRD_LINESTRING, MRD_MULTIPOINT: 1
      case MRD_POLYGON, MRD_MULTILINESTRING: 2
      case MRD_MULTIPOLYGON: 3
      default: UInt32.max
      }
    // Without offsets their width says nothing.
    guard levels == raw.n_offsets, levels == 0 || raw.offset_bits == 32 || raw.offset_bits == 64, raw.length >= 0,
      raw.first >= 0, raw.dims >= MRD_XY, raw.dims <= MRD_XYZM
    else {
      _ = fail(call, MRD_E_ARGUMENT, "the geometry array has an unknown type, dimension or offset layout")
      return nil
    }
    guard raw.length == 0 || raw.coords.count == 0 || hasColumns else {
      _ = fail(call, MRD_E_ARGUMENT, "the geometry array lacks a column of ordinates")
      return nil
    }
    guard isKnownModel(raw.model) else {
      _ = fail(call, MRD_E_ABI, "the struct_size of the array's model is too small")
      return nil
    }
    guard hasSoundOffsets else {
      _ = fail(call, MRD_E_ARGUMENT, "the offsets of the geometry array descend or leave it")
      return nil
    }
  }

  private var hasColumns: Bool {
    let v = raw.coords.v
    return v.0 != nil && v.1 != nil && (!hasZ || v.2 != nil) && (!hasM || v.3 != nil)
  }

  /// True when the rows' offsets ascend and end inside the level below, down to the coordinates.
  private var hasSoundOffsets: Bool {
    guard raw.length > 0 else { return true }
    let (end, overflow) = raw.first.addingReportingOverflow(raw.length)
    guard !overflow, raw.coords.count >= 0 else { return false }
    var range = first...Int(end)
    for level in 0..<Int(raw.n_offsets) {
      let base = level == 0 ? raw.offsets.0 : level == 1 ? raw.offsets.1 : raw.offsets.2
      guard let base else { return false }
      let below = raw.offset_bits == 64 ? rangeBelow(base, Int64.self, range) : rangeBelow(base, Int32.self, range)
      guard let below else { return false }
      range = below
    }
    return range.upperBound <= Int(raw.coords.count)
  }

  /// What some entries of a level span at the level below; nil when one is negative or less than the one before.
  private func rangeBelow<Offset: FixedWidthInteger & BitwiseCopyable>(
    _ base: UnsafeRawPointer, _ type: Offset.Type, _ range: ClosedRange<Int>
  ) -> ClosedRange<Int>? {
    func entry(_ index: Int) -> Offset {
      base.load(fromByteOffset: index &* MemoryLayout<Offset>.stride, as: Offset.self)
    }
    let begin = entry(range.lowerBound)
    // All of them, whatever is found: so several are compared at once.
    var descents: Offset = begin < 0 ? 1 : 0
    for index in range.lowerBound..<range.upperBound { descents |= entry(index &+ 1) < entry(index) ? 1 : 0 }
    return descents == 0 ? Int(begin)...Int(entry(range.upperBound)) : nil
  }

  @inlinable public func isNull(_ row: Int) -> Bool {
    guard let validity = raw.validity else { return false }
    return !isSet(validity, row &+ first)
  }

  /// Entry `index` of offset level `level`, 0 = outermost; level 0 is not shifted by `first`.
  @inlinable @inline(__always) public func offset(_ level: Int, _ index: Int) -> Int {
    let base = level == 0 ? raw.offsets.0 : level == 1 ? raw.offsets.1 : raw.offsets.2
    guard let base else { return 0 }
    return raw.offset_bits == 64
      ? Int(base.load(fromByteOffset: index &* 8, as: Int64.self))
      : Int(base.load(fromByteOffset: index &* 4, as: Int32.self))
  }

  /// What a row spans at level 0: coordinates of lines and multipoints, rings of polygons, lines of multilinestrings,
  /// polygons of multipolygons; for a point its one coordinate.
  @inlinable public func span(_ row: Int) -> Range<Int> {
    let at = row &+ first
    return raw.type == MRD_POINT ? at..<(at &+ 1) : offset(0, at)..<offset(0, at &+ 1)
  }

  /// What entry `index` of level `level` spans at the level below.
  @inlinable public func span(level: Int, _ index: Int) -> Range<Int> {
    offset(level, index)..<offset(level, index &+ 1)
  }

  /// All coordinates of a row.
  @inlinable public func coordinates(_ row: Int) -> Range<Int> {
    var range = span(row)
    if raw.n_offsets >= 2 { range = offset(1, range.lowerBound)..<offset(1, range.upperBound) }
    if raw.n_offsets == 3 { range = offset(2, range.lowerBound)..<offset(2, range.upperBound) }
    return range
  }

  /// All rings or lines of a row, as entries of the innermost offset level; nil for points, lines and multipoints, whose
  /// coordinates are the span itself.
  @inlinable public func rings(_ row: Int) -> Range<Int> {
    let range = span(row)
    return raw.n_offsets == 3 ? offset(1, range.lowerBound)..<offset(1, range.upperBound) : range
  }

  @inlinable @inline(__always) public func x(_ coordinate: Int) -> Double {
    load(raw.coords.v.0, raw.coords.stride.0, coordinate)
  }
  @inlinable @inline(__always) public func y(_ coordinate: Int) -> Double {
    load(raw.coords.v.1, raw.coords.stride.1, coordinate)
  }
  @inlinable @inline(__always) public func z(_ coordinate: Int) -> Double {
    load(raw.coords.v.2, raw.coords.stride.2, coordinate)
  }
  @inlinable @inline(__always) public func m(_ coordinate: Int) -> Double {
    load(raw.coords.v.3, raw.coords.stride.3, coordinate)
  }

  @usableFromInline @inline(__always)
  func load(_ base: UnsafePointer<Double>?, _ stride: Int64, _ index: Int) -> Double {
    guard let base else { return .nan }
    return UnsafeRawPointer(base).load(fromByteOffset: index &* Int(stride), as: Double.self)
  }

  /// True for NaN NaN in points and multipoints: an empty point, alone or among others. Elsewhere NaN is a fault.
  @inlinable @inline(__always) public func isEmptyPoint(_ coordinate: Int) -> Bool {
    isPuntal && x(coordinate).isNaN && y(coordinate).isNaN
  }

  /// True for a row without coordinates; a multipoint of nothing but empty points is one.
  @inlinable public func isEmpty(_ row: Int) -> Bool {
    let range = coordinates(row)
    return isPuntal ? range.allSatisfy(isEmptyPoint) : range.isEmpty
  }

  /// The edge model and metric; planar and coordinate units when the array has none.
  public var model: mrd_model {
    raw.model?.pointee
      ?? mrd_model(
        struct_size: UInt32(MemoryLayout<mrd_model>.size), edges: MRD_EDGES_PLANAR, metric: MRD_METRIC_COORD, pad0: 0,
        semi_major: 0, flattening: 0)
  }
}

/// False for a model that is shorter than the first version's.
func isKnownModel(_ model: UnsafePointer<mrd_model>?) -> Bool {
  model.map { $0.pointee.struct_size >= UInt32(MemoryLayout<mrd_model>.size) } ?? true
}
