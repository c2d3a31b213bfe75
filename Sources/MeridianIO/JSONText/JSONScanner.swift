// SPDX-License-Identifier: Apache-2.0

/// The walk over JSON text. Each method consumes one thing and answers nil or false where the grammar is broken.
struct JSONScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private var byte: UInt8? { at < bytes.count ? bytes[at] : nil }

  /// Nothing but space is left.
  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return at == bytes.count
    }
  }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { at += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: character) else { return false }
    at += 1
    return true
  }

  /// The members of the object that the text is; none for `null`.
  mutating func rootMembers() -> [StrictJSON.Member]? {
    skipSpace()
    if byte == UInt8(ascii: "n") { return literal("null") ? [] : nil }
    var members: [StrictJSON.Member] = []
    return object(depth: 0) { members.append($0) } ? members : nil
  }

  mutating func value(depth: Int) -> StrictJSON.Kind? {
    skipSpace()
    guard depth < StrictJSON.maximumDepth, let byte else { return nil }
    switch byte {
    case UInt8(ascii: "n"): return literal("null") ? .null : nil
    case UInt8(ascii: "t"): return literal("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return literal("false") ? .bool(false) : nil
    case UInt8(ascii: "\""): return string() == nil ? nil : .string
    case UInt8(ascii: "["): return array(depth: depth) ? .array : nil
    case UInt8(ascii: "{"): return object(depth: depth) ? .object : nil
    default: return number()
    }
  }

  private mutating func literal(_ word: StaticString) -> Bool {
    let (bytes, at) = (self.bytes, self.at)
    let matches = word.withUTF8Buffer { word in
      word.count <= bytes.count - at && word.indices.allSatisfy { bytes[at + $0] == word[$0] }
    }
    if matches { self.at += word.utf8CodeUnitCount }
    return matches
  }

  private mutating func array(depth: Int) -> Bool {
    guard take("[") else { return false }
    skipSpace()
    if take("]") { return true }
    while true {
      guard value(depth: depth + 1) != nil else { return false }
      skipSpace()
      if take("]") { return true }
      guard take(",") else { return false }
    }
  }

  private mutating func object(depth: Int, _ body: ((StrictJSON.Member) -> Void)? = nil) -> Bool {
    guard take("{") else { return false }
    skipSpace()
    if take("}") { return true }
    while true {
      skipSpace()
      guard let name = string() else { return false }
      skipSpace()
      guard take(":") else { return false }
      skipSpace()
      let start = at
      guard let kind = value(depth: depth + 1) else { return false }
      if let body {
        let text = String(decoding: StrictJSON.unescaped(bytes[name]), as: UTF8.self)
        body(StrictJSON.Member(name: text, kind: kind, value: start..<at))
      }
      skipSpace()
      if take("}") { return true }
      guard take(",") else { return false }
    }
  }

  /// Where the string stands, quotes included.
  private mutating func string() -> Range<Int>? {
    let start = at
    guard take("\"") else { return nil }
    while let byte {
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return start..<at
      case UInt8(ascii: "\\"): guard escape() else { return nil }
      case 0..<0x20: return nil
      default: break
      }
    }
    return nil
  }

  private mutating func escape() -> Bool {
    guard let byte else { return false }
    at += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return true
    case UInt8(ascii: "u"):
      for _ in 0..<4 {
        guard let digit = self.byte, Self.hexValue(digit) != nil else { return false }
        at += 1
      }
      return true
    default: return false
    }
  }

  private mutating func digits() -> Int {
    let start = at
    while let byte, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { at += 1 }
    return at - start
  }

  private mutating func number() -> StrictJSON.Kind? {
    let start = at
    _ = take("-")
    let leadingZero = byte == UInt8(ascii: "0")
    let count = digits()
    guard count == 1 || (count > 1 && !leadingZero) else { return nil }
    var isInteger = true
    if take(".") {
      isInteger = false
      guard digits() > 0 else { return nil }
    }
    if take("e") || take("E") {
      isInteger = false
      if !take("+") { _ = take("-") }
      guard digits() > 0 else { return nil }
    }
    guard isInteger, let value = Int64(String(decoding: bytes[start..<at], as: UTF8.self)) else { return .number }
    return value == 0 && bytes[start] == UInt8(ascii: "-") ? .number : .integer(value)
  }

  static func hexValue(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
