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
