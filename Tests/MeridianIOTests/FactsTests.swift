// SPDX-License-Identifier: Apache-2.0
import CSimdjson
import Foundation
import Meridian
import Testing

@testable import MeridianIO

/// What other projects' suites say about texts and bytes; `Data` names the sources.
@Suite struct FactsTests {
  @Test func wkt() throws {
    for fact in try facts("wkt.jsonl") {
      let text = try #require(fact["text"] as? String)
      guard let expected = fact["wkt"] as? String else {
        #expect(throws: WKTError.self, "\(text)") { try geometry(text) }
        continue
      }
      var written: [UInt8] = []
      #expect(WKTWriter.append(row: 0, of: try geometry(text), to: &written))
      #expect(String(decoding: written, as: UTF8.self) == expected)
    }
  }

  @Test func wkb() throws {
    let folder = TemporaryFolder()
    for fact in try facts("wkb.jsonl") {
      let hex = try #require(fact["hex"] as? String)
      let rows = ReadRows(try folder.file("x.wkb", hex))
      if let wkt = fact["wkt"] as? String {
        #expect(rows.geometries == [fingerprint(try geometry(wkt), row: 0)], "\(hex)")
        #expect(rows.problems.isEmpty)
      } else {
        #expect(rows.problems.count == 1 && rows.geometries == ["null"], "\(hex)")
      }
    }
  }

  @Test func geojson() throws {
    let folder = TemporaryFolder()
    for fact in try facts("geojson.jsonl") {
      let text = try #require(fact["text"] as? String)
      let wkt = try #require(fact["wkt"] as? String)
      let rows = ReadRows(try folder.file("x.geojson", text))
      #expect(rows.geometries == [fingerprint(try geometry(wkt), row: 0)])
    }
  }

  @Test func json() throws {
    for fact in try facts("json.jsonl") {
      let base64 = (fact["base64"] as? String).flatMap { Data(base64Encoded: $0) }
      let bytes = [UInt8](try #require(base64 ?? (fact["text"] as? String).map { Data($0.utf8) }))
      let reason = bytes.withUnsafeBytes { bytes -> String? in
        var place = 0
        let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        return mrdj_check(base, bytes.count, MRDJ_MAX_DEPTH, &place).map { String(cString: $0) }
      }
      let name = fact["name"] as? String ?? ""
      switch fact["verdict"] as? String {
      case "yes": #expect(reason == nil, "\(name)")
      case "no": #expect(reason != nil, "\(name)")
      default: break
      }
    }
  }

  /// JSONTestSuite's two towers of brackets, made here.
  @Test(arguments: ["[", #"[{"":"#]) func deepNestingIsRefused(unit: String) throws {
    let folder = TemporaryFolder()
    let tower = String(repeating: unit, count: 100_000)
    let rows = ReadRows(
      try folder.file("x.geojsonl", #"{"type":"Feature","geometry":null,"properties":{"a":"# + tower + "\n"))
    #expect(rows.problems.count == 1)
    let geometry = ReadRows(
      try folder.file("y.geojsonl", #"{"type":"Feature","geometry":{"type":"Point","coordinates":"# + tower + "\n"))
    #expect(geometry.problems.count == 1)
  }
}
