// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// CENTROID on the ellipsoid, on every CPU level that this machine has.
@Suite struct GeodesicCentroidTests {
  private func geodesic(_ wkt: [String?], flattening: Double = 1 / 298.257223563, radius: Double = 6_378_137) throws
    -> TestGeoms
  {
    try TestGeoms(
      wkt, edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, radius: radius, flattening: flattening)
  }

  /// One line of `Data/centroids.csv`.
  private struct Fact {
    let kind: String
    let flattening: Double
    let mean: (lon: Double, lat: Double)
    let wkt: String
  }

  private func facts() throws -> [Fact] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Data/centroids.csv")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      line in
      let fields = line.split(separator: ",")
      guard fields.count == 6, let f = Double(fields[1]), let lon = Double(fields[2]), let lat = Double(fields[3])
      else {
        throw TestFailure("no fact: \(line)")
      }
      let vertices = fields[5].replacing(";", with: ",")
      let wkt = fields[0] == "line" ? "LINESTRING(\(vertices))" : "POLYGON((\(vertices)))"
      return Fact(kind: String(fields[0]), flattening: f, mean: (lon, lat), wkt: wkt)
    }
  }

  @Test(arguments: NativeLevels.runnable) func factsAreMet(_ level: String) throws {
    let native = try MeasureRun(LoadedLibrary(level))
    let base = try MeasureRun(LoadedLibrary("MeridianNative"))
    for (key, facts) in Dictionary(grouping: try facts(), by: { "\($0.flattening) \($0.kind == "line")" }) {
      let flattening = facts[0].flattening
      let geoms = try geodesic(facts.map(\.wkt), flattening: flattening)
      let result = native.measure(MRD_MEASURE_CENTROID, geoms, columns: 2)
      #expect(result.status == MRD_OK && result.isIntact && result.statuses.allSatisfy { $0 == MRD_ITEM_OK }, "\(key)")
      #expect(result.columns == base.measure(MRD_MEASURE_CENTROID, geoms, columns: 2).columns)
      let found = try GeodesicFact.points(
        facts.indices.map { (result.column(0)[$0], result.column(1)[$0]) }, flattening: flattening)
      let gaps = native.pair(
        MRD_MEASURE_DISTANCE, found, try GeodesicFact.points(facts.map(\.mean), flattening: flattening), columns: 1
      ).column(0)
      for (row, fact) in facts.enumerated() { #expect(gaps[row] <= 1e-7, "\(gaps[row]) \(fact.wkt)") }
    }
  }

  /// An ellipsoid without flattening is a sphere, whose centroids come from Stokes's theorem instead of quadrature.
  @Test(arguments: NativeLevels.runnable) func roundEllipsoidsAgreeWithSpheres(_ level: String) throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let native = try MeasureRun(LoadedLibrary(level))
    let radius = 6_371_008.8
    func number(_ low: Double, _ high: Double) -> Double { Double.random(in: low...high, using: &random) }
    /// A star as well as its hole, round a place.
    func star(_ smallest: Double, at centre: (Double, Double)) throws -> String {
      let (size, count) = (pow(10, number(smallest, 6.9)), Int(number(3, 30)))
      let start = try TestGeoms(
        Array(repeating: "POINT(\(centre.0) \(centre.1))", count: count), edges: MRD_EDGES_GREAT_CIRCLE,
        metric: MRD_METRIC_SPHERE, radius: radius)
      func ring(_ share: Double, reversed: Bool) -> String {
        let radii = (0..<count).map { _ in share * size * number(0.7, 1) }
        let turns = (0..<count).map { 360 * Double($0) / Double(count) }
        let ends = native.direct(start, azimuth: turns, distance: radii)
        var places = (0..<count).map { "\(ends.column(0)[$0]) \(ends.column(1)[$0])" }
        if reversed { places.reverse() }
        return "(\((places + [places[0]]).joined(separator: ",")))"
      }
      return "(\(ring(1, reversed: number(0, 1) < 0.5)),\(ring(0.3, reversed: number(0, 1) < 0.5)))"
    }
    /// One star anywhere, or two within sixty degrees: means of what lies on both sides of the globe are near its centre,
    /// where a small error turns them far.
    func stars(_ smallest: Double, _ count: Int) throws -> String {
      let centre = (number(-180, 180), number(-90, 90))
      var parts = [try star(smallest, at: centre)]
      if count == 2 {
        let from = try TestGeoms(
          ["POINT(\(centre.0) \(centre.1))"], edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, radius: radius)
        let end = native.direct(from, azimuth: [number(0, 360)], distance: [number(0, radius * .pi / 3)])
        parts.append(try star(smallest, at: (end.column(0)[0], end.column(1)[0])))
      }
      return "MULTIPOLYGON(\(parts.joined(separator: ",")))"
    }
    // The areas of stars of a hundred metres are right to 1e-12; as weights of two that lie thousands of kilometres apart
    // they move the mean by micrometres (2.2 are the most that 18,000 rows showed). With the inside on the left a small
    // ring's mean lies at the centre, and what it errs by grows on the way back.
    for (side, smallest, bound) in [(MRD_SIDE_SMALLER, 2.0, 1e-5), (MRD_SIDE_LEFT, 6.3, 1e-3)] {
      let rows = try (0..<40).map { try stars(smallest, $0 % 3 == 0 ? 2 : 1) }
      let round = native.measure(
        MRD_MEASURE_CENTROID, try geodesic(rows, flattening: 0, radius: radius), columns: 2, side: side)
      let sphere = try TestGeoms(rows, edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, radius: radius)
      let stokes = native.measure(MRD_MEASURE_CENTROID, sphere, columns: 2, side: side)
      #expect(round.status == MRD_OK && round.statuses == stokes.statuses)
      func points(_ result: MeasureRun.Result) throws -> TestGeoms {
        try TestGeoms(
          rows.indices.map { "POINT(\(result.column(0)[$0]) \(result.column(1)[$0]))" }, edges: MRD_EDGES_GREAT_CIRCLE,
          metric: MRD_METRIC_SPHERE, radius: radius)
      }
      let gaps = native.pair(MRD_MEASURE_DISTANCE, try points(round), try points(stokes), columns: 1).column(0)
      for row in rows.indices { #expect(gaps[row] <= bound, "seed \(seed) row \(row) side \(side): \(gaps[row])") }
    }
  }

  @Test func meansOfEachDimension() throws {
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    func mean(_ wkt: String, side: Int32 = MRD_SIDE_SMALLER) throws -> (
      lon: Double, lat: Double, status: mrd_item_status
    ) {
      let result = native.measure(MRD_MEASURE_CENTROID, try geodesic([wkt]), columns: 2, side: side)
      return (result.column(0)[0], result.column(1)[0], result.statuses[0])
    }
    // A small figure keeps its digits; over the antimeridian; round a pole.
    let small = try mean("POLYGON((8 32,8.00000001 32,8.00000001 32.00000001,8 32.00000001,8 32))")
    #expect(abs(small.lon - 8.000000005) < 3e-14 && abs(small.lat - 32.000000005) < 3e-14)
    let across = try mean("POLYGON((179 -1,-179 -1,-179 1,179 1,179 -1))")
    #expect(abs(abs(across.lon) - 180) < 1e-13 && abs(across.lat) < 1e-13)
    #expect(try abs(mean("POLYGON((0 60,90 60,180 60,270 60,0 60))").lat - 90) < 1e-12)
    // The other side of a ring has the opposite mean in space, near the centre, where normals of all latitudes meet.
    let left = try mean("POLYGON((0 0,0 10,10 10,10 0,0 0))", side: MRD_SIDE_LEFT)
    let right = try mean("POLYGON((0 0,0 10,10 10,10 0,0 0))")
    #expect(left.lat < 0 && abs(left.lon - right.lon + 180) < 1e-6)
    // No area: the line's mean; no length: the vertices'.
    let thin = try mean("POLYGON((0 0,10 0,0 0))")
    #expect(abs(thin.lon - 5) < 1e-13 && abs(thin.lat) < 1e-13)
    let flat = try mean("POLYGON((5 40,25 47,12 60,25 47,5 40))")
    let line = try mean("LINESTRING(5 40,25 47,12 60)")
    #expect(abs(flat.lon - line.lon) < 1e-12 && abs(flat.lat - line.lat) < 1e-12)
    let dot = try mean("LINESTRING(5 40,5 40)")
    #expect(abs(dot.lon - 5) < 1e-13 && abs(dot.lat - 40) < 1e-13)
    // Opposite points have none; on the axis and in the plane of the equator there is one nearest place.
    #expect(try mean("MULTIPOINT(0 0,180 0)").status == MRD_ITEM_DEGENERATE && mean("MULTIPOINT(0 0,180 0)").lon.isNaN)
    #expect(try mean("MULTIPOINT(0 10,180 10)").lat == 90 && mean("MULTIPOINT(0 1,0 -1)").lat == 0)
    #expect(try mean("MULTIPOINT(nan nan)").status == MRD_ITEM_EMPTY)
    #expect(try abs(mean("MULTIPOINT(nan nan,20 30)").lat - 30) < 1e-13)
  }
}
