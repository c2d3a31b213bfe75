// SPDX-License-Identifier: Apache-2.0
import CPlatform
import CSQLite

/// Writes a GeoPackage of one layer, or of several with `startLayer`. The database grows in a file beside the target,
/// which gets its name in `finish`.
///
/// Columns follow the layer's fields and the properties, see `PropertyColumn`; ids see `FeatureTableWriter`.
public final class GeoPackageWriter: LayeredWriter {
  public let file: String
  /// Things the user should know that are no error.
  public var warnings: [String] { closedWarnings + (table?.warnings ?? []) }

  private let temporary: ReplacementFile
  private var connection: SQLiteConnection?
  private var table: FeatureTableWriter?
  private var tableNames: Set<String> = []
  private var references: [SpatialReference] = []
  private var layerName: String?
  private var closedWarnings: [String] = []
  private let program: String?

  /// `storeBy`: the program that makes a store of it; nil = it is none.
  public init(path: String, layer: Layer, storeBy program: String? = nil) throws(FormatError) {
    file = path
    self.program = program
    temporary = try Self.makeTemporaryFile(path)
    let temporary = temporary
    do {
      connection = try describing(path) { () throws(SQLiteError) in try Self.create(temporary.path) }
      try startLayer(layer)
    } catch {
      connection = nil
      temporary.remove()
      throw error
    }
  }

  deinit { abandon() }

  /// Ends the layer before and begins another one in the same file.
  public func startLayer(_ layer: Layer) throws(FormatError) {
    try working { connection throws(SQLiteError) in
      try endLayer()
      layerName = freeTableName(layer.name)
      table = FeatureTableWriter(
        connection, table: layerName ?? "features",
        reference: numbered(SpatialReference(layer.crs, definition: layer.definition)), fields: layer.fields)
    }
  }

  public func write(_ batch: FeatureBatch) throws(FormatError) {
    try working { _ throws(SQLiteError) in try table?.write(batch) }
  }

  public func finish() throws(FormatError) {
    try working { connection throws(SQLiteError) in
      try endLayer()
      if let program { try StoreTables.create(connection, program: program) }
      try connection.run("COMMIT")
    }
    connection = nil
    do {
      try publish()
    } catch {
      temporary.remove()
      throw error
    }
  }

  public func abandon() {
    guard connection != nil else { return }
    table = nil
    connection = nil
    temporary.remove()
  }

  // MARK: - Steps

  /// Runs a step; a failure abandons the file.
  private func working(_ body: (SQLiteConnection) throws(SQLiteError) -> Void) throws(FormatError) {
    guard let connection else { throw FormatError(file: file, reason: "the file is finished or was abandoned") }
    do {
      try describing(file, layer: layerName) { () throws(SQLiteError) in try body(connection) }
    } catch {
      abandon()
      throw error
    }
  }

  private func endLayer() throws(SQLiteError) {
    try table?.finish()
    closedWarnings += table?.warnings ?? []
    table = nil
  }

  /// The reference under an id that no other one of the file has: those without a number of an authority begin with the same.
  private func numbered(_ reference: SpatialReference) -> SpatialReference {
    var reference = reference
    while references.contains(where: { $0.id == reference.id && !$0.isSame(as: reference) }) {
      reference.id = max(reference.id, SpatialReference.firstFreeID - 1) + 1
      if reference.organization == "NONE" { reference.organizationID = Int64(reference.id) }
    }
    references.append(reference)
    return reference
  }

  /// A name that SQLite and GeoPackage do not keep for themselves, and no layer before has.
  private func freeTableName(_ layer: String?) -> String {
    var base = possibleName(layer ?? Self.baseName(file), otherwise: "features")
    if ["gpkg_", "sqlite_", "rtree_", "meridian_"].contains(where: base.lowercased().hasPrefix) {
      base = "layer_" + base
    }
    var name = base
    var number = 2
    while !tableNames.insert(name.lowercased()).inserted {
      name = "\(base)_\(number)"
      number += 1
    }
    return name
  }

  private static func baseName(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return name.lowercased().hasSuffix(".gpkg") ? String(name.dropLast(5)) : name
  }

  private static func create(_ path: String) throws(SQLiteError) -> SQLiteConnection {
    let connection = try SQLiteConnection(path, .write)
    // Nobody sees the file before it is whole: no journal, no lock, one flush at the end.
    try connection.run("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE")
    try PropertyColumn.registerFunctions(connection)
    try connection.run("BEGIN; " + GeoPackageSchema.create)
    return connection
  }

  /// An empty file, which is an empty database for SQLite.
  private static func makeTemporaryFile(_ path: String) throws(FormatError) -> ReplacementFile {
    guard path != "-" else {
      throw FormatError(file: path, reason: "a GeoPackage is a database and cannot go to standard output")
    }
    guard try !ReplacementFile.isUnreplaceable(path) else {
      throw FormatError(file: path, reason: "a GeoPackage is a database and cannot go to a pipe or a device")
    }
    let (file, descriptor) = try ReplacementFile.make(for: path)
    close(descriptor)
    return file
  }

  /// Flushes the temporary file and gives it its name.
  private func publish() throws(FormatError) {
    let descriptor = mrdp_open(temporary.path, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw systemError(file) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0, temporary.publish() else { throw systemError(file) }
  }
}
