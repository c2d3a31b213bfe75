// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import Testing

@testable import MeridianIO

/// Folder of the shared test data; absent on most machines.
private let sharedData: URL? = {
  let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let shared =
    ProcessInfo.processInfo.environment["MERIDIAN_SHARED"].map { URL(fileURLWithPath: $0) }
    ?? package.deletingLastPathComponent().appendingPathComponent("shared")
  let folder = shared.appendingPathComponent("data/real")
  return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
}()

/// Feature and vertex counts of real files as GEOS counted them.
@Suite struct RealFilesTests {
  @Test(.enabled(if: sharedData != nil, "the shared test data are not there: set MERIDIAN_SHARED"))
  func everyGeoJSONFileReads() throws {
    let folder = try #require(sharedData)
    let truth = try String(contentsOf: folder.appendingPathComponent("truth.jsonl"), encoding: .utf8)
    var files = 0
    for line in truth.split(separator: "\n") {
      let fact = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
      guard let name = fact["file"] as? String, name.hasSuffix(".geojson") else { continue }
      files += 1
      let reader = try openReader(folder.appendingPathComponent(name).path)
      var (features, vertices, nulls) = (0, 0, 0)
      while let batch = try reader.next(BatchLimit()) {
        features += batch.count
        vertices += batch.geometries.arrays.reduce(0) { $0 + $1.coordinateCount }
        nulls += (0..<batch.count).count { batch.geometries.place(ofRow: $0) == .null }
        #expect(batch.problems.isEmpty, "\(name)")
      }
      #expect(features == fact["features"] as? Int, "\(name)")
      #expect(vertices == fact["vertices"] as? Int, "\(name)")
      #expect(nulls == fact["null_geometry"] as? Int, "\(name)")
    }
    #expect(files > 0)
  }
}
