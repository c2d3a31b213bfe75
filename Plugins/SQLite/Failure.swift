// SPDX-License-Identifier: Apache-2.0
import CSQLite
import KernelKit
import MeridianABI

/// Why an operation stopped: what becomes the call's status and error record.
struct Failure: Error {
  let status: mrd_status
  /// Ends in NUL.
  let message: [CChar]
  /// Row of the call's array, -1 = not about a row.
  let item: Int

  init(_ status: mrd_status, _ text: StaticString, item: Int = -1) {
    self.status = status
    self.item = item
    message = text.characters + [0]
  }

  /// `doing: words of SQLite`, under the status that fits SQLite's code.
  init(sqlite code: Int32, _ connection: OpaquePointer?, _ doing: StaticString, item: Int = -1) {
    status = mrd_status(sqlite: code)
    self.item = item
    var text = doing.characters + (": " as StaticString).characters
    // Without a connection, and after one that failed to open for want of memory, the code alone has words.
    let words = connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    if var next = words {
      while next.pointee != 0 {
        text.append(next.pointee)
        next += 1
      }
    }
    message = text + [0]
  }

  /// The same failure under another status.
  func with(status: mrd_status) -> Failure { Failure(status: status, message: message, item: item) }

  private init(status: mrd_status, message: [CChar], item: Int) {
    self.status = status
    self.message = message
    self.item = item
  }
}

extension StaticString {
  fileprivate var characters: [CChar] { withUTF8Buffer { $0.map { CChar(bitPattern: $0) } } }
}

extension mrd_status {
  /// The ABI's word for a result code of SQLite, primary or extended.
  init(sqlite code: Int32) {
    switch code & 0xff {
    case SQLITE_OK, SQLITE_ROW, SQLITE_DONE: self = MRD_OK
    case SQLITE_NOMEM: self = MRD_E_MEMORY
    case SQLITE_INTERRUPT: self = MRD_E_CANCELLED
    case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_FULL, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_BUSY,
      SQLITE_LOCKED, SQLITE_CORRUPT, SQLITE_NOTADB:
      self = MRD_E_IO
    case SQLITE_TOOBIG: self = MRD_E_LIMIT
    default: self = MRD_E_INTERNAL
    }
  }
}

/// The boundary of every family function that has a call: failures become its error record.
func answer(_ call: UnsafeMutablePointer<mrd_call>, _ body: () throws(Failure) -> Void) -> mrd_status {
  do throws(Failure) {
    try body()
    return MRD_OK
  } catch {
    return error.message.withUnsafeBufferPointer { text in
      mrd_fail(call.pointee.error, error.status, Int64(error.item), -1, text.baseAddress)
    }
  }
}
