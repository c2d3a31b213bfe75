// SPDX-License-Identifier: Apache-2.0
import CPlatform
import CSQLite

/// What SQLite says went wrong.
struct SQLiteError: Error {
  let code: Int32
  let message: String

  /// The primary result code.
  var primary: Int32 { code & 0xff }

  /// A sentence for people.
  var reason: String {
    if code == SQLITE_READONLY | 3 << 8 {
      return "a program was stopped while it wrote; the file has to be opened for writing once to be as it was before"
    }
    return switch primary {
    case SQLITE_NOTADB: "not an SQLite database, or encrypted"
    case SQLITE_CORRUPT: "the database is damaged: \(message)"
    case SQLITE_FULL: "no room left on the disk"
    case SQLITE_BUSY: "another program is writing it"
    case SQLITE_READONLY: "it may not be written (\(message))"
    default: message
    }
  }
}

/// One connection of one thread, closed with its last reference.
final class SQLiteConnection {
  let handle: OpaquePointer

  enum Mode {
    case readOnly
    /// For a file that nobody changes meanwhile: no lock, no journal, no file beside it is made or needed.
    case immutable
    /// A file that is there and is changed in transactions, as others may do at the same time.
    case existing
    /// Makes the file when it is not there.
    case write
  }

  /// The most columns that a table may have.
  var columnLimit: Int { Int(sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, -1)) }

  /// `wait`: seconds until what another program holds counts as not to be had.
  init(_ path: String, _ mode: Mode, wait: Double = 5) throws(SQLiteError) {
    var flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var name = "file:" + Self.escaped(path)
    switch mode {
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .immutable:
      flags |= SQLITE_OPEN_READONLY
      name += "?immutable=1"
    case .existing: flags |= SQLITE_OPEN_READWRITE
    case .write: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    }
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(name, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let error = Self.error(code, handle)
      sqlite3_close_v2(handle)
      throw error
    }
    self.handle = handle
    // A file of a stranger; what we write is our own, and needs what defence forbids: no journal.
    if mode != .write { _ = mrdq_distrust(handle) }
    sqlite3_busy_timeout(handle, Int32(clamping: Int(wait * 1000)))
  }

  deinit { sqlite3_close_v2(handle) }

  /// A path inside a URI: what has a meaning there is written by number. A relative path stays one.
  private static func escaped(_ path: String) -> String {
    var text = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "/"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    // Two slashes at the start would make the first folder a host name.
    return text.hasPrefix("//") ? "//" + text : text
  }

  func run(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code) }
  }

  func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code) }
    return SQLiteStatement(self, statement)
  }

  /// The first column of the first row; nil without rows or for NULL.
  func integer(_ sql: String, _ parameters: String...) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    for (index, value) in parameters.enumerated() { statement.bind(index + 1, value) }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.integer(0)
  }

  /// The first column of all rows as text.
  func texts(_ sql: String) throws(SQLiteError) -> [String] {
    let statement = try prepare(sql)
    var texts: [String] = []
    while try statement.step() { texts.append(statement.text(0) ?? "") }
    return texts
  }

  /// The first column of the first row as text; nil without rows or for NULL.
  func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(0) : nil
  }

  func hasTable(_ name: String) throws(SQLiteError) -> Bool {
    try integer("SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?1 COLLATE NOCASE", name) != nil
  }

  /// Ends what runs with SQLITE_INTERRUPT when the word is not zero any more.
  func stop(at word: UnsafePointer<UInt32>) {
    sqlite3_progress_handler(
      handle, 10_000,
      { word in
        guard let word else { return 0 }
        return mrdp_load_relaxed(word.assumingMemoryBound(to: UInt32.self)) == 0 ? 0 : 1
      }, UnsafeMutableRawPointer(mutating: word))
  }

  /// The row that the last INSERT made.
  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// A function for SQL with one argument.
  func register(
    _ name: String, _ body: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) throws(SQLiteError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(handle, name, 1, flags, nil, body, nil, nil, nil)
    if code != SQLITE_OK { throw error(code) }
  }

  func error(_ code: Int32) -> SQLiteError { Self.error(code, handle) }

  /// SQLite's words, with those of the system behind them where the system refused something.
  private static func error(_ code: Int32, _ handle: OpaquePointer?) -> SQLiteError {
    guard let handle else { return SQLiteError(code: code, message: String(cString: sqlite3_errstr(code))) }
    var message = String(cString: sqlite3_errmsg(handle))
    let system = sqlite3_system_errno(handle)
    if system != 0, code & 0xff == SQLITE_IOERR || code & 0xff == SQLITE_CANTOPEN {
      message += " (\(systemMessage(system)))"
    }
    return SQLiteError(code: code, message: message)
  }
}

/// A name inside SQL text: any name is one between double quotes.
func quoted(_ name: String) -> String {
  var text = "\""
  for character in name.unicodeScalars {
    text.unicodeScalars.append(character)
    if character == "\"" { text.unicodeScalars.append(character) }
  }
  return text + "\""
}

/// A prepared statement. Parameters count from 1, columns from 0.
final class SQLiteStatement {
  private let connection: SQLiteConnection
  private let handle: OpaquePointer

  fileprivate init(_ connection: SQLiteConnection, _ handle: OpaquePointer) {
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
