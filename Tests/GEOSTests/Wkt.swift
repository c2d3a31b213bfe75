// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// One geometry in its most general shape: polygons, rings, coordinates. A line or a point list is one ring of one
/// polygon, a multilinestring is one polygon of several rings.
struct Shape: Equatable {
  var type: Int32
  var parts: [[[[Double]]]]
}

/// Reads the WKT of tests: no collections; a test's own typing errors end the test.
func wkt(_ text: String) -> Shape {
  var reader = WktReader(text)
  return reader.shape()
}

private struct WktReader {
  private let bytes: [UInt8]
  private var at = 0

  init(_ text: String) { bytes = Array(text.uppercased().utf8) }

  mutating func shape() -> Shape {
    let name = word()
    while let next = peek(), next >= 65, next <= 90 {
      let tag = word()
      if tag == "EMPTY" { return emptyShape(name) }
    }
    switch name {
    case "POINT": return Shape(type: MRD_POINT, parts: [[list { $0.coordinate() }]])
    case "LINESTRING": return Shape(type: MRD_LINESTRING, parts: [[list { $0.coordinate() }]])
    case "MULTIPOINT": return Shape(type: MRD_MULTIPOINT, parts: [[list { $0.pointMember() }]])
    case "POLYGON": return Shape(type: MRD_POLYGON, parts: [rings()])
    case "MULTILINESTRING": return Shape(type: MRD_MULTILINESTRING, parts: [rings()])
    case "MULTIPOLYGON": return Shape(type: MRD_MULTIPOLYGON, parts: list { $0.rings() })
    default: fatalError("no such WKT type: \(name)")
    }
  }

  private func emptyShape(_ name: String) -> Shape {
    switch name {
    case "POINT": Shape(type: MRD_POINT, parts: [[[[.nan, .nan]]]])
    case "LINESTRING": Shape(type: MRD_LINESTRING, parts: [[[]]])
    case "MULTIPOINT": Shape(type: MRD_MULTIPOINT, parts: [[[]]])
    case "POLYGON": Shape(type: MRD_POLYGON, parts: [[]])
    case "MULTILINESTRING": Shape(type: MRD_MULTILINESTRING, parts: [[]])
    default: Shape(type: MRD_MULTIPOLYGON, parts: [])
    }
  }

  private mutating func rings() -> [[[Double]]] {
    isEmptyWord() ? [] : list { reader in reader.isEmptyWord() ? [] : reader.list { $0.coordinate() } }
  }

  private mutating func pointMember() -> [Double] {
    if isEmptyWord() { return [.nan, .nan] }
    guard peek() == UInt8(ascii: "(") else { return coordinate() }
    return list { $0.coordinate() }[0]
  }

  private mutating func isEmptyWord() -> Bool {
    guard peek() == UInt8(ascii: "E") else { return false }
    _ = word()
    return true
  }

  private mutating func list<T>(_ member: (inout WktReader) -> T) -> [T] {
    expect("(")
    var members = [member(&self)]
    while peek() == UInt8(ascii: ",") {
      at += 1
      members.append(member(&self))
    }
    expect(")")
    return members
  }

  private mutating func coordinate() -> [Double] {
    var numbers: [Double] = []
    while let next = peek(), next != UInt8(ascii: ","), next != UInt8(ascii: ")") {
      numbers.append(Double(token()) ?? .nan)
    }
    return numbers
  }

  private mutating func peek() -> UInt8? {
    while at < bytes.count, bytes[at] == 32 { at += 1 }
    return at < bytes.count ? bytes[at] : nil
  }

  private mutating func expect(_ character: Character) {
    precondition(peek() == character.asciiValue, "expected \(character) at byte \(at)")
    at += 1
  }

  private mutating func word() -> String { take { $0 >= 65 && $0 <= 90 } }
  private mutating func token() -> String { take { $0 > 32 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ")") } }

  private mutating func take(while accepts: (UInt8) -> Bool) -> String {
    _ = peek()
    let start = at
    while at < bytes.count, accepts(bytes[at]) { at += 1 }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }
}
