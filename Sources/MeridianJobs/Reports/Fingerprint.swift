// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianIO

/// What a feature is recognised by in a later run: its id, or without one its geometry, so that rows may move.
struct FeatureKey: Hashable {
  let file: String
  let layer: String?
  /// The id as JSON text; nil = the feature has none.
  let id: String?
  /// SHA-256 of the geometry in hexadecimal digits; nil where there is an id.
  let geometry: String?

  init(file: String, layer: String?, id: String?, geometry: String?) {
    self.file = Self.plain(file)
    self.layer = layer
    self.id = id
    self.geometry = geometry
  }

  init(_ feature: FeatureName, in batch: FeatureBatch?) {
    let id = feature.id.flatMap(Self.canonical)
    self.init(
      file: feature.file, layer: feature.layer, id: id, geometry: id == nil ? Self.geometry(of: feature, batch) : nil)
  }

  /// A string in one spelling of its escapes, a number as it is; nil for what is no id: null, true, lists and objects.
  private static func canonical(_ id: [UInt8]) -> String? {
    switch id.first ?? 0 {
    case UInt8(ascii: "\""): return Value.text(String(decoding: StrictJSON.unescaped(id), as: UTF8.self)).json
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return String(decoding: id, as: UTF8.self)
    default: return nil
    }
  }

  /// "./a//b" and "a/b" are one file.
  static func plain(_ file: String) -> String {
    let parts = file.split(separator: "/").filter { $0 != "." }
    return (file.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  /// A row that could not be read has no geometry, and only its number tells it from others.
  private static func geometry(of feature: FeatureName, _ batch: FeatureBatch?) -> String {
    var bytes: [UInt8] = []
    if let set = batch?.geometries, let row = batch?.row(numbered: feature.row), set.type(ofRow: row) != nil {
      _ = WKBWriter.append(row: row, of: set, to: &bytes)
    } else {
      bytes = Array("row \(feature.row)".utf8)
    }
    return SHA256.hex(of: bytes)
  }
}

/// What a finding is recognised by in a later run: the feature, the code and the place.
struct Fingerprint: Hashable {
  let feature: FeatureKey
  let code: String
  /// The place; nil = none. Bits, so that equality is that of the numbers as they are written.
  private let x: UInt64?
  private let y: UInt64?

  init(_ feature: FeatureKey, code: String, x: Double, y: Double) {
    self.feature = feature
    self.code = code
    self.x = x.isFinite ? x.bitPattern : nil
    self.y = y.isFinite ? y.bitPattern : nil
  }

  init(_ finding: Finding, _ feature: FeatureKey) {
    self.init(feature, code: finding.code, x: finding.x, y: finding.y)
  }

  static let columns = ["file", "layer", "id", "geometry", "code", "x", "y"]

  var fields: [Field] {
    func number(_ bits: UInt64?) -> Value { bits.map { .number(Double(bitPattern: $0)) } ?? .null }
    let id = feature.id.map { Value.json(Array($0.utf8)) } ?? .null
    let values: [Value] = [
      .text(feature.file), Value(feature.layer), id, Value(feature.geometry), .text(code), number(x), number(y),
    ]
    return zip(Self.columns, values).map { Field($0, $1) }
  }

  /// In 64 hexadecimal digits.
  var text: String {
    var bytes: [UInt8] = []
    fields.appendJSON(to: &bytes)
    return SHA256.hex(of: bytes)
  }
}
