// SPDX-License-Identifier: Apache-2.0
import CSQLite
import KernelKit
import MeridianABI

extension SQLiteIndex {
  /// BUILD: in memory, or in a new file that is there afterwards whole or not at all.
  static func build(
    _ boxes: BoxArray, path: UnsafePointer<CChar>?, _ call: UnsafeMutablePointer<mrd_call>
  ) throws(Failure) -> SQLiteIndex {
    guard let path else { return try fill(try .inMemory(), boxes, inFile: false, call) }
    guard path.pointee != 0 else { throw Failure(MRD_E_ARGUMENT, "the path of the index is empty") }
    let code = mrdq_create_new_file(path)
    guard code == 0 else {
      throw code == EEXIST
        ? Failure(MRD_E_ARGUMENT, "the file of the index exists already")
        : Failure(MRD_E_IO, "the file of the index cannot be made: no such directory, no permission or no room")
    }
    do throws(Failure) {
      let database = try Database.file(path, readOnly: false)
      // A file that is not whole is removed, so a journal beside it would be one more file to leave behind.
      try database.run("PRAGMA journal_mode = MEMORY", "the index cannot be made")
      let index = try fill(database, boxes, inFile: true, call)
      try database.run("PRAGMA journal_mode = DELETE", "the index cannot be made")
      return index
    } catch {
      unlink(path)
      throw error
    }
  }

  private static func fill(
    _ database: Database, _ boxes: BoxArray, inFile: Bool, _ call: UnsafeMutablePointer<mrd_call>
  ) throws(Failure) -> SQLiteIndex {
    let index = try SQLiteIndex(database, curved: boxes.isCurved, readOnly: false, inFile: inFile)
    try index.locked(call) { () throws(Failure) in
      try database.transaction { () throws(Failure) in try Schema.create(database, curved: boxes.isCurved) }
      try index.insert(boxes, ids: nil, call)
    }
    return index
  }

  /// OPEN of a database that holds an index: checked as a whole before it is used.
  static func open(
    _ database: Database, readOnly: Bool, inFile: Bool, _ call: UnsafeMutablePointer<mrd_call>
  ) throws(Failure) -> SQLiteIndex {
    let probe = try SQLiteIndex(database, curved: false, readOnly: true, inFile: inFile)
    let curved = try probe.locked(call) { () throws(Failure) in
      try Schema.check(database)
      return try database.integer("SELECT curved FROM meta") == 1
    }
    let index = try SQLiteIndex(database, curved: curved, readOnly: readOnly, inFile: inFile)
    try index.locked(call) { () throws(Failure) in try index.readFacts() }
    return index
  }

  private func readFacts() throws(Failure) {
    let facts = try Statement(database, "SELECT count(*), count(*) FILTER (WHERE pieces = 0) FROM box")
    if try facts.step() {
      boxes = facts.integer(0)
      neverHit = facts.integer(1)
    }
    facts.reset()
    let next = try Statement(database, "SELECT next_id FROM meta WHERE next_id IS NOT NULL")
    nextID = try next.step() ? next.integer(0) : nil
    next.reset()
    bounds = nil
  }

  /// The box of all boxes that can hit, computed anew when a removal or opening left it unknown.
  func currentBounds() throws(Failure) -> Box {
    if let bounds { return bounds }
    var all = Box.empty
    let rows = try Statement(database, "SELECT xmin, ymin, xmax, ymax, pieces FROM box WHERE pieces > 0")
    while try rows.step() {
      let box = Box(xmin: rows.double(0), ymin: rows.double(1), xmax: rows.double(2), ymax: rows.double(3))
      all.cover(Box.Shape(box: box, pieces: Int(truncatingIfNeeded: rows.integer(4))))
    }
    bounds = all
    return all
  }

  /// Bytes of pages; -1 for a file, of which SQLite holds a part in its cache.
  func memory() throws(Failure) -> Int64 {
    if inFile { return -1 }
    return try database.integer("PRAGMA page_count") &* database.integer("PRAGMA page_size")
  }
}
