// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Meridian

/// What must hold of a file before it takes the place of a store: SQLite finds it whole, references lead somewhere, it is a
/// GeoPackage, and its R-trees find every feature.
struct StoreCheck {
  private let connection: SQLiteConnection
  /// The name that faults are told under.
  private let name: String

  /// Looks through the file at `path`, which nobody writes.
  static func run(_ path: String, as name: String, stop: UnsafePointer<UInt32>?) throws(FormatError) {
    let connection = try describing(name) { () throws(SQLiteError) in try SQLiteConnection(path, .immutable) }
    if let stop { connection.stop(at: stop) }
    let check = Self(connection: connection, name: name)
    try check.database()
    try check.package()
  }

  private func database() throws(FormatError) {
    try describing(name) { () throws(SQLiteError) in
      let faults = try connection.texts("PRAGMA integrity_check(3)")
      guard faults == ["ok"] else {
        throw SQLiteError(code: SQLITE_CORRUPT, message: faults.joined(separator: "; "))
      }
      let orphans = try connection.prepare("PRAGMA foreign_key_check")
      guard try orphans.step() else { return }
      let row = orphans.isNull(1) ? "a row" : "row \(orphans.integer(1))"
      let (table, parent) = (orphans.text(0) ?? "?", orphans.text(2) ?? "?")
      throw Self.fault("\(row) of \(table) refers to a row of \(parent) that is not there")
    }
  }

  /// "GPKG", and "GP10", "GP11" of the first versions.
  private static let applicationIDs: [Int64] = [1_196_444_487, 1_196_437_808, 1_196_437_809]

  private func package() throws(FormatError) {
    try describing(name) { () throws(SQLiteError) in
      guard let id = try connection.integer("PRAGMA application_id"), Self.applicationIDs.contains(id) else {
        throw Self.fault("its application id is not that of a GeoPackage")
      }
      for table in ["gpkg_contents", "gpkg_spatial_ref_sys", "gpkg_geometry_columns"] {
        guard try connection.hasTable(table) else { throw Self.fault("there is no table \(table)") }
      }
      var warnings: [String] = []
      let tables = try FeatureTable.all(connection, &warnings)
      if let warning = warnings.first { throw Self.fault(warning) }
      for table in tables { try tree(of: table) }
    }
  }

  // MARK: - R-trees

  private func tree(of table: FeatureTable) throws(SQLiteError) {
    let name = GeoPackageSchema.tree(table: table.name, geometry: table.geometryColumn)
    guard let id = table.idColumn, try connection.hasTable(name) else { return }
    let fault = try connection.text("SELECT rtreecheck('\(name.replacing("'", with: "''"))')")
    guard fault == "ok" else { throw Self.fault("layer \(table.name): its R-tree is damaged: \(fault ?? "")") }
    let rows = try connection.prepare(
      """
      SELECT f.\(quoted(id)), f.\(quoted(table.geometryColumn)), r.minx, r.maxx, r.miny, r.maxy \
      FROM \(quoted(table.name)) f LEFT JOIN \(quoted(name)) r ON r.id = f.\(quoted(id))
      """)
    var entries: Int64 = 0
    while try rows.step() {
      if !rows.isNull(2) { entries += 1 }
      guard let bounds = try bounds(rows, table) else { continue }
      let isFound =
        !rows.isNull(2) && rows.double(2) <= bounds.xmin && bounds.xmax <= rows.double(3)
        && rows.double(4) <= bounds.ymin && bounds.ymax <= rows.double(5)
      if !isFound { throw Self.fault("layer \(table.name): its R-tree does not find feature \(rows.integer(0))") }
    }
    guard try connection.integer("SELECT count(*) FROM \(quoted(name))") == entries else {
      throw Self.fault("layer \(table.name): its R-tree has entries of features that are not there")
    }
  }

  /// nil for a feature without a place: no geometry, or an empty one. A curve is where its envelope says.
  private func bounds(_ row: SQLiteStatement, _ table: FeatureTable) throws(SQLiteError) -> Bounds? {
    guard !row.isNull(1) else { return nil }
    var failure: String?
    let bounds = row.withBlob(1) { bytes -> Bounds? in
      if GeometryBlob.isOfOtherType(bytes) { return GeometryBlob.envelope(bytes) }
      do {
        var builder = GeometryBuilder(model: .planar)
        let offset = try GeometryBlob.offsetOfWKB(bytes)
        try WKBReader.read(UnsafeRawBufferPointer(rebasing: bytes[offset...]), into: &builder)
        return Bounds(row: 0, of: try builder.finish())
      } catch {
        failure = (error as? WKBError)?.reason ?? "\(error)"
        return nil
      }
    }
    if let failure {
      throw Self.fault("layer \(table.name): the geometry of feature \(row.integer(0)) is malformed: \(failure)")
    }
    return bounds
  }

  private static func fault(_ sentence: String) -> SQLiteError { SQLiteError(code: SQLITE_ERROR, message: sentence) }
}
