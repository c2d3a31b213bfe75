// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Meridian

/// Reads a feature table row by row, in the order of its ids.
///
/// The feature id becomes the id; every other column becomes a property: integers, reals as the shortest text that reads
/// back bit-equal, text, true and false from BOOLEAN columns, blobs as base64, JSON where the metadata say so.
public final class GeoPackageReader: FeatureReader {
  public let file: String
  public let layer: Layer
  public private(set) var warnings: [String]

  private let table: FeatureTable
  private let model: GeometryModel
  private let rows: SQLiteStatement
  /// Least and largest id, which show how far reading is.
  private let ids: (Int64, Int64)?
  private var lastID: Int64 = 0
  private var nextRow = 0
  private var ended = false
  private let properties: PropertyWriter

  init(_ package: GeoPackage, _ table: FeatureTable, _ model: GeometryModel?) throws(FormatError) {
    self.table = table
    file = package.file
    layer = table.layer
    self.model = model ?? (table.layer.crs == .lonLat ? .wgs84 : .planar)
    warnings = package.warnings
    properties = PropertyWriter(table.columns)
    let names =
      [table.idColumn.map(quoted) ?? "NULL", quoted(table.geometryColumn)] + table.columns.map { quoted($0.name) }
    let from = " FROM " + quoted(table.name)
    let order = table.idColumn.map { " ORDER BY " + quoted($0) } ?? ""
    (rows, ids) = try describing(package.file, layer: table.name) { () throws(SQLiteError) in
      let rows = try package.connection.prepare("SELECT " + names.joined(separator: ", ") + from + order)
      guard let id = table.idColumn.map(quoted) else { return (rows, nil) }
      guard let first = try package.connection.integer("SELECT min(\(id))" + from),
        let last = try package.connection.integer("SELECT max(\(id))" + from)
      else { return (rows, nil) }
      return (rows, (first, last))
    }
    lastID = ids?.0 ?? 0
  }

  public var fractionRead: Double? {
    if ended { return 1 }
    guard let ids else { return nil }
    let width = Double(ids.1) - Double(ids.0) + 1
    return nextRow == 0 ? 0 : min(1, max(0, (Double(lastID) - Double(ids.0) + 1) / width))
  }

  public func next(_ limit: BatchLimit) throws(FormatError) -> FeatureBatch? {
    guard !ended else { return nil }
    var builder = GeometryBuilder(model: model)
    var attributes: [Attributes] = []
    var problems: [RowProblem] = []
    let first = nextRow
    do {
      while attributes.isEmpty || (attributes.count < limit.rows && builder.coordinateCount < limit.coordinates) {
        let more = try describing(file, layer: table.name, row: nextRow) { () throws(SQLiteError) in try rows.step() }
        guard more else {
          ended = true
          break
        }
        try readGeometry(into: &builder, &problems)
        attributes.append(readAttributes(&problems))
        nextRow += 1
      }
      if attributes.isEmpty { return nil }
      let set = try finish(&builder)
      return FeatureBatch(geometries: set, firstRow: first, attributes: attributes, problems: problems)
    } catch {
      ended = true
      throw error
    }
  }

  private func finish(_ builder: inout GeometryBuilder) throws(FormatError) -> GeometrySet {
    do { return try builder.finish() } catch { throw FormatError(file: file, layer: table.name, reason: error.message) }
  }

  private func readAttributes(_ problems: inout [RowProblem]) -> Attributes {
    var reasons: [String] = []
    var attributes = Attributes(properties: properties.object(rows, firstColumn: 2, &reasons))
    if table.idColumn != nil {
      lastID = rows.integer(0)
      attributes.id = Array(String(lastID).utf8)
    }
    for reason in reasons { problems.append(RowProblem(row: nextRow, reason: reason)) }
    return attributes
  }

  private func readGeometry(into builder: inout GeometryBuilder, _ problems: inout [RowProblem]) throws(FormatError) {
    let reason: String?
    switch rows.type(1) {
    case SQLITE_NULL: reason = nil
    case SQLITE_BLOB:
      var failure: String?
      let read = rows.withBlob(1) { bytes -> Bool in
        do throws(WKBError) {
          let offset = try GeometryBlob.offsetOfWKB(bytes)
          try WKBReader.read(UnsafeRawBufferPointer(rebasing: bytes[offset...]), into: &builder)
          return true
        } catch {
          failure = error.reason
          return false
        }
      }
      if read { return }
      reason = failure
    default: reason = "the geometry is not a blob"
    }
    if let reason { problems.append(RowProblem(row: nextRow, reason: reason)) }
    do { try builder.null() } catch {
      throw FormatError(file: file, layer: table.name, row: nextRow, reason: error.message)
    }
  }
}
