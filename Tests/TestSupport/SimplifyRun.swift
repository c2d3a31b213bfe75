// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// `simplify` of a loaded plug-in with Swift values around it.
public struct SimplifyRun {
  public struct Options {
    public var operation = MRD_SIMPLIFY_DOUGLAS_PEUCKER
    public var tolerances: [Double] = [1]
    public var collapse = MRD_COLLAPSE_KEEP
    public var flags: UInt32 = 0
    public var unit = MRD_TOLERANCE_COORD
    public var measure = MRD_SIMPLIFY_BY_LENGTH
    public var targetCount = 0
    public var targetShare = 0.0
    public var zoom = 0.0
    public var pixelFactor = 0.0
    public var maxDistance = 0.0
    /// A bit a coordinate; those that are not given are 0.
    public var protected: [UInt8]?
    public var isCancelled = false
    public var failingRequest = -1
    public init(_ operation: UInt32 = MRD_SIMPLIFY_DOUGLAS_PEUCKER, _ tolerances: Double...) {
      self.operation = operation
      self.tolerances = tolerances
    }
  }

  public let status: mrd_status
  public let outcomes: [Int32]
  public let call: GuardedCall
  private let levels: Int

  public init(_ library: LoadedLibrary, _ geoms: TestGeoms, _ options: Options) throws {
    try self.init(library, geoms.pointer, rows: geoms.rows, levels: Int(geoms.pointer.pointee.n_offsets), options)
  }

  public init(
    _ library: LoadedLibrary, _ geoms: UnsafePointer<mrd_geoms>, rows: Int, levels: Int, _ options: Options
  ) throws {
    let table = try library.simplify()
    let call = GuardedCall(rows: rows)
    call.isCancelled = options.isCancelled
    call.failingRequest = options.failingRequest
    var outcomes = Array(repeating: Int32(-1), count: rows * max(1, options.tolerances.count))
    var out = mrd_geoms_out()
    out.struct_size = UInt32(MemoryLayout<mrd_geoms_out>.size)
    let bytes = (Int(geoms.pointee.coords.count) + 7) / 8
    let given = options.protected ?? []
    let protected = given + Array(repeating: 0, count: max(0, bytes - given.count))
    status = options.tolerances.withUnsafeBufferPointer { tolerances in
      protected.withUnsafeBufferPointer { bits in
        var raw = mrd_simplify_options()
        raw.struct_size = UInt32(MemoryLayout<mrd_simplify_options>.size)
        raw.flags = options.flags | MRD_SIMPLIFY_WANT_KEPT
        raw.unit = options.unit
        raw.measure = options.measure
        raw.collapse = options.collapse
        raw.n_tolerances = UInt32(tolerances.count)
        raw.tolerances = tolerances.baseAddress
        raw.target_count = Int64(options.targetCount)
        raw.target_share = options.targetShare
        raw.zoom = options.zoom
        raw.pixel_factor = options.pixelFactor
        raw.max_distance = options.maxDistance
        raw.protected_vertices = options.protected == nil ? nil : bits.baseAddress
        return call.run { table.simplify(options.operation, geoms, &raw, &out, &outcomes, $0) }
      }
    }
    self.outcomes = outcomes
    self.call = call
    self.levels = levels
  }

  /// Numbers of the kept coordinates of the whole result, and where each ring or line begins in them.
  public var kept: [Int] { call.values(MRD_BUF_IDS, Int64.self).map(Int.init) }
  public var x: [Double] { call.values(MRD_BUF_X, Double.self) }
  public var y: [Double] { call.values(MRD_BUF_Y, Double.self) }
  private var starts: [Int] {
    call.values([MRD_BUF_OFFSETS0, MRD_BUF_OFFSETS1, MRD_BUF_OFFSETS2][levels - 1], Int64.self).map(Int.init)
  }
  /// The kept numbers of each ring or line, one after the other.
  public var paths: [[Int]] { zip(starts, starts.dropFirst()).map { Array(kept[$0..<$1]) } }
  /// The places of each ring or line.
  public var places: [[[Double]]] {
    zip(starts, starts.dropFirst()).map { from, to in (from..<to).map { [x[$0], y[$0]] } }
  }
}
