// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI
import TestSupport
import Testing

/// What `snap.query` of the native kernel finds: each kind, ranks, places, exclusions, metrics, refusals.
@Suite struct SnapQueryTests {
  let library: LoadedLibrary
  init() throws { library = try LoadedLibrary("MeridianNative") }

  private let house = "POLYGON((0 0,10 0,10 10,0 10,0 0),(4 4,6 4,6 6,4 6,4 4))"
  private let road = "LINESTRING(0 20,10 20,20 30)"

  /// The hits of one point over one layer.
  private func hits(
    _ wkt: [String?], _ kinds: [Int32], at point: String, _ change: (inout SnapRun.Options) -> Void = { _ in }
  ) throws -> [mrd_snap_hit] {
    let run = try SnapRun(library, [SnapRun.Layer(try TestGeoms(wkt), kinds: kinds)])
    var options = SnapRun.Options()
    options.places = 100
    change(&options)
    let result = run.query(try TestGeoms(["POINT(\(point))"]), options)
    #expect(result.status == MRD_OK && result.isIntact, "\(result.message)")
    return try #require(result.hits.first)
  }

  private func describe(_ hit: mrd_snap_hit) -> String {
    "\(hit.kind) \(hit.feature)/\(hit.part)/\(hit.ring)/\(hit.vertex) at \(hit.x) \(hit.y) d \(hit.distance)"
  }

  @Test func whatIsDeclaredIsAnswered() throws {
    let table = try library.snap()
    let info = try #require(table.info(MRD_SNAP_QUERY)).pointee
    #expect(info.dialect_mask == 0xff)
    #expect(info.type_mask == 0x7e && info.dims_mask == 0x1e && info.metric_mask == 1 && info.edges_mask == 1)
    for op in [MRD_SNAP_PAIR, MRD_SNAP_LAYER, MRD_SNAP_SELF, MRD_SNAP_GRID] { #expect(table.info(op) == nil) }
    let geoms = try TestGeoms([house])
    for kind in 0..<MRD_SNAP_KINDS {
      #expect(try SnapRun(library, [SnapRun.Layer(geoms, kinds: [kind])]).status == MRD_OK, "kind \(kind)")
    }
  }

  @Test func verticesOfEveryType() throws {
    func found(_ wkt: String, _ point: String, _ kinds: [Int32] = [MRD_SNAP_VERTEX]) throws -> [String] {
      try hits([nil, wkt], kinds, at: point).map { describe($0) }
    }
    #expect(try found("POINT(3 4)", "3.5 4") == ["1 1/0/-1/0 at 3.0 4.0 d 0.5"])
    #expect(try found("MULTIPOINT((9 9),(3 4))", "3 4.5") == ["1 1/1/-1/0 at 3.0 4.0 d 0.5"])
    #expect(try found(road, "10 20.25") == ["1 1/0/-1/1 at 10.0 20.0 d 0.25"])
    #expect(
      try found("MULTILINESTRING((0 0,1 1),(5 5,6 6,7 7))", "6 6") == ["1 1/1/-1/1 at 6.0 6.0 d 0.0"])
    #expect(try found(house, "6 6") == ["1 1/0/1/2 at 6.0 6.0 d 0.0"])
    #expect(try found(house, "0 0.5") == ["1 1/0/0/0 at 0.0 0.0 d 0.5"])
    #expect(
      try found("MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((20 20,30 20,30 30,20 20),(25 21,26 21,26 22,25 21)))", "26 22.5")
        == ["1 1/1/1/2 at 26.0 22.0 d 0.5"])
  }

  @Test func endPointsAreEndsOfLines() throws {
    let both = [MRD_SNAP_END_POINT, MRD_SNAP_VERTEX]
    #expect(try hits([road], both, at: "0 20").map { describe($0) } == ["0 0/0/-1/0 at 0.0 20.0 d 0.0"])
    #expect(try hits([road], both, at: "10 20").map { describe($0) } == ["1 0/0/-1/1 at 10.0 20.0 d 0.0"])
    #expect(try hits([road], [MRD_SNAP_END_POINT], at: "10 20").isEmpty)
    #expect(try hits([house], [MRD_SNAP_END_POINT], at: "0 0").isEmpty)
    // An end that is out of its own reach is a vertex still, and the better ranked of the two otherwise.
    let shy = try hits([road], both, at: "0 20.5") { $0.factors = [0.1, 1, 1, 1, 1, 1, 1, 1] }
    #expect(shy.map { $0.kind } == [MRD_SNAP_VERTEX])
    let swapped = try hits([road], both, at: "0 20") { $0.priorities = [5, 0, 1, 2, 3, 4, 6, 7] }
    #expect(swapped.map { $0.kind } == [MRD_SNAP_VERTEX])
    // Both ends of a closed line are ends, at one place.
    let closed = try hits(["LINESTRING(0 0,5 5,5 0,0 0)"], both, at: "0 0")
    #expect(closed.map { $0.vertex } == [0, 3] && closed.allSatisfy { $0.kind == MRD_SNAP_END_POINT && $0.group == 0 })
  }

  @Test func edgesGiveFeetAndTheirVertices() throws {
    #expect(try hits([house], [MRD_SNAP_EDGE], at: "3 0.5").map { describe($0) } == ["5 0/0/0/0 at 3.0 0.0 d 0.5"])
    // A foot at a vertex is that vertex when vertices are looked for, and an edge's nearest place when not.
    let corner = try hits([house], [MRD_SNAP_VERTEX, MRD_SNAP_EDGE], at: "10.5 10.5")
    #expect(corner.map { describe($0) } == ["1 0/0/0/2 at 10.0 10.0 d 0.7071067811865476"])
    let edges = try hits([house], [MRD_SNAP_EDGE], at: "10.5 10.5")
    #expect(edges.map { $0.vertex } == [1, 2] && edges.allSatisfy { $0.group == 0 && $0.x == 10 && $0.y == 10 })
    let far = try hits([house], [MRD_SNAP_VERTEX, MRD_SNAP_EDGE], at: "10.5 10.5") {
      $0.factors = [1, 0.5, 1, 1, 1, 1, 1, 1]
    }
    #expect(far.map { $0.kind } == [MRD_SNAP_EDGE, MRD_SNAP_EDGE])
    #expect(try hits(["LINESTRING(5 5,5 5)"], [MRD_SNAP_EDGE], at: "5 5").isEmpty)
  }

  @Test func toleranceIsClosed() throws {
    for (point, isFound) in [("3 4", true), ("3 4.000000000000001", false)] {
      let found = try hits(["POINT(0 0)"], [MRD_SNAP_VERTEX], at: point) { $0.tolerance = 5 }
      #expect(found.isEmpty != isFound)
    }
    #expect(try hits([house], [MRD_SNAP_EDGE], at: "5 -2") { $0.tolerance = 2 }.count == 1)
    #expect(try hits([house], [MRD_SNAP_EDGE], at: "5 -2.0000000000000004") { $0.tolerance = 2 }.isEmpty)
    // Reach 0 is the place itself; an infinite one is everything.
    #expect(try hits(["POINT(3 4)"], [], at: "3 4") { $0.factors = [0, 0, 0, 0, 0, 0, 0, 0] }.count == 1)
    #expect(try hits([house], [MRD_SNAP_VERTEX], at: "1e100 0") { $0.tolerance = .infinity }.count == 8)
    let nearest = try hits([house], [MRD_SNAP_VERTEX], at: "9 12") { ($0.tolerance, $0.places) = (.infinity, 1) }
    #expect(nearest.map { $0.vertex } == [2])
  }

  @Test func perpendicularsFromTheVertexBefore() throws {
    let kinds = [MRD_SNAP_PERPENDICULAR]
    // From (3, 5) the foot on the lower side is (3, 0), whatever the pointer, while that is within reach.
    let found = try hits([house], kinds, at: "3.5 0.5") { $0.previous = [3, 5] }
    #expect(found.map { describe($0) } == ["4 0/0/0/0 at 3.0 0.0 d 0.7071067811865476"])
    #expect(try hits([house], kinds, at: "4 0.5") { $0.previous = [3, 5] }.isEmpty)
    #expect(try hits([house], kinds, at: "3.5 0.5").isEmpty)
    #expect(try hits([house], kinds, at: "3.5 0.5") { $0.previous = [.nan, .nan] }.isEmpty)
    // Feet at vertices, and from places on the edge itself, are none.
    #expect(try hits([house], kinds, at: "0 0.5") { $0.previous = [0, -5] }.isEmpty)
    #expect(try hits([house], kinds, at: "3 0.5") { $0.previous = [3, 0] }.isEmpty)
    // It ranks before the edge; where both have one place they stand together.
    let both = try hits([house], [MRD_SNAP_EDGE, MRD_SNAP_PERPENDICULAR], at: "3 0.5") { $0.previous = [3, 9] }
    #expect(both.map { [$0.kind, Int32($0.group)] } == [[4, 0], [5, 0]])
    let apart = try hits([house], [MRD_SNAP_EDGE, MRD_SNAP_PERPENDICULAR], at: "3.25 0.5") { $0.previous = [3, 9] }
    #expect(apart.map { [$0.kind, Int32($0.group)] } == [[4, 0], [5, 1]])
    let line = try hits(["LINESTRING Z(0 0 1,4 0 3)"], kinds, at: "1 0.5") { $0.previous = [1, 7] }
    #expect(line.map { $0.z } == [1.5])
    // Under a screen metric it is upright on the screen.
    let pitched = try hits(["LINESTRING(0 0,8 8)"], kinds, at: "3 3") {
      ($0.tolerance, $0.metric, $0.previous) = (9, [1, 0, 0, 0.5], [4, 0])
    }
    #expect(pitched.map { [$0.x, $0.y] } == [[3.2, 3.2]])
  }

  @Test func midpointsAndCentroids() throws {
    #expect(
      try hits([road], [MRD_SNAP_MIDPOINT], at: "5 20.5").map { describe($0) } == ["3 0/0/-1/0 at 5.0 20.0 d 0.5"])
    #expect(
      try hits([house], [MRD_SNAP_CENTROID], at: "5 5").map { describe($0) } == ["6 0/-1/-1/-1 at 5.0 5.0 d 0.0"])
    #expect(try hits(["POLYGON EMPTY"], [MRD_SNAP_CENTROID], at: "0 0").isEmpty)
  }

  @Test func areasFromTheSmallestOn() throws {
    let nested = [
      "POLYGON((0 0,100 0,100 100,0 100,0 0))", "POLYGON((1 1,9 1,9 9,1 9,1 1))",
      "POLYGON((0 0,50 0,50 50,0 50,0 0),(2 2,4 2,4 4,2 4,2 2))",
    ]
    func features(_ point: String) throws -> [Int64] {
      try hits(nested, [MRD_SNAP_AREA], at: point) { $0.places = 1 }.map { $0.feature }
    }
    #expect(try features("5 5") == [1, 2, 0])
    #expect(try features("3 3") == [1, 0])
    #expect(try features("2 3") == [1, 2, 0], "the border of a hole belongs to the polygon")
    #expect(try features("70 100") == [0])
    #expect(try features("100.00001 70").isEmpty)
    let hit = try #require(try hits(nested, [MRD_SNAP_AREA], at: "70 70.5").first)
    #expect(hit.x == 70 && hit.y == 70.5 && hit.distance == 0 && hit.ring == -1 && hit.vertex == -1)
    let parts = try hits(["MULTIPOLYGON(((0 0,1 0,1 1,0 0)),((5 5,9 5,9 9,5 5)))"], [MRD_SNAP_AREA], at: "8 6")
    #expect(parts.map { $0.part } == [1])
  }

  @Test func crossingsOfTwoEdges() throws {
    let cross = ["LINESTRING(0 0,3 1)", "LINESTRING(0 1,3 0)"]
    let found = try hits(cross, [MRD_SNAP_INTERSECTION], at: "1.5 0.75")
    #expect(found.count == 1)
    let hit = try #require(found.first)
    #expect(hit.x == 1.5 && hit.y == 0.5 && hit.feature == 0 && hit.vertex == 0)
    #expect(hit.other_feature == 1 && hit.other_vertex == 0 && hit.other_layer == 0 && hit.other_ring == -1)
    // An end that meets the inside of an edge; ends that meet, and overlaps, do not count.
    #expect(
      try hits(["LINESTRING(0 0,2 0)", "LINESTRING(1 0,1 5)"], [MRD_SNAP_INTERSECTION], at: "1 0").map { $0.x } == [1])
    #expect(try hits(["LINESTRING(0 0,2 0)", "LINESTRING(2 0,3 5)"], [MRD_SNAP_INTERSECTION], at: "2 0").isEmpty)
    #expect(try hits(["LINESTRING(0 0,2 0)", "LINESTRING(1 0,3 0)"], [MRD_SNAP_INTERSECTION], at: "1.5 0").isEmpty)
    #expect(try hits([house], [MRD_SNAP_INTERSECTION], at: "0 0").isEmpty)
  }

  @Test func crossingsOfTwoLayers() throws {
    let roads = SnapRun.Layer(try TestGeoms([nil, road]), kinds: [MRD_SNAP_INTERSECTION])
    let parcels = SnapRun.Layer(
      try TestGeoms(["POLYGON((5 15,9 15,9 25,5 25,5 15))"]), kinds: [MRD_SNAP_INTERSECTION], priority: -1)
    let run = try SnapRun(library, [roads, parcels])
    let hit = try #require(run.query(try TestGeoms(["POINT(5 20.5)"]), SnapRun.Options()).hits[0].first)
    #expect(hit.layer == 0 && hit.feature == 1 && hit.vertex == 0 && hit.x == 5 && hit.y == 20)
    #expect(hit.other_layer == 1 && hit.other_feature == 0 && hit.other_part == 0 && hit.other_ring == 0)
    #expect(hit.other_vertex == 3)
  }

  @Test func zComesFromTheTarget() throws {
    let line = "LINESTRING Z(0 0 1,4 0 3,4 4 7)"
    #expect(try hits([line], [MRD_SNAP_VERTEX], at: "4 0").map { $0.z } == [3])
    #expect(try hits([line], [MRD_SNAP_EDGE], at: "1 0.5").map { $0.z } == [1.5])
    #expect(try hits([line], [MRD_SNAP_EDGE], at: "4 3").map { $0.z } == [6])
    #expect(try hits([line], [MRD_SNAP_MIDPOINT], at: "4 2").map { $0.z } == [5])
    #expect(try hits([line, "LINESTRING Z(1 -1 9,1 1 9)"], [MRD_SNAP_INTERSECTION], at: "1 0").map { $0.z } == [1.5])
    #expect(try hits([road], [MRD_SNAP_VERTEX], at: "0 20").allSatisfy { $0.z.isNaN })
  }

  @Test func ranksByLayerKindAndDistance() throws {
    let near = SnapRun.Layer(try TestGeoms(["POINT(0 0.1)"]), priority: 1)
    let far = SnapRun.Layer(try TestGeoms(["POINT(0 -0.9)", "POINT(0 0.9)"]), priority: 0)
    let lines = SnapRun.Layer(try TestGeoms(["LINESTRING(-5 0,5 0)", "LINESTRING(0.5 0.5,0.5 9)"]), priority: 1)
    let run = try SnapRun(library, [near, far, lines])
    var options = SnapRun.Options()
    options.places = 9
    let point = try TestGeoms(["POINT(0 0)"])
    func order() -> [String] { run.query(point, options).hits[0].map { "\($0.kind)@\($0.x),\($0.y)" } }
    #expect(order() == ["1@0.0,-0.9", "1@0.0,0.9", "0@0.5,0.5", "1@0.0,0.1", "5@0.0,0.0"])
    options.priorities = [0, 0, 0, 0, 0, -1, 0, 0]
    #expect(order() == ["1@0.0,-0.9", "1@0.0,0.9", "5@0.0,0.0", "1@0.0,0.1", "0@0.5,0.5"])
    options.places = 1
    #expect(order() == ["1@0.0,-0.9"])
    options.tolerance = 0.8
    #expect(order() == ["5@0.0,0.0"])
  }

  @Test func onePlaceWithAllItsTargets() throws {
    // Three parcels meet in (10, 10); one more has an edge through it.
    let parcels = SnapRun.Layer(
      try TestGeoms([
        "POLYGON((0 0,10 0,10 10,0 10,0 0))", "POLYGON((10 0,20 0,20 10,10 10,10 0))",
        "POLYGON((0 20,5 15,15 5,30 30,0 20))",
      ]))
    let points = SnapRun.Layer(try TestGeoms(["POINT(10 10)", "POINT(10.25 10)"]))
    let run = try SnapRun(library, [parcels, points])
    var options = SnapRun.Options()
    let place = run.query(try TestGeoms(["POINT(10 10)"]), options).hits[0]
    #expect(place.map { $0.kind } == [1, 1, 1, 5] && place.map { $0.group } == [0, 0, 0, 0])
    #expect(place.map { [$0.layer, $0.feature, $0.vertex] } == [[0, 0, 2], [0, 1, 3], [1, 0, 0], [0, 2, 1]])
    options.places = 2
    let two = run.query(try TestGeoms(["POINT(10 10)"]), options).hits[0]
    #expect(two.map { $0.group } == [0, 0, 0, 0, 1] && two.last?.x == 10.25)
  }

  @Test func exclusionsTakeTheirEdgesAlong() throws {
    let geoms = try TestGeoms([house])
    let other = try TestGeoms(["LINESTRING(10 10,12 12)"])
    let run = try SnapRun(library, [SnapRun.Layer(geoms), SnapRun.Layer(other)])
    func kinds(_ point: String, _ exclusions: [mrd_snap_exclusion]) throws -> [[Int64]] {
      var options = SnapRun.Options()
      options.places = 9
      options.exclusions = exclusions
      let result = run.query(try TestGeoms(["POINT(\(point))"]), options)
      return result.hits[0].map { [Int64($0.kind), $0.layer, $0.vertex] }
    }
    let corner = mrd_snap_exclusion(layer: 0, feature: 0, part: 0, ring: 0, vertex: 2)
    #expect(try kinds("10 10", []) == [[0, 1, 0], [1, 0, 2]])
    #expect(try kinds("10 10", [corner]) == [[0, 1, 0]])
    #expect(try kinds("10 5", [corner]).isEmpty && kinds("5 10", [corner]).isEmpty)
    #expect(try kinds("0 5", [corner]) == [[5, 0, 3]])
    // The first vertex of a ring closes it too.
    for vertex: Int64 in [0, 4] {
      let start = mrd_snap_exclusion(layer: 0, feature: 0, part: 0, ring: 0, vertex: vertex)
      #expect(try kinds("0 0", [start]).isEmpty && kinds("5 0", [start]).isEmpty && kinds("0 5", [start]).isEmpty)
      #expect(try kinds("10 5", [start]) == [[5, 0, 1]])
    }
    let whole = mrd_snap_exclusion(layer: 0, feature: 0, part: -1, ring: -1, vertex: -1)
    #expect(try kinds("0 0", [whole]).isEmpty && kinds("5 6", [whole]).isEmpty)
    for nothing in [
      mrd_snap_exclusion(layer: 9, feature: 0, part: -1, ring: 0, vertex: 0),
      mrd_snap_exclusion(layer: 0, feature: 7, part: -1, ring: 0, vertex: 0),
      mrd_snap_exclusion(layer: 0, feature: 0, part: 3, ring: 0, vertex: 0),
      mrd_snap_exclusion(layer: 0, feature: 0, part: 0, ring: 0, vertex: 99),
    ] { #expect(try kinds("0 0", [nothing]) == [[1, 0, 0]]) }
  }

  @Test func anEndlessReachTellsWhatIsNearest() throws {
    let run = try SnapRun(library, [SnapRun.Layer(try TestGeoms([road])), SnapRun.Layer(try TestGeoms([house]))])
    var options = SnapRun.Options()
    options.tolerance = .infinity
    options.priorities = [Int32](repeating: 0, count: 8)
    for places in [1, 40] {
      options.places = places
      // The answer to one point bounds the next one, wherever that is.
      let found = run.query(
        try TestGeoms(["POINT(30 1030)", "POINT(5 -1e6)", "POINT(30 1030)", "POINT(4 4)"]), options)
      #expect(found.hits.allSatisfy { places == 1 ? $0.count == 1 : $0.count > 10 })
      let first = found.hits.compactMap { $0.first.map { describe($0) } }
      let above = "0 0/0/-1/2 at 20.0 30.0 d \((100.0 + 1e6).squareRoot())"
      #expect(first == [above, "5 0/0/0/0 at 5.0 0.0 d 1000000.0", above, "1 0/0/1/0 at 4.0 4.0 d 0.0"])
    }
  }

  @Test func screenMetric() throws {
    // Half as many screen points upward: the foot on a slope moves with the metric.
    let slope = ["LINESTRING(0 0,8 8)"]
    let plain = try hits(slope, [MRD_SNAP_EDGE], at: "4 0") { $0.tolerance = 9 }
    #expect(plain.map { [$0.x, $0.y] } == [[2, 2]])
    let pitched = try hits(slope, [MRD_SNAP_EDGE], at: "4 0") { ($0.tolerance, $0.metric) = (9, [1, 0, 0, 0.5]) }
    #expect(pitched.map { [$0.x, $0.y] } == [[3.2, 3.2]])
    #expect(pitched.allSatisfy { abs($0.distance - (0.8 * 0.8 + 1.6 * 1.6).squareRoot()) < 1e-15 })
    for (tolerance, count) in [(0.74, 0), (0.75, 1), (0.76, 1)] {
      let turned = try hits(["POINT(0 3)"], [], at: "0 0") {
        ($0.tolerance, $0.metric) = (tolerance, [0, -0.25, 0.5, 0])
      }
      #expect(turned.count == count && turned.allSatisfy { $0.distance == 0.75 })
    }
  }

  @Test func rowsHaveTheirStatus() throws {
    let run = try SnapRun(library, [SnapRun.Layer(try TestGeoms(["POINT(1 1)"]))])
    let points = try TestGeoms([
      "POINT(1 1)", nil, "POINT(nan nan)", "POINT(nan 1)", "POINT(inf 1)", "POINT(1e200 1)", "POINT(1 1.5)",
    ])
    let result = run.query(points, SnapRun.Options())
    #expect(
      result.statuses == [
        MRD_ITEM_OK, MRD_ITEM_NULL, MRD_ITEM_EMPTY, MRD_ITEM_NONFINITE, MRD_ITEM_NONFINITE, MRD_ITEM_DOMAIN,
        MRD_ITEM_OK,
      ])
    #expect(result.hits.map { $0.count } == [1, 0, 0, 0, 0, 0, 1])
    let empty = try SnapRun(library, [])
    #expect(empty.query(points, SnapRun.Options()).hits.allSatisfy { $0.isEmpty })
  }

  @Test func verticesThatAreNoNumbersNeverHit() throws {
    let line = "LINESTRING(0 0,nan nan,2 0,3 0)"
    var seen: [String] = []
    for point in ["0 0", "1 0", "2 0", "2.5 0"] {
      seen += try hits([line], [], at: point) { $0.tolerance = 0.25 }.map { "\($0.kind):\($0.vertex)" }
    }
    #expect(seen == ["0:0", "1:2", "5:2"])
    let broken = ["POLYGON((0 0,10 0,nan 10,0 10,0 0))"]
    #expect(try hits(broken, [MRD_SNAP_AREA, MRD_SNAP_CENTROID], at: "1 1") { $0.tolerance = 99 }.isEmpty)
    #expect(try hits(broken, [MRD_SNAP_VERTEX], at: "0 0").count == 1)
  }

  @Test func whatIsNotServedIsRefused() throws {
    let geoms = try TestGeoms([road])
    let point = try TestGeoms(["POINT(0 0)"])
    for (edges, metric) in [
      (MRD_EDGES_GREAT_CIRCLE, MRD_METRIC_ELLIPSOID), (MRD_EDGES_GEODESIC, MRD_METRIC_COORD),
      (MRD_EDGES_RHUMB, MRD_METRIC_ELLIPSOID), (MRD_EDGES_GEODESIC, MRD_METRIC_SPHERE),
    ] {
      let curved = try TestGeoms([road], edges: edges, metric: metric)
      #expect(try SnapRun(library, [SnapRun.Layer(curved)]).status == MRD_E_UNSUPPORTED)
      let curvedPoint = try TestGeoms(["POINT(0 0)"], edges: edges, metric: metric)
      let run = try SnapRun(library, [SnapRun.Layer(geoms)])
      #expect(run.query(curvedPoint, SnapRun.Options()).status == MRD_E_UNSUPPORTED)
    }
    let run = try SnapRun(library, [SnapRun.Layer(geoms)])
    #expect(run.query(geoms, SnapRun.Options()).status == MRD_E_UNSUPPORTED)
    func status(_ change: (inout SnapRun.Options) -> Void) -> mrd_status {
      var options = SnapRun.Options()
      change(&options)
      return run.query(point, options).status
    }
    #expect(status { $0.tolerance = 0 } == MRD_E_ARGUMENT)
    #expect(status { $0.tolerance = -1 } == MRD_E_ARGUMENT)
    #expect(status { $0.tolerance = .nan } == MRD_E_ARGUMENT)
    #expect(status { $0.metres = 1 } == MRD_E_ARGUMENT)
    #expect(status { ($0.tolerance, $0.metres) = (0, 1) } == MRD_E_UNSUPPORTED)
    #expect(status { $0.factors = [1, 1, 1, 1, 1, 1.5, 1, 1] } == MRD_E_ARGUMENT)
    #expect(status { $0.factors = [1, 1, 1, .nan, 1, 1, 1, 1] } == MRD_E_ARGUMENT)
    #expect(status { $0.metric = [1, 2, 2, 4] } == MRD_E_ARGUMENT)
    #expect(status { $0.metric = [1, 0, 0, .nan] } == MRD_E_ARGUMENT)
    #expect(status { $0.metric = [1, 0, 0, .infinity] } == MRD_E_ARGUMENT)
    let damaged = try TestGeoms([road])
    damaged.mutable.pointee.coords.count = 2
    #expect(try SnapRun(library, [SnapRun.Layer(damaged)]).status == MRD_E_ARGUMENT)
  }

  @Test func optionsAndLayersOfANewerVersionAreRefused() throws {
    struct Longer {
      var options = mrd_snap_query_options()
      var newer: UInt64 = 0
    }
    let run = try SnapRun(library, [SnapRun.Layer(try TestGeoms([road]))])
    for newer: UInt64 in [0, 1] {
      var longer = Longer()
      longer.options.tolerance_coord = 1
      longer.options.struct_size = UInt32(MemoryLayout<Longer>.size)
      longer.newer = newer
      let points = try TestGeoms(["POINT(0 0)"])
      let status = withUnsafePointer(to: &longer) { longer in
        longer.withMemoryRebound(to: mrd_snap_query_options.self, capacity: 1) { run.query(points, raw: $0).status }
      }
      #expect(status == (newer == 0 ? MRD_OK : MRD_E_UNSUPPORTED))
    }
  }

  @Test func cancelAndMemory() throws {
    let wkt = (0..<600).map { "LINESTRING(\($0) 0,\($0) 1,\($0) 2)" }
    let layers = [
      SnapRun.Layer(try TestGeoms(wkt), kinds: [0, 1, 2, 3, 5, 6]),
      SnapRun.Layer(try TestGeoms([house]), kinds: [MRD_SNAP_AREA]),
    ]
    let points = try TestGeoms((0..<5000).map { "POINT(\($0 % 600) 1.25)" })
    #expect(try SnapRun(library, layers, cancelled: true).status == MRD_E_CANCELLED)
    let run = try SnapRun(library, layers)
    var options = SnapRun.Options()
    options.places = 200
    options.tolerance = 40
    #expect(run.query(points, options, cancelled: true).status == MRD_E_CANCELLED)
    #expect(run.requests > 3)
    for request in 0..<run.requests {
      #expect(try SnapRun(library, layers, failingRequest: request).status == MRD_E_MEMORY, "request \(request)")
    }
    let few = try TestGeoms((0..<20).map { "POINT(\($0 * 20) 1.25)" })
    var failures = 0
    for request in 0..<100 {
      let result = run.query(few, options, failingRequest: request)
      #expect(result.isIntact)
      if result.status == MRD_OK { break }
      #expect(result.status == MRD_E_MEMORY, "request \(request)")
      failures += 1
    }
    #expect(failures > 5 && failures < 100)
  }

  @Test func layoutsAndCPULevelsAgree() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let wkt = (0..<200).map { _ in
      let (x, y) = (Double.random(in: -9...9, using: &random), Double.random(in: -9...9, using: &random))
      return "LINESTRING(\(x) \(y),\(x + Double.random(in: -2...2, using: &random)) \(y + 0.3),\(y) \(x))"
    }
    let spots = (0..<100).map { _ in
      "POINT(\(Double.random(in: -9...9, using: &random)) \(Double.random(in: -9...9, using: &random)))"
    }
    var seen: [[Double]] = []
    for name in NativeLevels.runnable {
      let library = try LoadedLibrary(name)
      for layout in TestLayout.allCases {
        for bits in [32, 64] {
          let layer = SnapRun.Layer(
            try TestGeoms(wkt, layout: layout, offsetBits: bits), kinds: [0, 1, 2, 3, 5, 6])
          var options = SnapRun.Options()
          options.places = 5
          let result = try SnapRun(library, [layer]).query(try TestGeoms(spots, layout: layout), options)
          seen.append(result.hits.joined().flatMap { [Double($0.kind), Double($0.vertex), $0.x, $0.y, $0.distance] })
        }
      }
    }
    #expect(seen.count >= 6 && seen.allSatisfy { $0 == seen[0] && !$0.isEmpty }, "seed \(seed)")
  }
}
