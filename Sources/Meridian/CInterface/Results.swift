// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Variable-length results as C callers read them: one buffer for each `MRD_BUF_*` that the operation fills.
final class ResultHandle {
  private var buffers = [Buffer?](repeating: nil, count: Int(MRD_BUF_COUNT))
  /// Step through MRD_BUF_RECORDS, 0 when there are none.
  private(set) var recordSize: UInt32 = 0

  init() {}

  func buffer(_ number: UInt32) -> Buffer? { number < MRD_BUF_COUNT ? buffers[Int(number)] : nil }

  /// A new, empty buffer.
  func add(_ number: UInt32) -> Buffer {
    let buffer = Buffer()
    _ = buffer.resize(0)
    buffers[Int(number)] = buffer
    return buffer
  }

  /// A buffer that is there already.
  func adopt(_ number: UInt32, _ buffer: Buffer) { buffers[Int(number)] = buffer }

  /// A buffer that holds the values.
  func add<T: BitwiseCopyable>(_ number: UInt32, _ values: some Sequence<T>) {
    let buffer = add(number)
    for value in values { buffer.append(value) }
  }

  /// Records, with their step.
  func addRecords<T: BitwiseCopyable>(_ records: some Sequence<T>) {
    recordSize = UInt32(MemoryLayout<T>.stride)
    add(MRD_BUF_RECORDS, records)
  }
}

@c @implementation
public func mrd_result_release(_ result: OpaquePointer?) { releaseHandle(result, as: ResultHandle.self) }

@c @implementation
public func mrd_result_buffer(
  _ result: OpaquePointer?, _ number: UInt32, _ out: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> Int64 {
  out?.pointee = nil
  guard let result, let buffer = object(result, as: ResultHandle.self).buffer(number) else { return 0 }
  out?.pointee = UnsafeRawPointer(buffer.pointer)
  return Int64(buffer.count)
}

@c @implementation
public func mrd_result_record_size(_ result: OpaquePointer?) -> UInt32 {
  guard let result else { return 0 }
  return object(result, as: ResultHandle.self).recordSize
}
