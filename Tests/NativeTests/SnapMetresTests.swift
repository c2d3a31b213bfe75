// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport
import Testing

/// Tolerances in metres: what is found over the antimeridian and at poles, which kinds there are, refusals.
@Suite struct SnapMetresTests {
  let library: LoadedLibrary
  init() throws { library = try LoadedLibrary("MeridianNative") }

  private func hits(
    _ wkt: [String], _ kinds: [Int32], at point: String, metres: Double, edges: Int32 = MRD_EDGES_PLANAR,
    places: Int = 100, _ change: (inout SnapRun.Options) -> Void = { _ in }
  ) throws -> [mrd_snap_hit] {
    let geoms = try TestGeoms(wkt, edges: edges, metric: MRD_METRIC_ELLIPSOID)
    let run = try SnapRun(library, [SnapRun.Layer(geoms, kinds: kinds)])
    var options = SnapRun.Options()
    (options.tolerance, options.metres, options.places) = (0, metres, places)
    change(&options)
    // The edges of points do not matter.
    let points = try TestGeoms(["POINT(\(point))"], edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID)
    let result = run.query(points, options)
    #expect(result.status == MRD_OK && result.isIntact, "\(result.message)")
    return try #require(result.hits.first)
  }

  @Test func aMetreIsAMetreEverywhere() throws {
    // A degree of longitude at 60 degrees north is 55,800 m, one of latitude 111,415 m.
    let points = ["POINT(10 60)", "POINT(10.001 60)", "POINT(10 60.001)"]
    #expect(try hits(points, [MRD_SNAP_VERTEX], at: "10 60", metres: 100).map { $0.feature } == [0, 1])
    #expect(try hits(points, [MRD_SNAP_VERTEX], at: "10 60", metres: 112).map { $0.feature } == [0, 1, 2])
    #expect(try hits(points, [MRD_SNAP_VERTEX], at: "10 60", metres: 50).map { $0.feature } == [0])
  }

  @Test func theAntimeridianIsNoBorder() throws {
    let points = ["POINT(179.9999 -16)", "POINT(-179.9999 -16)", "POINT(180 -16)", "POINT(-180 -16)", "POINT(540 -16)"]
    for point in ["180 -16", "-180 -16", "-180.0 -16", "900 -16"] {
      let found = try hits(points, [MRD_SNAP_VERTEX], at: point, metres: 20)
      #expect(found.count == 5 && found.filter { $0.distance == 0 }.count == 3, "\(point)")
    }
    // The vertex numbers of one edge over the antimeridian; its foot. The geodesic bulges by 1.25 m.
    for (edges, distance) in [(MRD_EDGES_PLANAR, 11.06), (MRD_EDGES_GEODESIC, 9.81)] {
      let found = try hits(
        ["LINESTRING(179.9 10,180.1 10)"], [MRD_SNAP_EDGE], at: "-179.95 10.0001", metres: 50, edges: edges)
      #expect(found.count == 1 && found.allSatisfy { abs($0.distance - distance) < 0.01 }, "\(found)")
    }
    // Geodesics take the shorter way, straight edges longitudes as plain numbers.
    let way = ["LINESTRING(179.9 10,-179.9 10)"]
    #expect(try hits(way, [MRD_SNAP_EDGE], at: "180 10", metres: 50, edges: MRD_EDGES_GEODESIC).count == 1)
    #expect(try hits(way, [MRD_SNAP_EDGE], at: "180 10", metres: 50).isEmpty)
    #expect(try hits(way, [MRD_SNAP_EDGE], at: "0 10", metres: 50).count == 1)
  }

  @Test func aPoleIsOnePlace() throws {
    let found = try hits(
      ["POINT(0 89.9999)", "POINT(90 89.9999)", "POINT(-180 90)"], [MRD_SNAP_VERTEX], at: "17 90", metres: 12)
    #expect(found.map { $0.feature } == [2, 0, 1])
    #expect(found.first?.distance == 0)
    // A parallel around it is equally far everywhere.
    let parallel = try hits(["LINESTRING(-180 89.9999,180 89.9999)"], [MRD_SNAP_EDGE], at: "17 90", metres: 12)
    #expect(parallel.count == 1 && parallel.allSatisfy { abs($0.distance - 11.17) < 0.01 && $0.y == 89.9999 })
    let offside = try hits(["LINESTRING(-180 89.9999,180 89.9999)"], [MRD_SNAP_EDGE], at: "17 89.99995", metres: 12)
    #expect(offside.count == 1 && offside.allSatisfy { abs($0.x - 17) < 1e-6 })
  }

  @Test func kindsOfStraightEdges() throws {
    let cross = ["LINESTRING(8 47,8.01 47.01)", "LINESTRING(8 47.01,8.01 47)"]
    let crossing = try hits(cross, [MRD_SNAP_INTERSECTION], at: "8.005 47.0051", metres: 15)
    #expect(crossing.count == 1 && crossing.allSatisfy { abs($0.x - 8.005) < 1e-14 && $0.other_feature == 1 })
    #expect(try hits(cross, [MRD_SNAP_INTERSECTION], at: "8.005 47.0051", metres: 11).isEmpty)
    let middle = try hits(["LINESTRING(8 47,8.5 47.25)"], [MRD_SNAP_MIDPOINT], at: "8.25 47.125", metres: 1)
    #expect(middle.map { [$0.x, $0.y, $0.distance] } == [[8.25, 47.125, 0]])
    let area = ["POLYGON((170 -10,190 -10,190 10,170 10,170 -10))", "POLYGON((-180 -1,180 -1,180 1,-180 1,-180 -1))"]
    for (point, features) in [("-175 5", [0]), ("175 0.5", [1, 0]), ("180 0", [1, 0]), ("0 0", [1]), ("0 5", [])] {
      let found = try hits(area, [MRD_SNAP_AREA], at: point, metres: 1)
      #expect(found.map { Int($0.feature) }.sorted() == features.sorted(), "\(point)")
    }
  }

  @Test func middlesOfGeodesics() throws {
    let middle = try hits(
      ["LINESTRING(-60 50,60 50)"], [MRD_SNAP_MIDPOINT], at: "0 67.2", metres: 1e5, edges: MRD_EDGES_GEODESIC)
    // On the sphere tan(latitude) = tan 50 / cos 60.
    #expect(middle.count == 1 && middle.allSatisfy { abs($0.x) < 1e-9 && abs($0.y - 67.24) < 0.1 })
    let edge = try hits(
      ["LINESTRING(-60 50,60 50)"], [MRD_SNAP_EDGE], at: "0 67", metres: 1e5, edges: MRD_EDGES_GEODESIC)
    #expect(edge.count == 1)
  }

  @Test func edgesThatAreEqualHaveEqualFeet() throws {
    for edges in [MRD_EDGES_PLANAR, MRD_EDGES_GEODESIC] {
      let found = try hits(
        ["LINESTRING(8 47,8.013 47.021)", "LINESTRING(8.013 47.021,8 47)"], [MRD_SNAP_EDGE], at: "8.0071 47.008",
        metres: 500, edges: edges)
      #expect(found.count == 2 && found.allSatisfy { $0.group == 0 }, "\(found)")
    }
  }

  @Test func zAndExclusions() throws {
    let line = ["LINESTRING Z(8 47 1,8.002 47 3)"]
    let foot = try hits(line, [MRD_SNAP_EDGE], at: "8.0005 47.0001", metres: 50)
    #expect(foot.count == 1 && foot.allSatisfy { abs($0.z - 1.5) < 1e-6 })
    #expect(try hits(line, [MRD_SNAP_VERTEX], at: "8.002 47", metres: 50).map { $0.z } == [3])
    let geodesic = try hits(line, [MRD_SNAP_EDGE], at: "8.0005 47.0001", metres: 50, edges: MRD_EDGES_GEODESIC)
    #expect(geodesic.count == 1 && geodesic.allSatisfy { abs($0.z - 1.5) < 1e-6 })
    let nothing = try hits(line, [], at: "8.0005 47.0001", metres: 500) {
      $0.exclusions = [mrd_snap_exclusion(layer: 0, feature: 0, part: 0, ring: 0, vertex: 0)]
    }
    #expect(nothing.map { $0.vertex } == [1])
  }

  @Test func anEndlessReachFindsTheNearest() throws {
    for edges in [MRD_EDGES_PLANAR, MRD_EDGES_GEODESIC] {
      let found = try hits(
        ["LINESTRING(8 47,9 47)", "LINESTRING(100 -40,101 -40)"], [], at: "-170 -30", metres: .infinity, edges: edges,
        places: 1
      ) { $0.priorities = [Int32](repeating: 0, count: 8) }
      #expect(found.map { $0.feature } == [1] && found.map { $0.vertex } == [1])
    }
  }

  @Test func whatDoesNotGoTogetherIsRefused() throws {
    func geoms(_ wkt: String, _ edges: Int32, _ metric: Int32, _ flattening: Double = 1 / 298.0) throws -> TestGeoms {
      try TestGeoms([wkt], edges: edges, metric: metric, flattening: flattening)
    }
    let (planar, geodesic, ellipsoid) = (MRD_EDGES_PLANAR, MRD_EDGES_GEODESIC, MRD_METRIC_ELLIPSOID)
    let line = "LINESTRING(8 47,9 47)"
    func status(_ layers: [TestGeoms], _ kinds: [Int32] = []) throws -> mrd_status {
      try SnapRun(library, layers.map { SnapRun.Layer($0, kinds: kinds) }).status
    }
    for kind in 0..<MRD_SNAP_KINDS {
      let refused = kind == MRD_SNAP_PERPENDICULAR || kind == MRD_SNAP_CENTROID
      let isCurved = refused || kind == MRD_SNAP_INTERSECTION || kind == MRD_SNAP_AREA
      #expect(try status([try geoms(line, planar, ellipsoid)], [kind]) == (refused ? MRD_E_UNSUPPORTED : MRD_OK))
      #expect(try status([try geoms(line, geodesic, ellipsoid)], [kind]) == (isCurved ? MRD_E_UNSUPPORTED : MRD_OK))
    }
    // Layers of two models; an ellipsoid too flat.
    let mixed = [try geoms(line, planar, ellipsoid), try geoms(line, geodesic, ellipsoid)]
    #expect(try status(mixed) == MRD_E_UNSUPPORTED)
    #expect(try status([try geoms(line, planar, ellipsoid, 0.1)]) == MRD_E_UNSUPPORTED)
    // The metric of the points, the unit of the tolerance, a screen.
    let run = try SnapRun(library, [SnapRun.Layer(try geoms(line, planar, ellipsoid))])
    func query(_ point: TestGeoms, _ change: (inout SnapRun.Options) -> Void) -> mrd_status {
      var options = SnapRun.Options()
      (options.tolerance, options.metres) = (0, 5)
      change(&options)
      return run.query(point, options).status
    }
    let point = try geoms("POINT(8 47)", planar, ellipsoid)
    #expect(query(point) { _ in } == MRD_OK)
    #expect(query(try geoms("POINT(8 47)", planar, MRD_METRIC_COORD)) { _ in } == MRD_E_UNSUPPORTED)
    #expect(query(try geoms("POINT(8 47)", planar, ellipsoid, 1 / 300.0)) { _ in } == MRD_E_UNSUPPORTED)
    #expect(query(point) { ($0.tolerance, $0.metres) = (1, 0) } == MRD_E_UNSUPPORTED)
    #expect(query(point) { $0.metric = [1, 0, 0, 1] } == MRD_E_UNSUPPORTED)
    #expect(query(point) { $0.metres = .nan } == MRD_E_ARGUMENT)
  }

  @Test func latitudesBeyondThePolesAreNone() throws {
    let run = try SnapRun(
      library, [SnapRun.Layer(try TestGeoms(["LINESTRING(0 89,0 91,1 89)"], metric: MRD_METRIC_ELLIPSOID))])
    var options = SnapRun.Options()
    (options.tolerance, options.metres, options.places) = (0, 1e5, 10)
    let points = try TestGeoms(["POINT(0 91)", "POINT(0 89)", "POINT(inf 0)"], metric: MRD_METRIC_ELLIPSOID)
    let result = run.query(points, options)
    #expect(result.statuses == [MRD_ITEM_DOMAIN, MRD_ITEM_OK, MRD_ITEM_NONFINITE])
    #expect(result.hits.map { $0.map { $0.vertex } } == [[], [0, 2], []])
  }
}
