// SPDX-License-Identifier: Apache-2.0
import CBench
import CPlatform
import Meridian
import MeridianABI

/// Calls of a kernel's table without a host: the least that a call can cost. All memory is there before the first call
/// and is used again by the next, so one call runs at a time.
final class DirectCall {
  private let call: UnsafeMutablePointer<mrd_call>
  private let error: UnsafeMutablePointer<mrd_error>
  private let column: UnsafeMutablePointer<Double>
  private let verdicts: UnsafeMutablePointer<UInt8>
  private let statuses: UnsafeMutablePointer<mrd_item_status>
  private let results = Buffer()
  private let rows: Int

  /// The table of a family of the empty kernel.
  static func table<T>(_ family: String, _ type: T.Type) throws(MeridianError) -> T {
    let plugin = mrdb_empty_plugin().assumingMemoryBound(to: mrd_plugin.self)
    guard let table = plugin.pointee.get_family(family) else {
      throw MeridianError(.notFound, "the empty kernel has no family \(family)")
    }
    return table.assumingMemoryBound(to: type).pointee
  }

  init(rows: Int) {
    self.rows = rows
    column = .allocate(capacity: rows)
    column.initialize(repeating: 0, count: rows)
    verdicts = .allocate(capacity: rows)
    verdicts.initialize(repeating: 0, count: rows)
    statuses = .allocate(capacity: rows)
    statuses.initialize(repeating: 0, count: rows)
    error = .allocate(capacity: 1)
    error.initialize(to: mrd_error())
    error.pointee.struct_size = UInt32(MemoryLayout<mrd_error>.size)
    call = .allocate(capacity: 1)
    call.initialize(to: mrd_call())
    call.pointee.struct_size = UInt32(MemoryLayout<mrd_call>.size)
    call.pointee.thread_budget = 1
    call.pointee.error = error
    call.pointee.item_status = statuses
    call.pointee.host = Unmanaged.passUnretained(results).toOpaque()
    // The empty kernel takes no scratch memory, and of two result buffers one has no length.
    call.pointee.scratch = { _, _, _ in nil }
    call.pointee.grow = { call, buffer, bytes in
      guard let host = call?.pointee.host else { return nil }
      let results = Unmanaged<Buffer>.fromOpaque(host).takeUnretainedValue()
      guard buffer == MRD_BUF_ROWS || bytes == 0 else { return nil }
      return bytes == 0 || results.resize(Int(bytes)) ? results.pointer : nil
    }
  }

  deinit {
    column.deallocate()
    verdicts.deallocate()
    statuses.deallocate()
    error.deallocate()
    call.deallocate()
  }

  func measureLength(_ table: mrd_family_measure, _ array: GeometryArray) throws(MeridianError) -> Outcome {
    var status = MRD_OK
    withUnsafePointer(to: Optional(column)) { column in
      var columns = mrd_columns()
      columns.struct_size = UInt32(MemoryLayout<mrd_columns>.size)
      columns.count = 1
      columns.length = Int64(rows)
      columns.values = column
      array.withGeoms { geoms in status = table.measure(MRD_MEASURE_LENGTH, geoms, nil, &columns, call) }
    }
    return try settled(status)
  }

  func validate(_ table: mrd_family_validate, _ array: GeometryArray) throws(MeridianError) -> Outcome {
    var options = mrd_validate_options()
    options.struct_size = UInt32(MemoryLayout<mrd_validate_options>.size)
    var out = mrd_problems_out()
    out.struct_size = UInt32(MemoryLayout<mrd_problems_out>.size)
    out.verdicts = verdicts
    let status = array.withGeoms { geoms in table.check(MRD_VALIDATE_VALID, geoms, &options, &out, call) }
    return try settled(status)
  }

  func window(_ table: mrd_family_index, _ windows: Boxes) throws(MeridianError) -> Outcome {
    var options = mrd_window_options()
    options.struct_size = UInt32(MemoryLayout<mrd_window_options>.size)
    let status = windows.xmin.withUnsafeBufferPointer { xmin in
      windows.ymin.withUnsafeBufferPointer { ymin in
        windows.xmax.withUnsafeBufferPointer { xmax in
          windows.ymax.withUnsafeBufferPointer { ymax in
            var boxes = mrd_boxes()
            boxes.struct_size = UInt32(MemoryLayout<mrd_boxes>.size)
            boxes.length = Int64(windows.count)
            boxes.v = (xmin.baseAddress, ymin.baseAddress, xmax.baseAddress, ymax.baseAddress)
            boxes.stride = (8, 8, 8, 8)
            return table.window(nil, &boxes, &options, call)
          }
        }
      }
    }
    return try settled(status)
  }

  /// Nothing is copied out: an outcome is not what this measures.
  private func settled(_ status: mrd_status) throws(MeridianError) -> Outcome {
    if status == MRD_OK { return Outcome() }
    throw MeridianError(Status(rawValue: status), "the empty kernel failed with status \(status)")
  }
}
