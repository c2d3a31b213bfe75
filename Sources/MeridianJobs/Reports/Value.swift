// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// One value of a report.
public enum Value: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  /// NaN and infinities are absent values.
  case number(Double)
  case text(String)
  /// JSON as it was read: a feature's id.
  case json([UInt8])
  case list([Value])
  case object([Field])

  public init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  /// Indices of the ABI: negative = does not apply.
  init(index: Int64) { self = index < 0 ? .null : .integer(Int(index)) }

  package func appendJSON(to out: inout [UInt8]) {
    switch self {
    case .null: out += "null".utf8
    case .bool(let value): out += (value ? "true" : "false").utf8
    case .integer(let value): out += String(value).utf8
    case .number(let value): JSONText.append(value, to: &out)
    case .text(let value): JSONText.append(value, to: &out)
    case .json(let bytes): out += bytes
    case .list(let values):
      out.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        value.appendJSON(to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let fields): fields.appendJSON(to: &out)
    }
  }

  /// For a cell of a table: strings without quotes, absent values empty.
  var cell: String {
    switch self {
    case .null: ""
    case .text(let value): value
    case .number(let value): value.isFinite ? JSONText.numberText(value) : ""
    case .json(let bytes): Value.plain(bytes)
    default: json
    }
  }

  /// The cell of a table after RFC 4180: in quotes where a comma, a quote or a line end asks for them.
  func appendCell(to out: inout [UInt8]) {
    switch self {
    case .null: break
    case .bool, .integer: appendJSON(to: &out)
    case .text, .number, .json, .list, .object: Self.append(cell, to: &out)
    }
  }

  private static func append(_ cell: String, to out: inout [UInt8]) {
    let asks = cell.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D }
    if asks { CSVRecord.appendQuoted(cell.utf8, to: &out) } else { out += cell.utf8 }
  }

  var json: String {
    var out: [UInt8] = []
    appendJSON(to: &out)
    return String(decoding: out, as: UTF8.self)
  }

  /// A JSON string without escapes loses its quotes; everything else stays as it is.
  private static func plain(_ bytes: [UInt8]) -> String {
    let quote = UInt8(ascii: "\"")
    let isPlainString =
      bytes.count >= 2 && bytes.first == quote && bytes.last == quote && !bytes.contains(UInt8(ascii: "\\"))
    return String(decoding: isPlainString ? bytes.dropFirst().dropLast() : bytes[...], as: UTF8.self)
  }
}

/// A named value.
public struct Field: Sendable, Equatable {
  public let name: String
  public let value: Value
  public init(_ name: String, _ value: Value) {
    self.name = name
    self.value = value
  }
}

extension [Field] {
  /// The fields as one JSON object.
  package func appendJSON(to out: inout [UInt8]) {
    out.append(UInt8(ascii: "{"))
    for (index, field) in enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      JSONText.append(field.name, to: &out)
      out.append(UInt8(ascii: ":"))
      field.value.appendJSON(to: &out)
    }
    out.append(UInt8(ascii: "}"))
  }
}
