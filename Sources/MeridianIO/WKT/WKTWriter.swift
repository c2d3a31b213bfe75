// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Writes geometries as ISO well-known text, `POINT Z (1 2 3)`, with numbers that read back bit-equal. NaN and infinity
/// are written as `nan` and `inf`, which our reader, GEOS and PostGIS understand.
public enum WKTWriter {
  /// Appends a row. False, and nothing appended, for a null row: WKT has no null.
  public static func append(row: Int, of set: GeometrySet, to output: inout [UInt8]) -> Bool {
    switch set.place(ofRow: row) {
    case .null: return false
    case .geometry(let array, let index):
      guard !set.arrays[array].isNull(index) else { return false }
      append(geometry: index, of: set.arrays[array], to: &output)
    case .collection(let number): append(collection: set.collections[number], of: set, to: &output)
    }
    return true
  }

  private static func append(collection: GeometrySet.Collection, of set: GeometrySet, to output: inout [UInt8]) {
    // What each open collection holds so far: EMPTY is known at its end alone.
    var counts = [0]
    func separate() {
      output.append(text: counts[counts.count - 1] == 0 ? "(" : ", ")
      counts[counts.count - 1] += 1
    }
    func close() { output.append(text: counts.popLast() == 0 ? "EMPTY" : ")") }
    head(.collection, collection.dimensions, to: &output)
    for token in collection.tokens {
      switch token {
      case .begin:
        separate()
        counts.append(0)
        head(.collection, collection.dimensions, to: &output)
      case .end: close()
      case .geometry(let array, let index):
        separate()
        append(geometry: index, of: set.arrays[array], to: &output)
      }
    }
    close()
  }

  private static func append(geometry row: Int, of array: GeometryArray, to output: inout [UInt8]) {
    head(array.type, array.dimensions, to: &output)
    let span = array.span(row)
    switch array.type {
    case .point:
      if array.isEmpty(row) {
        output.append(text: "EMPTY")
      } else {
        bracketed(span, of: array, to: &output)
      }
    case .lineString: bracketed(span, of: array, to: &output)
    case .multiPoint:
      list(span, to: &output) { coordinate, output in
        if array.x(coordinate).isNaN && array.y(coordinate).isNaN {
          output.append(text: "EMPTY")
        } else {
          bracketed(coordinate..<(coordinate + 1), of: array, to: &output)
        }
      }
    case .polygon, .multiLineString: rings(span, level: 1, of: array, to: &output)
    default: list(span, to: &output) { rings(array.span(level: 1, $0), level: 2, of: array, to: &$1) }
    }
  }

  // MARK: - Parts

  private static func head(_ type: GeometryType, _ dimensions: Dimensions, to output: inout [UInt8]) {
    output += Array(type.name.uppercased().utf8)
    switch dimensions {
    case .xyz: output.append(text: " Z ")
    case .xym: output.append(text: " M ")
    case .xyzm: output.append(text: " ZM ")
    default: output.append(text: " ")
    }
  }

  private static func rings(_ span: Range<Int>, level: Int, of array: GeometryArray, to output: inout [UInt8]) {
    list(span, to: &output) { bracketed(array.span(level: level, $0), of: array, to: &$1) }
  }

  private static func bracketed(_ span: Range<Int>, of array: GeometryArray, to output: inout [UInt8]) {
    list(span, to: &output) { coordinate, output in
      output.append(number: array.x(coordinate))
      output.append(UInt8(ascii: " "))
      output.append(number: array.y(coordinate))
      for dimension in 2...3 where dimension == 2 ? array.dimensions.hasZ : array.dimensions.hasM {
        output.append(UInt8(ascii: " "))
        output.append(number: array.ordinate(dimension, coordinate))
      }
    }
  }

  private static func list(_ span: Range<Int>, to output: inout [UInt8], _ element: (Int, inout [UInt8]) -> Void) {
    guard !span.isEmpty else { return output.append(text: "EMPTY") }
    output.append(UInt8(ascii: "("))
    for index in span {
      if index > span.lowerBound { output.append(text: ", ") }
      element(index, &output)
    }
    output.append(UInt8(ascii: ")"))
  }
}
