// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport
import Testing

/// The search of `snap.query` for the best places of a point, where it leaves its usual path: many edges or places in reach,
/// a reach far wider than the targets are apart, more layers than classes. The list of everything in reach is what it is held
/// against; the property tests hold that against exact arithmetic.
@Suite struct SnapSearchTests {
  let library: LoadedLibrary
  init() throws { library = try LoadedLibrary("MeridianNative") }

  /// More places than this are found by listing everything.
  private static let mostRanked = 32

  private func key(_ hit: mrd_snap_hit) -> [Double] {
    [
      Double(hit.kind), Double(hit.group), Double(hit.layer), Double(hit.feature), Double(hit.part), Double(hit.ring),
      Double(hit.vertex), Double(hit.other_layer), Double(hit.other_feature), Double(hit.other_vertex), hit.x, hit.y,
      hit.distance,
    ]
  }

  /// Holds 1, 2, 5 and 32 places against the first ones of the whole list.
  private func check(_ run: SnapRun, _ points: [String], _ options: SnapRun.Options, _ words: String) throws {
    var options = options
    let geoms = try TestGeoms(points.map { "POINT(\($0))" })
    options.places = 100_000
    let all = run.query(geoms, options)
    #expect(all.status == MRD_OK, "\(words): \(all.message)")
    for places in [1, 2, 5, Self.mostRanked] {
      options.places = places
      let few = run.query(geoms, options)
      #expect(few.isIntact)
      for row in points.indices {
        let first = all.hits[row].filter { Int($0.group) < places }
        #expect(few.hits[row].map(key) == first.map(key), "\(words): \(places) places at \(points[row])")
      }
    }
  }

  @Test func manyEdgesCross() throws {
    // Chords between two rows of points: any two of them that change sides cross.
    let chords = (0..<60).map { "LINESTRING(\($0) 0,\(59 - $0) 7)" }
    let grid = (0..<20).flatMap { ["LINESTRING(\($0) -1,\($0) 21)", "LINESTRING(-1 \($0),21 \($0))"] }
    for (lines, name) in [(chords, "chords"), (grid, "grid")] {
      for kinds in [
        [MRD_SNAP_INTERSECTION], [MRD_SNAP_INTERSECTION, MRD_SNAP_VERTEX, MRD_SNAP_MIDPOINT, MRD_SNAP_EDGE],
      ] {
        let run = try SnapRun(library, [SnapRun.Layer(try TestGeoms(lines), kinds: kinds)])
        for tolerance in [0.3, 2, 40] {
          var options = SnapRun.Options()
          options.tolerance = tolerance
          try check(run, ["29.5 3.5", "3.1 2.2", "12.4 5", "7 7"], options, "\(name) within \(tolerance)")
        }
      }
    }
  }

  @Test func crossingsOfLayersRankByTheBetterOne() throws {
    let plain = SnapRun.Layer(try TestGeoms(["LINESTRING(0 1,9 1)"]), kinds: [MRD_SNAP_INTERSECTION], priority: 3)
    let better = SnapRun.Layer(
      try TestGeoms(["LINESTRING(5 0,5 9)"]), kinds: [MRD_SNAP_INTERSECTION],
      priority: 0)
    let between = SnapRun.Layer(try TestGeoms(["POINT(4.5 1)"]), kinds: [MRD_SNAP_VERTEX], priority: 1)
    for layers in [[plain, better, between], [between, plain, better], [better, between, plain]] {
      let run = try SnapRun(library, layers)
      var options = SnapRun.Options()
      options.tolerance = 3
      let hits = run.query(try TestGeoms(["POINT(4.4 1)"]), options).hits[0]
      #expect(hits.map { $0.kind } == [MRD_SNAP_INTERSECTION] && hits.allSatisfy { ($0.x, $0.y) == (5, 1) })
      try check(run, ["4.4 1", "0 0", "6 2"], options, "layers")
    }
  }

  @Test func allOfACrowdIsOnePlace() throws {
    let spokes = (0..<150).map { "LINESTRING(3 3,\($0) 40)" }
    let run = try SnapRun(library, [SnapRun.Layer(try TestGeoms(spokes))])
    for tolerance in [0.5, 90] {
      var options = SnapRun.Options()
      options.tolerance = tolerance
      let hits = run.query(try TestGeoms(["POINT(3.1 2.9)"]), options).hits[0]
      #expect(hits.map { $0.feature } == Array(0..<150) && hits.allSatisfy { $0.kind == MRD_SNAP_END_POINT })
      try check(run, ["3.1 2.9", "60 40"], options, "spokes within \(tolerance)")
    }
  }

  /// With a wide reach nodes are left out by what candidates they can give; what lies at the places counts nevertheless.
  @Test func wideReachesOverManyLayers() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    func spot() -> String {
      "\(Int.random(in: 0...24, using: &random)) \(Int.random(in: 0...24, using: &random))"
    }
    let kinds: [[Int32]] = [
      [MRD_SNAP_VERTEX], [MRD_SNAP_EDGE], [MRD_SNAP_END_POINT, MRD_SNAP_EDGE], [MRD_SNAP_MIDPOINT],
      [MRD_SNAP_CENTROID], [MRD_SNAP_INTERSECTION], [],
    ]
    let layers = try kinds.enumerated().map { number, kinds in
      let lines = (0..<40).map { _ in "LINESTRING(\(spot()),\(spot()),\(spot()))" }
      return SnapRun.Layer(try TestGeoms(lines), kinds: kinds, priority: Int32(number * 5 % 4))
    }
    let run = try SnapRun(library, layers)
    let points = (0..<12).map { _ in spot() }
    for tolerance in [0.5, 6, 1e9] {
      for factors: [Double]? in [nil, [0.5, 1, 0.25, 1, 1, 0.75, 0.1, 1]] {
        var options = SnapRun.Options()
        options.tolerance = tolerance
        options.factors = factors
        options.priorities = [2, 1, 3, 3, 0, 4, 0, 0]
        try check(run, points, options, "seed \(seed), within \(tolerance)")
        options.metric = [2, 0.5, -0.25, 1]
        try check(run, points, options, "seed \(seed), on a screen, within \(tolerance)")
      }
    }
  }
}
