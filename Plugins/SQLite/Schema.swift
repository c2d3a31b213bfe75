// SPDX-License-Identifier: Apache-2.0
import CSQLite
import KernelKit
import MeridianABI

/// What an index is inside SQLite.
///
/// - `box`: every box under its id in exact doubles; NaN is NULL. `pieces` says how many intervals of x it has: 0 = never
///   hit, 1, or 2 = over the antimeridian, [xmin, 180] and [-180, xmax].
/// - `tree`: the R-tree over first pieces, `wrap` over second pieces, in 32-bit floats rounded outward. They are filters;
///   the exact doubles of `box` decide.
/// - `meta`: one row: the edge model (0 planar, 1 curved) and the next free id (NULL = none is left).
///
/// `application_id` marks the file; `user_version` counts versions of this schema.
enum Schema {
  static let applicationID: Int64 = 0x4d52_4458  // "MRDX"
  static let version: Int64 = 1

  private static let meta: StaticString = "CREATE TABLE meta(curved INTEGER NOT NULL, next_id INTEGER)"
  private static let box: StaticString =
    "CREATE TABLE box(id INTEGER PRIMARY KEY, xmin REAL, ymin REAL, xmax REAL, ymax REAL, pieces INTEGER NOT NULL)"
  private static let tree: StaticString = "CREATE VIRTUAL TABLE tree USING rtree(id, x0, x1, y0, y1)"
  private static let wrap: StaticString = "CREATE VIRTUAL TABLE wrap USING rtree(id, x0, x1, y0, y1)"

  static func create(_ database: Database, curved: Bool) throws(Failure) {
    let doing: StaticString = "the tables of the index cannot be made"
    for sql in [meta, box, tree, wrap] { try database.run(sql, doing) }
    try database.run("PRAGMA application_id = 1297237080; PRAGMA user_version = 1", doing)
    let row = try Statement(database, "INSERT INTO meta VALUES(?1, 0)")
    row.bind(1, curved ? 1 : 0 as Int64)
    _ = try row.step()
  }

  /// Refuses whatever is not a whole index of this version, so that the queries may rely on it.
  static func check(_ database: Database) throws(Failure) {
    guard try database.integer("PRAGMA application_id") == applicationID else {
      throw Failure(MRD_E_ARGUMENT, "not an index of this kernel: the application id is another")
    }
    guard try database.integer("PRAGMA user_version") == version else {
      throw Failure(MRD_E_UNSUPPORTED, "the index has a format version that this kernel does not read")
    }
    try checkTables(database)
    let pages = try Statement(database, "PRAGMA integrity_check(1)")
    guard try pages.step(), pages.isText(0, "ok") else { throw damaged("the index is damaged: a page of it is broken") }
    pages.reset()
    // The result is free text about what is wrong, or "ok".
    let trees = try Statement(database, "SELECT rtreecheck('tree'), rtreecheck('wrap')")
    guard try trees.step(), trees.isText(0, "ok"), trees.isText(1, "ok") else {
      throw damaged("the index is damaged: its tree is inconsistent")
    }
    trees.reset()
    try checkContents(database)
  }

  /// The four tables with their exact text and the six shadow tables of the two trees, and nothing else: no trigger or
  /// view of a stranger runs inside a query.
  private static func checkTables(_ database: Database) throws(Failure) {
    let rows = try Statement(database, "SELECT sql FROM sqlite_schema")
    var known = 0
    var others = 0
    while try rows.step() {
      if rows.isText(0, meta) || rows.isText(0, box) || rows.isText(0, tree) || rows.isText(0, wrap) {
        known += 1
      } else {
        others += 1
      }
    }
    let shadows = try database.integer(
      """
      SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('tree_node', 'tree_rowid', 'tree_parent', \
      'wrap_node', 'wrap_rowid', 'wrap_parent')
      """)
    guard known == 4, others == 6, shadows == 6 else {
      throw damaged("the index is damaged: its tables are not those of this kernel")
    }
  }

  /// Each box and its entries in the trees say the same.
  private static func checkContents(_ database: Database) throws(Failure) {
    let curved = try database.integer("SELECT curved FROM meta")
    guard try database.integer("SELECT count(*) FROM meta") == 1, curved == 0 || curved == 1 else {
      throw damaged("the index is damaged: its table of facts is not one row")
    }
    let first = try checkTree(
      database, curved: curved == 1, piece: 0,
      "SELECT t.x0, t.x1, t.y0, t.y1, b.xmin, b.ymin, b.xmax, b.ymax, b.pieces FROM tree t JOIN box b ON b.id = t.id")
    let second = try checkTree(
      database, curved: curved == 1, piece: 1,
      "SELECT t.x0, t.x1, t.y0, t.y1, b.xmin, b.ymin, b.xmax, b.ymax, b.pieces FROM wrap t JOIN box b ON b.id = t.id")
    let counts = try Statement(
      database,
      """
      SELECT (SELECT count(*) FROM box WHERE pieces >= 1), (SELECT count(*) FROM tree_rowid), \
      (SELECT count(*) FROM box WHERE pieces = 2), (SELECT count(*) FROM wrap_rowid), \
      (SELECT count(*) FROM box WHERE pieces NOT IN (0, 1, 2)), (SELECT count(*) FROM box WHERE id >= (SELECT next_id FROM meta))
      """)
    guard try counts.step(), counts.integer(0) == first, counts.integer(1) == first, counts.integer(2) == second,
      counts.integer(3) == second, counts.integer(4) == 0, counts.integer(5) == 0
    else { throw damaged("the index is damaged: boxes and tree do not match") }
    counts.reset()
  }

  /// How many entries a tree has, all of them those of their boxes.
  private static func checkTree(
    _ database: Database, curved: Bool, piece: Int, _ sql: StaticString
  ) throws(Failure) -> Int64 {
    let rows = try Statement(database, sql)
    var count: Int64 = 0
    while try rows.step() {
      let box = Box(xmin: rows.double(4), ymin: rows.double(5), xmax: rows.double(6), ymax: rows.double(7))
      let shape = box.shape(curved: curved)
      let entry = TreeEntry(shape, piece: piece)
      guard shape.pieces > piece, shape.pieces == Int(truncatingIfNeeded: rows.integer(8)), rows.double(0) == entry.x0,
        rows.double(1) == entry.x1, rows.double(2) == entry.y0, rows.double(3) == entry.y1
      else { throw damaged("the index is damaged: a box and its entry in the tree differ") }
      count += 1
    }
    return count
  }

  private static func damaged(_ text: StaticString) -> Failure { Failure(MRD_E_IO, text) }
}

/// What the R-tree holds of one piece of a box.
struct TreeEntry {
  let x0: Double
  let x1: Double
  let y0: Double
  let y1: Double

  init(_ shape: Box.Shape, piece: Int) {
    let box = shape.box
    x0 = (piece == 1 ? -180 : box.xmin).floatDown
    x1 = (piece == 0 && shape.pieces == 2 ? 180 : box.xmax).floatUp
    y0 = box.ymin.floatDown
    y1 = box.ymax.floatUp
  }
}
