// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// `snap.query` of a loaded plug-in with Swift values around it.
public final class SnapRun {
  public let table: mrd_family_snap
  private let handle: OpaquePointer?
  private let layers: [Layer]  // borrowed by the handle
  public let message: String

  public struct Layer {
    public var geoms: TestGeoms
    public var kinds: UInt32
    public var priority: Int32
    public init(_ geoms: TestGeoms, kinds: [Int32] = [], priority: Int32 = 0) {
      self.geoms = geoms
      self.kinds = kinds.reduce(0) { $0 | 1 << UInt32($1) }
      self.priority = priority
    }
  }

  public struct Options {
    public var tolerance = 1.0
    public var metres = 0.0
    public var places = 1
    public var factors: [Double]?
    public var priorities: [Int32]?
    public var metric: [Double]?
    public var exclusions: [mrd_snap_exclusion] = []
    /// x and y of the vertex before each point.
    public var previous: [Double]?
    public init() {}
  }

  public struct Result {
    public var status: mrd_status
    public var hits: [[mrd_snap_hit]]
    public var statuses: [mrd_item_status]
    public var message: String
    public var isIntact: Bool
  }

  /// Opens the layers; `status` tells how that went.
  public init(_ library: LoadedLibrary, _ layers: [Layer], failingRequest: Int = -1, cancelled: Bool = false) throws {
    table = try library.snap()
    self.layers = layers
    let call = GuardedCall(rows: 0)
    call.failingRequest = failingRequest
    call.isCancelled = cancelled
    let raw = layers.map {
      mrd_snap_layer(
        struct_size: UInt32(MemoryLayout<mrd_snap_layer>.size), kinds: $0.kinds, priority: $0.priority, pad0: 0,
        targets: $0.geoms.pointer)
    }
    var opened: OpaquePointer?
    let open = table.open
    status = raw.withUnsafeBufferPointer { raw in
      let list: [UnsafePointer<mrd_snap_layer>?] = raw.indices.map { index in raw.baseAddress.map { $0 + index } }
      return call.run { open?(list, UInt32(list.count), 0, &opened, $0) ?? MRD_E_UNSUPPORTED }
    }
    handle = opened
    message = call.message
    requests = call.requests
  }

  deinit { table.release(handle) }

  public let status: mrd_status
  /// How often `init` asked for memory.
  public let requests: Int

  public func query(
    _ points: TestGeoms, _ options: Options, failingRequest: Int = -1, cancelled: Bool = false
  ) -> Result {
    withRaw(options) { query(points, raw: $0, failingRequest: failingRequest, cancelled: cancelled) }
  }

  /// The same with options as the ABI has them.
  public func query(
    _ points: TestGeoms, raw options: UnsafePointer<mrd_snap_query_options>, failingRequest: Int = -1,
    cancelled: Bool = false
  ) -> Result {
    let call = GuardedCall(rows: points.rows)
    call.failingRequest = failingRequest
    call.isCancelled = cancelled
    var out = mrd_snap_hits_out()
    out.struct_size = UInt32(MemoryLayout<mrd_snap_hits_out>.size)
    let status = call.run { table.query(handle, points.pointer, options, &out, $0) }
    var result = Result(
      status: status, hits: [], statuses: call.statuses, message: call.message, isIntact: call.isIntact)
    guard status == MRD_OK else { return result }
    let records = call.values(MRD_BUF_RECORDS, mrd_snap_hit.self)
    let rows = call.values(MRD_BUF_ROWS, Int64.self)
    guard rows.count == points.rows + 1, out.count == Int64(records.count),
      out.record_size == UInt32(MemoryLayout<mrd_snap_hit>.stride)
    else {
      result.isIntact = false
      return result
    }
    result.hits = (0..<points.rows).map { Array(records[Int(rows[$0])..<Int(rows[$0 + 1])]) }
    return result
  }

  private func withRaw<R>(_ options: Options, _ body: (UnsafePointer<mrd_snap_query_options>) -> R) -> R {
    var raw = mrd_snap_query_options()
    raw.struct_size = UInt32(MemoryLayout<mrd_snap_query_options>.size)
    raw.max_candidates = UInt32(options.places)
    raw.tolerance_coord = options.tolerance
    raw.tolerance_m = options.metres
    raw.n_exclusions = Int64(options.exclusions.count)
    raw.exclusion_size = UInt32(MemoryLayout<mrd_snap_exclusion>.stride)
    return (options.factors ?? []).withUnsafeBufferPointer { factors in
      (options.priorities ?? []).withUnsafeBufferPointer { priorities in
        (options.metric ?? []).withUnsafeBufferPointer { metric in
          (options.previous ?? []).withUnsafeBufferPointer { previous in
            options.exclusions.withUnsafeBufferPointer { exclusions in
              if options.previous != nil { raw.previous = previous.baseAddress }
              if options.factors != nil { raw.kind_factor = factors.baseAddress }
              if options.priorities != nil { raw.kind_priority = priorities.baseAddress }
              if options.metric != nil { raw.screen_metric = metric.baseAddress }
              if !exclusions.isEmpty { raw.exclusions = exclusions.baseAddress }
              return body(&raw)
            }
          }
        }
      }
    }
  }
}
