// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// What the page shows, gathered row by row: totals of all rows, and the findings with the outlines of their features as far
/// as a page has room for them.
struct PageData {
  /// More findings are counted and not listed.
  static let mostFindings = 50_000
  /// More vertices are not drawn.
  static let mostVertices = 500_000
  /// Properties of a feature that are longer are not shown.
  private static let longestProperties = 4096
  /// Nor are those behind this many bytes of all features.
  static let mostPropertyBytes = 16 << 20

  private var files: [(name: String, rows: Int, failing: Int)] = []
  private var codes = Names()
  private var messages = Names()
  private var severities = [0, 0, 0]
  private var known = 0
  private var features: [Value] = []
  private var findings: [Value] = []
  private var unlisted = 0
  private var undrawn = 0
  private var propertyBytes = 0
  private var withoutProperties = 0
  private var coordinates: [Double] = []
  private(set) var hasBaseline = false

  mutating func count(_ row: some ReportRow) {
    guard let feature = row.feature else { return }
    if files.last?.name != feature.layerName { files.append((feature.layerName, 0, 0)) }
    files[files.count - 1].rows += 1
    if row.allFindings.contains(where: \.fails) { files[files.count - 1].failing += 1 }
  }

  /// All findings of one feature.
  mutating func add(_ group: [PlacedFinding], _ batch: FeatureBatch?) {
    guard let first = group.first else { return }
    for entry in group { tally(entry.finding) }
    let room = Self.mostFindings - findings.count
    unlisted += max(0, group.count - room)
    guard room > 0 else { return }
    for entry in group.prefix(room) { findings.append(value(of: entry, feature: features.count)) }
    features.append(value(of: first, outline: outline(of: group, batch)))
  }

  private mutating func tally(_ finding: Finding) {
    severities[finding.severity.rank] += 1
    if let isKnown = finding.isKnown {
      hasBaseline = true
      if isKnown { known += 1 }
    }
  }

  /// `[feature, code, severity, message, part, ring, vertex, x, y, known, edges]`
  private mutating func value(of entry: PlacedFinding, feature: Int) -> Value {
    let finding = entry.finding
    func index(_ number: Int?) -> Value { number.map { .integer($0) } ?? .null }
    let ends = entry.edges.flatMap { [$0.start.x, $0.start.y, $0.end.x, $0.end.y] }
    return .list([
      .integer(feature), .integer(codes.number(of: finding.code)), .integer(finding.severity.rank),
      .integer(messages.number(of: finding.message)), index(finding.part), index(finding.ring), index(finding.vertex),
      .number(finding.x), .number(finding.y), .integer(finding.isKnown == true ? 1 : 0),
      entry.edges.isEmpty ? .null : .list(ends.map { .number($0) }),
    ])
  }

  /// `[file, row, id, properties, [vertices of each path; negative = closed], thinned]`; ids and the values of properties are
  /// texts.
  private mutating func value(of entry: PlacedFinding, outline: Outline?) -> Value {
    let paths = (outline?.paths ?? []).map { path in
      let count = path.coordinates.count / 2
      return Value.integer(path.isClosed ? -count : count)
    }
    return .list([
      .integer(max(0, files.count - 1)), .integer(entry.feature.row), entry.feature.id.map { Self.text($0) } ?? .null,
      properties(entry.properties), .list(paths), .bool(outline?.isThinned ?? false),
    ])
  }

  /// null = not shown, or there are none.
  private mutating func properties(_ json: [UInt8]) -> Value {
    guard let members = StrictJSON.members(json) else { return .null }
    guard json.count <= Self.longestProperties, propertyBytes + json.count <= Self.mostPropertyBytes else {
      withoutProperties += 1
      return .null
    }
    propertyBytes += json.count
    return .object(members.map { Field($0.name, Self.text(Array(json[$0.value]))) })
  }

  /// A value as text: a browser would round a number of many digits.
  private static func text(_ json: [UInt8]) -> Value {
    json.first == UInt8(ascii: "\"") ? .json(json) : .text(String(decoding: json, as: UTF8.self))
  }

  private mutating func outline(of group: [PlacedFinding], _ batch: FeatureBatch?) -> Outline? {
    guard let batch, let first = group.first, let row = batch.row(numbered: first.feature.row) else { return nil }
    let outline = Outline(of: batch.geometries, row: row, findings: group.map(\.finding))
    guard coordinates.count / 2 + outline.vertexCount <= Self.mostVertices else {
      undrawn += 1
      return nil
    }
    for path in outline.paths { coordinates += path.coordinates }
    return outline
  }

  /// As one JSON object that can stand in a script element: without a `<`.
  func json(_ summary: Summary?) -> [UInt8] {
    let fields: [Field] = [
      Field("files", .list(files.map { .list([.text($0.name), .integer($0.rows), .integer($0.failing)]) })),
      Field("severities", .list(severities.map { .integer($0) })), Field("hasBaseline", .bool(hasBaseline)),
      Field("known", .integer(known)), Field("codes", codes.value), Field("messages", messages.value),
      Field("unlisted", .integer(unlisted)), Field("undrawn", .integer(undrawn)),
      Field("withoutProperties", .integer(withoutProperties)),
      Field("summary", .list((summary?.lines ?? []).map { .text($0) })), Field("features", .list(features)),
      Field("findings", .list(findings)), Field("coordinates", .text(encoded)),
    ]
    var text: [UInt8] = []
    fields.appendJSON(to: &text)
    var safe: [UInt8] = []
    safe.reserveCapacity(text.count)
    for byte in text {
      if byte == UInt8(ascii: "<") { safe += "\\u003c".utf8 } else { safe.append(byte) }
    }
    return safe
  }

  /// Doubles of 8 bytes, the lowest first, in Base64: places stay exact however far the map is zoomed.
  private var encoded: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(coordinates.count * 8)
    for number in coordinates {
      withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }
    var text: [UInt8] = []
    bytes.withUnsafeBytes { Base64.append($0, to: &text) }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Texts by number, in the order of their first coming.
private struct Names {
  private var numbers: [String: Int] = [:]
  private var texts: [String] = []

  mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    numbers[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }

  var value: Value { .list(texts.map { .text($0) }) }
}
