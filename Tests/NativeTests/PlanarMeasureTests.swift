// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport
import Testing

@Suite struct PlanarMeasureTests {
  let native: MeasureRun
  init() throws { native = try MeasureRun(LoadedLibrary("MeridianNative")) }

  @Test func aSquareWithAHole() throws {
    let geoms = try TestGeoms(["POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,2 1,2 2,1 2,1 1))"])
    #expect(native.measure(MRD_MEASURE_AREA, geoms).column(0) == [15])
    // The hole is wound like the shell, so the plain sum adds it.
    #expect(native.measure(MRD_MEASURE_AREA_SIGNED, geoms).column(0) == [17])
    #expect(native.measure(MRD_MEASURE_PERIMETER, geoms).column(0) == [20])
    #expect(native.measure(MRD_MEASURE_LENGTH, geoms).column(0) == [0])
    #expect(native.measure(MRD_MEASURE_COUNTS, geoms, columns: 3).columns.map { $0[0] } == [1, 2, 10])
    #expect(native.measure(MRD_MEASURE_BOUNDS, geoms, columns: 4).columns.map { $0[0] } == [0, 0, 4, 4])
    let centroid = native.measure(MRD_MEASURE_CENTROID, geoms, columns: 2)
    #expect(abs(centroid.column(0)[0] - (16 * 2 - 1.5) / 15) < 1e-15)
  }

  /// Area, signed area and centroid of random rings with integer vertices equal exact rational arithmetic.
  @Test func areasEqualExactArithmetic() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    // Far from the origin, differences are exact and products are not: where naive sums fail.
    for origin in [0, 1 << 20, 1 << 44] {
      for _ in 0..<100 {
        let count = Int.random(in: 3...12, using: &random)
        var ring = (0..<count).map { _ in
          (x: origin + Int.random(in: -9...9, using: &random), y: origin + Int.random(in: -9...9, using: &random))
        }
        ring.append(ring[0])
        var twice = 0
        var (momentX, momentY) = (0, 0)
        for (a, b) in zip(ring, ring.dropFirst()) {
          let (ax, ay, bx, by) = (a.x - origin, a.y - origin, b.x - origin, b.y - origin)
          twice += ax * by - ay * bx
          momentX += (ax * by - ay * bx) * (ax + bx)
          momentY += (ax * by - ay * bx) * (ay + by)
        }
        let wkt = "POLYGON((" + ring.map { "\($0.x) \($0.y)" }.joined(separator: ",") + "))"
        let geoms = try TestGeoms([wkt])
        #expect(
          native.measure(MRD_MEASURE_AREA_SIGNED, geoms).column(0) == [Double(twice) / 2], "seed \(seed): \(wkt)")
        #expect(native.measure(MRD_MEASURE_AREA, geoms).column(0) == [Double(abs(twice)) / 2], "seed \(seed): \(wkt)")
        if twice != 0 {
          let centroid = native.measure(MRD_MEASURE_CENTROID, geoms, columns: 2)
          let exact = Double(origin) + Double(momentX) / Double(3 * twice)
          #expect(abs(centroid.column(0)[0] - exact) <= 2 * exact.ulp + 1e-14, "seed \(seed): \(wkt)")
        }
      }
    }
  }

  @Test func aSliverKeepsItsArea() throws {
    // Two long edges one ulp apart: the sum in doubles has no correct digit.
    let top = 1.0.nextUp
    let geoms = try TestGeoms(["POLYGON((0 0,1000000 1000000,\(1_000_000 * top) 1000000,0 0))"])
    let width = 1_000_000 * top - 1_000_000
    #expect(native.measure(MRD_MEASURE_AREA, geoms).column(0) == [width * 1_000_000 / 2])
  }

  @Test func lengthsOfTinyAndHugeEdges() throws {
    let geoms = try TestGeoms([
      "LINESTRING(0 0,3e-200 4e-200)", "LINESTRING(0 0,3e120 4e120)", "LINESTRING(0 0,3 4,3 4,0 0)",
      "LINESTRING(0 0,1e200 0)",
    ])
    let result = native.measure(MRD_MEASURE_LENGTH, geoms)
    for (value, exact) in zip(result.column(0), [5e-200, 5e120, 10]) { #expect(abs(value - exact) <= 1e-15 * exact) }
    #expect(result.statuses == [MRD_ITEM_OK, MRD_ITEM_OK, MRD_ITEM_OK, MRD_ITEM_DOMAIN])
  }

  @Test func rowsThatCannotBeMeasured() throws {
    let geoms = try TestGeoms(["POINT(1 2)", nil, "POINT EMPTY", "POINT(1 nan)", "POINT(inf 0)"])
    let bounds = native.measure(MRD_MEASURE_BOUNDS, geoms, columns: 4)
    #expect(
      bounds.statuses == [MRD_ITEM_OK, MRD_ITEM_NULL, MRD_ITEM_EMPTY, MRD_ITEM_NONFINITE, MRD_ITEM_NONFINITE])
    #expect(bounds.isIntact)
    #expect(bounds.column(2)[0] == 1 && bounds.column(0)[1].isNaN && bounds.column(0)[2].isNaN)
    let area = native.measure(MRD_MEASURE_AREA, geoms)
    #expect(area.column(0)[0] == 0 && area.column(0)[2] == 0 && area.column(0)[1].isNaN)
  }

  /// An empty point among others is no fault: it has no place, and it is no vertex.
  @Test func emptyPointsInMultipoints() throws {
    let geoms = try TestGeoms([
      "MULTIPOINT(nan nan,1 1,3 5,nan nan)", "MULTIPOINT(nan nan,nan nan)", "MULTIPOINT(1 nan,2 2)",
    ])
    let statuses = [MRD_ITEM_OK, MRD_ITEM_EMPTY, MRD_ITEM_NONFINITE]
    let bounds = native.measure(MRD_MEASURE_BOUNDS, geoms, columns: 4)
    #expect(bounds.statuses == statuses)
    #expect(bounds.columns.map { $0[0] } == [1, 1, 3, 5] && bounds.column(0)[1].isNaN && bounds.column(0)[2].isNaN)
    let centroid = native.measure(MRD_MEASURE_CENTROID, geoms, columns: 2)
    #expect(centroid.statuses == statuses && centroid.columns.map { $0[0] } == [2, 3])
    for op in [MRD_MEASURE_LENGTH, MRD_MEASURE_PERIMETER, MRD_MEASURE_AREA] {
      let result = native.measure(op, geoms)
      #expect(result.statuses == statuses && result.column(0)[0] == 0 && result.column(0)[1] == 0)
    }
    let counts = native.measure(MRD_MEASURE_COUNTS, geoms, columns: 3)
    #expect(counts.columns.map { $0[0] } == [4, 0, 2] && counts.columns.map { $0[1] } == [2, 0, 0])
    let closest = native.pair(
      MRD_MEASURE_CLOSEST, try TestGeoms(["POINT(3 4)"]), try TestGeoms(["MULTIPOINT(nan nan,1 1,3 5)"]), columns: 6)
    #expect(closest.columns.map { $0[0] } == [1, 3, 5, 2, 0, Double(MRD_CLOSEST_START)])
    let dense = native.densify(geoms, coord: 1)
    #expect(dense.status == MRD_OK && dense.call.statuses == statuses)
    #expect(dense.call.values(MRD_BUF_X, Double.self).count == 6)
  }

  @Test func closestPlaces() throws {
    let root2 = (2.0).squareRoot()
    let points = try TestGeoms(["POINT(1 1)", "POINT(-1 -1)", "POINT(3 5)", "POINT(2 2)", "POINT(4 2)"])
    let target = try TestGeoms(["POLYGON((0 0,4 0,4 4,0 4,0 0),(1.5 1.5,2.5 1.5,2.5 2.5,1.5 2.5,1.5 1.5))"])
    let result = native.pair(MRD_MEASURE_CLOSEST, points, target, columns: 6, broadcast: true)
    #expect(result.status == MRD_OK, "\(result.message)")
    #expect(result.columns.map { $0[0] } == [0, 1, 1, -1, 0, Double(MRD_CLOSEST_INSIDE)])
    #expect(result.columns.map { $0[1] } == [root2, 0, 0, 0, 0, Double(MRD_CLOSEST_START)])
    #expect(result.columns.map { $0[2] } == [1, 3, 4, 2, 1, Double(MRD_CLOSEST_INTERIOR)])
    // In the middle of the hole all its edges are equally near: the first one wins.
    #expect(result.columns.map { $0[3] } == [0.5, 2, 1.5, 4, 0.5, Double(MRD_CLOSEST_INTERIOR)])
    #expect(result.columns.map { $0[4] } == [0, 4, 2, 1, 2, Double(MRD_CLOSEST_INTERIOR)])
    // A hole outside its shell holds nothing.
    let stray = try TestGeoms(["POLYGON((0 0,4 0,4 4,0 4,0 0),(10 0,14 0,14 4,10 4,10 0))"])
    let inHole = native.pair(MRD_MEASURE_CLOSEST, try TestGeoms(["POINT(12 1)"]), stray, columns: 6)
    #expect(inHole.columns.map { $0[0] } == [1, 12, 0, 4, 2, Double(MRD_CLOSEST_INTERIOR)])
  }

  @Test func inverseDirectInterpolateDensify() throws {
    let a = try TestGeoms(["POINT(1 1)", "POINT(0 0)"])
    let b = try TestGeoms(["POINT(4 5)", "POINT(0 0)"])
    let inverse = native.pair(MRD_MEASURE_INVERSE, a, b, columns: 3)
    #expect(inverse.column(0) == [5, 0])
    #expect(inverse.statuses == [MRD_ITEM_OK, MRD_ITEM_DEGENERATE])
    let end = native.direct(a, azimuth: [inverse.column(1)[0], 90], distance: [5, -2])
    #expect(abs(end.column(0)[0] - 4) < 1e-14 && abs(end.column(1)[0] - 5) < 1e-14)
    #expect(end.column(0)[1] == -2 && end.column(1)[1] == 0)

    let line = try TestGeoms(["LINESTRING(0 0,10 0,10 10)", "LINESTRING(0 0,1 0)", "LINESTRING(0 0,0 0)"])
    let places = native.measure(MRD_MEASURE_INTERPOLATE, line, columns: 3, distance: [15, 1.5, 0])
    #expect(places.columns.map { $0[0] } == [10, 5, 0])
    #expect(places.statuses == [MRD_ITEM_OK, MRD_ITEM_DOMAIN, MRD_ITEM_DEGENERATE])

    let dense = native.densify(
      try TestGeoms(["POLYGON((0 0 0,4 0 8,4 4 0,0 0 0))", nil, "POLYGON EMPTY"]), coord: 2)
    #expect(dense.status == MRD_OK && dense.call.isIntact && dense.out.dims == MRD_XYZ)
    #expect(dense.call.values(MRD_BUF_X, Double.self).prefix(5) == [0, 2, 4, 4, 4])
    #expect(dense.call.values(MRD_BUF_Z, Double.self).prefix(5) == [0, 4, 8, 4, 0])
    #expect(dense.call.values(MRD_BUF_OFFSETS0, Int64.self) == [0, 1, 1, 1])
    #expect(dense.call.statuses == [MRD_ITEM_OK, MRD_ITEM_NULL, MRD_ITEM_EMPTY])
    #expect(native.densify(line, coord: 0).status == MRD_E_ARGUMENT)
  }

  /// An edge that would be cut in more pieces than memory holds is its row's matter, whatever was written of it before.
  @Test func anEdgeThatIsTooLongToBeDensifiedLeavesItsRow() throws {
    let long = "0 0 1,3 0 2,3 1e12 5,9 1e12 6"
    let others = (short: "0 0 1,2 0 3,2 2 5", end: "4 4 1,5 5 2,4 5 3")
    let cases: [(String, String, String)] = [
      ("LINESTRING(\(others.short))", "LINESTRING(\(long))", "LINESTRING(\(others.end))"),
      (
        "POLYGON((\(others.short),0 0 1))", "POLYGON((\(others.short),0 0 1),(\(long),0 0 1))",
        "POLYGON((\(others.end),4 4 1))"
      ),
      (
        "MULTIPOLYGON(((\(others.short),0 0 1)))",
        "MULTIPOLYGON(((\(others.short),0 0 1)),((\(others.end),4 4 1),(\(long),0 0 1)))",
        "MULTIPOLYGON(((\(others.end),4 4 1)))"
      ),
    ]
    for (first, bad, last) in cases {
      let run = native.densify(try TestGeoms([first, bad, last]), coord: 1)
      #expect(run.status == MRD_OK && run.call.isIntact)
      #expect(run.call.statuses == [MRD_ITEM_OK, MRD_ITEM_NOT_APPLIED, MRD_ITEM_OK])
      // The same as of the rows one by one, the bad one as it was.
      let alone = [
        native.densify(try TestGeoms([first]), coord: 1), native.densify(try TestGeoms([bad]), coord: 1e12),
        native.densify(try TestGeoms([last]), coord: 1),
      ]
      for buffer in [MRD_BUF_X, MRD_BUF_Y, MRD_BUF_Z] {
        let expected = alone.flatMap { $0.call.values(buffer, Double.self) }
        #expect(run.call.values(buffer, Double.self) == expected, "\(bad)")
      }
      for buffer in [MRD_BUF_OFFSETS0, MRD_BUF_OFFSETS1, MRD_BUF_OFFSETS2] {
        var expected = Array(alone[0].call.values(buffer, Int64.self).prefix(1))
        for part in alone {
          let start = expected.last ?? 0
          expected += part.call.values(buffer, Int64.self).dropFirst().map { $0 + start }
        }
        #expect(run.call.values(buffer, Int64.self) == expected, "\(bad)")
      }
    }
  }

  /// Without memory nothing goes on: some ten thousand pieces are asked for once, not one by one.
  @Test func densifyingStopsWhereMemoryEnds() throws {
    let line = try TestGeoms(["LINESTRING(0 0,1e9 0)", "LINESTRING(0 0,1e9 0)"])
    let clock = ContinuousClock()
    // What is wanted before coordinates are: five pieces of scratch memory.
    let time = clock.measure {
      let run = native.densify(line, coord: 4, failingRequest: 7)
      #expect(run.status == MRD_E_MEMORY && run.call.isIntact)
    }
    #expect(time < .seconds(10))
  }

  @Test func memoryThatCannotBeHadIsReported() throws {
    let geoms = try TestGeoms(["MULTIPOLYGON(((0 0,4 0,4 4,0 0)),((9 9,9 8,8 8,9 9)))"])
    let requests = native.densify(geoms, coord: 1).call.requests
    #expect(requests > 5)
    for failing in 0..<requests {
      var options = mrd_measure_options()
      options.struct_size = UInt32(MemoryLayout<mrd_measure_options>.size)
      options.max_edge_coord = 1
      var out = mrd_geoms_out()
      out.struct_size = UInt32(MemoryLayout<mrd_geoms_out>.size)
      let call = GuardedCall(rows: 1)
      call.failingRequest = failing
      #expect(call.run { native.table.build(MRD_MEASURE_DENSIFY, geoms.pointer, &options, &out, $0) } == MRD_E_MEMORY)
      #expect(call.isIntact)
    }
  }
}
