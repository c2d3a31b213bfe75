// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

private let radius = 6_371_008.8

@Suite struct SphericalMeasureTests {
  let native: MeasureRun
  init() throws { native = try MeasureRun(LoadedLibrary("MeridianNative")) }

  private func sphere(_ wkt: [String?]) throws -> TestGeoms {
    try TestGeoms(wkt, edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, radius: radius)
  }
  private func isNear(_ value: Double, _ exact: Double, relative: Double) -> Bool {
    abs(value - exact) <= relative * abs(exact)
  }
  private let whole = 4 * Double.pi * radius * radius

  @Test func areasWithClosedForms() throws {
    let cases: [(String, Double)] = [
      ("POLYGON((0 0,90 0,90 90,0 0))", whole / 8),
      ("POLYGON((0 0,0 90,90 0,0 0))", -whole / 8),
      ("POLYGON((0 -90,10 0,10 90,0 0,0 -90))", whole / 36),
      ("POLYGON((170 -90,190 0,190 90,170 0,170 -90))", whole / 18),
      // A hemisphere, and the world as a rectangle of great circles, which has no area.
      ("POLYGON((0 0,120 0,240 0,0 0))", whole / 2),
      ("POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))", 0),
      ("POLYGON((-180 -60,180 -60,180 60,-180 60,-180 -60))", 0),
      // Right over the pole: half of the lune between two meridians and the equator, twice.
      ("POLYGON((0 0,90 0,180 0,0 0))", whole / 4),
    ]
    let result = native.measure(MRD_MEASURE_AREA_SIGNED, try sphere(cases.map(\.0)))
    for (row, expected) in cases.enumerated() {
      #expect(isNear(result.column(0)[row], expected.1, relative: 1e-14), "\(expected) \(result.column(0)[row])")
    }
    let left = native.measure(MRD_MEASURE_AREA_SIGNED, try sphere([cases[1].0]), side: MRD_SIDE_LEFT)
    #expect(isNear(left.column(0)[0], whole * 7 / 8, relative: 1e-14))
  }

  @Test func aDenseRingIsNearlyACap() throws {
    let ring = (0...3600).map { "\(Double($0 % 3600) / 10) 60" }.joined(separator: ",")
    let area = native.measure(MRD_MEASURE_AREA, try sphere(["POLYGON((\(ring)))"])).column(0)[0]
    // A regular n-gon of half-width w at latitude p: n times 2 atan(tan w sin p) is missing from 2 pi.
    let w = Double.pi / 3600
    let exact = (2 * .pi - 3600 * 2 * atan(tan(w) * sin(.pi / 3))) * radius * radius
    #expect(isNear(area, exact, relative: 1e-12))
    #expect(isNear(area, 2 * .pi * radius * radius * (1 - sin(.pi / 3)), relative: 1e-5))
  }

  @Test func tinyFiguresKeepTheirDigits() throws {
    // Squares from a millimetre to ten kilometres across: area = R^2 dlon (sin - sin) but for the bulge of the edges.
    for exponent in [-8, -6, -4, -2] {
      let size = pow(10.0, Double(exponent))
      // Corners that are exact in binary have an exact difference.
      let step = exp2((log2(size)).rounded())
      let wkt = "POLYGON((8 32,\(8 + step) 32,\(8 + step) \(32 + step),8 \(32 + step),8 32))"
      let area = native.measure(MRD_MEASURE_AREA, try sphere([wkt])).column(0)[0]
      let radians = Double.pi / 180
      let rise = step * radians
      // Area under a great-circle edge over dlon at latitude p is 2 atan(tan(dlon/2) sin p / cos 0); the difference of two
      // by the addition theorem of atan.
      let t = tan(rise / 2)
      let (high, low) = (sin((32 + step) * radians), sin(32 * radians))
      let difference = 2 * cos((32 + step / 2) * radians) * sin(rise / 2)
      let exact = 2 * atan(t * difference / (1 + t * t * high * low)) * radius * radius
      #expect(isNear(area, exact, relative: 1e-11), "\(wkt) \(area) \(exact)")
    }
  }

  @Test func distancesFromNanometresToAntipodes() throws {
    let a = try sphere(["POINT(0 0)", "POINT(10 50)", "POINT(0 0)", "POINT(0 45)", "POINT(179.5 0)", "POINT(0 90)"])
    let b = try sphere([
      "POINT(90 0)", "POINT(10 50.00000000001)", "POINT(180 1e-9)", "POINT(180 45)", "POINT(-179.5 0)", "POINT(0 -90)",
    ])
    let degree = Double.pi / 180 * radius
    let exact = [90 * degree, (50.00000000001 - 50) * degree, (180 - 1e-9) * degree, 90 * degree, degree, 180 * degree]
    let there = native.pair(MRD_MEASURE_INVERSE, a, b, columns: 3)
    let back = native.pair(MRD_MEASURE_INVERSE, b, a, columns: 3)
    for row in exact.indices {
      #expect(isNear(there.column(0)[row], exact[row], relative: 4e-15), "\(row) \(there.column(0)[row]) \(exact[row])")
    }
    #expect(there.column(0) == back.column(0))
    #expect(there.column(1)[0] == 90 && there.column(1)[3] == 0 && there.column(2)[3] == 180)
    #expect(there.statuses[3] == MRD_ITEM_WARN_AMBIGUOUS_EDGE)
  }

  /// The vector loops against the same formula in 80 bits, on every level, split and layout.
  @Test func distancesOfManyPairs() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let pairs = (0..<700).map { row -> (Double, Double, Double, Double) in
      let (x, y) = (Double.random(in: -400...400, using: &random), Double.random(in: -90...90, using: &random))
      let near = exp2(Double.random(in: -40...0, using: &random))
      switch row % 4 {
      case 0:
        return (x, y, Double.random(in: -180...180, using: &random), Double.random(in: -90...90, using: &random))
      case 1:
        return (x, y, x + near, min(90, y + near / 3))
      case 2: return (x, y, x + 180 + near, max(-90, -y - near))
      default: return (x, 90 - near, Double.random(in: -180...180, using: &random), 90 - near / 2)
      }
    }
    let radius = 6_371_008.7714150598
    var seen: [[Double]] = []
    for level in NativeLevels.runnable {
      let native = try MeasureRun(LoadedLibrary(level))
      for layout in TestLayout.allCases {
        func points(_ places: [(Double, Double)]) throws -> TestGeoms {
          try TestGeoms(
            places.map { "POINT(\($0.0) \($0.1))" }, edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE,
            radius: radius, layout: layout)
        }
        let a = try points(pairs.map { ($0.0, $0.1) })
        let b = try points(pairs.map { ($0.2, $0.3) })
        let there = native.pair(MRD_MEASURE_DISTANCE, a, b, columns: 1)
        #expect(there.isIntact && there.column(0) == native.pair(MRD_MEASURE_DISTANCE, b, a, columns: 1).column(0))
        seen.append(there.column(0))
        let one = native.pair(MRD_MEASURE_DISTANCE, a, try points([(5, 6)]), columns: 1, broadcast: true)
        let lines = try TestGeoms(
          pairs.map { "LINESTRING(\($0.0) \($0.1),\($0.2) \($0.3))" }, edges: MRD_EDGES_GREAT_CIRCLE,
          metric: MRD_METRIC_SPHERE, radius: radius, layout: layout)
        #expect(native.measure(MRD_MEASURE_LENGTH, lines).column(0) == there.column(0), "seed \(seed)")
        let other = native.pair(
          MRD_MEASURE_DISTANCE, a, try points(Array(repeating: (5, 6), count: pairs.count)), columns: 1)
        #expect(one.column(0) == other.column(0), "seed \(seed)")
      }
    }
    for other in seen { #expect(other == seen[0], "seed \(seed)") }
    #if arch(x86_64)
      for (row, pair) in pairs.enumerated() {
        let exact = Double(distance80(pair) * Float80(radius))
        #expect(abs(seen[0][row] - exact) <= 2e-15 * exact, "seed \(seed): \(pair) \(seen[0][row]) \(exact)")
      }
    #endif
  }

  /// From pole to pole, nearly: the product of the cosines is a small difference of squares near 1.
  @Test func nearlyHalfARoundByThePoles() throws {
    let ends = [
      (130.401465854342, -90.0, 310.4011586410273, 89.99900700896954), (0.0, 89.999, 180.0, -89.998),
      (10.0, -90.0, 20.0, 90.0), (0.0, 89.99999, 60.0, -89.999995),
    ]
    let lines = try sphere(ends.map { "LINESTRING(\($0.0) \($0.1),\($0.2) \($0.3))" })
    let lengths = native.measure(MRD_MEASURE_LENGTH, lines).column(0)
    #if arch(x86_64)
      for (row, end) in ends.enumerated() {
        let exact = Double(distance80(end) * Float80(radius))
        #expect(abs(lengths[row] - exact) <= 2e-15 * exact, "\(end) \(lengths[row]) \(exact)")
      }
    #endif
    #expect(lengths[2] == .pi * radius)
  }

  #if arch(x86_64)
    /// By half angles, from differences of the degrees; the angle by its sine's series or two square roots.
    private func distance80(_ pair: (Double, Double, Double, Double)) -> Float80 {
      let radians = Float80.pi / 180
      var turn = Float80(pair.2) - Float80(pair.0)
      turn -= 360 * (turn / 360).rounded()
      let (from, to) = (Float80(pair.1), Float80(pair.3))
      func square(_ degrees: Float80) -> Float80 {
        let sine = Foundation.sin(degrees * radians)
        return sine * sine
      }
      // Colatitudes keep the digits of cosines near a pole.
      let cosines = Foundation.sin((90 - from) * radians) * Foundation.sin((90 - to) * radians)
      let sinSquared = square((to - from) / 2) + cosines * square(turn / 2)
      let cosSquared = square((to + from) / 2) + cosines * square(90 - abs(turn) / 2)
      return 2 * Foundation.atan2(sinSquared.squareRoot(), cosSquared.squareRoot())
    }
  #endif

  #if arch(x86_64)
    /// The end of the way, in the frame of the start's meridian, in 80 bits.
    private func direction80(_ from: (Double, Double), _ to: (Double, Double)) -> (azimuth: Double, sine: Double) {
      let radians = Float80.pi / 180
      let turn = (Float80(to.0) - Float80(from.0)) * radians
      let sin1 = Foundation.sin(Float80(from.1) * radians)
      let cos2 = Foundation.sin((90 - Float80(to.1)) * radians)
      let half = Foundation.sin(turn / 2)
      let east = cos2 * Foundation.sin(turn)
      let north = Foundation.sin((Float80(to.1) - Float80(from.1)) * radians) + 2 * sin1 * cos2 * half * half
      return (
        Double(Foundation.atan2(east, north) / radians), Double((east * east + north * north).squareRoot())
      )
    }

    /// M7: the error of an azimuth times the reduced length is at most 15 nm and 4e-16 radians.
    @Test func azimuthsOfPairsFarNearAndOpposite() throws {
      let seed = testSeed()
      var random = TestRandom(seed: seed)
      var (from, to): ([(Double, Double)], [(Double, Double)]) = ([], [])
      for index in 0..<1_000 {
        let a = (
          Double.random(in: -180...180, using: &random), asin(Double.random(in: -1...1, using: &random)) * 180 / .pi
        )
        let step = pow(10, Double.random(in: -9...0, using: &random))
        let dx = Double.random(in: -step...step, using: &random)
        let dy = Double.random(in: -step...step, using: &random)
        let far = (Double.random(in: -540...540, using: &random), Double.random(in: -90...90, using: &random))
        from.append(a)
        switch index % 4 {
        case 0: to.append(far)
        case 1: to.append((a.0 + 180 + dx, max(-90, min(90, -a.1 + dy))))
        default: to.append((a.0 + dx, max(-90, min(90, a.1 + dy))))
        }
      }
      let points = { (places: [(Double, Double)]) in try self.sphere(places.map { "POINT(\($0.0) \($0.1))" }) }
      let (a, b) = (try points(from), try points(to))
      let result = native.pair(MRD_MEASURE_INVERSE, a, b, columns: 3)
      let distances = native.pair(MRD_MEASURE_DISTANCE, a, b, columns: 1)
      #expect(result.column(0) == distances.column(0))
      for row in from.indices where result.statuses[row] != MRD_ITEM_DEGENERATE {
        let (there, back) = (direction80(from[row], to[row]), direction80(to[row], from[row]))
        let allowed = 15e-9 / max(there.sine * radius, 1e-300) + 4e-16
        for (found, exact) in [(result.column(1)[row], there.azimuth), (result.column(2)[row], back.azimuth + 180)] {
          let error = abs((found - exact).remainder(dividingBy: 360)) * .pi / 180
          #expect(error <= allowed + 2e-16, "seed \(seed) row \(row): \(from[row]) \(to[row]) \(found) \(exact)")
        }
      }
    }
  #endif

  @Test func azimuthsOfPairsThatHaveSpecialOnes() throws {
    let pairs: [(from: String, to: String, azimuths: [Double], status: mrd_item_status)] = [
      ("1 2", "1 2", [0, 0], MRD_ITEM_DEGENERATE), ("-170 90", "55 90", [0, 0], MRD_ITEM_DEGENERATE),
      ("0 0", "180 0", [0, 180], MRD_ITEM_WARN_AMBIGUOUS_EDGE),
      ("0 10", "180 10", [0, 180], MRD_ITEM_WARN_AMBIGUOUS_EDGE),
      ("-90 0", "90 0", [0, 180], MRD_ITEM_WARN_AMBIGUOUS_EDGE),
      ("0 -10", "-180 -10", [180, 0], MRD_ITEM_WARN_AMBIGUOUS_EDGE), ("10 5", "10 -5", [180, 180], MRD_ITEM_OK),
      ("10 -5", "370 5", [0, 0], MRD_ITEM_OK), ("0 0", "90 0", [90, 90], MRD_ITEM_OK),
      ("0 0", "-90 0", [-90, -90], MRD_ITEM_OK), ("170 0", "-170 0", [90, 90], MRD_ITEM_OK),
    ]
    let (a, b) = (try sphere(pairs.map { "POINT(\($0.from))" }), try sphere(pairs.map { "POINT(\($0.to))" }))
    let result = native.pair(MRD_MEASURE_INVERSE, a, b, columns: 3)
    for (row, pair) in pairs.enumerated() {
      #expect([result.column(1)[row], result.column(2)[row]] == pair.azimuths, "\(pair)")
      #expect(result.statuses[row] == pair.status, "\(pair)")
    }
  }

  @Test func directUndoesInverse() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let from = (0..<200).map { _ in
      (Double.random(in: -180...180, using: &random), Double.random(in: -90...90, using: &random))
    }
    let to = (0..<200).map { _ in
      (Double.random(in: -180...180, using: &random), Double.random(in: -90...90, using: &random))
    }
    let (a, b) = (try sphere(from.map { "POINT(\($0.0) \($0.1))" }), try sphere(to.map { "POINT(\($0.0) \($0.1))" }))
    let inverse = native.pair(MRD_MEASURE_INVERSE, a, b, columns: 3)
    let ends = native.direct(a, azimuth: inverse.column(1), distance: inverse.column(0))
    let reached = try sphere(from.indices.map { "POINT(\(ends.column(0)[$0]) \(ends.column(1)[$0]))" })
    let gaps = native.pair(MRD_MEASURE_DISTANCE, b, reached, columns: 1).column(0)
    for row in from.indices { #expect(gaps[row] < 15e-9, "seed \(seed) row \(row): \(gaps[row])") }
  }

  /// Any number of turns is taken off a longitude before anything is added to it.
  @Test func directFromLongitudesOfManyTurns() throws {
    let quarter = Double.pi / 2 * radius
    let turns = [0.0, 360, 1080, -7200, 999_720, 0x1p54 * 360]
    let starts = try sphere(turns.map { "POINT(\($0) 0)" })
    let ends = native.direct(starts, azimuth: turns.map { _ in 90 }, distance: turns.map { _ in quarter })
    for (row, turn) in turns.enumerated() {
      #expect(abs(ends.column(0)[row] - 90) < 1e-13, "\(turn): \(ends.column(0)[row])")
    }
    // Starts whose doubles are what they are: from the same place in the first turn one comes to the same place.
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let far = (0..<100).map { _ in Double.random(in: -1e6...1e6, using: &random) }
    let near = far.map { $0.remainder(dividingBy: 360) }
    let latitudes = far.map { _ in Double.random(in: -80...80, using: &random) }
    func run(_ longitudes: [Double]) throws -> [Double] {
      let points = try sphere(zip(longitudes, latitudes).map { "POINT(\($0) \($1))" })
      return native.direct(points, azimuth: far, distance: far.map { abs($0) }).column(0)
    }
    let (one, other) = (try run(far), try run(near))
    // 15 nm at the equator.
    for row in far.indices {
      #expect(abs((one[row] - other[row]).remainder(dividingBy: 360)) < 1.3e-13, "seed \(seed): \(far[row])")
    }
    let lines = try sphere(far.indices.map { "LINESTRING(\(far[$0]) 10,\(far[$0] + 10) 20)" })
    let lineShares = far.map { _ in 0.5 }
    let middles = native.measure(MRD_MEASURE_INTERPOLATE, lines, columns: 3, fraction: lineShares).column(0)
    let firstTurn = try sphere(
      far.indices.map { "LINESTRING(\(near[$0]) 10,\((far[$0] + 10).remainder(dividingBy: 360)) 20)" })
    let plain = native.measure(MRD_MEASURE_INTERPOLATE, firstTurn, columns: 3, fraction: lineShares).column(0)
    for row in far.indices {
      #expect(abs((middles[row] - plain[row]).remainder(dividingBy: 360)) < 1.3e-13, "seed \(seed): \(far[row])")
    }
  }

  /// A pole that a hole takes out of the shell is not inside, though the shell goes round it.
  @Test func boundsOfShellsWithHolesOverPoles() throws {
    func cap(_ latitude: Int) -> String { "(0 \(latitude),120 \(latitude),240 \(latitude),0 \(latitude))" }
    let bounds = native.measure(
      MRD_MEASURE_BOUNDS,
      try sphere([
        "POLYGON(\(cap(60)),\(cap(80)))", "POLYGON(\(cap(-60)),\(cap(-80)))",
        "POLYGON(\(cap(60)),(10 80,20 80,20 85,10 80))",
      ]), columns: 4)
    #expect(bounds.column(0) == [-180, -180, -180] && bounds.column(2) == [180, 180, 180])
    // The edges of the hole bulge to the pole: tan = tan 80 / cos 60 in the middle of an edge.
    let highest = atan(tan(80 * Double.pi / 180) / 0.5) * 180 / .pi
    #expect(abs(bounds.column(3)[0] - highest) < 1e-11 && bounds.column(1)[0] == 60)
    #expect(abs(bounds.column(1)[1] + highest) < 1e-11 && bounds.column(3)[1] == -60)
    #expect(bounds.column(3)[2] == 90)
  }

  @Test func boundsOfEdgesPolesAndTheAntimeridian() throws {
    let polygons = try sphere([
      "POLYGON((0 60,120 60,240 60,0 60))", "POLYGON((0 -60,240 -60,120 -60,0 -60))",
      "POLYGON((170 0,-170 0,-170 5,170 0))",
      "POLYGON((170 0,180 0,180 5,170 0))", "POLYGON((0 50,60 50,30 10,0 50))",
    ])
    let bounds = native.measure(MRD_MEASURE_BOUNDS, polygons, columns: 4)
    #expect(bounds.columns.map { $0[0] } == [-180, 60, 180, 90])
    #expect(bounds.columns.map { $0[1] } == [-180, -90, 180, -60])
    #expect(bounds.columns.map { $0[2] }.prefix(3) == [170, 0, -170])
    #expect(bounds.columns.map { $0[3] }.prefix(3) == [170, 0, 180])
    // The highest point of the edge from (0, 50) to (60, 50): tan = tan 50 / cos 30.
    let highest = atan(tan(50 * Double.pi / 180) / cos(Double.pi / 6)) * 180 / .pi
    #expect(bounds.column(3)[4] >= highest && bounds.column(3)[4] - highest < 1e-12)

    let points = try sphere(["MULTIPOINT(170 0,-170 1,100 2)", "MULTIPOINT(0 0,180 0)", "MULTIPOINT(10 0,190 0,-90 0)"])
    let places = native.measure(MRD_MEASURE_BOUNDS, points, columns: 4)
    #expect([places.column(0)[0], places.column(2)[0]] == [100, -170])
    // Two equal gaps: the westmost goes.
    #expect([places.column(0)[1], places.column(2)[1]] == [0, 180])
    #expect([places.column(0)[2], places.column(2)[2]] == [-170, 10])
  }

  @Test func centroids() throws {
    let geoms = try sphere([
      "POLYGON((0 0,90 0,90 90,0 0))", "POLYGON((179 -1,-179 -1,-179 1,179 1,179 -1))",
      "POLYGON((0 0,90 0,180 0,270 0,0 0))",
      "POLYGON((8 32,8.00000001 32,8.00000001 32.00000001,8 32.00000001,8 32))",
    ])
    let result = native.measure(MRD_MEASURE_CENTROID, geoms, columns: 2)
    #expect(abs(result.column(0)[0] - 45) < 1e-12)
    #expect(abs(result.column(1)[0] - atan(0.5.squareRoot()) * 180 / .pi) < 1e-12)
    #expect(abs(abs(result.column(0)[1]) - 180) < 1e-12 && abs(result.column(1)[1]) < 1e-12)
    #expect(result.column(1)[2] == 90)
    #expect(abs(result.column(0)[3] - 8.000000005) < 1e-13 && abs(result.column(1)[3] - 32.000000005) < 1e-13)
    let opposite = native.measure(MRD_MEASURE_CENTROID, try sphere(["MULTIPOINT(0 0,180 0)"]), columns: 2)
    #expect(opposite.statuses == [MRD_ITEM_DEGENERATE] && opposite.column(0)[0].isNaN)
  }

  @Test func emptyPointsInMultipoints() throws {
    let geoms = try sphere(["MULTIPOINT(nan nan,170 0,-170 0)", "MULTIPOINT(nan nan)", "MULTIPOINT(10 nan)"])
    let statuses = [MRD_ITEM_OK, MRD_ITEM_EMPTY, MRD_ITEM_NONFINITE]
    let bounds = native.measure(MRD_MEASURE_BOUNDS, geoms, columns: 4)
    #expect(bounds.statuses == statuses && bounds.columns.map { $0[0] } == [170, 0, -170, 0])
    let centroid = native.measure(MRD_MEASURE_CENTROID, geoms, columns: 2)
    #expect(centroid.statuses == statuses)
    #expect(abs(abs(centroid.column(0)[0]) - 180) < 1e-12 && abs(centroid.column(1)[0]) < 1e-12)
  }

  @Test func latitudesOutsideTheDomainAreRowErrors() throws {
    let result = native.measure(MRD_MEASURE_LENGTH, try sphere(["LINESTRING(10 95,11 20)", "LINESTRING(0 0,1 0)"]))
    #expect(result.statuses == [MRD_ITEM_DOMAIN, MRD_ITEM_OK])
  }
}
