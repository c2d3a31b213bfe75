// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// `snap.query` against the plain loop in exact arithmetic, on random, degenerate, huge and tiny figures.
@Suite struct SnapQueryPropertyTests {
  let library: LoadedLibrary
  init() throws { library = try LoadedLibrary("MeridianNative") }

  // Unoptimised whole-number arithmetic is slow: small counts there.
  private static let rounds = TestScale.isLarge ? 30 : 2

  enum World: String, CaseIterable, Sendable { case grid, collinear, plain, huge, tiny, below, mixed, far }

  /// A vertex of a random figure.
  private func spot(_ world: World, _ random: inout TestRandom) -> (Double, Double) {
    func small() -> Double { Double(Int.random(in: 0...6, using: &random)) }
    func unit() -> Double { Double.random(in: -3...3, using: &random) }
    switch world {
    case .grid: return (small(), small())
    case .collinear:
      let step = small()
      return Bool.random(using: &random) ? (step, 2 * step) : (step * 0.1, step * 0.3)
    case .plain: return (unit(), unit())
    case .huge: return (unit() / 3 * 1e150, small() / 6 * 1e150)
    case .tiny: return (unit() * 1e-150, small() * 1e-150)
    case .below: return (unit() * 1e-200, small() * 1e-200)
    case .mixed:
      return (
        unit() * [1, 1e-3, 1e-120][Int.random(in: 0..<3, using: &random)],
        small() * [1, 1e-9, 1e-200][Int.random(in: 0..<3, using: &random)]
      )
    case .far: return (4e6 + unit(), -7e6 + unit())
    }
  }

  private func size(_ world: World) -> Double {
    switch world {
    case .huge: 2e149
    case .tiny: 1e-150
    case .below: 1e-200
    default: 1
    }
  }

  private func figures(_ world: World, _ random: inout TestRandom) -> [SketchedLayer] {
    func path(_ count: Int) -> [(Double, Double)] { (0..<count).map { _ in spot(world, &random) } }
    let lines = (0..<6).map { _ in SketchedFeature(parts: [[path(Int.random(in: 1...4, using: &random))]]) }
    let rings = (0..<4).map { _ -> SketchedFeature in
      let parts = (0..<Int.random(in: 1...2, using: &random)).map { _ in
        (0..<Int.random(in: 1...2, using: &random)).map { _ -> [(Double, Double)] in
          let open = path(3)
          return open + [open[0]]
        }
      }
      return SketchedFeature(parts: parts)
    }
    let points = (0..<4).map { _ in SketchedFeature(parts: [[path(1)]]) }
    return [
      SketchedLayer(type: MRD_MULTILINESTRING, features: lines), SketchedLayer(type: MRD_MULTIPOLYGON, features: rings),
      SketchedLayer(type: MRD_MULTIPOINT, features: points),
    ]
  }

  @Test(arguments: World.allCases)
  func listsEqualThePlainLoop(_ world: World) throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for round in 0..<Self.rounds {
      let sketched = figures(world, &random)
      var options = SnapRun.Options()
      options.places = 100_000
      options.tolerance = size(world) * [0.25, 1, 2, 0.7][round % 4]
      if round % 3 == 1 { options.factors = [0.5, 1, 0.75, 1, 1, 0.9, 0.8, 1] }
      if round % 5 == 3 { options.priorities = [3, 1, 0, 2, 0, 1, 9, -1] }
      let run = try SnapRun(
        library,
        sketched.enumerated().map {
          SnapRun.Layer(
            try TestGeoms($1.wkt), kinds: [0, 1, 2, 3, 4, 5, 6, 7], priority: Int32(round % 2) * Int32($0 % 2))
        })
      #expect(run.status == MRD_OK)
      let spots = (0..<(TestScale.isLarge ? 12 : 3)).map { number -> (Double, Double) in
        let (x, y) = spot(world, &random)
        return number % 3 == 0 ? (x, y) : (x + size(world) * 0.1 * Double(number), y - size(world) * 0.05)
      }
      let points = try TestGeoms(spots.map { "POINT(\($0.0) \($0.1))" })
      let previous = spots.map { _ in spot(world, &random) }
      options.previous = previous.flatMap { [$0.0, $0.1] }
      let all = run.query(points, options)
      try #require(all.status == MRD_OK && all.isIntact, "seed \(seed): \(all.message)")
      for (index, hits) in all.hits.enumerated() {
        let judge = SnapJudge(
          layers: sketched, point: spots[index], options: options, previous: previous[index])
        for objection in judge.objections(to: hits) {
          Issue.record("seed \(seed) round \(round) point \(spots[index]): \(objection)")
        }
        checkOrder(hits, Int32(round % 2), options, seed)
      }
      // Fewer places are the first of all.
      for places in [1, 2, 4] {
        options.places = places
        let fewer = run.query(points, options)
        for (index, hits) in fewer.hits.enumerated() {
          let first = all.hits[index].filter { Int($0.group) < places }
          #expect(hits.map(key) == first.map(key), "seed \(seed) round \(round)")
        }
      }
    }
  }

  /// One place of single kinds, by the shrinking search, is the first of the list; with a screen metric too.
  @Test(arguments: World.allCases)
  func theBestIsTheFirstOfAll(_ world: World) throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for round in 0..<max(6, Self.rounds) {
      let sketched = figures(world, &random)
      let kinds: [Int32] = [[5], [1], [0, 1, 5], [3, 4, 5], [1, 6, 7], [4], [5, 7]][round % 7]
      let run = try SnapRun(library, sketched.map { SnapRun.Layer(try TestGeoms($0.wkt), kinds: kinds) })
      let points = try TestGeoms(
        (0..<(TestScale.isLarge ? 40 : 4)).map { _ in
          let (x, y) = spot(world, &random)
          return "POINT(\(x + size(world) * 0.3) \(y))"
        })
      var options = SnapRun.Options()
      options.previous = (0..<points.rows).flatMap { _ -> [Double] in
        let place = spot(world, &random)
        return [place.0, place.1]
      }
      if round % 2 == 1 { options.metric = [2, 0.5, -0.25, 1] }
      for tolerance in TestScale.isLarge ? [0.2, 3, 1e9] : [0.5] {
        options.tolerance = tolerance * size(world)
        options.places = 100_000
        let all = run.query(points, options)
        options.places = 1
        let one = run.query(points, options)
        for (index, hits) in one.hits.enumerated() {
          let first = all.hits[index].filter { $0.group == 0 }
          #expect(hits.map(key) == first.map(key), "seed \(seed) round \(round)")
        }
      }
    }
  }

  /// A batch that is sorted inside the call gives each row what it gets alone.
  @Test func largeBatchesKeepTheirRows() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let lines = (0..<6000).map { _ -> String in
      let (x, y) = (Double.random(in: 0...100, using: &random), Double.random(in: 0...100, using: &random))
      return "LINESTRING(\(x) \(y),\(x + 0.5) \(y + 0.25),\(x + 1) \(y),\(x + 1.5) \(y - 0.5))"
    }
    let run = try SnapRun(library, [SnapRun.Layer(try TestGeoms(lines))])
    var texts = (0..<700).map { _ -> String? in
      "POINT(\(Double.random(in: -5...105, using: &random)) \(Double.random(in: -5...105, using: &random)))"
    }
    texts[100] = nil
    texts[200] = "POINT(nan 3)"
    var options = SnapRun.Options()
    options.tolerance = 0.5
    let together = run.query(try TestGeoms(texts), options)
    #expect(together.statuses[100] == MRD_ITEM_NULL && together.statuses[200] == MRD_ITEM_NONFINITE)
    for begin in stride(from: 0, to: texts.count, by: 100) {
      let apart = run.query(try TestGeoms(Array(texts[begin..<(begin + 100)])), options)
      let own = together.hits[begin..<(begin + 100)]
      #expect(apart.hits.map { $0.map(key) } == own.map { $0.map(key) }, "seed \(seed)")
    }
    #expect(together.hits.joined().count > 300)
  }

  private func key(_ hit: mrd_snap_hit) -> [UInt64] {
    [
      UInt64(hit.kind), UInt64(hit.group), UInt64(bitPattern: hit.layer), UInt64(bitPattern: hit.feature),
      UInt64(bitPattern: hit.part), UInt64(bitPattern: hit.ring), UInt64(bitPattern: hit.vertex),
      UInt64(bitPattern: hit.other_feature), UInt64(bitPattern: hit.other_vertex), hit.x.bitPattern, hit.y.bitPattern,
      hit.distance.bitPattern,
    ]
  }

  /// Places stand in the order of their best hits, hits of a place together and in order, equal coordinates in one place.
  private func checkOrder(_ hits: [mrd_snap_hit], _ alternate: Int32, _ options: SnapRun.Options, _ seed: UInt64) {
    func rank(_ hit: mrd_snap_hit) -> [Double] {
      func priority(_ layer: Int64) -> Double { layer < 0 ? .infinity : Double(Int64(alternate) * (layer % 2)) }
      return [
        min(priority(hit.layer), priority(hit.other_layer)), Double(options.priorities?[Int(hit.kind)] ?? hit.kind),
        hit.distance,
      ]
    }
    func storage(_ hit: mrd_snap_hit) -> [Int64] { [hit.layer, hit.feature, hit.part, hit.ring, hit.vertex] }
    func isOrdered(_ a: mrd_snap_hit, _ b: mrd_snap_hit) -> Bool {
      if rank(a) != rank(b) { return rank(a).lexicographicallyPrecedes(rank(b)) }
      // Areas come by size.
      return a.kind == MRD_SNAP_AREA || b.kind == MRD_SNAP_AREA || !storage(b).lexicographicallyPrecedes(storage(a))
    }
    var group: UInt32 = 0
    var firsts: [mrd_snap_hit] = []
    for (index, hit) in hits.enumerated() {
      if index == 0 || hit.group != hits[index - 1].group {
        #expect(hit.group == group, "seed \(seed): groups are not numbered in order")
        group += 1
        if let last = firsts.last { #expect(isOrdered(last, hit), "seed \(seed): places out of order") }
        firsts.append(hit)
      } else {
        #expect(hit.x == hits[index - 1].x && hit.y == hits[index - 1].y, "seed \(seed): one group, two places")
        #expect(isOrdered(hits[index - 1], hit), "seed \(seed): hits of a place out of order")
      }
    }
    let places = Set(firsts.map { [$0.x + 0, $0.y + 0] })
    #expect(places.count == firsts.count, "seed \(seed): one place, two groups")
  }
}
