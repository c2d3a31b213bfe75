// SPDX-License-Identifier: Apache-2.0
import CPlatform
import CSQLite

/// A copy of a store that is worked on, held still: others may read it but not write until `notePublishing` or the end.
final class WorkingCopy {
  let state: StoreState
  private let file: String
  /// Holds the lock for writing.
  private let writer: SQLiteConnection
  /// Reads what was committed; a backup may not read through a connection that writes.
  private let reader: SQLiteConnection

  /// Waits for other writers, for `wait` seconds at most.
  init(_ file: String, wait: Double, stop: UnsafePointer<UInt32>?) throws(FormatError) {
    self.file = file
    let (writer, reader) = try describing(file) { () throws(SQLiteError) in
      let writer = try SQLiteConnection(file, .existing, wait: wait)
      let reader = try SQLiteConnection(file, .existing, wait: wait)
      try writer.run("BEGIN IMMEDIATE")
      // As far as readers let it: the copy is made through the log, whatever is left in it.
      try reader.run("PRAGMA wal_checkpoint(PASSIVE)")
      return (writer, reader)
    }
    if let stop { reader.stop(at: stop) }
    (self.writer, self.reader) = (writer, reader)
    state = try StoreReading.state(reader, file)
  }

  /// The time of day, as revisions have it.
  func now() throws(FormatError) -> String {
    try describing(file) { () throws(SQLiteError) in try StoreTables.now(reader) }
  }

  /// Fills a file with a copy, page by page, as the last revision of `history` or begun from it. A damage is copied too, so that
  /// the copy can be looked through for it.
  func copy(to copy: PublishingFile, history: [StoreRevision], stop: UnsafePointer<UInt32>?) throws(FormatError) {
    do throws(SQLiteError) {
      let target = try SQLiteConnection(copy.path, .existing)
      // Nobody else sees the file; it is flushed when it is whole.
      try target.run("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
      try copyPages(to: target, stop)
      // The mode comes with the pages: as one of a log the copy would need files beside it.
      guard try target.text("PRAGMA journal_mode = DELETE") == "delete" else {
        throw SQLiteError(code: SQLITE_ERROR, message: "the copy cannot leave the mode of a write-ahead log")
      }
      try target.run("BEGIN")
      try StoreTables.set(history, target)
      try target.run("COMMIT")
    } catch {
      let isOfWork = error.primary == SQLITE_CORRUPT || error.primary == SQLITE_NOTADB
      throw FormatError(file: isOfWork ? file : copy.target, reason: error.reason)
    }
  }

  private func copyPages(to target: SQLiteConnection, _ stop: UnsafePointer<UInt32>?) throws(SQLiteError) {
    guard let backup = sqlite3_backup_init(target.handle, "main", reader.handle, "main") else {
      throw target.error(sqlite3_errcode(target.handle))
    }
    var code: Int32
    repeat {
      code = sqlite3_backup_step(backup, 4096)
      if let stop, mrdp_load_relaxed(stop) != 0 { code = SQLITE_INTERRUPT }
    } while code == SQLITE_OK
    let failure = code == SQLITE_DONE ? nil : target.error(code)
    let end = sqlite3_backup_finish(backup)
    if let failure { throw failure }
    guard end == SQLITE_OK else { throw target.error(end) }
  }

  /// Notes which revision is about to be published from here, so that it is recognised however the process ends; from here on
  /// others may write again.
  func notePublishing(_ revision: StoreRevision) throws(FormatError) {
    try describing(file) { () throws(SQLiteError) in
      try StoreTables.setPublishing(revision.id, writer)
      try writer.run("COMMIT")
    }
  }

  /// Notes that the copy is the last revision of `history`, but for what was written since.
  func noteBase(_ history: [StoreRevision]) throws(FormatError) {
    try describing(file) { () throws(SQLiteError) in
      if sqlite3_get_autocommit(writer.handle) != 0 { try writer.run("BEGIN IMMEDIATE") }
      try StoreTables.set(history, writer)
      try writer.run("COMMIT")
    }
  }
}
