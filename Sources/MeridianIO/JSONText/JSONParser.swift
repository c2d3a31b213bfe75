// SPDX-License-Identifier: Apache-2.0

/// What is wrong with JSON text, and where.
package struct JSONFault: Error {
  package var offset: Int
  package var reason: String
}

/// Parses JSON text (RFC 8259), strictly: one value, no member twice, no text that is not UTF-8.
package struct JSONParser {
  /// Lists and objects inside each other that are followed; what is read with this has 6.
  private static let maximumDepth = 64

  private let bytes: [UInt8]
  private var at = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  package static func parse(_ bytes: [UInt8]) throws(JSONFault) -> JSONNode {
    var parser = JSONParser(bytes)
    let node = try parser.value(depth: 0)
    parser.skipBlanks()
    guard parser.at == bytes.count else { throw parser.fault("text follows the value") }
    return node
  }

  // MARK: - Values

  private mutating func value(depth: Int) throws(JSONFault) -> JSONNode {
    skipBlanks()
    guard let byte else { throw fault("the text ends where a value should be") }
    guard depth < Self.maximumDepth else { throw fault("lists and objects are nested too deeply") }
    let start = at
    return JSONNode(content: try content(byte, depth), offset: start)
  }

  private mutating func content(_ byte: UInt8, _ depth: Int) throws(JSONFault) -> JSONNode.Content {
    switch byte {
    case UInt8(ascii: "{"): return .object(try object(depth))
    case UInt8(ascii: "["): return .list(try list(depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    case UInt8(ascii: "t"): return .bool(try word("true", true))
    case UInt8(ascii: "f"): return .bool(try word("false", false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw fault("a value should be here")
    }
  }

  private mutating func object(_ depth: Int) throws(JSONFault) -> [String: JSONNode] {
    var members: [String: JSONNode] = [:]
    at += 1
    skipBlanks()
    if take("}") { return members }
    while true {
      skipBlanks()
      let start = at
      guard byte == UInt8(ascii: "\"") else { throw fault("the name of a member should be here") }
      let name = try string()
      skipBlanks()
      guard take(":") else { throw fault("a colon should be here") }
      guard members.updateValue(try value(depth: depth + 1), forKey: name) == nil else {
        throw JSONFault(offset: start, reason: "the member '\(name)' is there twice")
      }
      skipBlanks()
      if take("}") { return members }
      guard take(",") else { throw fault("a comma or the end of the object should be here") }
    }
  }

  private mutating func list(_ depth: Int) throws(JSONFault) -> [JSONNode] {
    var items: [JSONNode] = []
    at += 1
    skipBlanks()
    if take("]") { return items }
    while true {
      items.append(try value(depth: depth + 1))
      skipBlanks()
      if take("]") { return items }
      guard take(",") else { throw fault("a comma or the end of the list should be here") }
    }
  }

  private mutating func word<T>(_ word: StaticString, _ value: T) throws(JSONFault) -> T {
    let matches = word.withUTF8Buffer { bytes[at...].starts(with: $0) }
    guard matches else { throw fault("a value should be here") }
    at += word.utf8CodeUnitCount
    return value
  }

  // MARK: - Numbers and strings

  private mutating func number() throws(JSONFault) -> String {
    let start = at
    _ = take("-")
    let leadsWithZero = byte == UInt8(ascii: "0")
    let count = digits()
    guard count == 1 || (count > 1 && !leadsWithZero) else { throw JSONFault(offset: start, reason: "not a number") }
    if take("."), digits() == 0 { throw JSONFault(offset: start, reason: "not a number") }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      if digits() == 0 { throw JSONFault(offset: start, reason: "not a number") }
    }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func digits() -> Int {
    let start = at
    while let byte, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { at += 1 }
    return at - start
  }

  private mutating func string() throws(JSONFault) -> String {
    let start = at
    at += 1
    while let byte, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw fault("a control character in a string") }
      if byte == UInt8(ascii: "\\") { try escape() } else { at += 1 }
    }
    guard take("\"") else { throw JSONFault(offset: start, reason: "the string has no end") }
    guard let text = String(validating: StrictJSON.unescaped(bytes[start..<at]), as: UTF8.self) else {
      throw JSONFault(offset: start, reason: "the string is not UTF-8")
    }
    return text
  }

  /// Steps over an escape; what it stands for is worked out for the whole string.
  private mutating func escape() throws(JSONFault) {
    let start = at
    at += 1
    guard let byte, let length = Self.lengthsOfEscapes[byte], at + length <= bytes.count,
      bytes[(at + 1)..<(at + length)].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
    else { throw JSONFault(offset: start, reason: "no escape of JSON") }
    at += length
  }

  /// Bytes behind the backslash.
  private static let lengthsOfEscapes: [UInt8: Int] = Dictionary(
    uniqueKeysWithValues: "\"\\/bfnrt".utf8.map { ($0, 1) } + [(UInt8(ascii: "u"), 5)])

  // MARK: - Bytes

  private var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { at += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  private func fault(_ reason: String) -> JSONFault { JSONFault(offset: at, reason: reason) }
}
