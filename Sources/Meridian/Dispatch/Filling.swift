// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Columns with a value for each row of a set: memory that is new and filled at once, whose pages take longer to come than values
/// do unless the system knows.
extension UnsafeMutableBufferPointer where Element: BitwiseCopyable {
  static func allocateForFilling(_ count: Int) -> Self {
    let column = allocate(capacity: count)
    if let base = column.baseAddress { mrdp_will_fill(base, count * MemoryLayout<Element>.stride) }
    return column
  }

  /// The values as an array of what `transform` makes of each.
  @inline(__always)
  func copied<T: BitwiseCopyable>(_ transform: (Element) -> T) -> [T] {
    [T](unsafeUninitializedCapacity: count) { values, filled in
      if let base = values.baseAddress { mrdp_will_fill(base, count * MemoryLayout<T>.stride) }
      for index in indices { values.initializeElement(at: index, to: transform(self[index])) }
      filled = count
    }
  }
}
