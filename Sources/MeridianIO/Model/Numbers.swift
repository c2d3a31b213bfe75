// SPDX-License-Identifier: Apache-2.0
import CSimdjson

extension [UInt8] {
  /// Appends the shortest decimal text that reads back as the same number: `1`, `-0.0`, `0.1`, `5e-324`, `nan`, `-inf`.
  /// A JSON number if the number is finite.
  mutating func append(number: Double) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { text in
      guard let base = text.baseAddress else { return }
      let length = mrdj_format_double(number, base)
      append(contentsOf: UnsafeRawBufferPointer(start: base, count: length))
    }
  }

  mutating func append(text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}

/// The number that the bytes begin with, correctly rounded, and how many bytes it has; nil when they begin with none.
/// Beyond the range of doubles it is infinite.
func parseNumber(_ bytes: UnsafeRawBufferPointer) -> (value: Double, length: Int)? {
  guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
  var value = 0.0
  let length = mrdj_parse_double(base, bytes.count, &value)
  return length > 0 ? (value, length) : nil
}
