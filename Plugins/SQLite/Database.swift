// SPDX-License-Identifier: Apache-2.0
import CSQLite
import MeridianABI

/// One connection. SQLite's own locks are on, so that a statement may be finalised on any thread at any time; what one
/// call does in several steps is kept together by the lock of `SQLiteIndex`.
final class Database {
  let handle: OpaquePointer

  private init(_ handle: OpaquePointer) { self.handle = handle }
  // v2: statements that are still alive keep the connection until they go.
  deinit { sqlite3_close_v2(handle) }

  /// A database in memory.
  static func inMemory() throws(Failure) -> Database {
    try open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY)
  }

  /// The file `path`, which exists. SQLite takes a name that starts with "file:" for a URI and some others for
  /// databases without a file; with "./" before it every relative name is a name.
  static func file(_ path: UnsafePointer<CChar>, readOnly: Bool) throws(Failure) -> Database {
    var name: [CChar] = []
    if path.pointee != slash { name = [dot, slash] }
    var next = path
    while next.pointee != 0 {
      name.append(next.pointee)
      next += 1
    }
    name.append(0)
    return try open(name, readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
  }

  /// A database inside bytes that the caller keeps alive and unchanged until the connection is closed.
  static func borrowed(_ bytes: UnsafeRawPointer, size: Int) throws(Failure) -> Database {
    let database = try inMemory()
    // READONLY: SQLite never writes to the bytes, whatever is asked of the connection.
    let image = UnsafeMutableRawPointer(mutating: bytes).assumingMemoryBound(to: UInt8.self)
    let code = sqlite3_deserialize(
      database.handle, "main", image, Int64(size), Int64(size), UInt32(SQLITE_DESERIALIZE_READONLY))
    guard code == SQLITE_OK else { throw Failure(sqlite: code, database.handle, "the index cannot be opened") }
    return database
  }

  private static func open(_ name: UnsafePointer<CChar>, _ flags: Int32) throws(Failure) -> Database {
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let handle else { throw Failure(sqlite: code, nil, "SQLite cannot be opened") }
    let database = Database(handle)
    guard code == SQLITE_OK else { throw Failure(sqlite: code, handle, "the index cannot be opened") }
    _ = mrdq_distrust(handle)
    sqlite3_busy_timeout(handle, 2000)
    try database.registerNearest()
    return database
  }

  /// Runs statements that give no rows.
  func run(_ sql: StaticString, _ doing: StaticString) throws(Failure) {
    let code = sql.withUTF8Buffer { text in
      text.withMemoryRebound(to: CChar.self) { sqlite3_exec(handle, $0.baseAddress, nil, nil, nil) }
    }
    guard code == SQLITE_OK else { throw Failure(sqlite: code, handle, doing) }
  }

  /// All of `body` or nothing of it.
  func transaction(_ body: () throws(Failure) -> Void) throws(Failure) {
    try run("BEGIN IMMEDIATE", "the index cannot be changed")
    do throws(Failure) {
      try body()
      try run("COMMIT", "the index cannot be written")
    } catch {
      // An interrupted or full database has often rolled back by itself; then this is refused and does no harm.
      sqlite3_progress_handler(handle, 0, nil, nil)
      _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  func integer(_ sql: StaticString) throws(Failure) -> Int64 {
    let statement = try Statement(self, sql)
    return try statement.step() ? statement.integer(0) : 0
  }
}

private let slash = CChar(bitPattern: UInt8(ascii: "/"))
private let dot = CChar(bitPattern: UInt8(ascii: "."))

/// A prepared statement, finalised with its last reference.
final class Statement {
  private let database: Database
  private let handle: OpaquePointer

  private init(_ database: Database, handle: OpaquePointer) {
    self.database = database
    self.handle = handle
  }

  convenience init(_ database: Database, _ sql: StaticString) throws(Failure) {
    var handle: OpaquePointer?
    let code = sql.withUTF8Buffer { text in
      text.withMemoryRebound(to: CChar.self) {
        sqlite3_prepare_v2(database.handle, $0.baseAddress, Int32(truncatingIfNeeded: $0.count), &handle, nil)
      }
    }
    guard code == SQLITE_OK, let handle else { throw Failure(sqlite: code, database.handle, "SQLite") }
    self.init(database, handle: handle)
  }

  deinit { sqlite3_finalize(handle) }

  /// Parameters count from 1. NaN is stored as NULL, which meets nothing.
  func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }
  func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

  /// The next row; false at the end, after which the statement can be bound and run again.
  func step() throws(Failure) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    let failure = code == SQLITE_DONE ? nil : Failure(sqlite: code, database.handle, "SQLite")
    sqlite3_reset(handle)
    if let failure { throw failure }
    return false
  }

  /// Runs a statement that gives no rows. The result code instead of an error, for callers that expect one.
  func code() -> Int32 {
    let code = sqlite3_step(handle)
    sqlite3_reset(handle)
    return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code
  }

  /// Ends a run early.
  func reset() { sqlite3_reset(handle) }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
  func double(_ column: Int32) -> Double {
    sqlite3_column_type(handle, column) == SQLITE_NULL ? .nan : sqlite3_column_double(handle, column)
  }
  /// True when the column is the text `text`.
  func isText(_ column: Int32, _ text: StaticString) -> Bool {
    guard let bytes = sqlite3_column_text(handle, column) else { return false }
    let count = Int(sqlite3_column_bytes(handle, column))
    return text.withUTF8Buffer { expected in
      expected.count == count && (0..<count).allSatisfy { expected[$0] == bytes[$0] }
    }
  }
}
