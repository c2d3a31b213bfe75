// SPDX-License-Identifier: Apache-2.0

/// A small strict reader of JSON (RFC 8259) for manifests: libmeridian carries no library for it.
///
/// Stricter than the RFC where a manifest is safer for it: no byte order mark, UTF-8 must be well-formed, keys are unique,
/// surrogates come in pairs. Hostile input costs time linear in its length, but for the keys of one object, of which
/// there may be 1,000.
struct JSONReader {
  static let maximumSize = 1 << 20
  static let maximumDepth = 32
  static let maximumMembers = 1000

  private let bytes: [UInt8]
  private var at = 0

  static func read(_ bytes: [UInt8]) throws(JSONError) -> JSON {
    var reader = JSONReader(bytes: bytes)
    guard bytes.count <= maximumSize else { throw reader.error("longer than \(maximumSize) bytes") }
    try reader.checkUTF8()
    reader.skipSpace()
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.at == bytes.count else { throw reader.error("text after the end of the value") }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  // MARK: - Values

  private mutating func value(depth: Int) throws(JSONError) -> JSON {
    guard depth <= Self.maximumDepth else { throw error("nested deeper than \(Self.maximumDepth)") }
    let begin = at
    let content: JSON.Content
    switch peek {
    case UInt8(ascii: "{"): content = .object(try object(depth: depth))
    case UInt8(ascii: "["): content = .array(try array(depth: depth))
    case UInt8(ascii: "\""): content = .string(try string())
    case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"): content = .number(try number())
    default: content = try word()
    }
    return JSON(content: content, offset: begin)
  }

  private mutating func object(depth: Int) throws(JSONError) -> [JSON.Member] {
    var members: [JSON.Member] = []
    at += 1
    skipSpace()
    if take("}") { return members }
    repeat {
      skipSpace()
      let begin = at
      guard peek == UInt8(ascii: "\"") else { throw error("expected a key in quotes") }
      let key = try string()
      if members.contains(where: { $0.key.hasSameBytes(as: key) }) {
        throw error("the key '\(key)' is there twice", begin)
      }
      guard members.count < Self.maximumMembers else { throw error("more than \(Self.maximumMembers) keys", begin) }
      skipSpace()
      guard take(":") else { throw error("expected ':'") }
      skipSpace()
      members.append(JSON.Member(key: key, value: try value(depth: depth + 1)))
      skipSpace()
    } while take(",")
    guard take("}") else { throw error("expected ',' or '}'") }
    return members
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSON] {
    var items: [JSON] = []
    at += 1
    skipSpace()
    if take("]") { return items }
    repeat {
      skipSpace()
      items.append(try value(depth: depth + 1))
      skipSpace()
    } while take(",")
    guard take("]") else { throw error("expected ',' or ']'") }
    return items
  }

  private mutating func word() throws(JSONError) -> JSON.Content {
    if take("true") { return .bool(true) }
    if take("false") { return .bool(false) }
    if take("null") { return .null }
    throw error(peek == nil ? "the text ends where a value should be" : "expected a value")
  }

  private mutating func number() throws(JSONError) -> Double {
    let begin = at
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    // What was accepted is a subset of what strtod reads, so only a number out of range is left to fail.
    let text = String(decoding: bytes[begin..<at], as: UTF8.self)
    guard let value = text.asDouble, value.isFinite else { throw error("the number is out of range", begin) }
    return value
  }

  private mutating func digits() throws(JSONError) {
    let begin = at
    while let byte = peek, byte >= 0x30, byte <= 0x39 { at += 1 }
    guard at > begin else { throw error("expected a digit") }
  }

  // MARK: - Strings

  private mutating func string() throws(JSONError) -> String {
    let begin = at
    var text: [UInt8] = []
    at += 1
    while let byte = peek {
      switch byte {
      case UInt8(ascii: "\""):
        at += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &text)
      case 0..<0x20: throw error("a control character in a string must be escaped")
      default:
        text.append(byte)
        at += 1
      }
    }
    throw error("the string that begins here does not end", begin)
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    let begin = at
    at += 1
    let letter = peek
    at += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter ?? 0)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0c)
    case UInt8(ascii: "n"): text.append(0x0a)
    case UInt8(ascii: "r"): text.append(0x0d)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): try unicodeEscape(begin, into: &text)
    default: throw error("unknown escape", begin)
    }
  }

  private mutating func unicodeEscape(_ begin: Int, into text: inout [UInt8]) throws(JSONError) {
    var code = try hexadecimal(begin)
    if (0xd800..<0xdc00).contains(code) {
      guard take("\\u") else { throw error("a high surrogate without its low one", begin) }
      let low = try hexadecimal(begin)
      guard (0xdc00..<0xe000).contains(low) else { throw error("a high surrogate without its low one", begin) }
      code = 0x10000 + (code - 0xd800) << 10 + (low - 0xdc00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw error("a low surrogate without its high one", begin) }
    text.append(contentsOf: String(Character(scalar)).utf8)
  }

  private mutating func hexadecimal(_ begin: Int) throws(JSONError) -> UInt32 {
    var code: UInt32 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch peek {
      case .some(let byte) where byte >= 0x30 && byte <= 0x39: digit = byte - 0x30
      case .some(let byte) where byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66: digit = (byte | 0x20) - 0x61 + 10
      default: throw error("expected four hexadecimal digits", begin)
      }
      code = code << 4 | UInt32(digit)
      at += 1
    }
    return code
  }

  // MARK: - Bytes

  private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { at += 1 }
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    guard bytes.count - at >= length else { return false }
    let found = word.withUTF8Buffer { $0.elementsEqual(bytes[at..<(at + length)]) }
    if found { at += length }
    return found
  }

  private func checkUTF8() throws(JSONError) {
    guard !bytes.starts(with: [0xef, 0xbb, 0xbf]) else { throw error("begins with a byte order mark") }
    // Decoding replaces what is not well-formed: the first difference is the place.
    var place = 0
    for byte in String(decoding: bytes, as: UTF8.self).utf8 {
      guard place < bytes.count, bytes[place] == byte else { throw error("not well-formed UTF-8", place) }
      place += 1
    }
  }

  private func error(_ reason: String, _ place: Int? = nil) -> JSONError {
    JSONError(position: JSON.Position(of: place ?? at, in: bytes), reason: reason)
  }
}
