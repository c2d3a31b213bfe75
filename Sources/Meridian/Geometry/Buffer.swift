// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Growable memory outside the Swift heap, 64-byte aligned, whose address is stable until it is resized. It carries
/// coordinates, offsets and the result buffers of kernels, so that a result becomes an array without a copy.
///
/// Not thread-safe while it grows; immutable use is safe from any thread.
public final class Buffer: @unchecked Sendable {
  public private(set) var pointer: UnsafeMutableRawPointer?
  /// Bytes in use.
  public private(set) var count = 0
  public private(set) var capacity = 0

  public init() {}
  deinit { free(pointer) }

  /// Makes the buffer `bytes` long, keeping what it holds. Capacity at least doubles. False = no memory; the buffer is
  /// then as it was.
  public func resize(_ bytes: Int) -> Bool {
    if bytes > capacity || pointer == nil {
      let (doubled, overflow) = capacity.multipliedReportingOverflow(by: 2)
      let wanted = max(bytes, overflow ? bytes : doubled, 64)
      guard wanted <= Int.max - 63 else { return false }
      var fresh: UnsafeMutableRawPointer?
      guard posix_memalign(&fresh, 64, (wanted + 63) & ~63) == 0, let fresh else { return false }
      if let pointer {
        memcpy(fresh, pointer, count)
        free(pointer)
      }
      pointer = fresh
      capacity = (wanted + 63) & ~63
    }
    count = bytes
    return true
  }

  /// Appends a trivial value. False = no memory; the buffer is then as it was.
  @inline(__always)
  func tryAppend<T: BitwiseCopyable>(_ value: T) -> Bool {
    let at = count
    guard resize(at &+ MemoryLayout<T>.size), let pointer else { return false }
    pointer.storeBytes(of: value, toByteOffset: at, as: T.self)
    return true
  }

  /// Appends a trivial value. Memory that cannot be had ends the process as it does for Swift's own arrays.
  @inline(__always)
  public func append<T: BitwiseCopyable>(_ value: T) {
    let at = count
    guard resize(at + MemoryLayout<T>.size), let pointer else { fatalError("out of memory") }
    pointer.storeBytes(of: value, toByteOffset: at, as: T.self)
  }

  /// Appends `bytes` bytes from `source`.
  public func append(from source: UnsafeRawPointer, bytes: Int) {
    let at = count
    guard resize(at + bytes), let pointer else { fatalError("out of memory") }
    memcpy(pointer + at, source, bytes)
  }

  /// The contents as values of one trivial type.
  @inline(__always)
  public func values<T: BitwiseCopyable>(_ type: T.Type) -> UnsafeMutableBufferPointer<T> {
    UnsafeMutableBufferPointer(
      start: pointer?.assumingMemoryBound(to: T.self), count: count / MemoryLayout<T>.stride)
  }

  /// A copy of the contents as values of one trivial type. Unlike `values`, whose memory goes when the last reference to
  /// the buffer does, it may be called on a buffer that nobody else holds.
  public func array<T: BitwiseCopyable>(of type: T.Type) -> [T] { withExtendedLifetime(self) { Array(values(type)) } }
}
