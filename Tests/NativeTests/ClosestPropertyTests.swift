// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// The surfaces that have closest places.
enum ClosestModel: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case plane, sphere, ellipsoid, prolate

  var isGlobe: Bool { self != .plane }
  var testDescription: String { rawValue }

  func geoms(_ wkt: [String?]) throws -> TestGeoms {
    switch self {
    case .plane: try TestGeoms(wkt)
    case .sphere:
      try TestGeoms(wkt, edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, radius: 6_371_008.8)
    case .ellipsoid:
      try TestGeoms(
        wkt, edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, flattening: 1 / 298.257223563)
    case .prolate:
      try TestGeoms(wkt, edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, flattening: -1.0 / 150)
    }
  }

  /// What the kernel declares of a distance, for figures of a thousand kilometres and more.
  var bound: Double { isGlobe ? 30e-9 : 1e-12 }
  /// Distances that differ by less are ties.
  var tieMargin: Double { self == .plane ? 0 : self == .sphere ? 1e-15 * 6_371_008.8 : 1e-15 * 6_378_137 }
}

/// Random lines and figures of all sizes.
private struct ClosestFigures {
  var random: TestRandom
  let model: ClosestModel

  mutating func number(_ low: Double, _ high: Double) -> Double { Double.random(in: low...high, using: &random) }

  mutating func place() -> (x: Double, y: Double) {
    guard model.isGlobe else { return (number(-1e3, 1e3), number(-1e3, 1e3)) }
    // Near a pole or the antimeridian as often as elsewhere.
    let longitude = number(0, 1) < 0.3 ? 180 + number(-1, 1) : number(-180, 180)
    let latitude = number(0, 1) < 0.2 ? (number(0, 1) < 0.5 ? 1 : -1) * number(85, 90) : number(-85, 85)
    return (longitude, latitude)
  }

  /// A step of about `size` degrees from a place.
  mutating func step(_ from: (x: Double, y: Double), _ size: Double) -> (x: Double, y: Double) {
    guard model.isGlobe else { return (from.x + number(-size, size), from.y + number(-size, size)) }
    let latitude = max(-90, min(90, from.y + number(-size, size)))
    let stretch = max(0.02, cos(latitude * .pi / 180))
    return (from.x + max(-170, min(170, number(-size, size) / stretch)), latitude)
  }

  mutating func walk(_ from: (x: Double, y: Double), _ count: Int, _ size: Double) -> [(x: Double, y: Double)] {
    var places = [from]
    while places.count < count { places.append(step(places[places.count - 1], size)) }
    return places
  }

  static func wkt(_ places: [(x: Double, y: Double)]) -> String {
    places.map { "\($0.x) \($0.y)" }.joined(separator: ",")
  }
}

@Suite struct ClosestPropertyTests {
  /// Leaving edges out by bounds changes nothing: the answer has the bits of the best of all edges, each solved alone.
  @Test(arguments: ClosestModel.allCases) func boundsLeaveOutNoClosestPlace(_ model: ClosestModel) throws {
    let seed = testSeed()
    var figures = ClosestFigures(random: TestRandom(seed: seed), model: model)
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    for round in 0..<(TestScale.isLarge ? 150 : 12) {
      let size = pow(10, figures.number(-4, 1.7))
      let start = figures.place()
      let places = figures.walk(start, Int(figures.number(3, TestScale.isLarge ? 700 : 150)), size)
      let points = (0..<6).map { index in
        index == 0
          ? figures.place()
          : index == 1 ? places[places.count / 2] : figures.step(places[index % places.count], size * 2)
      }
      let edges = zip(places, places.dropFirst()).map { "LINESTRING(\(ClosestFigures.wkt([$0, $1])))" }
      let line = try model.geoms(["LINESTRING(\(ClosestFigures.wkt(places)))"])
      let whole = native.pair(
        MRD_MEASURE_CLOSEST, try model.geoms(points.map { "POINT(\($0.x) \($0.y))" }), line, columns: 6,
        broadcast: true)
      #expect(whole.status == MRD_OK && whole.isIntact, "seed \(seed): \(whole.message)")
      for (row, point) in points.enumerated() {
        let alone = native.pair(
          MRD_MEASURE_CLOSEST, try model.geoms(edges.map { _ in "POINT(\(point.x) \(point.y))" }),
          try model.geoms(edges), columns: 6)
        // An edge that is nearer by rounding alone wins only where it goes on from the place itself.
        var best = 0
        for edge in edges.indices {
          let place = (x: alone.column(1)[best], y: alone.column(2)[best])
          let goesOn = [places[edge], places[edge + 1]].contains { $0 == place }
          let margin = goesOn ? 0 : model.tieMargin
          if alone.column(0)[edge] < alone.column(0)[best] - margin { best = edge }
        }
        var expected = alone.columns.enumerated().map { $0 == 3 ? Double(best) : $1[best] }
        expected[0] = alone.column(0).min() ?? .nan
        #expect(whole.columns.map { $0[row] } == expected, "seed \(seed) round \(round) point \(point)")
      }
    }
  }

  /// The closest place lies on the edge, no place of a sample of the edge is nearer, and `along` leads to it.
  @Test(arguments: ClosestModel.allCases) func noSampledPlaceIsNearer(_ model: ClosestModel) throws {
    let seed = testSeed()
    var figures = ClosestFigures(random: TestRandom(seed: seed), model: model)
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    for _ in 0..<(TestScale.isLarge ? 400 : 40) {
      let size = pow(10, figures.number(-4, 2))
      let a = figures.place()
      let (b, point) = (figures.step(a, size), figures.step(a, size))
      let text = "seed \(seed): \(point) from \(a) to \(b)"
      let line = try model.geoms(["LINESTRING(\(ClosestFigures.wkt([a, b])))"])
      let from = try model.geoms(["POINT(\(point.x) \(point.y))"])
      let closest = native.pair(MRD_MEASURE_CLOSEST, from, line, columns: 6).columns.map { $0[0] }
      let samples = 200
      let lines = try model.geoms(Array(repeating: "LINESTRING(\(ClosestFigures.wkt([a, b])))", count: samples + 1))
      let shares = (0...samples).map { Double($0) / Double(samples) }
      let places = native.measure(MRD_MEASURE_INTERPOLATE, lines, columns: 3, fraction: shares)
      let reached = try model.geoms(shares.indices.map { "POINT(\(places.column(0)[$0]) \(places.column(1)[$0]))" })
      let points = try model.geoms(shares.map { _ in "POINT(\(point.x) \(point.y))" })
      let distances = native.pair(MRD_MEASURE_DISTANCE, points, reached, columns: 1).column(0)
      #expect(closest[0] <= (distances.min() ?? 0) + model.bound, "\(text)")
      let foot = try model.geoms(["POINT(\(closest[1]) \(closest[2]))"])
      let length = native.measure(MRD_MEASURE_LENGTH, line).column(0)[0]
      let along = native.measure(
        MRD_MEASURE_INTERPOLATE, line, columns: 3, distance: [min(closest[4], length)])
      let there = try model.geoms(["POINT(\(along.column(0)[0]) \(along.column(1)[0]))"])
      let gap = native.pair(MRD_MEASURE_DISTANCE, foot, there, columns: 1).column(0)[0]
      #expect(gap <= 2 * model.bound || closest[0] == 0, "\(text): \(gap)")
      let again = native.pair(MRD_MEASURE_DISTANCE, from, foot, columns: 1).column(0)[0]
      #expect(abs(again - closest[0]) <= model.bound, "\(text)")
    }
  }

  /// Against the smallest distance of sampled places of both: not more, and less by half a step of each sample at most.
  @Test(arguments: ClosestModel.allCases) func distancesOfLinesMatchSamples(_ model: ClosestModel) throws {
    let seed = testSeed()
    var figures = ClosestFigures(random: TestRandom(seed: seed), model: model)
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    var crossings = 0
    for round in 0..<(TestScale.isLarge ? 300 : 40) {
      let size = pow(10, figures.number(-3, 1.5))
      let start = figures.place()
      // Every other pair starts close by, so that some cross.
      let other = figures.step(start, round % 2 == 0 ? size * 0.2 : size * 3)
      let one = figures.walk(start, Int(figures.number(2, 6)), size)
      let two = figures.walk(other, Int(figures.number(2, 6)), size)
      let (a, b) = (
        try model.geoms(["LINESTRING(\(ClosestFigures.wkt(one)))"]),
        try model.geoms(["LINESTRING(\(ClosestFigures.wkt(two)))"])
      )
      let there = native.pair(MRD_MEASURE_DISTANCE, a, b, columns: 1)
      let back = native.pair(MRD_MEASURE_DISTANCE, b, a, columns: 1)
      #expect(there.status == MRD_OK && there.column(0) == back.column(0), "seed \(seed)")
      let distance = there.column(0)[0]
      if distance == 0 { crossings += 1 }
      let longest = max(
        native.measure(MRD_MEASURE_LENGTH, a).column(0)[0], native.measure(MRD_MEASURE_LENGTH, b).column(0)[0])
      let step = longest / 150
      func sample(_ line: TestGeoms) throws -> TestGeoms {
        let dense = native.densify(line, metres: step, coord: step).call
        let (x, y) = (dense.values(MRD_BUF_X, Double.self), dense.values(MRD_BUF_Y, Double.self))
        return try model.geoms(["MULTIPOINT(\(ClosestFigures.wkt(zip(x, y).map { (x: $0, y: $1) })))"])
      }
      let sampled = native.pair(MRD_MEASURE_DISTANCE, try sample(a), try sample(b), columns: 1).column(0)[0]
      let lines = "\(ClosestFigures.wkt(one)) | \(ClosestFigures.wkt(two))"
      let text = "seed \(seed) round \(round): \(distance) \(sampled) \(lines)"
      #expect(distance <= sampled + model.bound, "\(text)")
      #expect(distance >= sampled - step * 1.001 - model.bound, "\(text)")
    }
    #expect(crossings > 0, "seed \(seed)")
  }

  /// A star round a place: what lies well inside its rays is inside, what lies well outside is not, at poles and over the
  /// antimeridian as well, whatever its winding.
  @Test(arguments: ClosestModel.allCases) func starsHoldWhatIsInside(_ model: ClosestModel) throws {
    let seed = testSeed()
    var figures = ClosestFigures(random: TestRandom(seed: seed), model: model)
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    for round in 0..<(TestScale.isLarge ? 200 : 20) {
      let centre = figures.place()
      let size = pow(10, figures.number(0, model.isGlobe ? 6.3 : 2))
      let count = Int(figures.number(8, 200))
      let radii = (0..<count).map { _ in size * figures.number(0.5, 1) }
      func around(_ azimuths: [Double], _ distances: [Double]) throws -> [(x: Double, y: Double)] {
        let origin = try model.geoms(azimuths.map { _ in "POINT(\(centre.x) \(centre.y))" })
        let ends = native.direct(origin, azimuth: azimuths, distance: distances)
        return azimuths.indices.map { (ends.column(0)[$0], ends.column(1)[$0]) }
      }
      var ring = try around((0..<count).map { 360 * Double($0) / Double(count) }, radii)
      if round % 2 == 0 { ring.reverse() }
      ring.append(ring[0])
      let polygon = try model.geoms(["POLYGON((\(ClosestFigures.wkt(ring))))"])
      // Between two rays an edge comes nearer than both ends by the cosine of half their angle at most.
      let near = 0.5 * cos(.pi / Double(count)) * 0.95
      let inside = try around(
        (0..<10).map { Double($0) * 36 + figures.number(0, 36) }, (0..<10).map { _ in size * figures.number(0, near) })
      let outside = try around(
        (0..<10).map { Double($0) * 36 + figures.number(0, 36) }, (0..<10).map { _ in size * figures.number(1.05, 1.4) }
      )
      let points = try model.geoms((inside + outside).map { "POINT(\($0.x) \($0.y))" })
      let result = native.pair(MRD_MEASURE_CLOSEST, points, polygon, columns: 6, broadcast: true)
      for row in 0..<20 {
        let isInside = result.column(0)[row] == 0 && result.column(3)[row] == -1
        #expect(isInside == (row < 10), "seed \(seed) round \(round) row \(row): centre \(centre) size \(size)")
      }
      // What is inside has no distance, from whatever side; a line outside has one.
      let lines = try model.geoms([
        "LINESTRING(\(ClosestFigures.wkt([inside[0], inside[1]])))",
        "LINESTRING(\(ClosestFigures.wkt([inside[2], outside[2]])))",
      ])
      let distances = native.pair(MRD_MEASURE_DISTANCE, lines, polygon, columns: 1, broadcast: true).column(0)
      #expect(distances == [0, 0], "seed \(seed) round \(round): centre \(centre) size \(size)")
    }
  }

  /// All levels, layouts and splits give the same bits, for all types.
  @Test(arguments: ClosestModel.allCases) func everyLevelGivesTheSameBits(_ model: ClosestModel) throws {
    let seed = testSeed()
    var figures = ClosestFigures(random: TestRandom(seed: seed), model: model)
    let count = TestScale.isLarge ? 3000 : 60
    var rows: [(a: String, point: String)] = []
    for _ in 0..<count {
      let start = figures.place()
      let size = pow(10, figures.number(-3, 1.5))
      let line = figures.walk(start, Int(figures.number(2, 12)), size)
      let point = figures.step(start, size * 3)
      rows.append(("LINESTRING(\(ClosestFigures.wkt(line)))", "POINT(\(point.x) \(point.y))"))
    }
    var expected: (closest: [[Double]], distance: [Double])?
    for level in NativeLevels.runnable {
      let native = try MeasureRun(LoadedLibrary(level))
      let (lines, points) = (try model.geoms(rows.map(\.a)), try model.geoms(rows.map(\.point)))
      let turned = try model.geoms(rows.map(\.a).reversed())
      let closest = native.pair(MRD_MEASURE_CLOSEST, points, lines, columns: 6)
      let distance = native.pair(MRD_MEASURE_DISTANCE, lines, turned, columns: 1)
      #expect(closest.status == MRD_OK && distance.status == MRD_OK)
      if let expected {
        #expect(closest.columns == expected.closest && distance.column(0) == expected.distance, "seed \(seed) \(level)")
      } else {
        expected = (closest.columns, distance.column(0))
      }
      let part = 7..<29
      let some = native.pair(
        MRD_MEASURE_CLOSEST, try model.geoms(rows[part].map(\.point)), try model.geoms(rows[part].map(\.a)), columns: 6)
      #expect(some.columns == closest.columns.map { Array($0[part]) }, "seed \(seed) \(level)")
    }
  }
}
