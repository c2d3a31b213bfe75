// SPDX-License-Identifier: Apache-2.0
import CSimdjson

/// Small work on JSON text that was checked before: the members of an object, strings in and out of quotes.
enum JSONText {
  /// The text between the quotes of each name, and where its value is.
  struct Member {
    var name: [UInt8]
    var value: Range<Int>
  }

  /// The members of an object in document order; empty for text that is no object.
  static func members(of text: [UInt8]) -> [Member] {
    text.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return [] }
      var members: [Member] = []
      var position = 0
      func skip(_ extra: UInt8) {
        while position < bytes.count, bytes[position] <= 0x20 || bytes[position] == extra { position += 1 }
      }
      func value() -> Range<Int>? {
        let length = mrdj_value_length(base + position, bytes.count - position, 1)
        guard length > 0 else { return nil }
        defer { position += length }
        return position..<(position + length)
      }
      skip(0x20)
      guard position < bytes.count, bytes[position] == UInt8(ascii: "{") else { return [] }
      position += 1
      while true {
        skip(UInt8(ascii: ","))
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\""), let name = value() else { return members }
        skip(UInt8(ascii: ":"))
        guard position < bytes.count, let value = value() else { return members }
        members.append(Member(name: Array(bytes[name].dropFirst().dropLast()), value: value))
      }
    }
  }

  /// The value of a member whose name has no escapes.
  static func value(_ name: String, of object: [UInt8]) -> [UInt8]? {
    members(of: object).first { $0.name.elementsEqual(name.utf8) }.map { Array(object[$0.value]) }
  }

  /// The UTF-8 of a string in quotes; nil for other values.
  static func string(_ text: [UInt8]) -> [UInt8]? {
    guard text.count >= 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") else { return nil }
    return unescaped(text[1..<(text.count - 1)])
  }

  /// Replaces the escapes of the inside of a string. A lone surrogate becomes U+FFFD.
  static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var units: [UInt16] = []
    func flush() {
      guard !units.isEmpty else { return }
      result += Array(String(decoding: units, as: UTF16.self).utf8)
      units = []
    }
    var at = text.startIndex
    while at < text.endIndex {
      guard text[at] == UInt8(ascii: "\\"), at + 1 < text.endIndex else {
        flush()
        result.append(text[at])
        at += 1
        continue
      }
      let escape = text[at + 1]
      if escape == UInt8(ascii: "u") {
        let digits = String(decoding: text[(at + 2)..<min(at + 6, text.endIndex)], as: UTF8.self)
        units.append(UInt16(digits, radix: 16) ?? 0xFFFD)
        at += 6
        continue
      }
      flush()
      result.append(single(escape))
      at += 2
    }
    flush()
    return result
  }

  private static func single(_ escape: UInt8) -> UInt8 {
    switch escape {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: escape
    }
  }

  /// Appends text, which is UTF-8, as a JSON string.
  static func appendString(_ text: some Sequence<UInt8>, to output: inout [UInt8]) {
    let hex = Array("0123456789abcdef".utf8)
    output.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
      case 0x0A: output += Array("\\n".utf8)
      case 0x0D: output += Array("\\r".utf8)
      case 0x09: output += Array("\\t".utf8)
      case 0..<0x20: output += Array("\\u00".utf8) + [hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
