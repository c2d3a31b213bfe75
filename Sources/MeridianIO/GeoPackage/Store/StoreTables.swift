// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// The tables that make a GeoPackage a store. They stand in `gpkg_contents` under a type of their own, so that other programs
/// do not take them for layers, and in `gpkg_extensions`.
enum StoreTables {
  static let names = ["meridian_store", "meridian_revision"]

  private static let definition = "Meridian, docs/command.md, Stores"

  private static let sql =
    """
    CREATE TABLE meridian_store (only INTEGER PRIMARY KEY CHECK (only = 1), store TEXT NOT NULL, revision TEXT NOT NULL,
      publishing TEXT);
    CREATE TABLE meridian_revision (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, parent TEXT,
      content TEXT NOT NULL, written TEXT NOT NULL, program TEXT NOT NULL, author TEXT);
    """
    + names.map {
      """
      INSERT INTO gpkg_contents (table_name, data_type, identifier) VALUES ('\($0)', 'meridian_store', '\($0)');
      INSERT INTO gpkg_extensions VALUES ('\($0)', NULL, 'meridian_store', '\(definition)', 'read-write');
      """
    }.joined()

  /// Makes a store of a GeoPackage that is whole, with its first revision.
  static func create(_ connection: SQLiteConnection, program: String) throws(SQLiteError) {
    try connection.run(sql)
    let id = try connection.text("SELECT lower(hex(randomblob(16)))") ?? ""
    let first = StoreRevision(
      store: id, parent: nil, content: try StoreContent.hash(connection), written: try now(connection),
      program: program, author: nil)
    let statement = try connection.prepare("INSERT INTO meridian_store VALUES (1, ?1, ?2, NULL)")
    statement.bind(1, id)
    statement.bind(2, first.id)
    try statement.run()
    try setHistory([first], connection)
  }

  /// The time of day, as revisions have it.
  static func now(_ connection: SQLiteConnection) throws(SQLiteError) -> String {
    try connection.text("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')") ?? ""
  }

  // MARK: - Reading

  /// What the tables say; nil = they are not those of a store.
  struct Record {
    let store: String
    let revision: StoreRevision
    let publishing: String?
    let history: [StoreRevision]

    init?(_ connection: SQLiteConnection) throws(SQLiteError) {
      for name in StoreTables.names { guard try connection.hasTable(name) else { return nil } }
      let row = try connection.prepare("SELECT store, revision, publishing FROM meridian_store")
      guard try row.step(), let store = row.text(0), let id = row.text(1) else { return nil }
      let publishing = row.text(2)
      let history = try StoreTables.history(connection)
      guard let revision = history.first(where: { $0.id == id }) else { return nil }
      self.store = store
      self.revision = revision
      self.publishing = publishing
      self.history = history.filter { $0.number <= revision.number }
    }
  }

  private static func history(_ connection: SQLiteConnection) throws(SQLiteError) -> [StoreRevision] {
    var revisions: [StoreRevision] = []
    let rows = try connection.prepare(
      "SELECT number, id, parent, content, written, program, author FROM meridian_revision ORDER BY number")
    while try rows.step() {
      revisions.append(
        StoreRevision(
          number: Int(rows.integer(0)), id: rows.text(1) ?? "", parent: rows.text(2), content: rows.text(3) ?? "",
          written: rows.text(4) ?? "", program: rows.text(5) ?? "", author: rows.text(6)))
    }
    return revisions
  }

  // MARK: - Writing

  /// Makes the file the last revision of `history`, or a copy that was begun from it, with nothing under way.
  static func set(_ history: [StoreRevision], _ connection: SQLiteConnection) throws(SQLiteError) {
    let statement = try connection.prepare("UPDATE meridian_store SET revision = ?1, publishing = NULL")
    statement.bind(1, history.last?.id ?? "")
    try statement.run()
    try setHistory(history, connection)
  }

  private static func setHistory(_ history: [StoreRevision], _ connection: SQLiteConnection) throws(SQLiteError) {
    try connection.run("DELETE FROM meridian_revision")
    let statement = try connection.prepare("INSERT INTO meridian_revision VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    for revision in history {
      statement.bind(1, Int64(revision.number))
      for (index, value) in [
        revision.id, revision.parent, revision.content, revision.written, revision.program, revision.author,
      ].enumerated() {
        if let value { statement.bind(index + 2, value) } else { statement.bindNull(index + 2) }
      }
      try statement.run()
    }
  }

  /// Notes that a revision is about to be published from here.
  static func setPublishing(_ id: String, _ connection: SQLiteConnection) throws(SQLiteError) {
    let statement = try connection.prepare("UPDATE meridian_store SET publishing = ?1")
    statement.bind(1, id)
    try statement.run()
  }
}
