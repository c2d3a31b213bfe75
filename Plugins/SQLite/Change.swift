// SPDX-License-Identifier: Apache-2.0
import CSQLite
import KernelKit
import MeridianABI

/// The statements that put boxes in.
struct Inserter {
  private let index: SQLiteIndex
  private let box: Statement
  private let tree: Statement
  private let wrap: Statement

  init(_ index: SQLiteIndex) throws(Failure) {
    self.index = index
    box = try Statement(index.database, "INSERT INTO box VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
    tree = try Statement(index.database, "INSERT INTO tree VALUES(?1, ?2, ?3, ?4, ?5)")
    wrap = try Statement(index.database, "INSERT INTO wrap VALUES(?1, ?2, ?3, ?4, ?5)")
  }

  /// `row`: for the message when the id is taken.
  func insert(_ shape: Box.Shape, id: Int64, row: Int) throws(Failure) {
    box.bind(1, id)
    box.bind(2, shape.box.xmin)
    box.bind(3, shape.box.ymin)
    box.bind(4, shape.box.xmax)
    box.bind(5, shape.box.ymax)
    box.bind(6, Int64(shape.pieces))
    let code = box.code()
    if code & 0xff == SQLITE_CONSTRAINT {
      throw Failure(MRD_E_ARGUMENT, "an id is given twice or is in the index already", item: row)
    }
    guard code == SQLITE_OK else {
      throw Failure(sqlite: code, index.database.handle, "a box cannot be stored", item: row)
    }
    for piece in 0..<shape.pieces {
      let entry = TreeEntry(shape, piece: piece)
      let statement = piece == 0 ? tree : wrap
      statement.bind(1, id)
      statement.bind(2, entry.x0)
      statement.bind(3, entry.x1)
      statement.bind(4, entry.y0)
      statement.bind(5, entry.y1)
      _ = try statement.step()
    }
  }
}

extension SQLiteIndex {
  /// Inserts all boxes or none. `ids` nil = the next numbers.
  func insert(_ boxes: BoxArray, ids: UnsafePointer<Int64>?, _ call: UnsafeMutablePointer<mrd_call>) throws(Failure) {
    var added = Added(next: nextID, bounds: bounds)
    try database.transaction { () throws(Failure) in
      let inserter = try Inserter(self)
      for row in 0..<boxes.count {
        if row & 1023 == 0 {
          try checkCancel(call)
          call.pointee.progress?(call, Double(row) / Double(boxes.count))
        }
        guard let id = ids.map({ $0[row] }) ?? added.next else {
          throw Failure(MRD_E_LIMIT, "the numbers for ids are used up: the largest 64-bit id is taken", item: row)
        }
        let shape = boxes[row].shape(curved: curved)
        try inserter.insert(shape, id: id, row: row)
        added.note(shape, id: id)
      }
      try storeNext(added.next)
    }
    self.boxes += Int64(boxes.count)
    neverHit += added.neverHit
    nextID = added.next
    bounds = added.bounds
  }

  /// Removes the ids that are there and says how many.
  func remove(_ ids: UnsafeBufferPointer<Int64>, _ call: UnsafeMutablePointer<mrd_call>) throws(Failure) -> Int64 {
    var removed: Int64 = 0
    var removedNeverHit: Int64 = 0
    try database.transaction { () throws(Failure) in
      let find = try Statement(database, "SELECT pieces FROM box WHERE id = ?1")
      let deletions = [
        try Statement(database, "DELETE FROM box WHERE id = ?1"),
        try Statement(database, "DELETE FROM tree WHERE id = ?1"),
        try Statement(database, "DELETE FROM wrap WHERE id = ?1"),
      ]
      for (row, id) in ids.enumerated() {
        if row & 1023 == 0 { try checkCancel(call) }
        find.bind(1, id)
        guard try find.step() else { continue }
        let pieces = Int(truncatingIfNeeded: find.integer(0))
        find.reset()
        for statement in deletions.prefix(1 + max(0, pieces)) {
          statement.bind(1, id)
          _ = try statement.step()
        }
        removed += 1
        if pieces == 0 { removedNeverHit += 1 }
      }
    }
    boxes -= removed
    neverHit -= removedNeverHit
    if removed > removedNeverHit { bounds = nil }
    return removed
  }

  private func storeNext(_ next: Int64?) throws(Failure) {
    let statement = try Statement(database, "UPDATE meta SET next_id = ?1")
    if let next { statement.bind(1, next) }
    _ = try statement.step()
  }
}

/// What an insertion adds to the facts, kept apart until it is committed.
private struct Added {
  var next: Int64?
  var neverHit: Int64 = 0
  var bounds: Box?

  init(next: Int64?, bounds: Box?) {
    self.next = next
    self.bounds = bounds
  }

  mutating func note(_ shape: Box.Shape, id: Int64) {
    if let free = next, id >= free { next = id == .max ? nil : id + 1 }
    guard shape.pieces > 0 else { return neverHit += 1 }
    bounds?.cover(shape)
  }
}

extension Box {
  /// Grows to hold a box; one over the antimeridian takes all longitudes.
  mutating func cover(_ shape: Shape) {
    let wraps = shape.pieces == 2
    xmin = min(xmin, wraps ? -180 : shape.box.xmin)
    xmax = max(xmax, wraps ? 180 : shape.box.xmax)
    ymin = min(ymin, shape.box.ymin)
    ymax = max(ymax, shape.box.ymax)
  }
}
