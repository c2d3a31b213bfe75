// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Memory that is lent to a kernel, with known bytes before and behind it when the host checks its kernels: a write past
/// either end is then found.
final class GuardedBlock {
  static let margin = 64
  static let pattern: UInt8 = 0xA5

  let start: UnsafeMutableRawPointer
  let bytes: Int
  private let base: UnsafeMutableRawPointer
  private let checked: Bool

  /// nil = no memory. `align` is a power of two.
  convenience init?(bytes: Int, align: Int = 16, checked: Bool) {
    let align = max(align, 16)
    let front = checked ? max(align, Self.margin) : 0
    let (room, overflow) = bytes.addingReportingOverflow(front + Self.margin)
    var fresh: UnsafeMutableRawPointer?
    guard bytes >= 0, !overflow, posix_memalign(&fresh, align, room) == 0, let fresh else { return nil }
    mrdp_will_fill(fresh, room)
    self.init(base: fresh, start: fresh + front, bytes: bytes, checked: checked)
  }

  private init(base: UnsafeMutableRawPointer, start: UnsafeMutableRawPointer, bytes: Int, checked: Bool) {
    self.base = base
    self.start = start
    self.bytes = bytes
    self.checked = checked
    if checked {
      memset(start - Self.margin, Int32(Self.pattern), Self.margin)
      memset(start + bytes, Int32(Self.pattern), Self.margin)
    }
  }

  deinit { free(base) }

  var isIntact: Bool {
    !checked || (Self.isIntact(start - Self.margin) && Self.isIntact(start + bytes))
  }

  /// True when the margin at `start` holds the pattern.
  static func isIntact(_ start: UnsafeMutableRawPointer) -> Bool {
    for index in 0..<margin where start.load(fromByteOffset: index, as: UInt8.self) != pattern { return false }
    return true
  }
}

/// A column of the caller's memory, `stride` bytes a row, that kernels fill in place. `base` nil = not wanted.
struct FixedColumn: @unchecked Sendable {
  let base: UnsafeMutableRawPointer?
  let stride: Int

  init<T: BitwiseCopyable>(_ base: UnsafeMutablePointer<T>?) {
    self.base = UnsafeMutableRawPointer(base)
    stride = MemoryLayout<T>.stride
  }

  init(base: UnsafeMutableRawPointer?, stride: Int) {
    self.base = base
    self.stride = stride
  }
}
