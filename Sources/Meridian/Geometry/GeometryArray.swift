// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// N geometries of one type and one dimension: the ABI's `mrd_geoms` with an owner for its memory.
///
/// Immutable; safe from any thread. Either it owns its buffers, or it borrows memory that somebody else keeps alive.
public final class GeometryArray: @unchecked Sendable {
  private let storage: mrd_geoms
  /// The model, and one of zeros behind it: memory for `emptyLevel`.
  private let modelStorage: UnsafeMutablePointer<mrd_model>
  private let owned: [Buffer]
  private let owner: AnyObject?

  public let type: GeometryType
  public let dimensions: Dimensions
  public let model: GeometryModel
  /// Rows.
  public let count: Int

  /// Wraps memory that the caller keeps alive for as long as the array lives, or hands over with `owner`.
  /// `model` nil = the array's own.
  public init(borrowing geoms: mrd_geoms, model: GeometryModel? = nil, owned: [Buffer] = [], owner: AnyObject? = nil) {
    self.model = model ?? (geoms.model.map { GeometryModel($0.pointee) } ?? .planar)
    modelStorage = .allocate(capacity: 2)
    modelStorage.initialize(to: self.model.abi)
    (modelStorage + 1).initialize(to: mrd_model())
    var copy = geoms
    copy.struct_size = UInt32(MemoryLayout<mrd_geoms>.size)
    copy.model = UnsafePointer(modelStorage)
    // Arrow may leave the offsets of an empty level away; kernels may not find NULL there.
    if geoms.length > 0 {
      let emptyLevel = UnsafeRawPointer(modelStorage + 1)
      if geoms.n_offsets > 1 && copy.offsets.1 == nil { copy.offsets.1 = emptyLevel }
      if geoms.n_offsets > 2 && copy.offsets.2 == nil { copy.offsets.2 = emptyLevel }
    }
    storage = copy
    self.owned = owned
    self.owner = owner
    type = GeometryType(rawValue: geoms.type)
    dimensions = Dimensions(rawValue: geoms.dims)
    count = Int(geoms.length)
  }

  /// Takes over buffers: 64-bit offsets starting at 0, separated ordinates, validity bits or nil.
  public convenience init(
    type: GeometryType, dimensions: Dimensions, count: Int, offsets: [Buffer], ordinates: [Buffer],
    validity: Buffer? = nil, model: GeometryModel = .planar, flags: UInt32 = 0
  ) {
    var geoms = mrd_geoms()
    geoms.struct_size = UInt32(MemoryLayout<mrd_geoms>.size)
    geoms.flags = flags
    geoms.type = type.rawValue
    geoms.dims = dimensions.rawValue
    geoms.offset_bits = 64
    geoms.n_offsets = UInt32(type.offsetLevels)
    geoms.length = Int64(count)
    if let validity, validity.count > 0 {
      geoms.validity = UnsafePointer(validity.pointer?.assumingMemoryBound(to: UInt8.self))
    }
    if offsets.count > 0 { geoms.offsets.0 = UnsafeRawPointer(offsets[0].pointer) }
    if offsets.count > 1 { geoms.offsets.1 = UnsafeRawPointer(offsets[1].pointer) }
    if offsets.count > 2 { geoms.offsets.2 = UnsafeRawPointer(offsets[2].pointer) }
    func column(_ index: Int) -> UnsafePointer<Double>? {
      index < ordinates.count ? UnsafePointer(ordinates[index].pointer?.assumingMemoryBound(to: Double.self)) : nil
    }
    geoms.coords.v.0 = column(0)
    geoms.coords.v.1 = column(1)
    if dimensions.hasZ { geoms.coords.v.2 = column(2) }
    if dimensions.hasM { geoms.coords.v.3 = column(dimensions.hasZ ? 3 : 2) }
    geoms.coords.stride = (8, 8, 8, 8)
    geoms.coords.count = Int64((ordinates.first?.count ?? 0) / 8)
    self.init(borrowing: geoms, model: model, owned: offsets + ordinates + (validity.map { [$0] } ?? []))
  }

  deinit {
    modelStorage.deinitialize(count: 2)
    modelStorage.deallocate()
  }

  /// The offsets of an inner level that were left away: one 0, of either width, since the level has no entries.
  var emptyLevel: UnsafeRawPointer { UnsafeRawPointer(modelStorage + 1) }

  /// True when the memory was laid out by somebody else: the host checks its offsets before each use.
  var isBorrowed: Bool { owned.isEmpty && count > 0 }

  /// The array as the ABI sees it. The pointers in it are valid while this object lives: use it inside
  /// `withExtendedLifetime(array) { ... }`, or through `withGeoms`.
  public var geoms: mrd_geoms { storage }

  /// The rows `range` as the ABI sees them, under another model when one is given.
  public func withGeoms<R, E: Error>(
    _ range: Range<Int>? = nil, model: GeometryModel? = nil, _ body: (UnsafePointer<mrd_geoms>) throws(E) -> R
  ) throws(E) -> R {
    var slice = storage
    if let range {
      slice.first += Int64(range.lowerBound)
      slice.length = Int64(range.count)
    }
    var otherModel = (model ?? self.model).abi
    defer { withExtendedLifetime(self) {} }
    return try withUnsafePointer(to: &otherModel) { (pointer: UnsafePointer<mrd_model>) throws(E) -> R in
      slice.model = pointer
      return try withUnsafePointer(to: &slice) { (geoms: UnsafePointer<mrd_geoms>) throws(E) -> R in
        try body(geoms)
      }
    }
  }

  // MARK: - Reading

  /// Coordinates that may be addressed.
  public var coordinateCount: Int { Int(storage.coords.count) }

  public func isNull(_ row: Int) -> Bool {
    guard let validity = storage.validity else { return false }
    let bit = row + Int(storage.first)
    return validity[bit >> 3] >> UInt8(bit & 7) & 1 == 0
  }

  /// Entry `index` of offset level `level` (0 = outermost), not shifted by `first`.
  @inline(__always)
  public func offset(_ level: Int, _ index: Int) -> Int {
    let base = level == 0 ? storage.offsets.0 : level == 1 ? storage.offsets.1 : storage.offsets.2
    guard let base else { return 0 }
    return storage.offset_bits == 64
      ? Int(base.load(fromByteOffset: index * 8, as: Int64.self))
      : Int(base.load(fromByteOffset: index * 4, as: Int32.self))
  }

  /// What row `row` spans at offset level 0: coordinates of lines, rings of polygons, polygons of multipolygons. For
  /// points the one coordinate.
  public func span(_ row: Int) -> Range<Int> {
    let at = row + Int(storage.first)
    return type == .point ? at..<(at + 1) : offset(0, at)..<offset(0, at + 1)
  }

  /// The range that entry `index` of level `level` spans at the level below.
  public func span(level: Int, _ index: Int) -> Range<Int> { offset(level, index)..<offset(level, index + 1) }

  /// The coordinates of row `row`, all parts and rings together.
  public func coordinates(ofRow row: Int) -> Range<Int> {
    var range = span(row)
    for level in 1..<max(1, type.offsetLevels) where type != .point {
      range = offset(level, range.lowerBound)..<offset(level, range.upperBound)
    }
    return range
  }

  /// Ordinate 0 to 3 (x, y, z, m) of a coordinate; NaN for an absent dimension.
  @inline(__always)
  public func ordinate(_ dimension: Int, _ coordinate: Int) -> Double {
    let v = storage.coords.v
    let s = storage.coords.stride
    let (base, stride) =
      switch dimension {
      case 0: (v.0, s.0)
      case 1: (v.1, s.1)
      case 2: (v.2, s.2)
      default: (v.3, s.3)
      }
    guard let base else { return .nan }
    return UnsafeRawPointer(base).load(fromByteOffset: coordinate * Int(stride), as: Double.self)
  }
  @inline(__always) public func x(_ coordinate: Int) -> Double { ordinate(0, coordinate) }
  @inline(__always) public func y(_ coordinate: Int) -> Double { ordinate(1, coordinate) }

  /// True for a row without coordinates; an empty point is NaN NaN.
  public func isEmpty(_ row: Int) -> Bool {
    if type == .point {
      let at = span(row).lowerBound
      return x(at).isNaN && y(at).isNaN
    }
    return coordinates(ofRow: row).isEmpty
  }
}
