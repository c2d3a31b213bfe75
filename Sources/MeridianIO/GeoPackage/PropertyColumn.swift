// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// A column of properties and what it can hold without a loss.
///
/// Its type follows the values: it grows from "nothing yet" over the type of the first value. Integers and reals together
/// are REAL while every integer is exact as a double; whatever else is mixed becomes TEXT; with an array or an object among
/// the values every value is kept as JSON text, and the metadata say so.
struct PropertyColumn {
  enum Content {
    /// Only null so far.
    case undecided
    case boolean, integer, real, text, blob, json
  }

  /// The property; nil for the column that takes ids which cannot be feature ids.
  let property: String?
  /// The column's name, unique in its table without regard to case.
  let name: String
  private(set) var content: Content
  /// The SQL type.
  private(set) var declaration: String
  /// An integer that no double equals is among the values.
  private var hasLongInteger = false

  /// A column whose type its values decide.
  init(property: String?, name: String) {
    self.property = property
    self.name = name
    content = property == nil ? .text : .undecided
    declaration = "TEXT"
  }

  /// A column that the layer declares. A type that GeoPackage does not know becomes the one of its SQLite affinity.
  init(_ field: Field, name: String) {
    property = field.name
    self.name = name
    let type = field.type.uppercased()
    let base = type.prefix { $0 != "(" }
    declaration = type
    switch base {
    case "BOOLEAN": content = .boolean
    case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "INTEGER":
      content = .integer
    case "FLOAT", "DOUBLE", "REAL": content = .real
    case "TEXT", "DATE", "DATETIME": content = .text
    case "BLOB": content = .blob
    case "JSON":
      content = .json
      declaration = "TEXT"
    default:
      (content, declaration) = Self.affinity(type)
    }
  }

  /// What SQLite makes of a type that GeoPackage does not know. Where it promises nothing, the values decide.
  private static func affinity(_ type: String) -> (Content, String) {
    if type.contains("INT") { return (.integer, "INTEGER") }
    if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) { return (.text, "TEXT") }
    if type.contains("BLOB") { return (.blob, "BLOB") }
    if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) { return (.real, "REAL") }
    return (.undecided, "TEXT")
  }

  /// What the column has to be for a value to fit in as well; `content` when it fits already.
  mutating func accept(_ kind: StrictJSON.Kind, _ value: ArraySlice<UInt8>) -> Content {
    let wanted = content(for: kind, value)
    if case .integer(let number) = kind, number.magnitude > 1 << 53 { hasLongInteger = true }
    return wanted
  }

  private func content(for kind: StrictJSON.Kind, _ value: ArraySlice<UInt8>) -> Content {
    if content == .json || kind == .null { return content }
    switch kind {
    case .null: return content
    case .array, .object: return .json
    case .bool: return content == .undecided || content == .boolean ? .boolean : .text
    case .integer(let number):
      switch content {
      case .undecided, .integer: return .integer
      case .real: return number.magnitude > 1 << 53 ? .text : .real
      default: return .text
      }
    case .number:
      guard Self.isExact(value) else { return .text }
      switch content {
      case .undecided, .real: return .real
      case .integer: return hasLongInteger ? .text : .real
      default: return .text
      }
    case .string:
      return content == .blob && Base64.decode(StrictJSON.unescaped(value)) != nil ? .blob : .text
    }
  }

  /// False for a number beyond the doubles, and for one of many digits without a point: a key rather than a measurement.
  private static func isExact(_ value: ArraySlice<UInt8>) -> Bool {
    guard let number = Double(String(decoding: value, as: UTF8.self)), number.isFinite else { return false }
    let isLong = !value.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
    return !isLong || number == 0
  }

  /// SQL that turns the column's values into those of `wider`.
  func conversion(to wider: Content) -> String {
    let column = quoted(name)
    switch (content, wider) {
    case (.integer, .real): return "CAST(\(column) AS REAL)"
    case (.boolean, .text), (.boolean, .json):
      return "CASE \(column) WHEN 1 THEN 'true' WHEN 0 THEN 'false' END"
    case (.text, .json), (.blob, .json): return "meridian_json_string(\(column))"
    case (_, .text), (_, .json): return "meridian_text(\(column))"
    default: return column
    }
  }

  mutating func become(_ wider: Content) {
    content = wider
    declaration =
      switch wider {
      case .boolean: "BOOLEAN"
      case .integer: "INTEGER"
      case .real: "REAL"
      case .blob: "BLOB"
      case .undecided, .text, .json: "TEXT"
      }
  }

  /// Binds a value that `accept` has seen. SQLite's code: a value can be longer than SQLite takes.
  func bind(_ statement: SQLiteStatement, _ index: Int, _ kind: StrictJSON.Kind, _ value: ArraySlice<UInt8>) -> Int32 {
    switch (content, kind) {
    case (_, .null): return statement.bindNull(index)
    case (.json, _): return statement.bind(index, text: Array(value))
    case (.boolean, .bool(let flag)): return statement.bind(index, flag ? 1 : 0 as Int64)
    case (.integer, .integer(let number)): return statement.bind(index, number)
    case (.real, _): return statement.bind(index, Double(String(decoding: value, as: UTF8.self)) ?? .nan)
    case (.blob, .string): return statement.bind(index, blob: Base64.decode(StrictJSON.unescaped(value)) ?? [])
    case (_, .string): return statement.bind(index, text: StrictJSON.unescaped(value))
    default: return statement.bind(index, text: Array(value))
    }
  }

  /// The functions that `conversion` calls.
  static func registerFunctions(_ connection: SQLiteConnection) throws(SQLiteError) {
    try connection.register("meridian_text") { context, _, arguments in
      PropertyColumn.answer(context, arguments, quotes: false)
    }
    try connection.register("meridian_json_string") { context, _, arguments in
      PropertyColumn.answer(context, arguments, quotes: true)
    }
  }

  private static func answer(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, quotes: Bool
  ) {
    guard let value = arguments?[0], var text = text(value) else { return sqlite3_result_null(context) }
    if quotes {
      let plain = text
      text = []
      StrictJSON.appendString(plain, to: &text)
    }
    text.withUnsafeBytes { bytes in
      sqlite3_result_text64(
        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), mrdq_transient(),
        UInt8(SQLITE_UTF8))
    }
  }

  /// A value of SQLite as text without a loss; nil for NULL.
  private static func text(_ value: OpaquePointer) -> [UInt8]? {
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return nil
    case SQLITE_INTEGER: return Array(String(sqlite3_value_int64(value)).utf8)
    case SQLITE_FLOAT: return Array(sqlite3_value_double(value).description.utf8)
    case SQLITE_BLOB:
      var text: [UInt8] = []
      let base = sqlite3_value_blob(value)
      Base64.append(
        UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : Int(sqlite3_value_bytes(value))), to: &text)
      return text
    default:
      let base = sqlite3_value_text(value)
      return Array(UnsafeBufferPointer(start: base, count: base == nil ? 0 : Int(sqlite3_value_bytes(value))))
    }
  }
}
