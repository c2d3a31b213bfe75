// SPDX-License-Identifier: Apache-2.0

/// JSON as text: strict scanning of small pieces (RFC 8259), strings written and read. Nothing here makes a tree; values
/// stay the bytes that they were.
enum JSONText {
  /// Arrays and objects inside each other that are followed; deeper ones are refused.
  static let maximumDepth = 512

  /// What a value is, with what there is to know of it.
  enum Kind: Equatable {
    case null
    case bool(Bool)
    /// Has no fraction and no exponent, fits, and is not -0.
    case integer(Int64)
    /// Any other number.
    case number
    case string
    case array
    case object
  }

  /// A member of an object.
  struct Member {
    var name: String
    var kind: Kind
    /// Where the value stands in the text.
    var value: Range<Int>
  }

  /// The members of an object in order; nil when the text is not one object, empty for `null`.
  static func members(_ text: [UInt8]) -> [Member]? {
    text.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes)
      guard let members = scanner.rootMembers(), scanner.isAtEnd else { return nil }
      return members
    }
  }

  /// The kind of a text that is one value; nil when it is not.
  static func kind(_ text: [UInt8]) -> Kind? {
    text.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes)
      guard let kind = scanner.value(depth: 0), scanner.isAtEnd else { return nil }
      return kind
    }
  }

  /// True when the bytes are one value.
  static func isValue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var scanner = JSONScanner(bytes)
    return scanner.value(depth: 0) != nil && scanner.isAtEnd
  }

  /// The bytes that a string stands for, given with its quotes. A lone surrogate becomes U+FFFD.
  static func unescaped(_ string: some Collection<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    let bytes = Array(string.dropFirst().dropLast())
    var at = 0
    while at < bytes.count {
      guard bytes[at] == backslash, at + 1 < bytes.count else {
        output.append(bytes[at])
        at += 1
        continue
      }
      if bytes[at + 1] == UInt8(ascii: "u") {
        output += Array(String(escapedCharacter(bytes, &at)).utf8)
      } else {
        output.append(plain(escape: bytes[at + 1]))
        at += 2
      }
    }
    return output
  }

  /// Appends text as a JSON string. What is not UTF-8 becomes U+FFFD; true when that happened.
  @discardableResult
  static func appendString(_ text: some Collection<UInt8>, to output: inout [UInt8]) -> Bool {
    var bytes = Array(text)
    let repaired = String(validating: bytes, as: UTF8.self) == nil
    if repaired { bytes = Array(String(decoding: bytes, as: UTF8.self).utf8) }
    output.append(quote)
    for byte in bytes {
      switch byte {
      case quote, backslash: output += [backslash, byte]
      case 0x0a: output += [backslash, UInt8(ascii: "n")]
      case 0x0d: output += [backslash, UInt8(ascii: "r")]
      case 0x09: output += [backslash, UInt8(ascii: "t")]
      case 0..<0x20: output += Array("\\u00".utf8) + [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
      default: output.append(byte)
      }
    }
    output.append(quote)
    return repaired
  }

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")
  private static let hexDigits = Array("0123456789abcdef".utf8)

  private static func plain(escape: UInt8) -> UInt8 {
    switch escape {
    case UInt8(ascii: "b"): 8
    case UInt8(ascii: "f"): 12
    case UInt8(ascii: "n"): 10
    case UInt8(ascii: "r"): 13
    case UInt8(ascii: "t"): 9
    default: escape
    }
  }

  /// The character of the `\uXXXX` at `at`, or of two that are a surrogate pair.
  private static func escapedCharacter(_ bytes: [UInt8], _ at: inout Int) -> Character {
    let first = codeUnit(bytes, at)
    at += 6
    guard 0xd800..<0xe000 ~= first else { return Character(Unicode.Scalar(first) ?? "\u{fffd}") }
    guard first < 0xdc00, at + 1 < bytes.count, bytes[at] == backslash, bytes[at + 1] == UInt8(ascii: "u") else {
      return "\u{fffd}"
    }
    let second = codeUnit(bytes, at)
    guard 0xdc00..<0xe000 ~= second else { return "\u{fffd}" }
    at += 6
    let high = (first & 0x3ff) << 10
    return Character(Unicode.Scalar(0x10000 + high + (second & 0x3ff)) ?? "\u{fffd}")
  }

  private static func codeUnit(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    bytes.dropFirst(at + 2).prefix(4).reduce(0) { $0 << 4 | (JSONScanner.hexValue($1) ?? 0) }
  }
}
