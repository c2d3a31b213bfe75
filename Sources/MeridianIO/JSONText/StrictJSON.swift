// SPDX-License-Identifier: Apache-2.0

/// Strict scanning of small JSON texts (RFC 8259) that nobody checked before, with the kind of each value. Nothing here
/// makes a tree; values stay the bytes that they were.
package enum StrictJSON {
  /// Arrays and objects inside each other that are followed; deeper ones are refused.
  static let maximumDepth = 512

  /// What a value is, with what there is to know of it.
  package enum Kind: Equatable {
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
  package struct Member {
    package var name: String
    package var kind: Kind
    /// Where the value stands in the text.
    package var value: Range<Int>
  }

  /// The members of an object in order; nil when the text is not one object, empty for `null`.
  package static func members(_ text: [UInt8]) -> [Member]? {
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
  package static func unescaped(_ string: some Collection<UInt8>) -> [UInt8] {
    JSONText.unescaped(Array(string.dropFirst().dropLast())[...])
  }

  /// Appends text as a JSON string. What is not UTF-8 becomes U+FFFD; true when that happened.
  @discardableResult
  package static func appendString(_ text: some Collection<UInt8>, to output: inout [UInt8]) -> Bool {
    let isRight = String(validating: text, as: UTF8.self) != nil
    JSONText.appendString(isRight ? Array(text) : Array(String(decoding: text, as: UTF8.self).utf8), to: &output)
    return !isRight
  }
}
