// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Writes geometries as little-endian well-known binary. Ordinates are copied bit by bit; an empty point is NaN in every
/// ordinate, as GeoPackage and PostGIS have it.
public enum WKBWriter {
  public enum Flavour: Sendable {
    /// ISO 13249-3 and GeoPackage: the dimension is in the type, 1001 is a Point Z.
    case iso
    /// PostGIS: flags for Z and M, and an SRID.
    case ewkb
  }

  public struct Options: Sendable {
    public var flavour: Flavour
    /// Written by EWKB alone.
    public var srid: Int32?
    public init(flavour: Flavour = .iso, srid: Int32? = nil) {
      self.flavour = flavour
      self.srid = srid
    }
  }

  /// Appends a row. False, and nothing appended, for a null row: WKB has no null.
  public static func append(
    row: Int, of set: GeometrySet, to output: inout [UInt8], options: Options = Options()
  ) -> Bool {
    switch set.place(ofRow: row) {
    case .null: return false
    case .geometry(let array, let index):
      guard !set.arrays[array].isNull(index) else { return false }
      append(geometry: index, of: set.arrays[array], to: &output, options: options)
    case .collection(let number):
      append(collection: set.collections[number], of: set, to: &output, options: options)
    }
    return true
  }

  // MARK: - Collections

  private static func append(
    collection: GeometrySet.Collection, of set: GeometrySet, to output: inout [UInt8], options: Options
  ) {
    var member = options
    member.srid = nil
    // The place of the count of each collection that is open; a member counts in the innermost one.
    var open: [(place: Int, count: UInt32)] = []
    func begin(_ options: Options) {
      header(.collection, collection.dimensions, to: &output, options: options)
      open.append((output.count, 0))
      word(0, to: &output)
    }
    func end() {
      guard let last = open.popLast() else { return }
      output.withUnsafeMutableBytes {
        $0.storeBytes(of: last.count.littleEndian, toByteOffset: last.place, as: UInt32.self)
      }
    }
    func countMember() { if !open.isEmpty { open[open.count - 1].count &+= 1 } }

    begin(options)
    for token in collection.tokens {
      switch token {
      case .begin:
        countMember()
        begin(member)
      case .end: end()
      case .geometry(let array, let index):
        countMember()
        append(geometry: index, of: set.arrays[array], to: &output, options: member)
      }
    }
    end()
  }

  // MARK: - Geometries of an array

  private static func append(
    geometry row: Int, of array: GeometryArray, to output: inout [UInt8], options: Options
  ) {
    header(array.type, array.dimensions, to: &output, options: options)
    let span = array.span(row)
    var member = options
    member.srid = nil
    switch array.type {
    case .point: coordinates(span, of: array, to: &output)
    case .lineString:
      word(span.count, to: &output)
      coordinates(span, of: array, to: &output)
    case .polygon: rings(span, level: 1, of: array, to: &output)
    case .multiPoint:
      word(span.count, to: &output)
      for index in span {
        header(.point, array.dimensions, to: &output, options: member)
        coordinates(index..<(index + 1), of: array, to: &output)
      }
    case .multiLineString:
      word(span.count, to: &output)
      for index in span {
        header(.lineString, array.dimensions, to: &output, options: member)
        let line = array.span(level: 1, index)
        word(line.count, to: &output)
        coordinates(line, of: array, to: &output)
      }
    default:
      word(span.count, to: &output)
      for index in span {
        header(.polygon, array.dimensions, to: &output, options: member)
        rings(array.span(level: 1, index), level: 2, of: array, to: &output)
      }
    }
  }

  private static func rings(_ span: Range<Int>, level: Int, of array: GeometryArray, to output: inout [UInt8]) {
    word(span.count, to: &output)
    for index in span {
      let ring = array.span(level: level, index)
      word(ring.count, to: &output)
      coordinates(ring, of: array, to: &output)
    }
  }

  // MARK: - Values

  private static func header(
    _ type: GeometryType, _ dimensions: Dimensions, to output: inout [UInt8], options: Options
  ) {
    output.append(1)
    var code = UInt32(type.rawValue)
    switch options.flavour {
    case .iso: code += (dimensions.hasZ ? 1000 : 0) + (dimensions.hasM ? 2000 : 0)
    case .ewkb:
      code |= (dimensions.hasZ ? 0x8000_0000 : 0) | (dimensions.hasM ? 0x4000_0000 : 0)
      if options.srid != nil { code |= 0x2000_0000 }
    }
    word(Int(code), to: &output)
    if options.flavour == .ewkb, let srid = options.srid { word(Int(UInt32(bitPattern: srid)), to: &output) }
  }

  private static func word(_ value: Int, to output: inout [UInt8]) {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { output.append(contentsOf: $0) }
  }

  private static func coordinates(_ range: Range<Int>, of array: GeometryArray, to output: inout [UInt8]) {
    let start = output.count
    let width = array.dimensions.count
    let mAt = array.dimensions.hasZ ? 3 : 2
    output.append(contentsOf: repeatElement(0, count: range.count * width * 8))
    output.withUnsafeMutableBytes { bytes in
      for (position, coordinate) in range.enumerated() {
        for dimension in 0..<width {
          let value = array.ordinate(dimension == mAt ? 3 : dimension, coordinate)
          bytes.storeBytes(
            of: value.bitPattern.littleEndian, toByteOffset: start + (position * width + dimension) * 8,
            as: UInt64.self)
        }
      }
    }
  }
}
