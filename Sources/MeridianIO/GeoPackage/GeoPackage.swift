// SPDX-License-Identifier: Apache-2.0
import CPlatform
import CSQLite
import Meridian

/// A GeoPackage that is read: an SQLite database with the tables of OGC 12-128.
public final class GeoPackage {
  /// Name as the user gave it.
  public let file: String
  /// The feature tables, in the order of `gpkg_contents`.
  public let layers: [Layer]
  /// Things the user should know that are no error.
  public let warnings: [String]
  let connection: SQLiteConnection
  let tables: [FeatureTable]

  /// Opens a file and reads what it says of its layers.
  public init(path: String) throws(FormatError) {
    file = path
    var warnings: [String] = []
    connection = try Self.open(path, &warnings)
    let connection = connection
    let isGeoPackage = try describing(path) { () throws(SQLiteError) in try connection.hasTable("gpkg_contents") }
    guard isGeoPackage else {
      throw FormatError(file: path, reason: "not a GeoPackage: there is no table gpkg_contents")
    }
    tables = try describing(path) { () throws(SQLiteError) in try FeatureTable.all(connection, &warnings) }
    layers = tables.map(\.layer)
    self.warnings = warnings
    if tables.isEmpty { throw try noLayers(path) }
  }

  /// The reader of the layer `name`; nil = the only one, or the first.
  ///
  /// `model`: edge model and metric of the geometries; nil = geodesic for longitude and latitude, planar for others.
  public func reader(layer name: String? = nil, model: GeometryModel? = nil) throws(FormatError) -> GeoPackageReader {
    let table = name.map { name in tables.first { $0.name == name } } ?? tables.first
    guard let table else {
      let names = tables.map(\.name).joined(separator: ", ")
      throw FormatError(file: file, layer: name, reason: "there is no such feature table; there are: \(names)")
    }
    return try GeoPackageReader(self, table, model)
  }

  /// Why there is nothing to read, with what there is instead.
  private func noLayers(_ path: String) throws(FormatError) -> FormatError {
    let others = try describing(path) { () throws(SQLiteError) in
      var names: [String] = []
      let rows = try connection.prepare("SELECT data_type, table_name FROM gpkg_contents")
      while try rows.step() { names.append("\(rows.text(0) ?? "?") \(rows.text(1) ?? "?")") }
      return names
    }
    let rest = others.isEmpty ? "" : "; it holds: " + others.joined(separator: ", ")
    return FormatError(file: path, reason: "the GeoPackage has no feature table" + rest)
  }

  // MARK: - Opening

  private static let magic = Array("SQLite format 3\0".utf8)

  static func open(_ path: String, _ warnings: inout [String]) throws(FormatError) -> SQLiteConnection {
    let header = try checkedHeader(path)
    let log = fileSize(path + "-wal") ?? 0
    // A file in the mode of a write-ahead log without one is at rest. Opened the usual way, SQLite would leave two files
    // beside it, or fail where it may not make them.
    let atRest = header[18] == 2 && log == 0
    do {
      return try openChecked(path, atRest ? .immutable : .readOnly)
    } catch {
      let readOnlyPlace = error.primary == SQLITE_CANTOPEN || error.primary == SQLITE_READONLY
      guard readOnlyPlace, !atRest, fileSize(path + "-journal") ?? 0 == 0 else {
        throw FormatError(file: path, reason: error.reason)
      }
      if log > 0 { warnings.append("changes in the write-ahead log beside the file cannot be read and are left out") }
      return try describing(path) { () throws(SQLiteError) in try openChecked(path, .immutable) }
    }
  }

  /// SQLite reads nothing until it is asked.
  private static func openChecked(_ path: String, _ mode: SQLiteConnection.Mode) throws(SQLiteError) -> SQLiteConnection
  {
    let connection = try SQLiteConnection(path, mode)
    _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
    return connection
  }

  static func fileSize(_ path: String) -> Int? {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int(facts.st_size) : nil
  }

  /// The 100 bytes that an SQLite database begins with.
  static func checkedHeader(_ path: String) throws(FormatError) -> [UInt8] {
    let header = try readHeader(path)
    guard header.starts(with: magic) else {
      throw FormatError(file: path, reason: "not a GeoPackage: the file is not an SQLite database")
    }
    guard header.count == 100 else {
      throw FormatError(file: path, reason: "the database is cut short inside its header")
    }
    return header
  }

  /// The first 100 bytes, or fewer if there are no more.
  private static func readHeader(_ path: String) throws(FormatError) -> [UInt8] {
    let descriptor = mrdp_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw systemError(path) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(descriptor, &bytes, 100)
    guard count >= 0 else { throw systemError(path) }
    if count == 0 { throw FormatError(file: path, reason: "the file is empty") }
    return Array(bytes.prefix(count))
  }
}

/// The words of the system for the last call that failed.
func systemError(_ path: String) -> FormatError {
  FormatError(file: path, reason: systemMessage(mrdp_errno()))
}

/// Turns SQLite's errors into errors of the file.
func describing<R>(
  _ file: String, layer: String? = nil, row: Int? = nil, _ body: () throws(SQLiteError) -> R
) throws(FormatError) -> R {
  do { return try body() } catch { throw FormatError(file: file, layer: layer, row: row, reason: error.reason) }
}

/// A feature table and what the metadata say of it.
struct FeatureTable {
  var name: String
  var geometryColumn: String
  var reference: SpatialReference
  /// The column of the feature id; nil = the table has none (a view).
  var idColumn: String?
  /// Attribute columns.
  var columns: [Column]

  struct Column {
    var name: String
    /// As declared; "JSON" where gpkg_data_columns says that the text is JSON.
    var type: String
  }

  var layer: Layer {
    Layer(
      name: name, crs: reference.reference,
      definition: reference.definition == "undefined" ? nil : reference.definition,
      fields: columns.map { Field(name: $0.name, type: $0.type) })
  }

  /// All feature tables. One whose metadata are wrong is left out with a warning.
  static func all(_ connection: SQLiteConnection, _ warnings: inout [String]) throws(SQLiteError) -> [FeatureTable] {
    guard try connection.hasTable("gpkg_geometry_columns") else { return [] }
    var found: [(name: String, column: String, srs: Int64)] = []
    let rows = try connection.prepare(
      """
      SELECT c.table_name, g.column_name, g.srs_id FROM gpkg_contents c JOIN gpkg_geometry_columns g \
      ON g.table_name = c.table_name COLLATE NOCASE WHERE lower(c.data_type) = 'features' ORDER BY c.rowid
      """)
    while try rows.step() {
      if let name = rows.text(0), let column = rows.text(1) { found.append((name, column, rows.integer(2))) }
    }
    var tables: [FeatureTable] = []
    for entry in found {
      guard try connection.hasTable(entry.name) else {
        warnings.append("layer \(entry.name): gpkg_contents names it, but there is no such table")
        continue
      }
      let (columns, id) = try self.columns(connection, entry.name)
      guard columns.contains(where: { $0.name.lowercased() == entry.column.lowercased() }) else {
        warnings.append("layer \(entry.name): the geometry column \(entry.column) is missing")
        continue
      }
      tables.append(
        FeatureTable(
          name: entry.name, geometryColumn: entry.column, reference: try reference(connection, entry.srs), idColumn: id,
          columns: columns.filter { $0.name.lowercased() != entry.column.lowercased() && $0.name != id }))
    }
    return tables
  }

  private static func columns(
    _ connection: SQLiteConnection, _ table: String
  ) throws(SQLiteError) -> (columns: [Column], id: String?) {
    let json = try jsonColumns(connection, table)
    var columns: [Column] = []
    var keys: [String] = []
    // Generated columns (hidden = 2 and 3) are columns for who reads; 1 is what virtual tables hide.
    let rows = try connection.prepare("SELECT name, type, pk FROM pragma_table_xinfo(?1) WHERE hidden <> 1")
    rows.bind(1, table)
    while try rows.step() {
      guard let name = rows.text(0) else { continue }
      columns.append(Column(name: name, type: json.contains(name) ? "JSON" : rows.text(1) ?? ""))
      if rows.integer(2) > 0, (rows.text(1) ?? "").uppercased() == "INTEGER" { keys.append(name) }
    }
    return (columns, keys.count == 1 ? keys[0] : nil)
  }

  private static func jsonColumns(_ connection: SQLiteConnection, _ table: String) throws(SQLiteError) -> Set<String> {
    guard try connection.hasTable("gpkg_data_columns") else { return [] }
    var names: Set<String> = []
    let rows = try connection.prepare(
      "SELECT column_name FROM gpkg_data_columns WHERE table_name = ?1 AND mime_type = 'application/json'")
    rows.bind(1, table)
    while try rows.step() { if let name = rows.text(0) { names.insert(name) } }
    return names
  }

  private static func reference(_ connection: SQLiteConnection, _ id: Int64) throws(SQLiteError) -> SpatialReference {
    let number = Int32(truncatingIfNeeded: id)
    if id == -1 || id == 0 { return id == 0 ? .undefinedGeographic : .undefinedCartesian }
    let nameless = SpatialReference(
      id: number, name: "srs_id \(id)", organization: "", organizationID: id, definition: "undefined")
    guard try connection.hasTable("gpkg_spatial_ref_sys") else { return nameless }
    let rows = try connection.prepare(
      """
      SELECT srs_name, organization, organization_coordsys_id, definition FROM gpkg_spatial_ref_sys WHERE srs_id = \(id)
      """)
    guard try rows.step() else { return nameless }
    return SpatialReference(
      id: number, name: rows.text(0) ?? nameless.name, organization: rows.text(1) ?? "",
      organizationID: rows.integer(2), definition: rows.text(3) ?? "undefined")
  }
}
