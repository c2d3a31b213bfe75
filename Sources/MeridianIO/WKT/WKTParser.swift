// SPDX-License-Identifier: Apache-2.0
import Meridian

/// The walk over the text of one geometry.
struct WKTParser {
  private static let types: [(name: StaticString, type: GeometryType)] = [
    ("POINT", .point), ("LINESTRING", .lineString), ("LINEARRING", .lineString), ("POLYGON", .polygon),
    ("MULTIPOINT", .multiPoint), ("MULTILINESTRING", .multiLineString), ("MULTIPOLYGON", .multiPolygon),
    ("GEOMETRYCOLLECTION", .collection),
  ]
  private static let unsupported: [StaticString] = [
    "CIRCULARSTRING", "COMPOUNDCURVE", "CURVEPOLYGON", "MULTICURVE", "MULTISURFACE", "CURVE", "SURFACE",
    "POLYHEDRALSURFACE", "TIN", "TRIANGLE", "CIRCLE", "GEODESICSTRING", "ELLIPTICALCURVE", "NURBSCURVE", "CLOTHOID",
    "SPIRALCURVE",
  ]

  let text: UnsafeRawBufferPointer
  private(set) var position = 0

  init(_ text: UnsafeRawBufferPointer) { self.text = text }

  // MARK: - Characters

  private func fail(_ reason: String, at place: Int? = nil) -> WKTError {
    let place = place ?? position
    return place < text.count
      ? WKTError(byte: place, reason: reason) : WKTError(byte: place, reason: "the text ends early", isTruncation: true)
  }

  private mutating func skipBlanks() {
    while position < text.count, text[position] == 0x20 || (0x09...0x0D).contains(text[position]) { position += 1 }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte & 0xDF) }

  /// Whether the next thing is `byte`; it is passed then.
  private mutating func pass(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard position < text.count, text[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ byte: UInt8) throws(WKTError) {
    guard pass(byte) else { throw fail("\(Character(UnicodeScalar(byte))) is missing") }
  }

  /// The letters that come next, not passed.
  private mutating func word() throws(WKTError) -> Range<Int> {
    skipBlanks()
    var end = position
    while end < text.count, Self.isLetter(text[end]) { end += 1 }
    // A word at the end of the window may go on behind it.
    if end == text.count, end > position { throw fail("", at: end) }
    return position..<end
  }

  private func matches(_ range: Range<Int>, _ word: StaticString) -> Bool {
    range.count == word.utf8CodeUnitCount
      && range.allSatisfy { text[$0] & 0xDF == word.utf8Start[$0 - range.lowerBound] }
  }

  private mutating func pass(_ expected: StaticString) throws(WKTError) -> Bool {
    let range = try word()
    guard matches(range, expected) else { return false }
    position = range.upperBound
    return true
  }

  /// `EMPTY` may be the last thing of all.
  private mutating func passEmpty() throws(WKTError) -> Bool {
    skipBlanks()
    let range = position..<min(position + 5, text.count)
    guard matches(range, "EMPTY"), range.upperBound == text.count || !Self.isLetter(text[range.upperBound]) else {
      return false
    }
    position = range.upperBound
    return true
  }

  // MARK: - Heads

  /// EWKT's `SRID=4326;`.
  mutating func srid() throws(WKTError) -> Int32? {
    guard try pass("SRID") else { return nil }
    try expect(UInt8(ascii: "="))
    skipBlanks()
    let start = position
    if position < text.count, text[position] == UInt8(ascii: "-") { position += 1 }
    while position < text.count, (0x30...0x39).contains(text[position]) { position += 1 }
    guard position < text.count else { throw fail("") }
    guard let srid = Int32(String(decoding: text[start..<position], as: UTF8.self)) else {
      throw fail("the SRID is not a number", at: start)
    }
    try expect(UInt8(ascii: ";"))
    return srid
  }

  /// The type and the tag of a geometry; dimensions nil without a tag.
  private mutating func head() throws(WKTError) -> (type: GeometryType, dimensions: Dimensions?) {
    let word = try word()
    guard !word.isEmpty else { throw fail("the name of a geometry is missing") }
    for (name, type) in Self.types where word.count >= name.utf8CodeUnitCount {
      let end = word.lowerBound + name.utf8CodeUnitCount
      guard matches(word.lowerBound..<end, name) else { continue }
      if end == word.upperBound {
        position = end
        return (type, try tag())
      }
      if let dimensions = dimensions(end..<word.upperBound) {
        position = word.upperBound
        return (type, dimensions)
      }
    }
    let name = String(decoding: text[word].prefix(32), as: UTF8.self).uppercased()
    if Self.unsupported.contains(where: { name.hasPrefix("\($0)") }) {
      throw fail("a \(name) is not supported: points, lines and polygons with straight edges are")
    }
    throw fail("\(name) is not the name of a geometry")
  }

  private mutating func tag() throws(WKTError) -> Dimensions? {
    skipBlanks()
    // `EMPTY` at the very end is no tag that could go on.
    var end = position
    while end < text.count, Self.isLetter(text[end]) { end += 1 }
    guard let dimensions = dimensions(position..<end) else { return nil }
    position = end
    return dimensions
  }

  private func dimensions(_ range: Range<Int>) -> Dimensions? {
    matches(range, "Z") ? .xyz : matches(range, "M") ? .xym : matches(range, "ZM") ? .xyzm : nil
  }

  /// The dimensions of a geometry without a tag, by the numbers of its first position: two to four.
  private func inferredDimensions() throws(WKTError) -> Dimensions {
    var ahead = self
    var depth = 0
    while true {
      if try ahead.passEmpty() {
        if depth == 0 { return .xy }
      } else if ahead.pass(UInt8(ascii: "(")) {
        depth += 1
      } else if ahead.pass(UInt8(ascii: ")")) {
        depth -= 1
        if depth <= 0 { return .xy }
      } else if !ahead.pass(UInt8(ascii: ",")) {
        break
      }
    }
    var numbers = 0
    while numbers < 4, try ahead.number() != nil { numbers += 1 }
    return numbers == 4 ? .xyzm : numbers == 3 ? .xyz : .xy
  }

  /// The number that comes next, or nil when something else does.
  private mutating func number() throws(WKTError) -> Double? {
    skipBlanks()
    guard let parsed = parseNumber(UnsafeRawBufferPointer(rebasing: text[position...])) else { return nil }
    let end = position + parsed.length
    // It may go on behind the window, and a whole geometry ends in a bracket.
    guard end < text.count else { throw fail("", at: end) }
    guard parsed.value.isFinite || !text[position..<end].contains(where: { (0x30...0x39).contains($0) }) else {
      throw fail("this number is beyond the range of doubles")
    }
    guard !Self.isLetter(text[end]) else { throw fail("this is not a number") }
    position = end
    return parsed.value
  }

  // MARK: - Geometries

  mutating func geometry(depth: Int, into builder: inout GeometryBuilder) throws(WKTError) {
    skipBlanks()
    let start = position
    let (type, tag) = try head()
    if type == .collection { return try collection(tag, depth: depth, at: start, into: &builder) }
    let dimensions = if let tag { tag } else { try inferredDimensions() }
    try build(start) { () throws(MeridianError) in try builder.begin(type, dimensions) }
    switch type {
    case .point: try point(dimensions, into: &builder)
    case .lineString: try list { (parser) throws(WKTError) in try parser.coordinate(dimensions, into: &builder) }
    case .multiPoint:
      try list { (parser) throws(WKTError) in try parser.memberPoint(dimensions, into: &builder) }
    case .multiPolygon:
      try list { (parser) throws(WKTError) in
        try parser.build(start) { () throws(MeridianError) in try builder.part() }
        try parser.rings(dimensions, into: &builder)
      }
    default: try rings(dimensions, into: &builder)
    }
    try build(start) { () throws(MeridianError) in try builder.end() }
  }

  private mutating func collection(
    _ tag: Dimensions?, depth: Int, at start: Int, into builder: inout GeometryBuilder
  ) throws(WKTError) {
    guard depth < WKTReader.maximumDepth else {
      throw fail("collections are nested deeper than \(WKTReader.maximumDepth)", at: start)
    }
    try build(start) { () throws(MeridianError) in try builder.begin(.collection, tag ?? .xy) }
    try list { (parser) throws(WKTError) in try parser.geometry(depth: depth + 1, into: &builder) }
    try build(start) { () throws(MeridianError) in try builder.end() }
  }

  /// `EMPTY`, or elements in brackets with commas between them.
  private mutating func list(_ element: (inout Self) throws(WKTError) -> Void) throws(WKTError) {
    if try passEmpty() { return }
    try expect(UInt8(ascii: "("))
    try element(&self)
    while pass(UInt8(ascii: ",")) { try element(&self) }
    guard pass(UInt8(ascii: ")")) else { throw fail("a comma or ) is missing") }
  }

  private mutating func rings(_ dimensions: Dimensions, into builder: inout GeometryBuilder) throws(WKTError) {
    try list { (parser) throws(WKTError) in
      try parser.build(parser.position) { () throws(MeridianError) in try builder.ring() }
      try parser.list { (parser) throws(WKTError) in try parser.coordinate(dimensions, into: &builder) }
    }
  }

  private mutating func point(_ dimensions: Dimensions, into builder: inout GeometryBuilder) throws(WKTError) {
    if try passEmpty() { return builder.add(.nan, .nan) }
    try expect(UInt8(ascii: "("))
    try coordinate(dimensions, into: &builder)
    guard pass(UInt8(ascii: ")")) else { throw fail("a point has one position and then )") }
  }

  /// A member of a multipoint: `EMPTY`, `(1 2)`, or `1 2` as older programs write it.
  private mutating func memberPoint(_ dimensions: Dimensions, into builder: inout GeometryBuilder) throws(WKTError) {
    if try passEmpty() { return builder.add(.nan, .nan) }
    let bracketed = pass(UInt8(ascii: "("))
    try coordinate(dimensions, into: &builder)
    if bracketed { try expect(UInt8(ascii: ")")) }
  }

  private mutating func coordinate(_ dimensions: Dimensions, into builder: inout GeometryBuilder) throws(WKTError) {
    var ordinates: (Double, Double, Double, Double) = (.nan, .nan, .nan, .nan)
    var count = 0
    while let number = try number() {
      switch count {
      case 0: ordinates.0 = number
      case 1: ordinates.1 = number
      case 2: ordinates.2 = number
      case 3: ordinates.3 = number
      default: throw fail("a position has more than four numbers")
      }
      count += 1
    }
    guard count == dimensions.count else {
      throw fail(count == 0 ? "a number is missing" : "a position has \(count) numbers, not \(dimensions.count)")
    }
    if dimensions == .xym {
      builder.add(ordinates.0, ordinates.1, .nan, ordinates.2)
    } else {
      builder.add(ordinates.0, ordinates.1, ordinates.2, ordinates.3)
    }
  }

  /// Runs calls of the builder; what it refuses becomes an error of the geometry at `byte`.
  private func build(_ byte: Int, _ body: () throws(MeridianError) -> Void) throws(WKTError) {
    do { try body() } catch { throw WKTError(byte: byte, reason: error.message) }
  }
}
