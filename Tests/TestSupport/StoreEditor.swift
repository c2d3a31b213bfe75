// SPDX-License-Identifier: Apache-2.0
#if MERIDIAN_SQLITE
  import CSQLite
  import Foundation

  /// A program that works on a GeoPackage by SQLite: one connection, with the functions that the triggers of R-trees call.
  public final class StoreEditor {
    private let handle: OpaquePointer?

    public struct Failure: Error, CustomStringConvertible {
      public let description: String
    }

    /// `mode`: the journal mode that the program sets, as field programs set "WAL".
    public init(_ path: String, mode: String? = nil) throws {
      var handle: OpaquePointer?
      let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
      self.handle = handle
      guard code == SQLITE_OK else { throw Failure(description: "\(path): \(code)") }
      sqlite3_busy_timeout(handle, 5000)
      for (name, place) in [("ST_MinX", 0), ("ST_MaxX", 1), ("ST_MinY", 2), ("ST_MaxY", 3), ("ST_IsEmpty", 4)] {
        let place = UnsafeMutableRawPointer(bitPattern: place + 1)
        sqlite3_create_function_v2(
          handle, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, place, Self.answer, nil, nil, nil)
      }
      if let mode { try run("PRAGMA journal_mode = \(mode)") }
    }

    deinit { sqlite3_close_v2(handle) }

    public func run(_ sql: String) throws {
      var message: UnsafeMutablePointer<CChar>?
      guard sqlite3_exec(handle, sql, nil, nil, &message) == SQLITE_OK else {
        defer { sqlite3_free(message) }
        throw Failure(description: "\(sql): " + (message.map { String(cString: $0) } ?? "?"))
      }
    }

    /// All rows, the columns of each with a bar between them.
    public func rows(_ sql: String) throws -> [String] {
      var statement: OpaquePointer?
      guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
        throw Failure(description: "\(sql): " + String(cString: sqlite3_errmsg(handle)))
      }
      defer { sqlite3_finalize(statement) }
      var rows: [String] = []
      while true {
        let code = sqlite3_step(statement)
        if code == SQLITE_DONE { return rows }
        guard code == SQLITE_ROW else { throw Failure(description: "\(sql): \(code)") }
        let texts = (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
        }
        rows.append(texts.joined(separator: "|"))
      }
    }

    /// The box in a geometry's header, or the ordinates of a point, which has none.
    private static let answer: @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void = {
      context, _, values in
      let place = Int(bitPattern: sqlite3_user_data(context)) - 1
      guard let value = values?.pointee, let bytes = sqlite3_value_blob(value) else {
        return sqlite3_result_null(context)
      }
      let blob = UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
      let flags = blob[3]
      guard place < 4 else { return sqlite3_result_int(context, flags & 0x10 == 0 ? 0 : 1) }
      let offset = flags & 0x0e == 0 ? 13 + place / 2 * 8 : 8 + place * 8
      sqlite3_result_double(context, blob.loadUnaligned(fromByteOffset: offset, as: Double.self))
    }
  }
#endif
