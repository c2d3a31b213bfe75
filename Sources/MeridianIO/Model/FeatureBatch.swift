// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Some features of one layer, consecutive unless some were taken out: geometries as arrays, everything else as the bytes it was read as.
public struct FeatureBatch: Sendable {
  /// The geometries; row i of the set is row `firstRow + i` of the layer.
  public var geometries: GeometrySet
  /// Number of the first row in its layer, counted from 0.
  public var firstRow: Int
  /// The number of each row in its layer, ascending; nil = they follow `firstRow` without gaps.
  public private(set) var rowNumbers: [Int]?
  /// One a row.
  public var attributes: [Attributes]
  /// Rows that could not be read; their geometry is null. In row order.
  public var problems: [RowProblem]
  /// One a row: the text of the whole GeoJSON feature as it was read, which writers of GeoJSON put out as it is; empty = the
  /// feature is put together from its parts. nil = the reader was not asked to keep it (`ReadOptions.keepsText`).
  public var texts: [[UInt8]]?

  public init(geometries: GeometrySet, firstRow: Int, attributes: [Attributes], problems: [RowProblem] = []) {
    self.geometries = geometries
    self.firstRow = firstRow
    self.attributes = attributes
    self.problems = problems
  }

  public var count: Int { geometries.count }
}

extension FeatureBatch {
  /// The number in the layer of row `row` of the batch.
  public func number(ofRow row: Int) -> Int { rowNumbers?[row] ?? firstRow + row }

  /// The row of the batch that has a number in the layer; nil when it is not here.
  public func row(numbered number: Int) -> Int? {
    guard let rowNumbers else { return (0..<count).contains(number - firstRow) ? number - firstRow : nil }
    var (low, high) = (0, rowNumbers.count)
    while low < high {
      let middle = (low + high) / 2
      if rowNumbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < rowNumbers.count && rowNumbers[low] == number ? low : nil
  }

  /// The rows `rows` of the batch alone, ascending, under their numbers.
  package func selecting(_ rows: [Int]) -> FeatureBatch {
    guard rows.count < count else { return self }
    var part = FeatureBatch(
      geometries: geometries.selecting(rows), firstRow: rows.first.map { number(ofRow: $0) } ?? firstRow,
      attributes: rows.map { attributes[$0] })
    part.rowNumbers = rows.map { number(ofRow: $0) }
    part.problems = problems.filter { part.row(numbered: $0.row) != nil }
    part.texts = texts.map { texts in rows.map { texts[$0] } }
    return part
  }
}

/// What a feature carries beside its geometry, as JSON text, so that it survives every format unchanged.
public struct Attributes: Sendable {
  /// The feature's id as JSON text (`12`, `"a"`), or nil.
  public var id: [UInt8]?
  /// The properties as the text of one JSON object, or `null`, byte for byte as read. Never empty.
  public var properties: [UInt8]
  /// Other members of a GeoJSON feature, each as `"name":value`, comma-joined, byte for byte; nil = none.
  public var foreign: [UInt8]?

  public init(id: [UInt8]? = nil, properties: [UInt8] = Array("null".utf8), foreign: [UInt8]? = nil) {
    self.id = id
    self.properties = properties
    self.foreign = foreign
  }
}

extension Attributes {
  /// Takes away the `bbox` of a GeoJSON feature, which says nothing true any more when the geometry has changed.
  package mutating func dropBounds() {
    guard let foreign else { return }
    let text = [UInt8(ascii: "{")] + foreign + [UInt8(ascii: "}")]
    guard let members = StrictJSON.members(text), members.contains(where: { $0.name == "bbox" }) else { return }
    var kept: [UInt8] = []
    var start = 1
    for member in members {
      defer { start = member.value.upperBound + 1 }
      guard member.name != "bbox" else { continue }
      if !kept.isEmpty { kept.append(UInt8(ascii: ",")) }
      kept += text[start..<member.value.upperBound]
    }
    self.foreign = kept.isEmpty ? nil : kept
  }
}

/// A row that could not be read, or was read with a loss.
public struct RowProblem: Sendable, Equatable {
  /// Row of the layer, counted from 0.
  public var row: Int
  /// Byte offset in the file, and line counted from 1, where they are known.
  public var byte: Int?
  public var line: Int?
  /// A sentence without a full stop: "ring 0 has NaN at position 3".
  public var reason: String

  public init(row: Int, byte: Int? = nil, line: Int? = nil, reason: String) {
    self.row = row
    self.byte = byte
    self.line = line
    self.reason = reason
  }
}

/// One layer of a file: a GeoPackage has several, other formats have one.
public struct Layer: Sendable {
  /// The GeoPackage table; nil for formats without names.
  public var name: String?
  public var crs: CoordinateReference
  /// The WKT of the reference system, where the format has one.
  public var definition: String?
  /// Columns where the format declares them (GeoPackage, CSV); empty for GeoJSON.
  public var fields: [Field]

  public init(
    name: String? = nil, crs: CoordinateReference = .lonLat, definition: String? = nil, fields: [Field] = []
  ) {
    self.name = name
    self.crs = crs
    self.definition = definition
    self.fields = fields
  }
}

/// A declared attribute column.
public struct Field: Sendable, Equatable {
  public var name: String
  /// The SQL type as GeoPackage spells it: INTEGER, REAL, TEXT, BOOLEAN, DATE, DATETIME, BLOB ...
  public var type: String

  public init(name: String, type: String) {
    self.name = name
    self.type = type
  }
}

/// What a file says of its coordinates. Nothing is ever transformed; this decides between globe and plane.
public enum CoordinateReference: Sendable, Equatable {
  /// WGS84 longitude and latitude in degrees: GeoJSON's rule, EPSG:4326 in lon/lat order, OGC:CRS84.
  case lonLat
  /// Another system; the text names it ("EPSG:2263"). Treated as a plane unless the user chooses.
  case other(String)
  /// The file does not say (WKT, plain WKB, GeoPackage srs -1 and 0).
  case unknown
}
