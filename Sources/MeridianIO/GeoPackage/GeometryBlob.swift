// SPDX-License-Identifier: Apache-2.0
import Meridian

/// The header that GeoPackage puts before the WKB of a geometry (OGC 12-128r18, clause 2.1.3):
///
///     0  2  "GP"
///     2  1  version, 0
///     3  1  flags: bit 0 little-endian, bits 1 to 3 kind of envelope, bit 4 empty, bit 5 a type of an extension
///     4  4  srs_id
///     8  -  envelope: 0, 4, 6, 6 or 8 doubles for the kinds 0 to 4
enum GeometryBlob {
  /// Where the WKB starts.
  static func offsetOfWKB(_ bytes: UnsafeRawBufferPointer) throws(WKBError) -> Int {
    guard bytes.count >= 8 else { throw WKBError(byte: 0, reason: "the geometry is shorter than its header") }
    guard bytes[0] == UInt8(ascii: "G"), bytes[1] == UInt8(ascii: "P") else {
      throw WKBError(byte: 0, reason: "the geometry does not begin with GP")
    }
    guard bytes[2] == 0 else {
      throw WKBError(byte: 2, reason: "version \(bytes[2]) of the geometry encoding is unknown")
    }
    let flags = bytes[3]
    guard flags & 0x20 == 0 else { throw WKBError(byte: 3, reason: "geometry types of extensions are not supported") }
    let kind = Int(flags >> 1 & 7)
    guard kind < envelopeSizes.count else { throw WKBError(byte: 3, reason: "envelope kind \(kind) is unknown") }
    let offset = 8 + envelopeSizes[kind]
    guard offset <= bytes.count else { throw WKBError(byte: 8, reason: "the data end inside the envelope") }
    return offset
  }

  /// True for types that WKB has no words for here: curves and surfaces of SQL/MM (8 to 17), and those of extensions.
  static func isOfOtherType(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 8, bytes[3] & 0x20 == 0, let offset = try? offsetOfWKB(bytes) else {
      return bytes.count >= 8 && bytes[3] & 0x20 != 0
    }
    guard bytes.count >= offset + 5 else { return false }
    let code = bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt32.self)
    return (8...17).contains((bytes[offset] == 1 ? UInt32(littleEndian: code) : UInt32(bigEndian: code)) % 1000)
  }

  /// The envelope, as whoever wrote the geometry says it; nil = there is none.
  static func envelope(_ bytes: UnsafeRawBufferPointer) -> Bounds? {
    guard bytes.count >= 40, bytes[3] & 0x10 == 0, (1...4).contains(bytes[3] >> 1 & 7) else { return nil }
    let isLittle = bytes[3] & 1 == 1
    let values = (0..<4).map { index in
      let bits = bytes.loadUnaligned(fromByteOffset: 8 + index * 8, as: UInt64.self)
      return Double(bitPattern: isLittle ? UInt64(littleEndian: bits) : UInt64(bigEndian: bits))
    }
    var bounds = Bounds()
    bounds.add(values[0], values[2])
    bounds.add(values[1], values[3])
    return bounds
  }

  private static let envelopeSizes = [0, 32, 48, 48, 64]

  /// The header of a geometry with `bounds`; nil = empty. A point has no envelope, its ordinates are one.
  static func appendHeader(srs: Int32, bounds: Bounds?, isPoint: Bool, to output: inout [UInt8]) {
    let hasEnvelope = bounds != nil && !isPoint
    output += [UInt8(ascii: "G"), UInt8(ascii: "P"), 0, 1 | (hasEnvelope ? 2 : 0) | (bounds == nil ? 0x10 : 0)]
    withUnsafeBytes(of: srs.littleEndian) { output.append(contentsOf: $0) }
    guard hasEnvelope, let bounds else { return }
    for value in [bounds.xmin, bounds.xmax, bounds.ymin, bounds.ymax] {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { output.append(contentsOf: $0) }
    }
  }
}

/// The box of some coordinates; NaN ordinates are left out.
struct Bounds {
  var xmin = Double.infinity
  var ymin = Double.infinity
  var xmax = -Double.infinity
  var ymax = -Double.infinity

  var isEmpty: Bool { !(xmin <= xmax && ymin <= ymax) }
  var isFinite: Bool { xmin.isFinite && ymin.isFinite && xmax.isFinite && ymax.isFinite }

  mutating func add(_ x: Double, _ y: Double) {
    if x < xmin { xmin = x }
    if x > xmax { xmax = x }
    if y < ymin { ymin = y }
    if y > ymax { ymax = y }
  }

  mutating func add(_ other: Bounds) {
    add(other.xmin, other.ymin)
    add(other.xmax, other.ymax)
  }

  /// nil for a null or empty row.
  init?(row: Int, of set: GeometrySet) {
    switch set.place(ofRow: row) {
    case .null: return nil
    case .geometry(let array, let index): add(set.arrays[array], index)
    case .collection(let number):
      for case .geometry(let array, let index) in set.collections[number].tokens { add(set.arrays[array], index) }
    }
    if isEmpty { return nil }
  }

  init() {}

  private mutating func add(_ array: GeometryArray, _ index: Int) {
    for coordinate in array.coordinates(ofRow: index) { add(array.x(coordinate), array.y(coordinate)) }
  }
}

extension Double {
  /// The largest 32-bit float that is not above this value: what an R-tree may hold as a lower bound.
  var floatDown: Double {
    let near = Float(self)
    return Double(Double(near) > self ? near.nextDown : near)
  }
  /// The smallest 32-bit float that is not below this value.
  var floatUp: Double {
    let near = Float(self)
    return Double(Double(near) < self ? near.nextUp : near)
  }
}
