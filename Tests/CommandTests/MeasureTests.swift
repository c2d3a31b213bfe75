// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import meridian_cli

@Suite struct MeasureTests {
  /// On the sphere, so that no library is needed.
  static let sphere = ["measure", "--edges", "great_circle", "--format", "json"]

  @Test func rowsHaveTheDocumentedMembersInOrder() throws {
    let answer = try Shell.withKernels(Self.sphere + [Sample.problems])
    #expect(answer.code == 0, "\(answer.err)")
    #expect(answer.lines.count == 9)
    let line = try #require(answer.lines.first)
    let names = line.matches(of: /"([a-z_0-9]+)":/).map { String($0.output.1) }
    #expect(
      names == [
        "file", "layer", "row", "id", "type", "length_m", "perimeter_m", "area_m2", "length_planar",
        "perimeter_planar", "area_planar", "vertices", "status",
      ])
  }

  @Test func planarValuesOfASquareWithAHole() throws {
    let answer = try Shell.withKernels(["measure", "--crs", "planar", "--format", "json", Sample.problems])
    let row = try #require(try answer.objects().first)
    #expect(row["id"] as? String == "square")
    #expect(row["area_planar"] as? Double == 96)
    #expect(row["perimeter_planar"] as? Double == 48)
    #expect(row["length_planar"] as? Double == 0)
    #expect(row["vertices"] as? Int == 10)
    #expect(row["area_m2"] is NSNull)
    #expect(row["status"] as? String == "OK")
  }

  @Test func nullAndEmptyRowsSayWhy() throws {
    let rows = try Shell.withKernels(Self.sphere + [Sample.problems]).objects()
    #expect(rows[4]["status"] as? String == "NULL")
    #expect(rows[4]["type"] is NSNull)
    #expect(rows[4]["area_m2"] is NSNull)
    #expect(rows[8]["status"] as? String == "EMPTY")
    #expect(rows[8]["type"] as? String == "Polygon")
  }

  /// A degree of the equator is R pi / 180; R is the mean radius (2 a + b) / 3 of WGS84.
  @Test func greatCircleOfOneDegree() throws {
    let text = #"{"type":"LineString","coordinates":[[0,0],[1,0]]}"#
    let answer = try Shell.withKernels(Self.sphere + ["--from", "geojson", "-"], input: text)
    let row = try #require(try answer.objects().first, "\(answer.err)")
    let length = try #require(row["length_m"] as? Double)
    #expect(abs(length - 111_195.079_734_631_58) < 1e-6)
    #expect(row["length_planar"] as? Double == 1)
    #expect(row["file"] as? String == "-")
  }

  /// GeographicLib's Planimeter gives 12308778361.469452 m2 and 443770.91724830196 m for this square.
  @Test(.enabled(if: Kernels.has("native"))) func geodesicsByDefault() throws {
    let text = #"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}"#
    let answer = try Shell.withKernels(
      ["measure", "--format", "json", "--summary", "--from", "geojson", "-"], input: text)
    #expect(answer.code == 0, "\(answer.err)")
    let row = try #require(try answer.objects().first)
    #expect(abs((row["area_m2"] as? Double ?? 0) - 12_308_778_361.469452) < 1e-3)
    #expect(abs((row["perimeter_m"] as? Double ?? 0) - 443_770.917_248_301_96) < 1e-7)
    #expect(try answer.kernels()["measure.area"] == "meridian.native")
  }

  @Test(.enabled(if: Kernels.has("geos"))) func withoutGeodesicKernelTheHintNamesTheSphere() throws {
    let folder = try Scratch()
    for name in BuiltKernels.names where name.hasPrefix("geos") || name.hasPrefix("libMeridianGEOS") {
      try folder.write([UInt8](Data(contentsOf: URL(filePath: BuiltKernels.path + "/" + name))), to: name)
    }
    let answer = try Shell.withKernels(
      ["measure", Sample.problems], environment: ["MERIDIAN_PLUGIN_ONLY": folder.path])
    #expect(answer.code == 2)
    #expect(answer.err.contains("--edges great_circle"), "\(answer.err)")
    #expect(answer.out.isEmpty)
  }

  @Test func textCSVAndGeoJSON() throws {
    let text = try Shell.withKernels(["measure", "--crs", "planar", "--summary", Sample.problems])
    #expect(text.lines.first?.hasSuffix("problems.geojson:0: Polygon: perimeter 48, area 96, 10 vertices") == true)
    #expect(text.lines.contains("rows: 9"))
    #expect(text.lines.contains { $0.hasPrefix("kernel: measure.area, planar edges, by meridian.") })

    let table = try Shell.withKernels(["measure", "--crs", "planar", "--format", "csv", Sample.problems])
    #expect(table.lines.count == 10)
    #expect(table.lines.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 13 })
    #expect(table.lines.first?.hasPrefix("file,layer,row,id,type,length_m") == true)

    let map = try Shell.withKernels(["measure", "--crs", "planar", "--format", "geojson", Sample.problems])
    let root = try JSONSerialization.jsonObject(with: Data(map.out.utf8)) as? [String: Any]
    let features = try #require(root?["features"] as? [[String: Any]])
    #expect(features.count == 9)
    #expect((features[0]["properties"] as? [String: Any])?["area_planar"] as? Double == 96)
    #expect(features[0]["id"] as? String == "square")
    #expect((features[0]["geometry"] as? [String: Any])?["type"] as? String == "Polygon")
  }

  @Test func aPlaneIsTreatedAsOneWithAWarning() throws {
    let text = "POLYGON ((0 0, 3000 0, 3000 4000, 0 0))"
    let answer = try Shell.withKernels(["measure", "--format", "json", "--from", "wkt", "-"], input: text)
    #expect(answer.code == 0, "\(answer.err)")
    #expect(answer.err.contains("warning") && answer.err.contains("--crs lonlat"))
    let row = try #require(try answer.objects().first)
    #expect(row["area_planar"] as? Double == 6_000_000)
    #expect(row["perimeter_planar"] as? Double == 12_000)
    #expect(row["area_m2"] is NSNull)
    let quiet = try Shell.withKernels(["measure", "--quiet", "--from", "wkt", "-"], input: text)
    #expect(quiet.err.isEmpty)
  }

  @Test func latitudeBeyondThePoleIsARowStatus() throws {
    let text = #"{"type":"LineString","coordinates":[[0,0],[1,91]]}"#
    let answer = try Shell.withKernels(Self.sphere + ["--from", "geojson", "-"], input: text)
    #expect(answer.code == 0, "\(answer.err)")
    let row = try #require(try answer.objects().first)
    #expect(row["status"] as? String == "DOMAIN")
    #expect(row["length_m"] is NSNull)
    #expect(row["length_planar"] is Double)
  }
}
