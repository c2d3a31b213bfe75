// SPDX-License-Identifier: Apache-2.0
import CSimdjson
import Meridian

/// Reads a GeoJSON document (RFC 7946): a FeatureCollection feature by feature, so that memory is bounded by the largest
/// feature, or a single feature or geometry as one row. Members may come in any order.
///
/// Of a FeatureCollection the `crs` member decides what the coordinates are; its other members are not carried over.
public final class GeoJSONReader: StreamReader {
  private enum State {
    /// Inside the features array; `first` before its first element.
    case features(first: Bool)
    /// The document is one row and lies whole in the window.
    case single(Range<Int>)
    case ended
  }

  private static let knownMembers = ["type", "features", "crs", "bbox", "name"]
  private static let mostNotes = 20

  private let parser: FeatureParser
  private var state = State.ended
  /// Text of the document's type between its quotes.
  private var type: String?
  private var featuresSeen = false

  init(_ source: ByteSource, model: GeometryModel? = nil) throws(FormatError) {
    parser = try FeatureParser(file: source.file)
    super.init(source, layer: Layer(crs: .lonLat), model: model)
    if try source.skipByteOrderMark() { note("a byte order mark at the start was skipped") }
    try openDocument()
  }

  public override var warnings: [String] { notes + parser.warnings }

  override func readRow(into batch: inout BatchAssembler) throws(FormatError) -> Bool {
    switch state {
    case .ended: return false
    case .single(let range):
      state = .ended
      parser.read(range, of: source, as: .featureOrGeometry, into: &batch)
      source.consume(range.upperBound)
      try expectEnd()
      return true
    case .features(let first): return try readElement(first: first, into: &batch)
    }
  }

  // MARK: - Features

  private func readElement(first: Bool, into batch: inout BatchAssembler) throws(FormatError) -> Bool {
    var position = try source.skipBlanks()
    var byte = try source.byte(at: position)
    if byte == UInt8(ascii: "]") {
      source.consume(position + 1)
      try readMembersBehind()
      return false
    }
    if !first {
      guard byte == UInt8(ascii: ",") else {
        throw unexpected(byte, at: position, wanted: "a comma or ] after a feature")
      }
      position = try source.skipBlanks(from: position + 1)
      byte = try source.byte(at: position)
    }
    state = .features(first: false)
    guard let byte, Self.beginsValue(byte) else {
      throw unexpected(byte, at: position, wanted: "a feature")
    }
    let end = try source.valueEnd(from: position)
    if byte == UInt8(ascii: "{") {
      parser.read(position..<end, of: source, as: .feature, into: &batch)
    } else {
      try source.requireJSON(position..<end)
      batch.reject(source.problem("an element of features is not an object", row: batch.row, at: position))
      batch.keep(text: UnsafeRawBufferPointer(rebasing: source.unread[position..<end]))
    }
    source.consume(end)
    return true
  }

  // MARK: - The document around

  /// Walks over the members in front of the features, keeping them in the window: without features, all of it is one row.
  private func openDocument() throws(FormatError) {
    let start = try source.skipBlanks()
    guard let byte = try source.byte(at: start) else { throw source.error("the file is empty") }
    guard byte == UInt8(ascii: "{") else { throw unexpected(byte, at: start, wanted: "a GeoJSON object") }
    source.consume(start)
    var values: [(name: String, value: Range<Int>)] = []
    var position = 1
    while let name = try readName(at: &position, first: values.isEmpty) {
      let isArray = try source.byte(at: position) == UInt8(ascii: "[")
      if name == "features", isArray, type == nil || type == "FeatureCollection" {
        for (name, value) in values { try readMember(name, value) }
        source.consume(position + 1)
        featuresSeen = true
        state = .features(first: true)
        return
      }
      let end = try source.valueEnd(from: position)
      values.append((name, position..<end))
      if name == "type", type == nil { type = text(position..<end) }
      position = end
    }
    try openSingle(0..<position, values)
  }

  private func openSingle(_ range: Range<Int>, _ values: [(name: String, value: Range<Int>)]) throws(FormatError) {
    try source.requireJSON(range)
    if type == "FeatureCollection" {
      let features = values.first { $0.name == "features" }
      throw source.error(
        features == nil ? "the FeatureCollection has no features" : "features is not an array",
        at: features?.value.lowerBound ?? 0)
    }
    if type != "Feature", let crs = values.first(where: { $0.name == "crs" }) { readReference(crs.value) }
    state = .single(range)
  }

  /// The rest of the document, after the features.
  private func readMembersBehind() throws(FormatError) {
    state = .ended
    var position = 0
    while let name = try readName(at: &position, first: false) {
      let end = try source.valueEnd(from: position)
      guard name != "features" else { throw source.error("there is a second features member", at: position) }
      if name == "crs" { note("the crs member stands behind the features, which were read before it was known") }
      try readMember(name, position..<end)
      source.consume(end)
      position = 0
    }
    source.consume(position)
    if type == nil { note("the document has no type; it was read as a FeatureCollection") }
    try expectEnd()
  }

  /// The name of the next member, with `position` moved to its value; nil behind the closing brace. The comma in front of
  /// all but the first member is consumed as well.
  private func readName(at position: inout Int, first: Bool) throws(FormatError) -> String? {
    position = try source.skipBlanks(from: position)
    var byte = try source.byte(at: position)
    if byte == UInt8(ascii: "}") {
      position += 1
      return nil
    }
    if !first {
      guard byte == UInt8(ascii: ",") else { throw unexpected(byte, at: position, wanted: "a comma or }") }
      position = try source.skipBlanks(from: position + 1)
      byte = try source.byte(at: position)
    }
    guard byte == UInt8(ascii: "\"") else { throw unexpected(byte, at: position, wanted: "a member name in quotes") }
    let end = try source.valueEnd(from: position)
    try source.requireJSON(position..<end)
    let name = text(position..<end) ?? ""
    position = try source.skipBlanks(from: end)
    byte = try source.byte(at: position)
    guard byte == UInt8(ascii: ":") else { throw unexpected(byte, at: position, wanted: "a colon") }
    position = try source.skipBlanks(from: position + 1)
    byte = try source.byte(at: position)
    guard let byte, Self.beginsValue(byte) else {
      throw unexpected(byte, at: position, wanted: "a value")
    }
    return name
  }

  private func readMember(_ name: String, _ value: Range<Int>) throws(FormatError) {
    try source.requireJSON(value)
    switch name {
    case "type":
      type = type ?? text(value) ?? ""
      guard type == "FeatureCollection" else {
        throw source.error("the document has features, but its type is not FeatureCollection", at: value.lowerBound)
      }
    case "crs": readReference(value)
    case _ where !Self.knownMembers.contains(name) && notes.count < Self.mostNotes:
      note("the member \"\(name)\" of the FeatureCollection is not carried over")
    default: break
    }
  }

  private func readReference(_ value: Range<Int>) {
    let crs = Array(source.unread[value])
    let name = JSONText.value("properties", of: crs).flatMap { JSONText.value("name", of: $0) }
      .flatMap(JSONText.string).map { String(decoding: $0, as: UTF8.self) }
    let isNull = crs.elementsEqual("null".utf8)
    // What follows from it is not the reader's to say: the user may treat the coordinates as something else.
    layer.crs = isNull ? .unknown : name.map { CoordinateReference(named: $0) } ?? .other("a crs without a name")
  }

  // MARK: - Helps

  private func text(_ range: Range<Int>) -> String? {
    JSONText.string(Array(source.unread[range])).map { String(decoding: $0, as: UTF8.self) }
  }

  private func expectEnd() throws(FormatError) {
    let position = try source.skipBlanks()
    guard try source.byte(at: position) == nil else {
      throw source.error(
        "there is more text after the document; one feature a line is GeoJSONSeq (geojsonseq)", at: position)
    }
    source.consume(position)
  }

  /// False for what ends a value or stands behind one.
  private static func beginsValue(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ":"): false
    default: true
    }
  }

  private func unexpected(_ byte: UInt8?, at position: Int, wanted: String) -> FormatError {
    guard let byte else { return source.error("the file ends where \(wanted) belongs", at: position) }
    let shown = (0x21..<0x7F).contains(byte) ? String(UnicodeScalar(byte)) : "byte \(byte)"
    return source.error("\(shown) stands where \(wanted) belongs", at: position)
  }
}
