// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Writes a header and one record a row: WKT first, then ids, properties and foreign members, a column each.
///
/// The columns are those of the first batch. A later row with another member ends the writing with an error: a column
/// cannot be added once the header is out, and nothing is left out silently. Strings are written as their text, other
/// values as their JSON text, null as nothing.
public final class CSVWriter: StreamWriter {
  private let separator: UInt8
  private let writesReference: Bool
  /// The names of the columns behind the geometry, as JSON text between its quotes.
  private var columns: [[UInt8]: Int] = [:]
  private var idColumn: Int?
  private var count = 0

  init(_ output: OutputFile, layer: Layer, separator: UInt8) {
    self.separator = separator
    writesReference = layer.crs.srid != nil && layer.crs != .lonLat
    super.init(output, layer: layer)
  }

  override func begin(with batch: FeatureBatch?) throws(FormatError) {
    var header: [[UInt8]] = []
    for attributes in batch?.attributes ?? [] {
      for member in Self.members(of: attributes) where columns[member.name] == nil {
        columns[member.name] = header.count
        header.append(JSONText.unescaped(member.name[...]))
      }
    }
    if batch?.attributes.contains(where: { $0.id != nil }) ?? false {
      idColumn = header.count
      header.append(Self.free(["id", "fid", "feature_id", "meridian_id"], in: header))
    }
    count = header.count
    let geometry = Self.free(["wkt", "geometry", "geom", "the_geom"], in: header)
    writeRecord([geometry] + header)
  }

  override func writeRow(_ row: Int, of batch: FeatureBatch) throws(FormatError) {
    let attributes = batch.attributes[row]
    var fields = [[UInt8]](repeating: [], count: count)
    var filled = Set<Int>()
    for member in Self.members(of: attributes) {
      guard let column = columns[member.name] else { throw lateColumn(member.name, row: row, of: batch) }
      // The first of two members of one name counts, as in the reader.
      if filled.insert(column).inserted { fields[column] = Self.text(member.value) }
    }
    if let id = attributes.id {
      guard let idColumn else { throw lateColumn(Array("id".utf8), row: row, of: batch) }
      fields[idColumn] = Self.text(id)
    }
    var geometry: [UInt8] = []
    if writesReference, let srid = layer.crs.srid { geometry += Array("SRID=\(srid);".utf8) }
    if !WKTWriter.append(row: row, of: batch.geometries, to: &geometry) { geometry = [] }
    writeRecord([geometry] + fields)
  }

  // MARK: - Records

  private func writeRecord(_ fields: [[UInt8]]) {
    for (index, field) in fields.enumerated() {
      if index > 0 { output.buffer.append(separator) }
      CSVRecord.append(field, separator: separator, to: &output.buffer)
    }
    output.buffer.append(UInt8(ascii: "\n"))
  }

  private func lateColumn(_ name: [UInt8], row: Int, of batch: FeatureBatch) -> FormatError {
    let name = String(decoding: name, as: UTF8.self)
    return FormatError(
      file: output.file, row: batch.number(ofRow: row),
      reason: "\"\(name)\" is not among the columns, which were fixed by the first rows; write GeoJSON instead")
  }

  // MARK: - Members

  /// Properties and foreign members: name between quotes and value.
  private static func members(of attributes: Attributes) -> [(name: [UInt8], value: [UInt8])] {
    let foreign = [UInt8(ascii: "{")] + (attributes.foreign ?? []) + [UInt8(ascii: "}")]
    return [attributes.properties, foreign].flatMap { object in
      JSONText.members(of: object).map { ($0.name, Array(object[$0.value])) }
    }
  }

  private static func text(_ value: [UInt8]) -> [UInt8] {
    if let string = JSONText.string(value) { return string }
    return value.elementsEqual("null".utf8) ? [] : value
  }

  /// The first of the names that no column has.
  private static func free(_ names: [String], in header: [[UInt8]]) -> [UInt8] {
    let taken = Set(header.map { String(decoding: $0, as: UTF8.self).lowercased() })
    return Array((names.first { !taken.contains($0) } ?? names[0]).utf8)
  }
}
