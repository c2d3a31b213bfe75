// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// A prepared statement. Parameters count from 1, columns from 0.
final class SQLiteStatement {
  private let connection: SQLiteConnection
  private let handle: OpaquePointer

  init(_ connection: SQLiteConnection, _ handle: OpaquePointer) {
    self.connection = connection
    self.handle = handle
  }
  deinit { sqlite3_finalize(handle) }

  /// The next row; false at the end, after which it can be run again.
  func step() throws(SQLiteError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    let failure = code == SQLITE_DONE ? nil : connection.error(code)
    sqlite3_reset(handle)
    if let failure { throw failure }
    return false
  }

  /// Runs a statement that gives no rows.
  func run() throws(SQLiteError) {
    while try step() {}
  }

  func reset() { sqlite3_reset(handle) }

  // Binding fails for want of memory and for values beyond SQLite's limits; the statement would then run with NULL, so the
  // code is kept for callers whose values may be that long.
  @discardableResult func bind(_ index: Int, _ value: Int64) -> Int32 {
    sqlite3_bind_int64(handle, Int32(index), value)
  }
  @discardableResult func bind(_ index: Int, _ value: Double) -> Int32 {
    sqlite3_bind_double(handle, Int32(index), value)
  }
  @discardableResult func bindNull(_ index: Int) -> Int32 { sqlite3_bind_null(handle, Int32(index)) }
  @discardableResult func bind(_ index: Int, _ value: String) -> Int32 { bind(index, text: Array(value.utf8)) }
  @discardableResult func bind(_ index: Int, text value: [UInt8]) -> Int32 {
    value.withUnsafeBytes { bytes in
      // An empty array may have no address, and SQLite takes NULL for the value NULL.
      let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      return withUnsafePointer(to: CChar(0)) { empty in
        sqlite3_bind_text64(
          handle, Int32(index), base ?? empty, UInt64(bytes.count), mrdq_transient(), UInt8(SQLITE_UTF8))
      }
    }
  }
  @discardableResult func bind(_ index: Int, blob value: [UInt8]) -> Int32 {
    if value.isEmpty { return sqlite3_bind_zeroblob(handle, Int32(index), 0) }
    return value.withUnsafeBytes { bytes in
      sqlite3_bind_blob64(handle, Int32(index), bytes.baseAddress, UInt64(bytes.count), mrdq_transient())
    }
  }

  /// SQLITE_INTEGER, FLOAT, TEXT, BLOB or NULL, as the row has it.
  func type(_ column: Int) -> Int32 { sqlite3_column_type(handle, Int32(column)) }
  func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }
  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }
  func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }
  /// Text; malformed UTF-8 is repaired. nil for NULL.
  func text(_ column: Int) -> String? {
    isNull(column) ? nil : withText(column) { String(decoding: $0, as: UTF8.self) }
  }
  /// The bytes of a text, valid inside `body`.
  func withText<R>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    // The pointer first: it may convert the value, and the length is that of the result.
    let base = sqlite3_column_text(handle, Int32(column))
    return body(
      UnsafeBufferPointer(start: base, count: base == nil ? 0 : Int(sqlite3_column_bytes(handle, Int32(column)))))
  }
  /// The bytes of a blob, valid inside `body`.
  func withBlob<R>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    let base = sqlite3_column_blob(handle, Int32(column))
    return body(
      UnsafeRawBufferPointer(start: base, count: base == nil ? 0 : Int(sqlite3_column_bytes(handle, Int32(column)))))
  }
  var columnCount: Int { Int(sqlite3_column_count(handle)) }
}
