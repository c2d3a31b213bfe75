// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// `snap.query` with tolerances in metres against the plain loop: every vertex and every edge by the distances of `measure`.
@Suite struct SnapMetresPropertyTests {
  let library: LoadedLibrary
  init() throws { library = try LoadedLibrary("MeridianNative") }

  private static let rounds = TestScale.isLarge ? 25 : 1

  enum World: String, CaseIterable, Sendable {
    case town, equator, antimeridian, northPole, southPole, roundPole, country, globe, parallels
  }

  /// What the tests know of a model: its edges and metric, and those that `measure` has shortest lines for.
  private struct Model {
    let edges: Int32
    let metric: Int32
    let flattening: Double
    var isStraight: Bool { edges == MRD_EDGES_PLANAR || edges == MRD_EDGES_PLATE_CARREE }
    var shortest: Int32 { metric == MRD_METRIC_SPHERE ? MRD_EDGES_GREAT_CIRCLE : MRD_EDGES_GEODESIC }
    func geoms(_ wkt: [String], _ edges: Int32? = nil) throws -> TestGeoms {
      try TestGeoms(wkt, edges: edges ?? self.edges, metric: metric, flattening: flattening)
    }
  }

  private static let models = [
    Model(edges: MRD_EDGES_PLANAR, metric: MRD_METRIC_ELLIPSOID, flattening: 1 / 298.257223563),
    Model(edges: MRD_EDGES_PLATE_CARREE, metric: MRD_METRIC_SPHERE, flattening: 0),
    Model(edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, flattening: 1 / 298.257223563),
    Model(edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, flattening: 0),
    Model(edges: MRD_EDGES_PLATE_CARREE, metric: MRD_METRIC_ELLIPSOID, flattening: -1 / 60),
  ]

  private typealias Spot = (x: Double, y: Double)

  private func spot(_ world: World, _ random: inout TestRandom) -> Spot {
    func number(_ low: Double, _ high: Double) -> Double { Double.random(in: low...high, using: &random) }
    switch world {
    case .town: return (8.5 + number(-0.01, 0.01), 47.4 + number(-0.01, 0.01))
    case .equator: return (number(-0.02, 0.02), number(-0.02, 0.02))
    case .antimeridian:
      let x = 180 + number(-0.02, 0.02)
      return ([x, x - 360, x + 360][Int.random(in: 0..<3, using: &random)], -16.5 + number(-0.01, 0.01))
    case .northPole: return (number(-180, 180), 90 - number(0, 0.01))
    case .southPole: return (number(-180, 180), Bool.random(using: &random) ? -90 : -90 + number(0, 0.001))
    case .roundPole: return (number(-200, 200), 90 - number(1, 12))
    case .country: return (number(5, 11), number(45, 48))
    case .globe: return (number(-180, 180), number(-90, 90))
    case .parallels: return (Double(Int.random(in: -4...4, using: &random)) * 45, number(0, 1) < 0.5 ? 60 : 89)
    }
  }

  private func tolerance(_ world: World) -> Double {
    switch world {
    case .town, .equator, .antimeridian, .northPole: 400
    case .southPole: 60
    case .roundPole: 500_000
    case .country: 40_000
    case .globe, .parallels: 3e6
    }
  }

  private func isNear(_ world: World) -> Bool { world != .globe && world != .roundPole && world != .parallels }

  /// Lines of a few vertices, near each other except on the whole globe.
  private func lines(_ world: World, _ random: inout TestRandom) -> [[Spot]] {
    (0..<(TestScale.isLarge ? 40 : 3)).map { _ in
      var line = [spot(world, &random)]
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        var next = spot(world, &random)
        // Straight edges take longitudes as plain numbers: most of ours are meant to be short.
        if isNear(world) && world != .northPole && world != .southPole {
          next.x = line[0].x + (next.x - line[0].x).remainder(dividingBy: 360)
        }
        if Int.random(in: 0..<8, using: &random) == 0 { next = line[0] }
        line.append(next)
      }
      return line
    }
  }

  private func distances(_ model: Model, _ from: Spot, _ to: [Spot]) throws -> [Double] {
    let point = try model.geoms(["POINT(\(from.x) \(from.y))"], model.shortest)
    let others = try model.geoms(to.map { "POINT(\($0.x) \($0.y))" }, model.shortest)
    let result = try MeasureRun(library).pair(MRD_MEASURE_DISTANCE, others, point, columns: 1, broadcast: true)
    try #require(result.status == MRD_OK)
    return result.column(0)
  }

  /// The least distance of a fine row of places on an edge, and of finer ones around it; no less than the true one.
  private func leastDistance(_ model: Model, _ point: Spot, _ a: Spot, _ b: Spot) throws -> Double {
    guard model.isStraight else {
      let line = try model.geoms(["LINESTRING(\(a.x) \(a.y),\(b.x) \(b.y))"])
      let from = try model.geoms(["POINT(\(point.x) \(point.y))"])
      let result = try MeasureRun(library).pair(MRD_MEASURE_CLOSEST, from, line, columns: 6)
      try #require(result.status == MRD_OK)
      return result.column(0)[0]
    }
    var (low, high) = (0.0, 1.0)
    var least = Double.infinity
    let steps = TestScale.isLarge ? 720 : 180
    for _ in 0..<4 {
      let shares = (0...steps).map { low + (high - low) * Double($0) / Double(steps) }
      let found = try distances(model, point, shares.map { place(a, b, $0) })
      let best = found.indices.min { found[$0] < found[$1] } ?? 0
      least = min(least, found[best])
      (low, high) = (shares[max(0, best - 1)], shares[min(steps, best + 1)])
    }
    return least
  }

  private func place(_ a: Spot, _ b: Spot, _ share: Double) -> Spot {
    if share >= 1 { return b }
    return (a.x + (b.x - a.x) * share, min(90, max(-90, a.y + (b.y - a.y) * share)))
  }

  /// How far a place lies from where it would be on a straight edge with its longitude or latitude, in degrees.
  private func stray(_ hit: mrd_snap_hit, _ a: Spot, _ b: Spot) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    return abs(dx) > abs(dy)
      ? abs(a.y + dy * ((hit.x - a.x) / dx) - hit.y) : abs(a.x + dx * ((hit.y - a.y) / dy) - hit.x)
  }

  @Test(arguments: World.allCases, 0..<models.count)
  func hitsEqualThePlainLoop(_ world: World, _ number: Int) throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let model = Self.models[number]
    for round in 0..<Self.rounds {
      let place = "seed \(seed) round \(round)"
      let lines = lines(world, &random)
      let texts = lines.map { "LINESTRING(\($0.map { "\($0.x) \($0.y)" }.joined(separator: ",")))" }
      let run = try SnapRun(library, [SnapRun.Layer(try model.geoms(texts))])
      #expect(run.status == MRD_OK, "\(run.message)")
      var options = SnapRun.Options()
      (options.tolerance, options.metres, options.places) = (0, tolerance(world), 100_000)
      var points = (0..<(TestScale.isLarge ? 6 : 1)).map { _ in spot(world, &random) }
      points.append(lines[0][0])
      if world == .northPole { points.append((17, 90)) }
      let rows = points.map { "POINT(\($0.x) \($0.y))" }
      let all = run.query(try model.geoms(rows), options)
      try #require(all.status == MRD_OK && all.isIntact, "\(all.message)")
      for (index, point) in points.enumerated() {
        try judge(all.hits[index], lines, point, model, options.metres, place + " point \(point)")
      }
      // Fewer places, and growing reaches, are the first of all.
      let choices: [(Int, [Int32]?)] = [(1, [Int32](repeating: 0, count: 8)), (1, nil), (2, nil)]
      for (places, priorities) in choices.prefix(TestScale.isLarge ? 3 : 1) {
        var fewer = options
        (fewer.places, fewer.priorities) = (places, priorities)
        var unlimited = options
        unlimited.priorities = priorities
        let every = run.query(try model.geoms(rows), unlimited).hits
        let found = run.query(try model.geoms(rows), fewer).hits
        for index in points.indices {
          compare(
            found[index], firstOf: every[index], places, byDistance: priorities != nil,
            place + " point \(points[index])")
        }
      }
    }
  }

  /// Feet move with the part of their edge that was searched, by nanometres, so that places which all but coincide, or lie all
  /// but equally far, are one place or two.
  private func compare(
    _ found: [mrd_snap_hit], firstOf all: [mrd_snap_hit], _ places: Int, byDistance: Bool, _ seed: String
  ) {
    let slack = 3e-8
    #expect(found.allSatisfy { Int($0.group) < places }, "\(seed)")
    #expect(found.isEmpty == all.isEmpty, "\(seed)")
    for hit in found {
      let same = all.first { ($0.feature, $0.vertex, $0.kind) == (hit.feature, hit.vertex, hit.kind) }
      #expect(same.map { abs($0.distance - hit.distance) < slack } == true, "\(seed): \(hit) is none of all")
    }
    // Where kinds come before distances, a foot on a vertex is as good as the vertex, and one beside it is not.
    for (one, other) in zip(found, all).prefix(byDistance ? found.count : 1) {
      #expect(abs(one.distance - other.distance) < slack, "\(seed)")
    }
  }

  private func judge(
    _ hits: [mrd_snap_hit], _ lines: [[Spot]], _ point: Spot, _ model: Model, _ reach: Double, _ seed: String
  ) throws {
    let slack = 1e-7
    for hit in hits { #expect(hit.distance <= reach, "\(seed)") }
    let measured = try distances(model, point, hits.map { ($0.x, $0.y) })
    for (hit, distance) in zip(hits, measured) {
      #expect(abs(hit.distance - distance) <= 6e-8, "\(seed): \(hit.kind) \(hit.distance) is \(distance)")
    }
    for (row, line) in lines.enumerated() {
      let own = hits.filter { $0.feature == Int64(row) }
      let ends = try distances(model, point, line)
      for (vertex, distance) in ends.enumerated() {
        let hit = own.first { $0.kind < MRD_SNAP_INTERSECTION && $0.vertex == Int64(vertex) }
        if let hit {
          #expect(hit.x == line[vertex].x && hit.y == line[vertex].y, "\(seed)")
          #expect((hit.kind == MRD_SNAP_END_POINT) == (vertex == 0 || vertex == line.count - 1), "\(seed)")
        } else {
          #expect(distance > reach - slack, "\(seed): vertex \(vertex) of \(row) at \(distance) is missing")
        }
      }
      for edge in 0..<(line.count - 1) where line[edge] != line[edge + 1] {
        let (a, b) = (line[edge], line[edge + 1])
        let least = try leastDistance(model, point, a, b)
        if let hit = own.first(where: { $0.kind == MRD_SNAP_EDGE && $0.vertex == Int64(edge) }) {
          #expect(hit.distance <= least + 3e-8 + 1e-8 * least, "\(seed): edge \(edge) of \(row), \(least)")
          if model.isStraight { #expect(stray(hit, a, b) < 1e-10, "\(seed): edge \(edge) of \(row)") }
        } else if least < reach - slack {
          // Its nearest place is an end, which is a candidate itself.
          let nearest = min(ends[edge], ends[edge + 1])
          #expect(nearest <= least + 1e-7 + 1e-8 * least, "\(seed): edge \(edge) of \(row) at \(least) is missing")
        }
      }
    }
  }
}
