// SPDX-License-Identifier: Apache-2.0
import CPlatform

/// Text of rules, manifests and paths is taken byte by byte: paths are bytes, and names in rules are ASCII.
extension String {
  /// Equal byte for byte. `==` calls differently composed letters equal, which for paths they are not.
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  func startsWithBytes(of prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

  func endsWithBytes(of suffix: String) -> Bool {
    utf8.count >= suffix.utf8.count && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }

  /// Pieces between bytes that satisfy `isSeparator`.
  func pieces(keepingEmpty: Bool = false, where isSeparator: (UInt8) -> Bool) -> [String] {
    utf8.split(maxSplits: .max, omittingEmptySubsequences: !keepingEmpty, whereSeparator: isSeparator)
      .map { String(Substring($0)) }
  }

  func pieces(at separator: Unicode.Scalar, keepingEmpty: Bool = false) -> [String] {
    let byte = UInt8(truncatingIfNeeded: separator.value)
    return pieces(keepingEmpty: keepingEmpty) { $0 == byte }
  }

  /// Words between blanks.
  var words: [String] { pieces(where: isBlank) }

  /// Without blanks at both ends.
  var trimmed: String {
    let bytes = utf8.drop(while: isBlank)
    guard let last = bytes.lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(Substring(bytes[...last]))
  }

  /// The parts before and after the first occurrence of `separator`, or nil.
  func parted(at separator: StaticString) -> (before: String, after: String)? {
    let wanted = separator.utf8CodeUnitCount
    let found = separator.withUTF8Buffer { needle in
      utf8.indices.first { utf8[$0...].starts(with: needle) }
    }
    guard let found else { return nil }
    let end = utf8.index(found, offsetBy: wanted)
    return (String(Substring(utf8[..<found])), String(Substring(utf8[end...])))
  }

  /// The number that this text is, whole, in C's syntax whatever the locale; nil when it is none.
  var asDouble: Double? {
    guard let first = utf8.first, !isBlank(first) else { return nil }
    return withCString { text in
      var end: UnsafePointer<CChar>?
      let value = mrdp_parse_double(text, &end)
      guard let end, end == text + utf8.count else { return nil }
      return value
    }
  }
}

extension String {
  /// True for the same bytes, but that a hyphen is as good as an underscore: `great-circle`, `great_circle`.
  package func isWord(_ word: String) -> Bool {
    func folded(_ byte: UInt8) -> UInt8 { byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : byte }
    return utf8.elementsEqual(word.utf8) { folded($0) == folded($1) }
  }
}

/// Blank, tab, carriage return: what separates words in rules.
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0d }

extension [String] {
  /// "a, b, c", or "none".
  var listed: String {
    guard var text = first else { return "none" }
    for item in dropFirst() { text += ", " + item }
    return text
  }

  /// "a, or b"; nil when empty.
  var joinedByOr: String? {
    guard var text = first else { return nil }
    for item in dropFirst() { text += ", or " + item }
    return text
  }

  var joinedBySemicolon: String {
    guard var text = first else { return "" }
    for item in dropFirst() { text += "; " + item }
    return text
  }
}
