// SPDX-License-Identifier: Apache-2.0
import CSimdjson

/// JSON in the window of a source.
extension ByteSource {
  /// Where the JSON value that begins at `start` ends, reading on until it does.
  func valueEnd(from start: Int) throws(FormatError) -> Int {
    while true {
      let complete = isAtEnd
      let bytes = unread
      if start < bytes.count, let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) {
        let length = mrdj_value_length(base + start, bytes.count - start, complete ? 1 : 0)
        if length > 0 { return start + length }
      }
      guard !complete else {
        throw error("the file ends inside the \(Self.kind(bytes, at: start)) that begins here", at: start)
      }
      _ = try more()
    }
  }

  private static func kind(_ bytes: UnsafeRawBufferPointer, at position: Int) -> String {
    guard position < bytes.count else { return "value" }
    switch bytes[position] {
    case UInt8(ascii: "{"): return "object"
    case UInt8(ascii: "["): return "array"
    case UInt8(ascii: "\""): return "string"
    default: return "value"
    }
  }

  /// Why a stretch of the window is no JSON value, and where; nil when it is one.
  func jsonProblem(_ range: Range<Int>) -> (reason: String, position: Int)? {
    guard let base = unread.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
    var place = 0
    guard let reason = mrdj_check(base + range.lowerBound, range.count, MRDJ_MAX_DEPTH, &place) else { return nil }
    return (String(cString: reason), range.lowerBound + place)
  }

  /// Throws unless a stretch of the window is a JSON value.
  func requireJSON(_ range: Range<Int>) throws(FormatError) {
    if let problem = jsonProblem(range) { throw error(problem.reason, at: problem.position) }
  }
}
