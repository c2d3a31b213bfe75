// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Meridian

/// Fills one feature table and its R-tree.
///
/// A feature id is kept when it is an integer from 0 to below 2^62 that no row before has; any other id goes into a text
/// column `id`, and the row gets the next number.
final class FeatureTableWriter {
  private let connection: SQLiteConnection
  private let table: String
  private let reference: SpatialReference
  private let fields: [Field]
  private var idColumn = ""
  private var geometryColumn = ""
  private var columns: [PropertyColumn] = []
  private var isCreated = false
  private var summary = GeometrySummary()
  private(set) var warnings: [String] = []

  init(_ connection: SQLiteConnection, table: String, reference: SpatialReference, fields: [Field]) {
    self.connection = connection
    self.table = table
    self.reference = reference
    self.fields = fields
  }

  private var treeName: String { GeoPackageSchema.tree(table: table, geometry: geometryColumn) }

  // MARK: - Rows

  /// A row's properties, scanned once.
  private typealias Members = [StrictJSON.Member]

  func write(_ batch: FeatureBatch) throws(SQLiteError) {
    var rows: [Members] = []
    for (row, attributes) in batch.attributes.enumerated() {
      guard let members = StrictJSON.members(attributes.properties) else {
        throw SQLiteError(
          code: SQLITE_MISMATCH, message: "row \(batch.number(ofRow: row)): the properties are not a JSON object")
      }
      rows.append(members)
      if attributes.foreign != nil { warn("members of features beside the properties have no place in a GeoPackage") }
    }
    if !isCreated { try create(names: rows.joined().map(\.name)) }
    try fitColumns(rows, batch)
    try insert(rows, batch)
  }

  private func insert(_ rows: [Members], _ batch: FeatureBatch) throws(SQLiteError) {
    let names = [idColumn, geometryColumn] + columns.map(\.name)
    let marks = (1...names.count).map { "?\($0)" }.joined(separator: ", ")
    let list = names.map(quoted).joined(separator: ", ")
    let statement = try connection.prepare("INSERT INTO \(quoted(table)) (\(list)) VALUES (\(marks))")
    let tree = try connection.prepare("INSERT INTO \(quoted(treeName)) VALUES (?1, ?2, ?3, ?4, ?5)")
    let taken = try connection.prepare("SELECT 1 FROM \(quoted(table)) WHERE \(quoted(idColumn)) = ?1")
    let places = Dictionary(
      columns.enumerated().compactMap { column in column.element.property.map { ($0, column.offset) } },
      uniquingKeysWith: { first, _ in first })
    for (row, members) in rows.enumerated() {
      for index in columns.indices { statement.bindNull(index + 3) }
      try bind(members, batch.attributes[row].properties, places, statement)
      try bindID(batch.attributes[row].id, taken, statement)
      let bounds = try bindGeometry(row, batch.geometries, statement)
      try statement.run()
      guard let bounds else { continue }
      tree.bind(1, connection.lastRow)
      for (index, value) in [bounds.xmin.floatDown, bounds.xmax.floatUp, bounds.ymin.floatDown, bounds.ymax.floatUp]
        .enumerated()
      {
        tree.bind(index + 2, value)
      }
      try tree.run()
    }
  }

  private func bind(
    _ members: Members, _ text: [UInt8], _ places: [String: Int], _ statement: SQLiteStatement
  ) throws(SQLiteError) {
    // Backwards, so that the first of equal names stays.
    for member in members.reversed() {
      guard let place = places[member.name] else { continue }
      let code = columns[place].bind(statement, place + 3, member.kind, text[member.value])
      if code != SQLITE_OK {
        throw SQLiteError(code: code, message: "the value of \(member.name) is too long for SQLite")
      }
    }
  }

  private func bindID(_ id: [UInt8]?, _ taken: SQLiteStatement, _ statement: SQLiteStatement) throws(SQLiteError) {
    statement.bindNull(1)
    guard let id, let kind = StrictJSON.kind(id), kind != .null else { return }
    if case .integer(let number) = kind, number >= 0, number < 1 << 62 {
      taken.bind(1, number)
      let isTaken = try taken.step()
      taken.reset()
      if !isTaken {
        statement.bind(1, number)
        return
      }
    }
    if let place = columns.firstIndex(where: { $0.property == nil }) {
      statement.bind(place + 3, text: kind == .string ? StrictJSON.unescaped(id) : id)
    }
  }

  private func bindGeometry(
    _ row: Int, _ set: GeometrySet, _ statement: SQLiteStatement
  ) throws(SQLiteError) -> Bounds? {
    guard let type = set.type(ofRow: row) else {
      statement.bindNull(2)
      return nil
    }
    let bounds = Bounds(row: row, of: set)
    var blob: [UInt8] = []
    GeometryBlob.appendHeader(srs: reference.id, bounds: bounds, isPoint: type == .point, to: &blob)
    _ = WKBWriter.append(row: row, of: set, to: &blob)
    let code = statement.bind(2, blob: blob)
    if code != SQLITE_OK { throw SQLiteError(code: code, message: "the geometry is too long for SQLite") }
    summary.add(row: row, of: set, type, bounds)
    return bounds
  }

  // MARK: - Columns

  /// Makes the columns fit the rows: new ones are added, those that became too narrow are widened.
  private func fitColumns(_ rows: [Members], _ batch: FeatureBatch) throws(SQLiteError) {
    var wanted = columns
    for (row, members) in rows.enumerated() {
      var seen: Set<String> = []
      let text = batch.attributes[row].properties
      for member in members {
        guard seen.insert(member.name).inserted else {
          warn("property \(member.name) occurs twice in one feature; the first is kept")
          continue
        }
        let known = wanted.firstIndex { $0.property == member.name }
        let place = if let known { known } else { try addColumn(member.name, to: &wanted) }
        wanted[place].become(accepting: member.kind, text[member.value])
      }
      if !wanted.contains(where: { $0.property == nil }), needsIDColumn(batch.attributes[row].id) {
        wanted.append(PropertyColumn(property: nil, name: freeName("id", wanted)))
      }
    }
    try apply(wanted)
  }

  /// True when the id might not become the row's feature id: it is no natural number, or not above all before it, so
  /// that it may be taken. A row without id takes the next number.
  private func needsIDColumn(_ id: [UInt8]?) -> Bool {
    guard let id, let kind = StrictJSON.kind(id), kind != .null else {
      summary.takeNextID()
      return false
    }
    guard case .integer(let number) = kind, number >= 0, number < 1 << 62 else { return true }
    return !summary.noteID(number)
  }

  /// Refuses more properties than a table has room for beside id and geometry: at once, since finding names for very many
  /// takes very long.
  private func admit(columns count: Int) throws(SQLiteError) {
    let limit = connection.columnLimit - 2
    guard count <= limit else {
      throw SQLiteError(
        code: SQLITE_TOOBIG, message: "there are more than \(limit) properties, the most that SQLite takes")
    }
  }

  private func addColumn(_ property: String, to columns: inout [PropertyColumn]) throws(SQLiteError) -> Int {
    try admit(columns: columns.count + 1)
    let name = freeName(property, columns)
    if name != property { warn("property \(property) becomes column \(name): the name is taken or not possible") }
    columns.append(PropertyColumn(property: property, name: name))
    return columns.count - 1
  }

  /// `wanted`, or with a number behind it where SQLite, which does not tell upper from lower case, has it already.
  private func freeName(_ wanted: String, _ columns: [PropertyColumn]) -> String {
    let base = possibleName(wanted, otherwise: "property")
    var name = base
    var number = 2
    let taken = Set((columns.map(\.name) + [idColumn, geometryColumn]).map { $0.lowercased() })
    while taken.contains(name.lowercased()) {
      name = "\(base)_\(number)"
      number += 1
    }
    return name
  }

  private func apply(_ wanted: [PropertyColumn]) throws(SQLiteError) {
    let isWidened = zip(columns, wanted).contains { $0.declaration != $1.declaration || $0.content != $1.content }
    if isWidened { try rebuild(wanted) }
    for column in wanted.dropFirst(columns.count) {
      try connection.run("ALTER TABLE \(quoted(table)) ADD COLUMN \(quoted(column.name)) \(column.declaration)")
    }
    columns = wanted
  }

  /// A copy of the table with wider columns takes its place: SQLite cannot change the type of a column.
  private func rebuild(_ wanted: [PropertyColumn]) throws(SQLiteError) {
    let wider = Array(wanted.prefix(columns.count))
    let copy = "meridian_wider"
    try connection.run(definition(of: copy, wider))
    let values = zip(columns, wider).map { $0.conversion(to: $1.content) }
    let list = ([quoted(idColumn), quoted(geometryColumn)] + values).joined(separator: ", ")
    try connection.run("INSERT INTO \(quoted(copy)) SELECT \(list) FROM \(quoted(table))")
    try connection.run("DROP TABLE \(quoted(table)); ALTER TABLE \(quoted(copy)) RENAME TO \(quoted(table))")
  }

  private func definition(of name: String, _ columns: [PropertyColumn]) -> String {
    let others = columns.map { ", \(quoted($0.name)) \($0.declaration)" }.joined()
    return "CREATE TABLE \(quoted(name)) (\(quoted(idColumn)) INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, "
      + "\(quoted(geometryColumn)) GEOMETRY\(others))"
  }

  private func create(names: [String]) throws(SQLiteError) {
    let taken = Set((names + fields.map(\.name)).map { $0.lowercased() })
    func free(_ base: String) -> String {
      var name = base
      var number = 2
      while taken.contains(name) {
        name = "\(base)_\(number)"
        number += 1
      }
      return name
    }
    try admit(columns: fields.count)
    idColumn = free("fid")
    geometryColumn = free("geom")
    for field in fields where !columns.contains(where: { $0.property == field.name }) {
      columns.append(PropertyColumn(field, name: freeName(field.name, columns)))
    }
    try connection.run(definition(of: table, columns))
    try connection.run("CREATE VIRTUAL TABLE \(quoted(treeName)) USING rtree(id, minx, maxx, miny, maxy)")
    isCreated = true
  }

  private func warn(_ text: String) {
    if !warnings.contains(text) { warnings.append(text) }
  }

  // MARK: - The end

  /// The metadata and the triggers.
  func finish() throws(SQLiteError) {
    if !isCreated { try create(names: []) }
    let srs = try connection.prepare(GeoPackageSchema.insertReference)
    for row in SpatialReference.required + [reference] {
      srs.bind(1, row.name)
      srs.bind(2, Int64(row.id))
      srs.bind(3, row.organization)
      srs.bind(4, row.organizationID)
      srs.bind(5, row.definition)
      try srs.run()
    }
    try insertContents()
    let geometry = try connection.prepare(GeoPackageSchema.insertGeometryColumn)
    geometry.bind(1, table)
    geometry.bind(2, geometryColumn)
    geometry.bind(3, summary.typeName)
    geometry.bind(4, Int64(reference.id))
    geometry.bind(5, summary.z.code)
    geometry.bind(6, summary.m.code)
    try geometry.run()
    let tree = try connection.prepare(GeoPackageSchema.insertTreeExtension)
    tree.bind(1, table)
    tree.bind(2, geometryColumn)
    try tree.run()
    try connection.run(GeoPackageSchema.triggers(table: table, geometry: geometryColumn, id: idColumn))
    try insertJSONColumns()
  }

  private func insertContents() throws(SQLiteError) {
    let contents = try connection.prepare(GeoPackageSchema.insertContents)
    contents.bind(1, table)
    let bounds = summary.bounds
    if !bounds.isEmpty, bounds.isFinite {
      contents.bind(2, bounds.xmin)
      contents.bind(3, bounds.ymin)
      contents.bind(4, bounds.xmax)
      contents.bind(5, bounds.ymax)
    }
    contents.bind(6, Int64(reference.id))
    try contents.run()
  }

  private func insertJSONColumns() throws(SQLiteError) {
    let names = columns.filter { $0.content == .json }.map(\.name)
    guard !names.isEmpty else { return }
    try connection.run(GeoPackageSchema.dataColumns)
    let statement = try connection.prepare(GeoPackageSchema.insertJSONColumn)
    for name in names {
      statement.bind(1, table)
      statement.bind(2, name)
      try statement.run()
    }
  }
}

extension PropertyColumn {
  fileprivate mutating func become(accepting kind: StrictJSON.Kind, _ value: ArraySlice<UInt8>) {
    let wider = accept(kind, value)
    if wider != content { become(wider) }
  }
}

/// A name that SQL text can carry: it ends at a NUL.
func possibleName(_ name: String, otherwise: String) -> String {
  let text = String(String.UnicodeScalarView(name.unicodeScalars.map { $0 == "\0" ? "\u{fffd}" : $0 }))
  return text.isEmpty ? otherwise : text
}

/// What the metadata say of all geometries of a table.
private struct GeometrySummary {
  /// Whether some and whether all geometries have a dimension.
  struct Presence {
    var some = false
    var all = true
    /// 0 = none has it, 1 = all have it, 2 = some do.
    var code: Int64 { some ? (all ? 1 : 2) : 0 }
    mutating func note(_ present: Bool) {
      some = some || present
      all = all && present
    }
  }

  var bounds = Bounds()
  var z = Presence()
  var m = Presence()
  private var type: GeometryType?
  private var isMixed = false
  private var largestID: Int64 = -1

  var typeName: String { isMixed ? "GEOMETRY" : type?.name.uppercased() ?? "GEOMETRY" }

  mutating func add(row: Int, of set: GeometrySet, _ type: GeometryType, _ bounds: Bounds?) {
    isMixed = isMixed || (self.type != nil && self.type != type)
    self.type = type
    if let bounds { self.bounds.add(bounds) }
    let dimensions: Dimensions
    switch set.place(ofRow: row) {
    case .null: return
    case .geometry(let array, _): dimensions = set.arrays[array].dimensions
    case .collection(let number): dimensions = set.collections[number].dimensions
    }
    z.note(dimensions.hasZ)
    m.note(dimensions.hasM)
  }

  mutating func takeNextID() { largestID = max(largestID, 0) + 1 }

  /// True while ids ascend.
  mutating func noteID(_ id: Int64) -> Bool {
    defer { largestID = max(largestID, id) }
    return id > largestID
  }
}
