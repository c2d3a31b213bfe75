// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// The adapter's measures on WGS84 against values from elsewhere.
@Suite struct PROJMeasureTests {
  let proj: MeasureRun
  init() throws { proj = try MeasureRun(LoadedLibrary("MeridianPROJ")) }

  private func rows(of file: String) throws -> [[String]] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Data/\(file)")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: ",", maxSplits: file == "polygons.csv" ? 4 : 20).map(String.init) }
  }

  private func geodesic(_ wkt: [String?]) throws -> TestGeoms {
    try TestGeoms(wkt, edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID)
  }

  @Test func emptyPointsInMultipoints() throws {
    let geoms = try geodesic(["MULTIPOINT(nan nan,170 1,-170 2)", "MULTIPOINT(nan nan,nan nan)", "MULTIPOINT(10 nan)"])
    let statuses = [MRD_ITEM_OK, MRD_ITEM_EMPTY, MRD_ITEM_NONFINITE]
    let bounds = proj.measure(MRD_MEASURE_BOUNDS, geoms, columns: 4)
    #expect(bounds.statuses == statuses && bounds.columns.map { $0[0] } == [170, 1, -170, 2])
    let area = proj.measure(MRD_MEASURE_AREA, geoms)
    #expect(area.statuses == statuses && area.column(0)[0] == 0 && area.column(0)[1] == 0)
    let dense = proj.densify(geoms, metres: 10)
    #expect(dense.status == MRD_OK && dense.call.statuses == statuses)
  }

  @Test func inverseAgreesWithHighPrecisionGeodesics() throws {
    let facts = try rows(of: "geodesics.csv")
    let a = try geodesic(facts.map { "POINT(\($0[1]) \($0[2]))" })
    let b = try geodesic(facts.map { "POINT(\($0[3]) \($0[4]))" })
    let there = proj.pair(MRD_MEASURE_INVERSE, a, b, columns: 3)
    let back = proj.pair(MRD_MEASURE_INVERSE, b, a, columns: 3)
    #expect(there.status == MRD_OK && there.isIntact, "\(there.message)")
    for (row, fact) in facts.enumerated() {
      let expected = try #require(Double(fact[5]))
      // 15 nm is the declared bound; 0.5 ulp of the file's own rounding comes on top.
      #expect(abs(there.column(0)[row] - expected) <= 15e-9 + expected.ulp, "\(fact)")
      #expect(there.column(0)[row] == back.column(0)[row], "symmetry: \(fact)")
      if fact[8] == "1" {
        #expect(abs(there.column(1)[row] - (Double(fact[6]) ?? .nan)) < 1e-11, "\(fact)")
        #expect(abs(there.column(2)[row] - (Double(fact[7]) ?? .nan)) < 1e-11, "\(fact)")
      }
    }
  }

  @Test func directComesToTheSecondPoint() throws {
    let facts = try rows(of: "geodesics.csv").filter { $0[0] == "geodtest" }
    let a = try geodesic(facts.map { "POINT(\($0[1]) \($0[2]))" })
    let azimuths = facts.map { Double($0[6]) ?? .nan }
    let distances = facts.map { Double($0[5]) ?? .nan }
    let ends = proj.direct(a, azimuth: azimuths, distance: distances)
    let b = try geodesic(facts.map { "POINT(\($0[3]) \($0[4]))" })
    let reached = try geodesic(facts.indices.map { "POINT(\(ends.column(0)[$0]) \(ends.column(1)[$0]))" })
    let gaps = proj.pair(MRD_MEASURE_DISTANCE, b, reached, columns: 1)
    // The file gives azimuths to 1e-12 degrees: 110 nm at a quarter of the globe.
    for row in facts.indices { #expect(gaps.column(0)[row] < 250e-9, "\(facts[row])") }
  }

  @Test func ringsAgreeWithTheRoutinesOwnTests() throws {
    let facts = try rows(of: "polygons.csv")
    let result = proj.measure(MRD_MEASURE_AREA_SIGNED, try geodesic(facts.map { $0[4] }))
    let perimeter = proj.measure(MRD_MEASURE_PERIMETER, try geodesic(facts.map { $0[4] }))
    for (row, fact) in facts.enumerated() {
      let values = fact.prefix(4).compactMap(Double.init)
      if values[1] >= 0 { #expect(abs(perimeter.column(0)[row] - values[0]) <= values[1], "\(fact)") }
      #expect(abs(result.column(0)[row] - values[2]) <= values[3], "\(fact) \(result.column(0)[row])")
    }
  }

  @Test func reportedFaultsOfOtherToolsAreNotOurs() throws {
    // Numbers computed with geographiclib 2.1 for reports named beside each.
    let cases: [(String, area: Double, perimeter: Double, relative: Double)] = [
      // matrixone#28197: a box over the antimeridian.
      ("POLYGON((178.5 10,-178.5 10,-178.5 12,178.5 12,178.5 10))", 72_544_136_141.717, 1_098_082.571, 1e-9),
      // pyproj#1082: clockwise.
      ("POLYGON((7 47,7 47.2,7.3 47.2,7.3 47,7 47))", -506_373_159.167, .nan, 1e-9),
      // pgsphere#13: a centimetre across.
      (
        "POLYGON((1 51,1.0000001 51,1.0000001 51.0000001,1 51.0000001,1 51))", 7.80937e-05, 0.036289,
        1e-4 / 7.8e-05
      ),
      // The world as a rectangle of geodesics has no area.
      ("POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))", 0, .nan, 0),
    ]
    let geoms = try geodesic(cases.map(\.0))
    let area = proj.measure(MRD_MEASURE_AREA_SIGNED, geoms)
    let both = proj.measure(MRD_MEASURE_PERIMETER_AREA, geoms, columns: 2)
    for (row, expected) in cases.enumerated() {
      #expect(
        abs(area.column(0)[row] - expected.area) <= expected.relative * abs(expected.area),
        "\(expected) \(area.column(0)[row])")
      #expect(both.column(1)[row] == abs(area.column(0)[row]))
      if !expected.perimeter.isNaN { #expect(abs(both.column(0)[row] - expected.perimeter) < 1e-3) }
    }
  }

  @Test func aRingHasTwoSides() throws {
    // pyproj#1611: more than half of the ellipsoid lies left of it.
    let ring = try geodesic(["POLYGON((0 -30,90 -30,180 -30,-90 -30,0 -30))"])
    let left = proj.measure(MRD_MEASURE_AREA_SIGNED, ring, side: MRD_SIDE_LEFT).column(0)[0]
    let smaller = proj.measure(MRD_MEASURE_AREA_SIGNED, ring).column(0)[0]
    #expect(abs(left - 405_269_765_216_623.6) < 1)
    #expect(abs(smaller + 104_795_856_507_464.8) < 1)
  }

  @Test func boundsHoldTheHighestPointOfAnEdgeAndThePole() throws {
    let geoms = try geodesic(["LINESTRING(0 50,60 50)", "LINESTRING(170 10,-170 -10)", "LINESTRING EMPTY"])
    let bounds = proj.measure(MRD_MEASURE_BOUNDS, geoms, columns: 4)
    // The middle of a geodesic between equal latitudes is its highest point.
    let middle = proj.measure(
      MRD_MEASURE_INTERPOLATE, try geodesic(["LINESTRING(0 50,60 50)"]), columns: 3, fraction: [0.5])
    #expect(bounds.column(3)[0] >= middle.column(1)[0])
    #expect(bounds.column(3)[0] - middle.column(1)[0] < 1e-12)
    #expect(bounds.columns.map { $0[1] } == [170, -10, -170, 10])
    #expect(bounds.statuses[2] == MRD_ITEM_EMPTY && bounds.column(0)[2].isNaN)
    let cap = proj.measure(MRD_MEASURE_BOUNDS, try geodesic(["POLYGON((0 60,120 60,240 60,0 60))"]), columns: 4)
    #expect(cap.columns.map { $0[0] } == [-180, 60, 180, 90])
  }

  @Test func badRowsDoNotSpoilTheOthers() throws {
    let geoms = try geodesic([
      "LINESTRING(10 95,11 20)", nil, "LINESTRING EMPTY", "LINESTRING(0 nan,1 1)", "LINESTRING(0 0,180 0)",
      "LINESTRING(0 0,0 1)",
    ])
    let result = proj.measure(MRD_MEASURE_LENGTH, geoms)
    #expect(
      result.statuses == [
        MRD_ITEM_DOMAIN, MRD_ITEM_NULL, MRD_ITEM_EMPTY, MRD_ITEM_NONFINITE, MRD_ITEM_WARN_AMBIGUOUS_EDGE, MRD_ITEM_OK,
      ])
    #expect(result.column(0)[0].isNaN && result.column(0)[1].isNaN && result.column(0)[2] == 0)
    #expect(abs(result.column(0)[5] - 110_574.388557799) < 1e-6)
  }

  @Test func anExactHalfTurnGoesEast() throws {
    // On a prolate ellipsoid the equator is the shortest way between opposite points on it.
    let a = try TestGeoms(
      ["POINT(90 0)", "POINT(-90 0)"], edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, flattening: -1 / 150)
    let b = try TestGeoms(
      ["POINT(-90 0)", "POINT(90 0)"], edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, flattening: -1 / 150)
    let result = proj.pair(MRD_MEASURE_INVERSE, a, b, columns: 3)
    #expect(result.column(1) == [90, 90])
    #expect(result.statuses == [MRD_ITEM_WARN_AMBIGUOUS_EDGE, MRD_ITEM_WARN_AMBIGUOUS_EDGE])
  }

  @Test func coincidentPointsHaveNoAzimuth() throws {
    let result = proj.pair(
      MRD_MEASURE_INVERSE, try geodesic(["POINT(190 10)"]), try geodesic(["POINT(-170 10)"]), columns: 3)
    #expect(result.columns.map { $0[0] } == [0, 0, 0])
    #expect(result.statuses == [MRD_ITEM_DEGENERATE])
  }

  @Test func densifyCutsEdgesAndKeepsVertices() throws {
    let run = proj.densify(try geodesic(["LINESTRING(10 50,20 50)", nil]), metres: 100_000)
    #expect(run.status == MRD_OK && run.call.isIntact)
    let (x, y) = (run.call.values(MRD_BUF_X, Double.self), run.call.values(MRD_BUF_Y, Double.self))
    // 716 km: eight pieces.
    #expect(x.count == 9 && x.first == 10 && x.last == 20 && y.first == 50 && y.last == 50)
    #expect(run.call.values(MRD_BUF_OFFSETS0, Int64.self) == [0, 9, 9])
    #expect(y[4] > 50.05)
  }

  @Test func planarModelsAreRefused() throws {
    let result = proj.measure(MRD_MEASURE_LENGTH, try TestGeoms(["LINESTRING(0 0,1 1)"]))
    #expect(result.status == MRD_E_UNSUPPORTED)
    let round = proj.measure(
      MRD_MEASURE_LENGTH,
      try TestGeoms(["LINESTRING(0 0,1 1)"], edges: MRD_EDGES_PLATE_CARREE, metric: MRD_METRIC_ELLIPSOID))
    #expect(round.status == MRD_E_UNSUPPORTED)
  }

  @Test func everyLayoutGivesTheSameBits() throws {
    let wkt = ["POLYGON((0 0,10 1,9 12,0 0),(3 3,4 3,4 4,3 3))", nil, "POLYGON((170 0,-170 1,-175 9,170 0))"]
    var seen: [[Double]] = []
    for layout in TestLayout.allCases {
      for bits in [32, 64] {
        let geoms = try TestGeoms(
          wkt, edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, layout: layout, offsetBits: bits)
        let result = proj.measure(MRD_MEASURE_PERIMETER_AREA, geoms, columns: 2)
        seen.append([result.column(0)[0], result.column(1)[0], result.column(0)[2], result.column(1)[2]])
      }
    }
    for other in seen { #expect(other == seen[0]) }
  }
}
