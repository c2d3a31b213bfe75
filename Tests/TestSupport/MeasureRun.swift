// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// The measure family of a loaded plug-in with Swift arrays around it.
public struct MeasureRun {
  public let table: mrd_family_measure
  public init(_ library: LoadedLibrary) throws { table = try library.measure() }

  /// What a call gave: `columns[c][row]`.
  public struct Result {
    public var status: mrd_status
    public var columns: [[Double]]
    public var statuses: [mrd_item_status]
    public var message: String
    public var isIntact: Bool
    public func column(_ index: Int) -> [Double] { columns[index] }
  }

  private func collect(
    rows: Int, columns: Int, cancelled: Bool, stopsAfterResult: Bool = false,
    _ body: (UnsafePointer<mrd_columns>, UnsafeMutablePointer<mrd_call>) -> mrd_status
  ) -> Result {
    let call = GuardedCall(rows: rows)
    call.isCancelled = cancelled
    let memory = (0..<columns).map { _ in UnsafeMutableBufferPointer<Double>.allocate(capacity: rows + 1) }
    defer { for column in memory { column.deallocate() } }
    for column in memory { column.initialize(repeating: 12345.678) }
    let pointers: [UnsafeMutablePointer<Double>?] = memory.map(\.baseAddress)
    if stopsAfterResult, let first = memory.first?.baseAddress {
      first[0] = 0
      call.cancelWord = UnsafeRawPointer(first).assumingMemoryBound(to: UInt32.self)
    }
    let status = pointers.withUnsafeBufferPointer { pointers in
      var out = mrd_columns(
        struct_size: UInt32(MemoryLayout<mrd_columns>.size), count: UInt32(columns), length: Int64(rows),
        values: pointers.baseAddress)
      return call.run { body(&out, $0) }
    }
    let untouched = memory.allSatisfy { $0[rows] == 12345.678 }
    return Result(
      status: status, columns: memory.map { Array($0[0..<rows]) }, statuses: call.statuses, message: call.message,
      isIntact: call.isIntact && untouched)
  }

  public func measure(
    _ op: UInt32, _ geoms: TestGeoms, columns: Int = 1, side: Int32 = MRD_SIDE_SMALLER, fraction: [Double]? = nil,
    distance: [Double]? = nil, cancelled: Bool = false
  ) -> Result {
    collect(rows: geoms.rows, columns: columns, cancelled: cancelled) { out, call in
      func run(_ fractions: UnsafePointer<Double>?, _ distances: UnsafePointer<Double>?) -> mrd_status {
        var options = mrd_measure_options()
        options.struct_size = UInt32(MemoryLayout<mrd_measure_options>.size)
        options.side = side
        options.at_fraction = fractions
        options.at_distance = distances
        return table.measure(op, geoms.pointer, &options, out, call)
      }
      if let fraction { return run(fraction, nil) }
      if let distance { return run(nil, distance) }
      return run(nil, nil)
    }
  }

  /// `stopsAfterResult`: the call is cancelled as soon as row 0 has a result whose last bits are not 0.
  public func pair(
    _ op: UInt32, _ a: TestGeoms, _ b: TestGeoms, columns: Int, broadcast: Bool = false,
    side: Int32 = MRD_SIDE_SMALLER, cancelled: Bool = false, stopsAfterResult: Bool = false
  ) -> Result {
    collect(rows: a.rows, columns: columns, cancelled: cancelled, stopsAfterResult: stopsAfterResult) { out, call in
      var options = mrd_measure_options()
      options.struct_size = UInt32(MemoryLayout<mrd_measure_options>.size)
      options.flags = broadcast ? MRD_MEASURE_BROADCAST_B : 0
      options.side = side
      return table.pair(op, a.pointer, b.pointer, &options, out, call)
    }
  }

  public func direct(
    _ points: TestGeoms, azimuth: [Double], distance: [Double], cancelled: Bool = false
  ) -> Result {
    collect(rows: points.rows, columns: 3, cancelled: cancelled) { out, call in
      table.direct(points.pointer, azimuth, distance, nil, out, call)
    }
  }

  /// DENSIFY; the call holds the result buffers.
  public func densify(
    _ geoms: TestGeoms, metres: Double = 0, coord: Double = 0, cancelled: Bool = false, failingRequest: Int = -1
  ) -> (status: mrd_status, out: mrd_geoms_out, call: GuardedCall) {
    var options = mrd_measure_options()
    options.struct_size = UInt32(MemoryLayout<mrd_measure_options>.size)
    options.max_edge_m = metres
    options.max_edge_coord = coord
    var out = mrd_geoms_out()
    out.struct_size = UInt32(MemoryLayout<mrd_geoms_out>.size)
    let call = GuardedCall(rows: geoms.rows)
    call.isCancelled = cancelled
    call.failingRequest = failingRequest
    let status = call.run { table.build(MRD_MEASURE_DENSIFY, geoms.pointer, &options, &out, $0) }
    return (status, out, call)
  }
}

/// A small generator for tests (SplitMix64), so that a printed seed brings the same case back.
public struct TestRandom: RandomNumberGenerator {
  private var state: UInt64
  public init(seed: UInt64) { state = seed }
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
