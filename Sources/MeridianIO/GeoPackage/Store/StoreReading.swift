// SPDX-License-Identifier: Apache-2.0

/// Finds out what a store says of itself.
enum StoreReading {
  static func state(of file: String) throws(FormatError) -> StoreState {
    var warnings: [String] = []
    let connection = try GeoPackage.open(file, &warnings)
    if let warning = warnings.first { throw FormatError(file: file, reason: warning) }
    return try state(connection, file)
  }

  /// As of one moment, whatever others write meanwhile.
  static func state(_ connection: SQLiteConnection, _ file: String) throws(FormatError) -> StoreState {
    let state = try describing(file) { () throws(SQLiteError) -> StoreState? in
      try connection.run("BEGIN")
      let record = try StoreTables.Record(connection)
      guard let record else { return nil }
      let content = try StoreContent.hash(connection)
      try connection.run("COMMIT")
      return StoreState(
        file: file, store: record.store, revision: record.revision, isChanged: content != record.revision.content,
        content: content, history: record.history, publishing: record.publishing)
    }
    guard let state else {
      throw FormatError(file: file, reason: "it is no store: 'meridian index build -o NAME.gpkg' makes one")
    }
    return state
  }
}
