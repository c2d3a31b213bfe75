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

  /// A rule for one operation is about the values in metres; the planar ones beside them come from whoever has them.
  @Test(
    .enabled(if: Kernels.has("proj") && Kernels.has("native")),
    arguments: [
      ["--kernel", "measure.area=proj"], ["--kernel", "measure.length=proj", "--edges", "great_circle"],
      ["--require", "measure.length error<=1e-6 m"],
    ])
  func aRuleForOneOperationLeavesThePlanarValuesAlone(words: [String]) throws {
    let answer = try Shell.withKernels(["measure", "--format", "json", "--summary", Sample.problems] + words)
    #expect(answer.code == 0 && answer.err.isEmpty, "\(answer.err)")
    let row = try #require(try answer.objects().first)
    #expect((row["area_m2"] as? Double ?? 0) > 1e12 && row["area_planar"] as? Double == 96)
    if let rule = words.first(where: { $0.hasSuffix("=proj") }) {
      #expect(try answer.kernels()[String(rule.dropLast("=proj".count))] == "meridian.proj")
    }
    guard words.contains("measure.area=proj") else { return }
    let environment = try Shell.withKernels(
      ["measure", Sample.problems], environment: ["MERIDIAN_KERNEL": "measure.area=proj"])
    #expect(environment.code == 0, "\(environment.err)")
    // In a plane the rule is about the planar values, so that proj cannot follow it.
    let plane = ["measure", "--crs", "planar", "--kernel", "measure.area=proj", Sample.problems]
    #expect(try Shell.withKernels(plane).code == 2)
  }

  private static let mercator =
    #"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},"#
    + #""features":[{"type":"Feature","properties":null,"geometry":{"type":"LineString","#
    + #""coordinates":[[900000,5900000],[900100,5900000]]}}]}"#

  @Test func aProjectedFileIsWarnedOfOnceAndTruly() throws {
    func run(_ words: [String]) throws -> Outcome {
      try Shell.withKernels(["measure", "--from", "geojson", "-"] + words, input: Self.mercator)
    }
    let plane = try run([])
    #expect(plane.err.split(separator: "\n").count == 1, "\(plane.err)")
    #expect(plane.err.contains("coordinates are in EPSG:3857") && plane.err.contains("treated as a plane"))
    #expect(plane.lines == ["-:0: LineString: length 100, 2 vertices"])
    #expect(try run(["--crs", "planar"]).err.isEmpty)
    for words in [["--edges", "great_circle"], ["--crs", "lonlat", "--metric", "sphere", "--edges", "great_circle"]] {
      let globe = try run(words)
      #expect(globe.err.contains("takes them for longitude and latitude in degrees"), "\(globe.err)")
      #expect(!globe.err.contains("plane"))
      // No planar number where metres belong.
      let why = "DOMAIN (a latitude beyond 90 degrees: not longitude and latitude)"
      #expect(globe.lines == ["-:0: LineString: 2 vertices, \(why)"])
    }
  }

  @Test func aHintOfOtherEdgesFollowsErrorsOfEdgesAlone() throws {
    for words in [["--kernel", "measure=xxxx"], ["--kernel", "measure.length=xxxx"]] {
      let answer = try Shell.withKernels(["measure", Sample.problems] + words)
      #expect(answer.code == 2 && answer.err.contains("there is no kernel 'xxxx'"), "\(answer.err)")
      #expect(!answer.err.contains("great_circle"), "\(answer.err)")
    }
    let elsewhere = try Shell.withKernels(
      ["measure", Sample.problems], environment: ["MERIDIAN_KERNEL": "measure=xxxx"])
    #expect(elsewhere.err.contains("measure=xxxx in MERIDIAN_KERNEL: there is no kernel 'xxxx'"), "\(elsewhere.err)")
    #expect(!elsewhere.err.contains("great_circle"), "\(elsewhere.err)")
    let bare = try Shell.withKernels(["measure", Sample.problems], environment: ["MERIDIAN_KERNEL": "proj"])
    #expect(bare.code == 2 && bare.err.contains("measure=proj"), "\(bare.err)")
  }

  @Test func oneVertexIsNotSeveral() throws {
    let answer = try Shell.withKernels(["measure", "--crs", "planar", "--from", "wkt", "-"], input: "POINT (1 2)")
    #expect(answer.lines == ["-:0: Point: 1 vertex"])
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
