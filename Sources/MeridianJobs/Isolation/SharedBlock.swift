// SPDX-License-Identifier: Apache-2.0
import CIsolation
import CPlatform
import Meridian

/// Memory that this process and a worker see both. One writes it from the start, tells the other how long it is, and writes
/// again when it was answered; it grows and never shrinks.
final class SharedBlock {
  let descriptor: Int32
  private let writes: Bool
  private(set) var start: UnsafeMutableRawPointer?
  private var mapped = 0
  /// Bytes that were written since `clear`.
  private(set) var count = 0

  /// New memory.
  convenience init() throws(MeridianError) {
    let descriptor = mrdi_shared_memory()
    guard descriptor >= 0 else {
      throw MeridianError(.memory, "no memory that a worker could share: \(lastError())")
    }
    self.init(descriptor: descriptor, writes: true)
  }

  /// The memory behind a descriptor that this process was given.
  /// - Parameter writes: false = whoever writes there ends the process: a kernel that writes to its input.
  init(descriptor: Int32, writes: Bool) {
    self.descriptor = descriptor
    self.writes = writes
  }

  deinit {
    if let start { mrdi_unmap(start, Int64(mapped)) }
    close(descriptor)
  }

  // MARK: - Writing

  func clear() { count = 0 }

  /// Room for `bytes` more, at a place that is a multiple of 8.
  private func room(_ bytes: Int) throws(MeridianError) -> UnsafeMutableRawPointer {
    let at = (count + 7) & ~7
    if at + bytes > mapped {
      let wanted = max(at + bytes, 2 * mapped, 1 << 16)
      guard ftruncate(descriptor, off_t(wanted)) == 0 else {
        throw MeridianError(.memory, "no room for \(wanted) bytes that are shared with a worker")
      }
      try map(wanted)
    }
    guard let start else { throw MeridianError(.internalError, "a shared block without memory") }
    count = at + bytes
    return start + at
  }

  func put<T: BitwiseCopyable>(_ value: T) throws(MeridianError) {
    try room(MemoryLayout<T>.size).storeBytes(of: value, as: T.self)
  }

  /// Bytes with their number in front of them; none for nil.
  func put(bytes: UnsafeRawPointer?, count: Int) throws(MeridianError) {
    guard let bytes, count > 0 else { return try put(Int64(0)) }
    try put(Int64(count))
    memcpy(try room(count), bytes, count)
  }

  func put<T: BitwiseCopyable>(array: [T]) throws(MeridianError) {
    try array.withUnsafeBufferPointer { (items) throws(MeridianError) in
      try put(
        bytes: items.baseAddress.map { UnsafeRawPointer($0) },
        count: items.count * MemoryLayout<T>.stride)
    }
  }

  func put(_ text: String) throws(MeridianError) { try put(array: Array(text.utf8)) }

  func put(optional text: String?) throws(MeridianError) {
    try put(text == nil ? UInt8(0) : 1)
    if let text { try put(text) }
  }

  // MARK: - Reading

  /// What the other process wrote, `count` bytes by its word.
  func reader(_ count: Int) throws(MeridianError) -> SharedReader {
    var status = stat()
    guard count >= 0, fstat(descriptor, &status) == 0, count <= Int(status.st_size) else {
      throw MeridianError(.internalError, "a worker speaks of \(count) bytes that are not there")
    }
    if count > mapped { try map(Int(status.st_size)) }
    return SharedReader(start: start, count: count)
  }

  private func map(_ bytes: Int) throws(MeridianError) {
    guard let fresh = mrdi_map(descriptor, Int64(bytes), writes ? 1 : 0) else {
      throw MeridianError(.memory, "\(bytes) bytes that are shared with a worker cannot be mapped")
    }
    if let start { mrdi_unmap(start, Int64(mapped)) }
    start = fresh
    mapped = bytes
  }
}

/// Reads what `SharedBlock` wrote, in the same order. The other process may be broken: every length is held against what is
/// there, and what is not there is an error.
struct SharedReader {
  private let start: UnsafeMutableRawPointer?
  private let count: Int
  private var at = 0

  init(start: UnsafeMutableRawPointer?, count: Int) {
    self.start = start
    self.count = count
  }

  /// The next `bytes` bytes, in place.
  private mutating func take(_ bytes: Int) throws(MeridianError) -> UnsafeMutableRawPointer {
    let from = (at + 7) & ~7
    guard let start, bytes >= 0, from <= count, bytes <= count - from else {
      throw MeridianError(.internalError, "an answer ends too early")
    }
    at = from + bytes
    return start + from
  }

  mutating func get<T: BitwiseCopyable>(_ type: T.Type = T.self) throws(MeridianError) -> T {
    try take(MemoryLayout<T>.size).load(as: T.self)
  }

  /// In place: valid until the memory is written again.
  mutating func bytes() throws(MeridianError) -> UnsafeMutableRawBufferPointer {
    let count = Int(try get(Int64.self))
    guard count > 0 else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    return UnsafeMutableRawBufferPointer(start: try take(count), count: count)
  }

  mutating func array<T: BitwiseCopyable>(of type: T.Type = T.self) throws(MeridianError) -> [T] {
    let bytes = try bytes()
    return Array(bytes.bindMemory(to: T.self))
  }

  mutating func text() throws(MeridianError) -> String {
    String(decoding: try bytes(), as: UTF8.self)
  }

  mutating func optionalText() throws(MeridianError) -> String? {
    try get(UInt8.self) == 0 ? nil : text()
  }
}
