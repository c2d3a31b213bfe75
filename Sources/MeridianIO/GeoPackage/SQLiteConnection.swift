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
