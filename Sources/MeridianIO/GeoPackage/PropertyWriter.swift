// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// Writes the attribute columns of a row as one JSON object.
struct PropertyWriter {
  private struct Column {
    var name: String
    /// `"name":`, with the comma before it.
    var key: [UInt8]
    var isBoolean: Bool
    var isJSON: Bool
    var isBlob: Bool
  }
  private let columns: [Column]

  init(_ columns: [FeatureTable.Column]) {
    self.columns = columns.enumerated().map { index, column in
      var key: [UInt8] = index == 0 ? [] : [UInt8(ascii: ",")]
      StrictJSON.appendString(column.name.utf8, to: &key)
      key.append(UInt8(ascii: ":"))
      let type = column.type.uppercased()
      return Column(
        name: column.name, key: key, isBoolean: type == "BOOLEAN", isJSON: type == "JSON",
        isBlob: type.hasPrefix("BLOB"))
    }
  }

  /// The object, and what could not be said in JSON.
  func object(_ row: SQLiteStatement, firstColumn: Int, _ reasons: inout [String]) -> [UInt8] {
    var output: [UInt8] = [UInt8(ascii: "{")]
    for (index, column) in columns.enumerated() {
      output += column.key
      append(row, firstColumn + index, column, to: &output, &reasons)
    }
    output.append(UInt8(ascii: "}"))
    return output
  }

  private func append(
    _ row: SQLiteStatement, _ index: Int, _ column: Column, to output: inout [UInt8], _ reasons: inout [String]
  ) {
    switch row.type(index) {
    case SQLITE_INTEGER:
      let value = row.integer(index)
      let text = column.isBoolean && (value == 0 || value == 1) ? (value == 1 ? "true" : "false") : String(value)
      output += Array(text.utf8)
    case SQLITE_FLOAT:
      let value = row.double(index)
      if value.isFinite {
        output += Array(value.description.utf8)
      } else {
        output += Array("null".utf8)
        reasons.append("column \(column.name) has the value \(value), which JSON cannot hold; it is given as null")
      }
    case SQLITE_TEXT:
      let repaired = row.withText(index) { bytes -> Bool in
        if column.isJSON, StrictJSON.isValue(bytes) {
          output.append(contentsOf: bytes)
          return false
        }
        return StrictJSON.appendString(bytes, to: &output)
      }
      if repaired { reasons.append("column \(column.name) has text that is not UTF-8; what is malformed was replaced") }
    case SQLITE_BLOB:
      output.append(UInt8(ascii: "\""))
      row.withBlob(index) { Base64.append($0, to: &output) }
      output.append(UInt8(ascii: "\""))
      if !column.isBlob {
        reasons.append("column \(column.name) has a blob, though it is not declared so; it is given as base64")
      }
    default: output += Array("null".utf8)
    }
  }
}

/// Base64 of RFC 4648 with padding.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  static func append(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
    var at = 0
    while at < bytes.count {
      let rest = bytes.count - at
      let word =
        UInt32(bytes[at]) << 16 | (rest > 1 ? UInt32(bytes[at + 1]) << 8 : 0) | (rest > 2 ? UInt32(bytes[at + 2]) : 0)
      output.append(alphabet[Int(word >> 18)])
      output.append(alphabet[Int(word >> 12 & 63)])
      output.append(rest > 1 ? alphabet[Int(word >> 6 & 63)] : padding)
      output.append(rest > 2 ? alphabet[Int(word & 63)] : padding)
      at += 3
    }
  }

  /// nil for what `append` does not write.
  static func decode(_ text: [UInt8]) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var output: [UInt8] = []
    var at = 0
    while at < text.count {
      let isLast = at + 4 == text.count
      let pads = isLast ? (text[at + 3] != padding ? 0 : text[at + 2] != padding ? 1 : 2) : 0
      var word: UInt32 = 0
      for index in 0..<4 {
        let value = index >= 4 - pads ? 0 : values[Int(text[at + index])]
        guard value < 64 else { return nil }
        word = word << 6 | UInt32(value)
      }
      // Bits that padding cuts off are zero, so that decoding and encoding give the same text.
      guard word & (pads == 2 ? 0xffff : pads == 1 ? 0xff : 0) == 0 else { return nil }
      output.append(UInt8(word >> 16))
      if pads < 2 { output.append(UInt8(word >> 8 & 255)) }
      if pads < 1 { output.append(UInt8(word & 255)) }
      at += 4
    }
    return output
  }

  /// For each byte its value, 64 = none.
  private static let values: [UInt8] = {
    var table = [UInt8](repeating: 64, count: 256)
    for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
    return table
  }()
}
