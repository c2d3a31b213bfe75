// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// Lengths, areas, the direct problem, places and bounds on the ellipsoid.
@Suite struct GeodesicPathTests {
  let native: MeasureRun
  init() throws { native = try MeasureRun(LoadedLibrary("MeridianNative")) }

  private func geodesic(_ wkt: [String?], flattening: Double = 1 / 298.257223563) throws -> TestGeoms {
    try TestGeoms(wkt, edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, flattening: flattening)
  }

  /// Area of WGS84, to the last digit of a double.
  private let whole = 510_065_621_724_088.44

  private struct RingFact {
    let kind: String
    let perimeter: Double
    let area: Double
    let vertices: Int
    let wkt: String
  }

  private func ringFacts() throws -> [Double: [RingFact]] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Data/rings.csv")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    return Dictionary(grouping: lines) { Double($0.split(separator: ",")[1]) ?? .nan }.mapValues {
      $0.map { line in
        let fields = line.split(separator: ",")
        let numbers = fields[4].split(separator: " ")
        let places = stride(from: 0, to: numbers.count, by: 2).map { "\(numbers[$0]) \(numbers[$0 + 1])" }
        return RingFact(
          kind: String(fields[0]), perimeter: Double(fields[2]) ?? .nan, area: Double(fields[3]) ?? .nan,
          vertices: places.count, wkt: "POLYGON((\((places + [places[0]]).joined(separator: ","))))")
      }
    }
  }

  @Test(arguments: NativeLevels.runnable) func ringsAgreeWithEllipticIntegrals(_ level: String) throws {
    let native = try MeasureRun(LoadedLibrary(level))
    for (flattening, facts) in try ringFacts() {
      let geoms = try geodesic(facts.map(\.wkt), flattening: flattening)
      let signed = native.measure(MRD_MEASURE_AREA_SIGNED, geoms).column(0)
      let perimeter = native.measure(MRD_MEASURE_PERIMETER, geoms).column(0)
      let both = native.measure(MRD_MEASURE_PERIMETER_AREA, geoms, columns: 2)
      #expect(both.isIntact && both.column(1) == signed.map(abs))
      for (row, fact) in facts.enumerated() {
        // An edge's bound, and half an ulp of the file's double.
        let edge = abs(flattening) <= 1.0 / 150 ? 15e-9 : 30e-9
        for value in [perimeter[row], both.column(0)[row]] {
          #expect(abs(value - fact.perimeter) <= Double(fact.vertices) * edge + fact.perimeter.ulp, "\(fact) \(value)")
        }
        let isCompact = fact.kind == "compact" && fact.perimeter * fact.perimeter <= 100 * abs(fact.area)
        let perVertex = isCompact ? 1e-4 : 0.1
        let bound =
          fact.kind == "small" ? 1e-11 * abs(fact.area) : perVertex * Double(fact.vertices) + 5e-14 * abs(fact.area)
        #expect(abs(signed[row] - fact.area) <= bound, "\(fact) \(signed[row])")
      }
    }
  }

  @Test func areasWithClosedForms() throws {
    let cases: [(String, Double)] = [
      ("POLYGON((0 0,90 0,90 90,0 0))", whole / 8),
      ("POLYGON((0 0,0 90,90 0,0 0))", -whole / 8),
      ("POLYGON((0 -90,10 0,10 90,0 0,0 -90))", whole / 36),
      ("POLYGON((170 -90,190 0,190 90,170 0,170 -90))", whole / 18),
      ("POLYGON((0 0,120 0,240 0,0 0))", whole / 2),
      // Rectangles of geodesics along the poles and over half turns have no area of their own.
      ("POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))", 0),
      ("POLYGON((-180 -60,180 -60,180 60,-180 60,-180 -60))", 0),
      ("POLYGON((0 0,90 0,180 0,0 0))", whole / 4),
      ("POLYGON((5 5,5 5,5 5))", 0),
      // From pole to pole along the meridian that the second one is given.
      ("POLYGON((0 90,30 -90,60 0,0 90))", whole / 12),
    ]
    let result = native.measure(MRD_MEASURE_AREA_SIGNED, try geodesic(cases.map(\.0)))
    for (row, expected) in cases.enumerated() {
      #expect(abs(result.column(0)[row] - expected.1) <= 0.1, "\(expected) \(result.column(0)[row])")
    }
    #expect(result.statuses[7] == MRD_ITEM_WARN_AMBIGUOUS_EDGE)
    let left = native.measure(MRD_MEASURE_AREA_SIGNED, try geodesic([cases[1].0]), side: MRD_SIDE_LEFT)
    #expect(abs(left.column(0)[0] - whole * 7 / 8) <= 0.1)
  }

  @Test func holesAndPartsAddUp() throws {
    let shell = "(0 0,10 0,10 10,0 10,0 0)"
    let hole = "(2 2,4 2,4 4,2 4,2 2)"
    let backward = "(2 2,2 4,4 4,4 2,2 2)"
    let geoms = try geodesic(
      ["POLYGON(\(shell))", "POLYGON(\(hole))", "POLYGON(\(shell),\(hole))", "POLYGON(\(shell),\(backward))"])
    let area = native.measure(MRD_MEASURE_AREA, geoms).column(0)
    let signed = native.measure(MRD_MEASURE_AREA_SIGNED, geoms).column(0)
    let perimeter = native.measure(MRD_MEASURE_PERIMETER, geoms).column(0)
    #expect(area[2] == area[3] && abs(area[2] - (area[0] - area[1])) <= area[2].ulp)
    #expect(abs(signed[2] - (area[0] + area[1])) <= signed[2].ulp && signed[3] == area[3])
    #expect(abs(perimeter[2] - (perimeter[0] + perimeter[1])) <= perimeter[2].ulp)
    let multi = native.measure(
      MRD_MEASURE_PERIMETER_AREA, try geodesic(["MULTIPOLYGON((\(shell),\(hole)),(\(hole)))", nil]), columns: 2)
    #expect(abs(multi.column(1)[0] - area[0]) <= area[0].ulp && multi.statuses[1] == MRD_ITEM_NULL)
  }

  @Test func rowsOfOtherKindsAndBadRowsSaySo() throws {
    let lines = try geodesic([
      "LINESTRING(10 95,11 20)", nil, "LINESTRING EMPTY", "LINESTRING(0 nan,1 1)", "LINESTRING(0 0,180 0)",
      "LINESTRING(0 0,0 1)", "LINESTRING(3 4)",
    ])
    let result = native.measure(MRD_MEASURE_LENGTH, lines)
    #expect(
      result.statuses == [
        MRD_ITEM_DOMAIN, MRD_ITEM_NULL, MRD_ITEM_EMPTY, MRD_ITEM_NONFINITE, MRD_ITEM_WARN_AMBIGUOUS_EDGE, MRD_ITEM_OK,
        MRD_ITEM_OK,
      ])
    #expect(result.column(0)[0].isNaN && result.column(0)[1].isNaN && result.column(0)[2] == 0)
    #expect(abs(result.column(0)[5] - 110_574.388557799) < 1e-6 && result.column(0)[6] == 0)
    #expect(native.measure(MRD_MEASURE_PERIMETER, lines).column(0)[5] == 0)
    #expect(native.measure(MRD_MEASURE_AREA, lines).column(0)[5] == 0)
  }

  /// Lines longer than a block of edges, and many short ones, are the sums of their edges' distances, in every layout.
  @Test func linesAreSumsOfDistancesHoweverTheyLieInMemory() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let lines = [700, 2, 3, 257, 256, 1, 2, 90].map { count in
      (0..<count).map { _ in
        (lon: Double.random(in: -200...200, using: &random), lat: Double.random(in: -90...90, using: &random))
      }
    }
    let wkt = lines.map { line in
      "LINESTRING(\(line.map { "\($0.lon) \($0.lat)" }.joined(separator: ",")))"
    }
    var expected: [Double] = []
    for line in lines {
      let pairs = native.pair(
        MRD_MEASURE_DISTANCE, try GeodesicFact.points(Array(line.dropLast()), flattening: 1 / 298.257223563),
        try GeodesicFact.points(Array(line.dropFirst()), flattening: 1 / 298.257223563), columns: 1)
      expected.append(pairs.column(0).reduce(0, +))
    }
    var seen: [[Double]] = []
    for layout in TestLayout.allCases {
      let geoms = try TestGeoms(wkt, edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, layout: layout)
      seen.append(native.measure(MRD_MEASURE_LENGTH, geoms).column(0))
    }
    for row in lines.indices {
      #expect(abs(seen[0][row] - expected[row]) <= 1e-13 * expected[row], "seed \(seed) row \(row)")
    }
    for other in seen { #expect(other == seen[0], "seed \(seed)") }
  }

  @Test(arguments: NativeLevels.runnable) func directComesToTheSecondPoint(_ level: String) throws {
    let native = try MeasureRun(LoadedLibrary(level))
    for facts in try GeodesicFact.all() {
      let facts = facts.filter { $0.distance.head + $0.distance.tail > 0 }
      let flattening = facts[0].flattening
      let a = try GeodesicFact.points(facts.map { ($0.lon1, $0.lat1) }, flattening: flattening)
      let ends = native.direct(
        a, azimuth: facts.map(\.azimuth1), distance: facts.map { $0.distance.head + $0.distance.tail })
      #expect(ends.status == MRD_OK && ends.isIntact, "\(ends.message)")
      let reached = try GeodesicFact.points(
        facts.indices.map { (ends.column(0)[$0], ends.column(1)[$0]) }, flattening: flattening)
      let b = try GeodesicFact.points(facts.map { ($0.lon2, $0.lat2) }, flattening: flattening)
      let gaps = native.pair(MRD_MEASURE_DISTANCE, b, reached, columns: 1).column(0)
      let bound = abs(flattening) <= 1.0 / 150 ? 15e-9 : 30e-9
      for (row, fact) in facts.enumerated() {
        // What rounding the azimuth and the distance to doubles adds.
        let rounding = abs(fact.reducedLength) * fact.azimuth1.ulp * .pi / 180 + fact.distance.head.ulp
        #expect(gaps[row] <= bound + rounding, "\(fact.text) \(gaps[row])")
      }
    }
  }

  @Test func directGoesBackwardAndRound() throws {
    let a = try geodesic(["POINT(0 0)", "POINT(0 0)", "POINT(10 20)", "POINT(10 20)", "POINT(350 5)", "POINT(30 90)"])
    let circle = 2 * Double.pi * 6_378_137
    let ends = native.direct(
      a, azimuth: [90, 90, 45, 225 - 720, 90, 120], distance: [circle / 4, -circle * 1000.25, 1e6, -1e6, 0, 1e6])
    #expect(abs(ends.column(0)[0] - 90) < 1e-13 && ends.column(1)[0] == 0 && ends.column(2)[0] == 90)
    #expect(abs(ends.column(0)[1] + 90) < 1e-9 && abs(ends.column(1)[1]) < 1e-9)
    #expect(abs(ends.column(0)[2] - ends.column(0)[3]) < 1e-13 && abs(ends.column(1)[2] - ends.column(1)[3]) < 1e-13)
    #expect(abs(ends.column(0)[4] + 10) < 1e-13 && abs(ends.column(1)[4] - 5) < 1e-13)
    // From the pole, at azimuth A, along the meridian 180 - A from the one given.
    #expect(abs(ends.column(0)[5] - 90) < 1e-13 && ends.column(2)[5] == 180)
    let bad = native.direct(
      try geodesic(["POINT(0 0)", "POINT(0 91)", nil]), azimuth: [.nan, 0, 0], distance: [0, 0, 0])
    #expect(bad.statuses == [MRD_ITEM_NONFINITE, MRD_ITEM_DOMAIN, MRD_ITEM_NULL])
  }

  @Test func placesPiecesAndBounds() throws {
    let line = try geodesic(["LINESTRING(0 50,60 50)"])
    let middle = native.measure(MRD_MEASURE_INTERPOLATE, line, columns: 3, fraction: [0.5])
    #expect(abs(middle.column(0)[0] - 30) < 1e-12 && abs(middle.column(2)[0] - 90) < 1e-11)
    let bounds = native.measure(MRD_MEASURE_BOUNDS, line, columns: 4)
    // The middle of a geodesic between equal latitudes is its highest point.
    #expect(bounds.column(3)[0] >= middle.column(1)[0] && bounds.column(3)[0] - middle.column(1)[0] < 1e-12)
    let cap = native.measure(MRD_MEASURE_BOUNDS, try geodesic(["POLYGON((0 60,120 60,240 60,0 60))"]), columns: 4)
    #expect(cap.columns.map { $0[0] } == [-180, 60, 180, 90])
    let run = native.densify(try geodesic(["LINESTRING(10 50,20 50)", nil]), metres: 100_000)
    #expect(run.status == MRD_OK && run.call.isIntact)
    let (x, y) = (run.call.values(MRD_BUF_X, Double.self), run.call.values(MRD_BUF_Y, Double.self))
    // 716 km: eight pieces.
    #expect(x.count == 9 && x.first == 10 && x.last == 20 && y.first == 50 && y.last == 50 && y[4] > 50.05)
  }
}
