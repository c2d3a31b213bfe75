// SPDX-License-Identifier: Apache-2.0

/// Text of JSON as it is written: numbers as the shortest text that reads back bit-equal.
enum JSONText {
  static func append(_ text: String, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): out += "\\n".utf8
      case UInt8(ascii: "\r"): out += "\\r".utf8
      case UInt8(ascii: "\t"): out += "\\t".utf8
      case 0..<0x20: out += [UInt8](("\\u00" + hex(byte >> 4) + hex(byte & 15)).utf8)
      default: out.append(byte)
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  /// JSON has no NaN and no infinity: both become null.
  static func append(_ number: Double, to out: inout [UInt8]) {
    out += number.isFinite ? numberText(number).utf8 : "null".utf8
  }

  /// `12.0` is written as `12`, and a negative zero keeps its sign.
  static func numberText(_ number: Double) -> String {
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func hex(_ nibble: UInt8) -> String { String(nibble, radix: 16) }
}
