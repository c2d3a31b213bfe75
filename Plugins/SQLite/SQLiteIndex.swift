// SPDX-License-Identifier: Apache-2.0
import CSQLite
import KernelKit
import MeridianABI

/// An index: a connection with the schema of `Schema.swift`, and facts about it.
///
/// Concurrency: an SQLite connection serves one thread at a time and has one progress handler, so each call holds the
/// index's lock while it reads. Concurrent queries are safe and take turns. Callbacks into the host run outside the lock.
final class SQLiteIndex {
  let database: Database
  let curved: Bool
  let readOnly: Bool
  let inFile: Bool
  private let mutex: OpaquePointer
  /// Counted as boxes come and go.
  var boxes: Int64 = 0
  var neverHit: Int64 = 0
  /// The id that the next box without one gets; nil when Int64.max is taken.
  var nextID: Int64? = 0
  /// Covers all boxes that can hit; nil = a removal may have shrunk it, to be computed when asked for.
  var bounds: Box? = .empty

  private init(_ database: Database, mutex: OpaquePointer, curved: Bool, readOnly: Bool, inFile: Bool) {
    self.mutex = mutex
    self.database = database
    self.curved = curved
    self.readOnly = readOnly
    self.inFile = inFile
  }

  convenience init(_ database: Database, curved: Bool, readOnly: Bool, inFile: Bool) throws(Failure) {
    guard let mutex = sqlite3_mutex_alloc(SQLITE_MUTEX_RECURSIVE) else {
      // NULL also from an SQLite built without threads, which cannot keep the promise of concurrent queries.
      throw Failure(MRD_E_UNSUPPORTED, "this SQLite offers no locks: it was built without threads or memory ran out")
    }
    self.init(database, mutex: mutex, curved: curved, readOnly: readOnly, inFile: inFile)
  }

  deinit { sqlite3_mutex_free(mutex) }

  /// Runs `body` as the only user of the connection, ended by the call's cancel word.
  func locked<R>(
    _ call: UnsafeMutablePointer<mrd_call>?, _ body: () throws(Failure) -> R
  ) throws(Failure) -> R {
    sqlite3_mutex_enter(mutex)
    defer { sqlite3_mutex_leave(mutex) }
    if let call {
      try checkCancel(call)
      sqlite3_progress_handler(
        database.handle, 1000, { mrd_cancelled($0?.assumingMemoryBound(to: mrd_call.self)) }, call)
    }
    defer { sqlite3_progress_handler(database.handle, 0, nil, nil) }
    return try body()
  }

  /// What the handle can do: the flags of `mrd_index_facts`.
  var flags: UInt32 {
    MRD_OP_SERIALISES | (readOnly ? 0 : MRD_OP_INSERT_REMOVE) | (inFile ? MRD_OP_PERSISTS : 0)
  }

  func requireSameEdges(_ curved: Bool) throws(Failure) {
    guard curved == self.curved else {
      throw Failure(MRD_E_ARGUMENT, "planar and curved boxes do not compare: one side has planar edges, the other not")
    }
  }

  func requireWritable() throws(Failure) {
    guard !readOnly else { throw Failure(MRD_E_UNSUPPORTED, "the index was opened read-only: from bytes or as asked") }
  }

  /// The object behind a handle of this kernel.
  static func from(_ handle: OpaquePointer?) throws(Failure) -> SQLiteIndex {
    guard let handle else { throw Failure(MRD_E_ARGUMENT, "the index handle is NULL") }
    return Unmanaged<SQLiteIndex>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }

  /// A handle that owns one reference, given back in `release`.
  func retainedHandle() -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }
}

func checkCancel(_ call: UnsafeMutablePointer<mrd_call>) throws(Failure) {
  if call.isCancelled { throw Failure(MRD_E_CANCELLED, "cancelled") }
}
