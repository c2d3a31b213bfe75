// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Geometries and features as GeoJSON text. Numbers are the shortest that read back bit-equal: `1`, `0.1`, `-0.0`, `5e-324`.
///
/// GeoJSON has no NaN, no infinity and no M without Z: an empty point is `[]`, a position whose Z is NaN has two numbers,
/// and what cannot be said is reported as a loss.
enum GeoJSONText {
  /// What the text of a geometry leaves out.
  enum Loss {
    /// The geometry was written as null.
    case notFinite
    case m

    var reason: String {
      switch self {
      case .notFinite: "NaN and infinite coordinates have no place in GeoJSON; the geometry was written as null"
      case .m: "M without Z has no place in GeoJSON and was left out"
      }
    }
  }

  /// Appends a feature without a line end: its text where the batch has it.
  static func appendFeature(_ row: Int, of batch: FeatureBatch, to output: inout [UInt8]) -> Loss? {
    if let text = batch.texts?[row], !text.isEmpty {
      output += text
      return nil
    }
    let attributes = batch.attributes[row]
    output.append(text: #"{"type":"Feature""#)
    if let id = attributes.id {
      output.append(text: #","id":"#)
      output += id
    }
    output.append(text: #","geometry":"#)
    let loss = appendGeometry(row, of: batch.geometries, to: &output)
    output.append(text: #","properties":"#)
    output += attributes.properties
    if let foreign = attributes.foreign {
      output.append(UInt8(ascii: ","))
      output += foreign
    }
    output.append(UInt8(ascii: "}"))
    return loss
  }

  /// Appends the geometry object of a row, or `null`.
  static func appendGeometry(_ row: Int, of set: GeometrySet, to output: inout [UInt8]) -> Loss? {
    let start = output.count
    var writer = GeometryTextWriter(set: set, output: output)
    output = []
    switch set.place(ofRow: row) {
    case .null: writer.output.append(text: "null")
    case .geometry(let array, let index):
      if set.arrays[array].isNull(index) {
        writer.output.append(text: "null")
      } else {
        writer.geometry(index, of: set.arrays[array])
      }
    case .collection(let number): writer.collection(set.collections[number])
    }
    output = writer.output
    if writer.loss == .notFinite {
      output.removeSubrange(start...)
      output.append(text: "null")
    }
    return writer.loss
  }
}

/// Walks over one row.
private struct GeometryTextWriter {
  let set: GeometrySet
  var output: [UInt8]
  var loss: GeoJSONText.Loss?

  mutating func collection(_ collection: GeometrySet.Collection) {
    var needsComma = false
    func separate() { if needsComma { output.append(UInt8(ascii: ",")) } }
    output.append(text: #"{"type":"GeometryCollection","geometries":["#)
    for token in collection.tokens {
      switch token {
      case .begin:
        separate()
        output.append(text: #"{"type":"GeometryCollection","geometries":["#)
        needsComma = false
      case .end:
        output.append(text: "]}")
        needsComma = true
      case .geometry(let array, let index):
        separate()
        geometry(index, of: set.arrays[array])
        needsComma = true
      }
    }
    output.append(text: "]}")
  }

  mutating func geometry(_ row: Int, of array: GeometryArray) {
    output.append(text: #"{"type":""#)
    output += Array(array.type.name.utf8)
    output.append(text: #"","coordinates":"#)
    if array.dimensions == .xym { loss = loss ?? .m }
    let span = array.span(row)
    switch array.type {
    case .point: position(span.lowerBound, of: array)
    case .lineString, .multiPoint: list(span) { $0.position($1, of: array) }
    case .polygon, .multiLineString: rings(span, level: 1, of: array)
    default: list(span) { $0.rings(array.span(level: 1, $1), level: 2, of: array) }
    }
    output.append(UInt8(ascii: "}"))
  }

  private mutating func rings(_ span: Range<Int>, level: Int, of array: GeometryArray) {
    list(span) { writer, ring in
      writer.list(array.span(level: level, ring)) { $0.position($1, of: array) }
    }
  }

  private mutating func list(_ span: Range<Int>, _ element: (inout Self, Int) -> Void) {
    output.append(UInt8(ascii: "["))
    for index in span {
      if index > span.lowerBound { output.append(UInt8(ascii: ",")) }
      element(&self, index)
    }
    output.append(UInt8(ascii: "]"))
  }

  private mutating func position(_ coordinate: Int, of array: GeometryArray) {
    let (x, y) = (array.x(coordinate), array.y(coordinate))
    let isPoint = array.type == .point || array.type == .multiPoint
    if isPoint, x.isNaN, y.isNaN { return output.append(text: "[]") }
    var ordinates = [x, y]
    let (z, m) = (array.ordinate(2, coordinate), array.ordinate(3, coordinate))
    if array.dimensions.hasZ, !z.isNaN || (array.dimensions.hasM && !m.isNaN) { ordinates.append(z) }
    if array.dimensions == .xyzm, !m.isNaN { ordinates.append(m) }
    output.append(UInt8(ascii: "["))
    for (index, ordinate) in ordinates.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      if !ordinate.isFinite { loss = .notFinite }
      output.append(number: ordinate)
    }
    output.append(UInt8(ascii: "]"))
  }
}
