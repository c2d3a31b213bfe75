// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import TestSupport
import Testing

@testable import MeridianIO

/// Random geometries of every type and dimension.
struct RandomGeometries {
  var random: SeededGenerator
  /// Dimensions to choose from.
  var dimensions: [Dimensions] = [.xy, .xyz, .xym, .xyzm]

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  /// Finite numbers of all magnitudes, short decimals and odd ones.
  mutating func number() -> Double {
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      return [0, -0.0, Double.leastNonzeroMagnitude, 1.7976931348623157e308, 0.1, 1e21, 1e-7, 9_007_199_254_740_992][
        Int.random(in: 0..<8, using: &random)]
    case 1:
      let value = Double(bitPattern: random.next())
      return value.isFinite ? value : 1 / 3
    case 2, 3: return Double(Int.random(in: -1_800_000...1_800_000, using: &random)) / 10_000
    default: return Double.random(in: -180...180, using: &random)
    }
  }

  mutating func coordinates(_ count: Int, into builder: inout GeometryBuilder) {
    for _ in 0..<count { builder.add(number(), number(), number(), number()) }
  }

  mutating func geometry(depth: Int = 0, into builder: inout GeometryBuilder) throws {
    let type = GeometryType(rawValue: Int32.random(in: 1...(depth < 3 ? 7 : 6), using: &random))
    let kind = dimensions.randomElement(using: &random) ?? .xy
    try builder.begin(type, kind)
    switch type {
    case .collection:
      for _ in 0..<Int.random(in: 0...3, using: &random) { try geometry(depth: depth + 1, into: &builder) }
    case .point: if !chance(20) { coordinates(1, into: &builder) }
    case .lineString, .multiPoint: coordinates(Int.random(in: 0...5, using: &random), into: &builder)
    case .multiPolygon:
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        try builder.part()
        try rings(into: &builder)
      }
    default: try rings(into: &builder)
    }
    try builder.end()
  }

  mutating func rings(into builder: inout GeometryBuilder) throws {
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      try builder.ring()
      coordinates(Int.random(in: 0...5, using: &random), into: &builder)
    }
  }

  mutating func set(rows: Int, nulls: Bool = true) throws -> GeometrySet {
    var builder = GeometryBuilder()
    for _ in 0..<rows {
      if nulls, chance(10) { try builder.null() } else { try geometry(into: &builder) }
    }
    return try builder.finish()
  }
}

@Suite struct RoundTripTests {
  private static let properties = [
    "null", "{}", #"{"a":1.50,"b" : [1,  2,{"c":null}], "é":"\u00e9\n\"x\""}"#,
    #"{"a":"text, with \"quotes\"","b":true}"#,
  ]

  private func batch(_ set: GeometrySet, _ random: inout SeededGenerator) -> FeatureBatch {
    let attributes = (0..<set.count).map { row in
      Attributes(
        id: [nil, "12", "\"a\\u0062\"", "1.0e2"][row % 4].map { Array($0.utf8) },
        properties: Array((Self.properties.randomElement(using: &random) ?? "null").utf8),
        foreign: row % 3 == 0 ? Array(#""bbox" : [0, 1.0],"x":{"y":[]}"#.utf8) : nil)
    }
    return FeatureBatch(geometries: set, firstRow: 0, attributes: attributes)
  }

  private func seeds() -> [UInt64] { (0..<8).map { testSeed($0) } }

  private func write(_ batch: FeatureBatch, _ file: String, options: WriteOptions = WriteOptions()) throws
    -> [RowProblem]
  {
    let writer = try openWriter(file, options: options)
    try writer.write(batch)
    try writer.finish()
    return writer.problems
  }

  @Test func geoJSONKeepsEverything() throws {
    let folder = TemporaryFolder()
    for seed in seeds() {
      var random = RandomGeometries(random: SeededGenerator(seed: seed), dimensions: [.xy, .xyz, .xyzm])
      let set = try random.set(rows: 40)
      let written = batch(set, &random.random)
      for name in ["x.geojson", "x.geojsonl", "x.geojsons"] {
        #expect(try write(written, folder.path + "/" + name).isEmpty)
        let read = ReadRows(folder.path + "/" + name, limit: BatchLimit(rows: 7))
        #expect(read.error == nil && read.problems.isEmpty, "seed \(seed)")
        #expect(read.geometries.count == set.count, "seed \(seed)")
        for (row, geometry) in read.geometries.enumerated() {
          #expect(geometry == asGeoJSON(fingerprint(set, row: row)), "seed \(seed) row \(row) \(name)")
          let (before, after) = (written.attributes[row], read.attributes[row])
          #expect(before.id == after.id && before.properties == after.properties && before.foreign == after.foreign)
        }
      }
    }
  }

  /// GeoJSON tells dimensions by the numbers alone: what has no coordinates, or holds such in a collection, has two.
  private func asGeoJSON(_ fingerprint: String) -> String {
    guard !fingerprint.hasPrefix("Collection") else { return collectionAsGeoJSON(fingerprint) }
    return geometryAsGeoJSON(fingerprint)
  }

  private func geometryAsGeoJSON(_ text: String) -> String {
    let hasNumbers = text.contains(" ") && !text.contains("nan nan")
    guard !hasNumbers, let bracket = text.firstIndex(of: "["), let digit = text[..<bracket].last else { return text }
    let empty = text.contains("nan") ? "[nan nan]" : String(text[bracket...])
    return digit.isNumber ? text[..<bracket].dropLast() + "1" + empty : text
  }

  private func collectionAsGeoJSON(_ text: String) -> String {
    guard let bracket = text.firstIndex(of: "(") else { return text }
    let members = text[text.index(after: bracket)...].dropLast().split(separator: ";").map {
      geometryAsGeoJSON(String($0))
    }
    let kinds = members.compactMap { $0.prefix { $0 != "[" }.last?.wholeNumberValue }.map { $0 - 1 }
    return "Collection\(kinds.reduce(0, |) + 1)(" + members.joined(separator: ";") + ")"
  }

  @Test func wktAndWKBKeepEveryBit() throws {
    let folder = TemporaryFolder()
    for seed in seeds() {
      var random = RandomGeometries(random: SeededGenerator(seed: seed))
      let set = try random.set(rows: 60)
      let written = batch(set, &random.random)
      let expected = (0..<set.count).map { fingerprint(set, row: $0) }
      #expect(try write(written, folder.path + "/x.wkt").isEmpty)
      #expect(ReadRows(folder.path + "/x.wkt", limit: BatchLimit(rows: 11)).geometries == expected, "seed \(seed)")
      for flavour in [WKBWriter.Flavour.iso, .ewkb] {
        let options = WriteOptions(hexadecimal: true, wkbFlavour: flavour)
        #expect(try write(written, folder.path + "/hex.wkb", options: options).isEmpty)
        #expect(ReadRows(folder.path + "/hex.wkb").geometries == expected, "seed \(seed)")
        let left = try write(written, folder.path + "/x.wkb", options: WriteOptions(wkbFlavour: flavour))
        #expect(left.count == expected.count { $0 == "null" })
        #expect(ReadRows(folder.path + "/x.wkb").geometries == expected.filter { $0 != "null" }, "seed \(seed)")
      }
    }
  }

  @Test func csvKeepsGeometriesAndText() throws {
    let folder = TemporaryFolder()
    let texts = ["plain", "", " with, comma", "\"quoted\"", "two\nlines", "é;\t'", "007", "1.50"]
    for seed in seeds() {
      var random = RandomGeometries(random: SeededGenerator(seed: seed))
      let set = try random.set(rows: 30)
      let attributes = (0..<set.count).map { row in
        var object = Array(#"{"na,me":"#.utf8)
        JSONText.appendString(texts[row % texts.count].utf8, to: &object)
        return Attributes(properties: object + Array("}".utf8))
      }
      for separator in Array(",;\t".utf8) {
        _ = try write(
          FeatureBatch(geometries: set, firstRow: 0, attributes: attributes), folder.path + "/x.csv",
          options: WriteOptions(separator: separator))
        let read = ReadRows(
          folder.path + "/x.csv", options: ReadOptions(csv: CSVOptions(separator: separator)))
        #expect(read.error == nil && read.problems.isEmpty, "seed \(seed)")
        #expect(read.geometries == (0..<set.count).map { fingerprint(set, row: $0) }, "seed \(seed)")
        #expect(read.attributes.map(\.properties) == attributes.map(\.properties), "seed \(seed)")
      }
    }
  }
}
