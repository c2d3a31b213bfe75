// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// CLOSEST and DISTANCE of geometries on the ellipsoid, on every CPU level that this machine has.
@Suite struct GeodesicClosestTests {
  private func geodesic(_ wkt: [String?], flattening: Double = 1 / 298.257223563) throws -> TestGeoms {
    try TestGeoms(wkt, edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, flattening: flattening)
  }

  /// Poles, the antimeridian, holes, ties.
  @Test(arguments: [ClosestModel.sphere, .ellipsoid, .prolate]) func placesOnTheGlobe(_ model: ClosestModel) throws {
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    func closest(_ point: String, _ other: String) throws -> [Double] {
      let result = native.pair(
        MRD_MEASURE_CLOSEST, try model.geoms(["POINT(\(point))"]), try model.geoms([other]), columns: 6)
      #expect(result.status == MRD_OK, "\(result.message)")
      return result.columns.map { $0[0] }
    }
    func isInside(_ point: String, _ other: String) throws -> Bool {
      let found = try closest(point, other)
      return found[0] == 0 && found[3] == -1 && found[5] == Double(MRD_CLOSEST_INSIDE)
    }
    let caps = ["POLYGON((0 60,120 60,240 60,0 60))", "POLYGON((0 60,240 60,120 60,0 60))"]
    for cap in caps {
      for point in ["0 90", "33 90", "77 89", "-200 75"] { #expect(try isInside(point, cap), "\(point)") }
      for point in ["0 40", "0 -90", "60 -85"] { #expect(try !isInside(point, cap), "\(point)") }
    }
    let south = "POLYGON((0 -60,120 -60,240 -60,0 -60),(0 -80,120 -80,240 -80,0 -80))"
    #expect(try isInside("10 -70", south) && !isInside("10 -89", south) && !isInside("10 89", south))
    // From the pole in the hole: the middle of its first edge, since all three are equally far.
    #expect(try closest("0 -90", south)[3] == 3)
    let band = "MULTIPOLYGON(((170 -10,-170 -10,-170 10,170 10,170 -10)),((0 0,1 0,1 1,0 0)))"
    for point in ["180 0", "-180 5", "-175 -5", "185 5", "545 5", "0.5 0.2"] {
      #expect(try isInside(point, band), "\(point)")
    }
    for point in ["0 10", "165 0", "-165 0", "180 12", "180 -80"] { #expect(try !isInside(point, band), "\(point)") }
    #expect(try abs(closest("160 0", band)[1] - 170) < 1e-12)
    // More than half of the globe: the smaller side is what is left.
    let most = "POLYGON((0 -50,90 -50,180 -50,270 -50,0 -50))"
    #expect(try isInside("5 -80", most) && !isInside("5 0", most))
    // From a pole all of the equator is equally far: the first edge, from its start.
    let equator = try closest("0 90", "LINESTRING(-50 0,40 0,130 0)")
    #expect(Array(equator[3...]) == [0, 0, Double(MRD_CLOSEST_START)])
    // Two points equally far, and an edge that ends where the next one starts.
    #expect(try closest("10 0", "MULTIPOINT(20 0,0 0,20 0)")[3] == 0)
    let corner = try closest("10 5", "LINESTRING(0 0,5 5,0 10)")
    #expect(corner[3] == 0 && corner[5] == Double(MRD_CLOSEST_END) && corner[1] == 5 && corner[2] == 5)
    // At an end the place is the vertex itself.
    #expect(try Array(closest("-170 5", "LINESTRING(150 0,160 1)")[1...2]) == [160, 1])
    #expect(try closest("160 1", "LINESTRING(150 0,520 1)")[0] == 0)
  }

  @Test(arguments: [ClosestModel.sphere, .ellipsoid, .prolate]) func geometriesThatMeet(_ model: ClosestModel) throws {
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    func distance(_ a: String, _ b: String, side: Int32 = MRD_SIDE_SMALLER) throws -> Double {
      let (one, other) = (try model.geoms([a]), try model.geoms([b]))
      let there = native.pair(MRD_MEASURE_DISTANCE, one, other, columns: 1, side: side)
      let back = native.pair(MRD_MEASURE_DISTANCE, other, one, columns: 1, side: side)
      #expect(there.status == MRD_OK && there.column(0) == back.column(0), "\(a) \(b)")
      return there.column(0)[0]
    }
    let ring = "170 -10,-170 -10,-170 10,170 10,170 -10"
    let touching = [
      ("LINESTRING(170 0,-170 0)", "LINESTRING(180 -5,180 5)"), ("LINESTRING(-80 0,80 0)", "LINESTRING(0 -70,0 70)"),
      ("LINESTRING(0 0,10 10,20 0)", "LINESTRING(10 10,10 30)"), ("POLYGON((\(ring)))", "LINESTRING(175 0,176 0)"),
      ("POLYGON((\(ring)))", "POLYGON((160 -20,-160 -20,-160 20,160 20,160 -20))"),
      ("POLYGON((0 60,120 60,240 60,0 60))", "MULTIPOINT(0 0,10 88)"), ("POINT(3 4)", "MULTIPOINT(0 0,3 4)"),
      ("LINESTRING(30 80,-150 80)", "LINESTRING(120 85,-60 85)"), ("POLYGON((\(ring)))", "MULTIPOLYGON(((\(ring))))"),
      ("MULTILINESTRING((0 0,1 1),(5 5,6 6))", "LINESTRING(5 6,6 5)"),
    ]
    for (a, b) in touching { #expect(try distance(a, b) == 0, "\(a) \(b)") }
    let hole = "POLYGON((\(ring)),(178 -2,178 2,-178 2,-178 -2,178 -2))"
    let apart = [
      ("LINESTRING(-80 0,80 0)", "LINESTRING(180 -70,180 70)"), (hole, "POLYGON((179 -1,-179 -1,-179 1,179 1,179 -1))"),
      ("POLYGON((\(ring)))", "LINESTRING(0 0,1 1)"), ("MULTIPOINT(0 0,1 1)", "MULTIPOINT(2 2,3 3)"),
      ("POLYGON((0 60,120 60,240 60,0 60))", "POINT(0 0)"),
    ]
    for (a, b) in apart { #expect(try distance(a, b) > 1e4, "\(a) \(b)") }
    // The outside of a clockwise ring, when the inside is on the left.
    let clockwise = "POLYGON((0 0,0 10,10 10,10 0,0 0))"
    #expect(try distance(clockwise, "POINT(100 0)", side: MRD_SIDE_LEFT) == 0)
    #expect(try distance(clockwise, "POINT(5 5)", side: MRD_SIDE_LEFT) > 1e5)
  }

  @Test func rowsThatCannotBeMeasuredSaySo() throws {
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    let points = try geodesic([
      "POINT(1 1)", nil, "POINT(1 1)", "POINT(1 91)", "POINT(1 1)", "POINT(1 1)", "POINT(1 50)",
    ])
    let lines = try geodesic([
      "LINESTRING(0 0,2 0)", "LINESTRING(0 0,1 1)", nil, "LINESTRING(0 0,1 1)", "LINESTRING(0 0,inf 1)",
      "LINESTRING EMPTY", "LINESTRING(0 10,179.9 -10)",
    ])
    let expected = [
      MRD_ITEM_OK, MRD_ITEM_NULL, MRD_ITEM_NULL, MRD_ITEM_DOMAIN, MRD_ITEM_NONFINITE, MRD_ITEM_EMPTY,
      MRD_ITEM_WARN_ILL_CONDITIONED,
    ]
    let closest = native.pair(MRD_MEASURE_CLOSEST, points, lines, columns: 6)
    let distance = native.pair(MRD_MEASURE_DISTANCE, lines, points, columns: 1)
    #expect(closest.statuses == expected && distance.statuses == expected, "\(closest.statuses) \(distance.statuses)")
    for row in 1...5 { #expect(closest.columns.allSatisfy { $0[row].isNaN } && distance.column(0)[row].isNaN) }
    #expect(native.pair(MRD_MEASURE_CLOSEST, lines, points, columns: 6).status == MRD_E_UNSUPPORTED)
    let polygon = try geodesic(["POLYGON((0 0,2 0,2 2,0 0))"])
    for operation in [MRD_MEASURE_CLOSEST, MRD_MEASURE_DISTANCE] {
      let failing = GuardedCall(rows: 1)
      failing.failingRequest = 0
      var value = [Double](repeating: 0, count: 6)
      let status = value.withUnsafeMutableBufferPointer { value in
        var columns = (0..<6).map { value.baseAddress.map { base in base }?.advanced(by: $0) }
        return columns.withUnsafeMutableBufferPointer { columns in
          var out = mrd_columns(
            struct_size: UInt32(MemoryLayout<mrd_columns>.size), count: 1, length: 1, values: columns.baseAddress)
          return failing.run { call in
            (try? geodesic(["POINT(1 1)"])).map {
              native.table.pair(operation, $0.pointer, polygon.pointer, nil, &out, call)
            } ?? MRD_OK
          }
        }
      }
      #expect(status == MRD_E_MEMORY && failing.isIntact)
    }
  }

  @Test(arguments: NativeLevels.runnable) func factsAreMet(_ level: String) throws {
    let native = try MeasureRun(LoadedLibrary(level))
    // Unoptimised, one fact in four.
    let first = Int(testSeed() % 4)
    for all in try ClosestFact.all() {
      let facts = TestScale.isLarge ? all : stride(from: first, to: all.count, by: 4).map { all[$0] }
      let flattening = facts[0].flattening
      let bound = abs(flattening) <= 1.0 / 150 ? 15e-9 : 30e-9
      let points = try GeodesicFact.points(facts.map { $0.point }, flattening: flattening)
      let edges = try geodesic(facts.map(\.edge), flattening: flattening)
      let closest = native.pair(MRD_MEASURE_CLOSEST, points, edges, columns: 6)
      #expect(closest.status == MRD_OK && closest.isIntact, "\(closest.message)")
      let distance = native.pair(MRD_MEASURE_DISTANCE, points, edges, columns: 1)
      let back = native.pair(MRD_MEASURE_DISTANCE, edges, points, columns: 1)
      #expect(distance.column(0) == closest.column(0) && back.column(0) == distance.column(0))
      // How far the places are from the exact ones.
      let feet = try GeodesicFact.points(facts.map { $0.foot }, flattening: flattening)
      let found = try GeodesicFact.points(
        facts.indices.map { (closest.column(1)[$0], closest.column(2)[$0]) }, flattening: flattening)
      let gaps = native.pair(MRD_MEASURE_DISTANCE, feet, found, columns: 1).column(0)
      for (row, fact) in facts.enumerated() {
        let (value, along) = (closest.column(0)[row], closest.column(4)[row])
        // An edge that ends near the antipode of its start hangs in its middle on the last bits of its ends.
        if fact.length > 19.1e6 && fact.place == MRD_CLOSEST_INTERIOR {
          #expect(closest.statuses[row] & MRD_ITEM_WARN_ILL_CONDITIONED != 0, "\(fact.text)")
          #expect(fact.distanceError(value) <= 1e-6, "\(fact.text) \(value)")
          continue
        }
        if fact.length < 18.8e6 { #expect(closest.statuses[row] == MRD_ITEM_OK, "\(fact.text)") }
        #expect(fact.distanceError(value) <= bound, "\(fact.text) \(value)")
        #expect(closest.column(3)[row] == 0)
        // An azimuth is known to 15 nm over the reduced length; a place follows it as far as the distance is flat.
        let m = max(fact.distance.head + fact.distance.tail, 1e-3)
        let allowed = 2 * bound + (bound / min(m, 5e6) + 4e-16) / max(fact.slope, 1e-12)
        // Places that a nanometre of distance cannot tell apart are all right.
        let isUnclear = allowed > 1e-4 || gaps[row] * gaps[row] * fact.slope <= 4e-9
        #expect(gaps[row] <= allowed || isUnclear, "\(fact.text) \(gaps[row]) \(allowed)")
        #expect(abs(along - fact.along) <= allowed || isUnclear, "\(fact.text) \(along)")
        if fact.along > allowed && fact.length - fact.along > allowed && !isUnclear {
          #expect(Int32(closest.column(5)[row]) == fact.place, "\(fact.text)")
        }
      }
    }
  }
}
