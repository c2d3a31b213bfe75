// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Meridian

/// What the content of a store is recognised by, whatever pages it lies in and whichever program wrote them.
///
/// SHA-256 of the schema and of all rows in the order of their keys: of every table but those of the store itself, of SQLite,
/// and of virtual tables, which follow from others.
enum StoreContent {
  static func hash(_ connection: SQLiteConnection) throws(SQLiteError) -> String {
    var hash = Writer()
    let own = StoreTables.names.map { "'\($0)'" }.joined(separator: ", ")
    let schema = try connection.prepare(
      """
      SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
      AND tbl_name NOT IN (\(own)) ORDER BY type, name
      """)
    try hash.add(schema)
    var tables: [String] = []
    let list = try connection.prepare(
      """
      SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT IN (\(own)) \
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
      """)
    while try list.step() { if let name = list.text(0) { tables.append(name) } }
    for table in tables {
      // An index that has all columns would give another order.
      try hash.add(try connection.prepare("SELECT * FROM \(quoted(table)) NOT INDEXED"))
    }
    return hash.finish()
  }

  /// Hands values to the hash in large pieces, each with its type and, where it has one, its length.
  private struct Writer {
    private var hash = SHA256()
    private var bytes: [UInt8] = []

    mutating func add(_ rows: SQLiteStatement) throws(SQLiteError) {
      append(Int64(rows.columnCount))
      while try rows.step() {
        bytes.append(UInt8(ascii: "r"))
        for column in 0..<rows.columnCount { add(rows, column) }
        if bytes.count >= 1 << 16 { flush() }
      }
      bytes.append(UInt8(ascii: "."))
    }

    private mutating func add(_ row: SQLiteStatement, _ column: Int) {
      let type = row.type(column)
      bytes.append(UInt8(truncatingIfNeeded: type))
      switch type {
      case SQLITE_INTEGER: append(row.integer(column))
      case SQLITE_FLOAT: append(Int64(bitPattern: row.double(column).bitPattern))
      case SQLITE_TEXT: row.withText(column) { append(UnsafeRawBufferPointer($0)) }
      case SQLITE_BLOB: row.withBlob(column) { append($0) }
      default: break
      }
    }

    private mutating func append(_ value: Int64) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ value: UnsafeRawBufferPointer) {
      append(Int64(value.count))
      bytes.append(contentsOf: value)
    }

    private mutating func flush() {
      bytes.withUnsafeBytes { hash.update($0) }
      bytes.removeAll(keepingCapacity: true)
    }

    mutating func finish() -> String {
      flush()
      return hash.finish()
    }
  }
}
