// SPDX-License-Identifier: Apache-2.0

/// A value of a JSON text, with the place where it begins.
struct JSON: Equatable, Sendable {
  struct Member: Equatable, Sendable {
    let key: String
    let value: JSON
  }

  enum Content: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    /// In the order of the text; keys are unique.
    case object([Member])
  }

  let content: Content
  /// Bytes before it in the text.
  let offset: Int

  /// Counted from 1; the column in characters. Lines end in LF.
  struct Position: Equatable, Sendable {
    let line: Int
    let column: Int

    init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }

    init(of offset: Int, in bytes: [UInt8]) {
      var line = 1
      var column = 1
      for byte in bytes.prefix(offset) {
        if byte == 0x0a {
          line += 1
          column = 1
        } else if byte & 0xc0 != 0x80 {  // bytes that continue a character are no columns
          column += 1
        }
      }
      self.init(line: line, column: column)
    }
  }
}

/// Why a text is not the JSON that it should be.
struct JSONError: Error, Equatable, Sendable {
  let position: JSON.Position
  let reason: String

  /// "line 3, column 14: expected ':'"
  var message: String { "line \(position.line), column \(position.column): \(reason)" }
}
