// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Reads well-known binary: ISO 13249-3 and OGC 06-103r4 (type + 1000, 2000, 3000), PostGIS's EWKB (flags and SRID), both
/// byte orders, and the member marker 0x69 of SpatiaLite.
///
/// Counts are checked against the bytes that are there before anything is allocated for them. Rings are read as they
/// are: unclosed and short ones are for validation to report.
public enum WKBReader {
  /// Nested collections that are followed; deeper ones are refused.
  public static let maximumDepth = 64

  public struct Result: Sendable, Equatable {
    /// Bytes of the geometry; what follows is not looked at.
    public var length: Int
    /// EWKB's SRID, if the geometry carries one.
    public var srid: Int32?
  }

  /// Appends the geometry at the start of `bytes` to the builder as one row. After an error the builder is as before.
  @discardableResult
  public static func read(
    _ bytes: UnsafeRawBufferPointer, into builder: inout GeometryBuilder
  ) throws(WKBError) -> Result {
    var cursor = WKBCursor(bytes)
    do {
      let header = try cursor.header()
      try cursor.geometry(header, depth: 0, into: &builder)
      return Result(length: cursor.position, srid: header.srid)
    } catch {
      builder.abandonRow()
      throw error
    }
  }

  /// `read` with the error as a value.
  static func attempt(
    _ bytes: UnsafeRawBufferPointer, into builder: inout GeometryBuilder
  ) -> Swift.Result<Result, WKBError> {
    do throws(WKBError) {
      return .success(try read(bytes, into: &builder))
    } catch {
      return .failure(error)
    }
  }
}

/// The walk over the bytes of one geometry.
private struct WKBCursor {
  /// What stands in front of each geometry and each member.
  struct Header {
    var swapped: Bool
    var type: GeometryType
    var dimensions: Dimensions
    var srid: Int32?
    var byte: Int
  }

  /// Byte order, type and count: no member of a multi geometry or collection is shorter.
  private static let smallestMember = 9

  let bytes: UnsafeRawBufferPointer
  var position = 0
  private var swapped = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  // MARK: - Values

  private func require(_ count: Int, _ size: Int, _ what: StaticString) throws(WKBError) {
    let remaining = bytes.count - position
    guard count <= remaining / size else {
      let (wanted, overflow) = count.multipliedReportingOverflow(by: size)
      let (end, overflow2) = position.addingReportingOverflow(wanted)
      throw WKBError(
        byte: position, reason: "the data end inside \(what)", needed: overflow || overflow2 ? .max : end)
    }
  }

  private mutating func word(_ what: StaticString) throws(WKBError) -> UInt32 {
    try require(1, 4, what)
    let raw = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
    position += 4
    return swapped ? raw.byteSwapped : raw
  }

  /// A count of things that take at least `size` bytes each.
  private mutating func count(_ size: Int, _ what: StaticString) throws(WKBError) -> Int {
    let count = Int(try word(what))
    try require(count, size, what)
    return count
  }

  // MARK: - Headers

  mutating func header() throws(WKBError) -> Header {
    try require(1, 1, "a byte order mark")
    let start = position
    switch bytes[position] {
    case 0: swapped = UInt32(1).bigEndian != 1
    case 1: swapped = UInt32(1).littleEndian != 1
    // SpatiaLite marks members so; they have the byte order of the whole.
    case 0x69 where position > 0: break
    case let mark: throw WKBError(byte: start, reason: "byte order mark \(mark) is neither 0 nor 1")
    }
    position += 1
    let code = try word("a geometry type")
    let (type, dimensions) = try Self.kind(code, at: start + 1)
    let srid = code & 0x2000_0000 == 0 ? nil : Int32(bitPattern: try word("an SRID"))
    return Header(swapped: swapped, type: type, dimensions: dimensions, srid: srid, byte: start)
  }

  private static func kind(_ code: UInt32, at byte: Int) throws(WKBError) -> (GeometryType, Dimensions) {
    let base = code & 0x1FFF_FFFF
    let thousands = base / 1000
    let number = base % 1000
    guard thousands <= 3, (1...7).contains(number) else {
      throw WKBError(byte: byte, reason: refusal(number: number, known: thousands <= 3, code: code))
    }
    let hasZ = code & 0x8000_0000 != 0 || thousands & 1 != 0
    let hasM = code & 0x4000_0000 != 0 || thousands & 2 != 0
    return (GeometryType(rawValue: Int32(number)), Dimensions(z: hasZ, m: hasM))
  }

  private static func refusal(number: UInt32, known: Bool, code: UInt32) -> String {
    let names = [
      8: "CircularString", 9: "CompoundCurve", 10: "CurvePolygon", 11: "MultiCurve", 12: "MultiSurface", 13: "Curve",
      14: "Surface", 15: "PolyhedralSurface", 16: "TIN", 17: "Triangle",
    ]
    guard known, let name = names[Int(number)] else { return "geometry type \(code) is unknown" }
    return "a \(name) (type \(code)) is not supported: points, lines and polygons with straight edges are"
  }

  // MARK: - Geometries

  mutating func geometry(_ header: Header, depth: Int, into builder: inout GeometryBuilder) throws(WKBError) {
    switch header.type {
    case .collection: try collection(header, depth: depth, into: &builder)
    case .multiPoint, .multiLineString, .multiPolygon: try multi(header, into: &builder)
    default:
      try build(header.byte) { () throws(MeridianError) in try builder.begin(header.type, header.dimensions) }
      try body(header, as: header.dimensions, into: &builder)
      try build(header.byte) { () throws(MeridianError) in try builder.end() }
    }
  }

  private mutating func collection(
    _ header: Header, depth: Int, into builder: inout GeometryBuilder
  ) throws(WKBError) {
    guard depth < WKBReader.maximumDepth else {
      throw WKBError(byte: header.byte, reason: "collections are nested deeper than \(WKBReader.maximumDepth)")
    }
    let members = try count(Self.smallestMember, "a collection")
    try build(header.byte) { () throws(MeridianError) in try builder.begin(.collection, header.dimensions) }
    for _ in 0..<members {
      try geometry(try self.header(), depth: depth + 1, into: &builder)
      swapped = header.swapped
    }
    try build(header.byte) { () throws(MeridianError) in try builder.end() }
  }

  private mutating func multi(_ header: Header, into builder: inout GeometryBuilder) throws(WKBError) {
    let members = try count(Self.smallestMember, "a multi geometry")
    let dimensions = try dimensionsOfMembers(header, count: members)
    try build(header.byte) { () throws(MeridianError) in try builder.begin(header.type, dimensions) }
    for _ in 0..<members {
      let member = try self.header()
      guard member.type == header.type.single else {
        throw WKBError(byte: member.byte, reason: "a \(member.type.name) is a member of a \(header.type.name)")
      }
      guard !(member.dimensions.hasZ && !dimensions.hasZ), !(member.dimensions.hasM && !dimensions.hasM) else {
        throw WKBError(byte: member.byte, reason: "a member has more dimensions than the members before it")
      }
      try build(member.byte) { () throws(MeridianError) in
        if member.type == .polygon { try builder.part() }
        if member.type == .lineString { try builder.ring() }
      }
      try body(member, as: dimensions, into: &builder)
      swapped = header.swapped
    }
    try build(header.byte) { () throws(MeridianError) in try builder.end() }
  }

  /// Some writers mark Z and M on the members alone: the first one is asked as well.
  private mutating func dimensionsOfMembers(_ header: Header, count: Int) throws(WKBError) -> Dimensions {
    guard count > 0 else { return header.dimensions }
    let start = position
    let first = try self.header()
    position = start
    swapped = header.swapped
    return Dimensions(
      z: header.dimensions.hasZ || first.dimensions.hasZ, m: header.dimensions.hasM || first.dimensions.hasM)
  }

  /// What follows the header of a point, line or polygon.
  private mutating func body(
    _ header: Header, as dimensions: Dimensions, into builder: inout GeometryBuilder
  ) throws(WKBError) {
    let size = header.dimensions.count * 8
    switch header.type {
    case .point:
      try require(1, size, "a point")
      try coordinates(1, header, into: &builder)
    case .lineString:
      try coordinates(try count(size, "a line"), header, into: &builder)
    default:
      for _ in 0..<(try count(4, "a polygon")) {
        let length = try count(size, "a ring")
        try build(position) { () throws(MeridianError) in try builder.ring() }
        try coordinates(length, header, into: &builder)
      }
    }
  }

  /// `count` coordinates, which are known to be there.
  private mutating func coordinates(
    _ count: Int, _ header: Header, into builder: inout GeometryBuilder
  ) throws(WKBError) {
    let start = position
    let width = header.dimensions.count
    let mAt = header.dimensions.hasZ ? 3 : 2
    let (bytes, swapped) = (self.bytes, self.swapped)
    func fill(_ target: UnsafeMutablePointer<Double>?, from ordinate: Int, present: Bool) {
      guard let target else { return }
      for index in 0..<count {
        guard present else {
          target[index] = .nan
          continue
        }
        let raw = bytes.loadUnaligned(fromByteOffset: start + (index * width + ordinate) * 8, as: UInt64.self)
        target[index] = Double(bitPattern: swapped ? raw.byteSwapped : raw)
      }
    }
    try build(start) { () throws(MeridianError) in
      try builder.add(count: count) { columns in
        fill(columns.x, from: 0, present: true)
        fill(columns.y, from: 1, present: true)
        fill(columns.z, from: 2, present: header.dimensions.hasZ)
        fill(columns.m, from: mAt, present: header.dimensions.hasM)
      }
    }
    position += count * width * 8
  }

  /// Runs calls of the builder; what it refuses becomes an error of the geometry at `byte`.
  private func build(_ byte: Int, _ body: () throws(MeridianError) -> Void) throws(WKBError) {
    do { try body() } catch { throw WKBError(byte: byte, reason: error.message) }
  }
}
