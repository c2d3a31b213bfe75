// SPDX-License-Identifier: Apache-2.0
import Meridian
import Testing

@testable import MeridianBench

/// The workloads have the counts and the statistics that they are described by. Fixed seeds: a failure repeats.
@Suite struct WorkloadTests {
  static let workloads = Workloads(scale: 0.01, seed: 7)
  var workloads: Workloads { Self.workloads }

  @Test func sizesAreThePublishedOnes() {
    let full = WorkloadSize(scale: 1)
    #expect(full.pairs == 1_000_000 && full.lines == 100_000 && full.lineVertices == 50)
    #expect(full.smallRings == 100_000 && full.rings == 10_000 && full.coasts == 10)
    #expect(full.coastVertices == 200_001 && full.segments == 1_001_112 && full.boxes == 1_000_000)
    #expect(full.queries == 100_000)
    #expect(WorkloadSize(scale: .nan) == full && WorkloadSize(scale: -1).scale == 1e-5)
  }

  @Test func nothingIsMadeBeforeItIsAskedFor() throws {
    let fresh = Workloads(scale: 0.001, seed: 1)
    for suite in Suite.allCases { _ = try Catalogue.cases(suite: suite, fresh) }
    #expect(!fresh.p1.isMade && !fresh.g1.isMade && !fresh.g3.isMade && !fresh.g4.isMade && !fresh.b1.isMade)
    _ = try fresh.g1.value()
    #expect(fresh.g1.isMade && !fresh.g2.isMade)
  }

  @Test func theSameSeedGivesTheSameWorkload() throws {
    func first(_ seed: UInt64) throws -> [Double] {
      let made = Workloads(scale: 0.0005, seed: seed)
      let (g4, b2) = (try made.g4.value(), try made.b2.value())
      return [
        try made.p1.value().a.arrays[0].x(3), try made.l1.value().arrays[0].y(99), g4.set.arrays[0].x(501),
        try made.g3.value().arrays[0].x(70), b2.boxes.xmin[9], b2.windows.ymax[9],
      ]
    }
    #expect(try first(11) == first(11))
    let (one, other) = (try first(11), try first(12))
    #expect(zip(one, other).allSatisfy { $0 != $1 })
  }

  @Test func pointsAreUniformOnTheSphere() throws {
    let pairs = try workloads.p1.value()
    #expect(pairs.a.count == 10_000 && pairs.b.count == 10_000)
    let array = pairs.b.arrays[0]
    let heights = (0..<array.count).map { sine(array.y($0)) }
    let mean = heights.reduce(0, +) / Double(heights.count)
    let variance = heights.reduce(0) { $0 + $1 * $1 } / Double(heights.count)
    // Uniform in [-1, 1]: mean 0, variance 1/3; five standard errors.
    #expect(abs(mean) < 5 * 0.577 / 100 && abs(variance - 1.0 / 3) < 5 * 0.298 / 100)
    #expect((0..<array.count).allSatisfy { abs(array.x($0)) <= 180 && abs(array.y($0)) <= 90 })
  }

  @Test func nearPairsAreWithinTenKilometres() throws {
    let pairs = try workloads.p2.value()
    let truth = SphereTruth.distances(pairs.a, pairs.b, radius: NamedModel.radius, rows: Array(0..<500))
    let distances = truth.exact.map { $0[0].high }
    // 111,700 m a degree is a little more than the sphere has.
    #expect(distances.allSatisfy { $0 <= 10_000 })
    // The mean of sqrt(u) is 2/3.
    let mean = distances.reduce(0, +) / 500
    #expect(abs(mean - 6667) < 5 * 2357 / 500.0.squareRoot() + 50)
  }

  @Test func tracksStepByATenthOfAMillidegreeToTwo() throws {
    let set = try workloads.l1.value()
    #expect(set.count == 1000 && set.arrays[0].coordinateCount == 50_000)
    let lengths = set.segments.map(\.length)
    #expect(lengths.count == 49_000)
    #expect(lengths.allSatisfy { $0 > 0.000199 && $0 < 0.002001 })
    #expect(abs(lengths.reduce(0, +) / 49_000 - 0.0011) < 0.00002)
  }

  @Test(arguments: ["G1", "G2"]) func ringsAreSimple(_ name: String) throws {
    let set = try name == "G1" ? workloads.g1.value() : workloads.g2.value()
    let vertices = name == "G1" ? 11 : 501
    #expect(set.count == (name == "G1" ? 1000 : 100))
    #expect((0..<set.count).allSatisfy { set.vertices(ofRow: $0) == vertices })
    let judged = name == "G1" ? 1000 : 6
    let invalid = (0..<judged).filter { BruteForceValidity.verdict(set, row: $0) != true }
    #expect(invalid.isEmpty, "rows that are not simple: \(invalid)")
  }

  @Test func coastsAreSimpleAndRoughAtEveryScale() throws {
    let small = Workloads(scale: 0.005, seed: 3)
    let set = try small.g3.value()
    #expect(set.count == 10 && set.vertices(ofRow: 0) == 1001)
    #expect(BruteForceValidity.verdict(set, row: 0) == true)
    var random = SeededRandom(seed: 5)
    let noise = Coast.noise(4096, &random)
    let mean = noise.reduce(0, +) / 4096
    #expect(abs(mean) < 1e-12)
    #expect(abs((noise.reduce(0) { $0 + $1 * $1 } / 4096).squareRoot() - 0.15) < 1e-12)
    // Amplitudes fall as 1 / k^1.25: four octaves make a factor of 2^-5.
    func amplitude(_ frequency: Int) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for (place, value) in noise.enumerated() {
        let turn = 360 * Double(frequency * place % 4096) / 4096
        real += value * sine(turn + 90)
        imaginary += value * sine(turn)
      }
      return (real * real + imaginary * imaginary).squareRoot()
    }
    #expect(abs(amplitude(32) / amplitude(2) - 0x1p-5) < 1e-9)
    #expect(abs(amplitude(1600) / amplitude(100) - 0x1p-5) < 1e-9)
  }

  @Test(arguments: [1, 2, 12, 30, 49, 64, 77]) func fourierSumsAreTheSums(_ count: Int) {
    var random = SeededRandom(seed: 2)
    let spectrum = (0..<count).map { _ in Complex(random.normal(), random.normal()) }
    let fast = Fourier.sum(spectrum)
    for place in 0..<count {
      var slow = Complex(0, 0)
      for (number, term) in spectrum.enumerated() {
        let turn = 360 * Double(number * place % count) / Double(count)
        slow = slow + term * Complex(sine(turn + 90), sine(turn))
      }
      #expect(abs(fast[place].real - slow.real) < 1e-12 && abs(fast[place].imaginary - slow.imaginary) < 1e-12)
    }
  }

  @Test func damageHasItsShares() throws {
    let faulty = try workloads.g4.value()
    #expect(faulty.set.count == 100 && faulty.kinds.count == 100)
    for kind in FaultyPolygons.Kind.allCases {
      #expect(faulty.kinds.count { $0 == kind } == (kind == .valid ? 92 : 2), "\(kind)")
    }
    #expect(FaultyPolygons.damaged(of: 10_000) == 250)
    #expect(faulty.set.vertexCount == FaultyPolygons.vertices(workloads.size))
    let invalid = try workloads.g4Invalid.value()
    #expect(invalid.count == 8 && invalid.vertexCount == workloads.invalidSet.vertices)
    // What is not damaged is G2.
    let g2 = try workloads.g2.value()
    let row = try #require(faulty.kinds.firstIndex(of: .valid))
    let places = (faulty.set.arrays[0].coordinates(ofRow: row), g2.arrays[0].coordinates(ofRow: row))
    #expect(faulty.set.arrays[0].x(places.0.lowerBound + 7) == g2.arrays[0].x(places.1.lowerBound + 7))
  }

  @Test func damagedRingsAreNotSimple() throws {
    let faulty = try workloads.g4.value()
    for (row, kind) in faulty.kinds.enumerated() where kind == .bowtie || kind == .selfTouch {
      #expect(BruteForceValidity.verdict(faulty.set, row: row) == false, "\(kind) in row \(row)")
    }
  }

  @Test func theNetworkIsAGrid() throws {
    let network = try workloads.s1.value()
    let side = workloads.size.networkSide
    #expect(side == 71 && network.segments.count == 2 * 71 * 70 && network.points.count == 1000)
    let segments = network.segments.segments
    let lengths = segments.map(\.length)
    #expect(abs(lengths.reduce(0, +) / Double(lengths.count) / Network.spacing - 1.01) < 0.02)
  }

  @Test func windowsHaveTheHitsThatTheyAreKnownFor() throws {
    for (boxes, expected, tolerance) in [(try workloads.b1.value(), 100.0, 5.0), (try workloads.b2.value(), 11.0, 2.0)]
    {
      #expect(boxes.boxes.count == 10_000 && boxes.windows.count == 1000 && boxes.points.count == 1000)
      let truth = BruteForceBoxes(boxes: boxes.boxes, queries: boxes.windows)
      let hits = (0..<1000).map { Double(truth.hits($0).count) }
      let mean = hits.reduce(0, +) / 1000
      #expect(abs(mean - expected) < tolerance, "\(mean) hits a window")
      #expect(boxes.sortedWindows.xmin.sorted() == boxes.windows.xmin.sorted())
      #expect(path(boxes.sortedWindows) < path(boxes.windows) / 5)
    }
  }

  /// How far it is from window to window.
  private func path(_ boxes: Boxes) -> Double {
    var length = 0.0
    for number in 1..<boxes.count {
      length += abs(boxes.xmin[number] - boxes.xmin[number - 1])
      length += abs(boxes.ymin[number] - boxes.ymin[number - 1])
    }
    return length
  }

  @Test func hilbertKeysVisitEveryCellInSteps() {
    // The 16 x 16 coarsest cells: keys are their order, and each is beside the one before.
    let cells = (0..<16).flatMap { x in (0..<16).map { y in (x: x, y: y) } }
      .map { (key: Hilbert.key(UInt32($0.x) << 12, UInt32($0.y) << 12) >> 24, x: $0.x, y: $0.y) }
      .sorted { $0.key < $1.key }
    #expect(cells.map(\.key) == (0..<256).map { UInt32($0) })
    for (one, two) in zip(cells, cells.dropFirst()) { #expect(abs(one.x - two.x) + abs(one.y - two.y) == 1) }
  }

  @Test func districtsCoverTheirRectangle() throws {
    let set = try workloads.c1.value()
    #expect(set.count == 100 && set.vertexCount == 100 * workloads.size.districtVertices)
    let areas = PlanarTruth.values(.area, set).exact.reduce(DoubleDouble(0)) { $0 + $1[0] }
    // Shared borders cancel; the outer ones wander.
    #expect(abs(areas.high - 1) < 0.01)
    #expect(BruteForceValidity.verdict(set, row: 0) == true && BruteForceValidity.verdict(set, row: 55) == true)
  }

  @Test func drawsAreUniform() {
    var random = SeededRandom(seed: 9)
    var counts = [Int](repeating: 0, count: 7)
    for _ in 0..<7000 { counts[random.index(below: 7)] += 1 }
    #expect(counts.allSatisfy { abs($0 - 1000) < 150 })
    let order = random.permutation(1000)
    #expect(order.sorted() == Array(0..<1000) && order != Array(0..<1000))
  }
}

/// Of degrees.
func sine(_ degrees: Double) -> Double { DoubleDouble.sineCosine(degrees: degrees).sine.high }

extension Segment {
  fileprivate var length: Double {
    let (dx, dy) = (a.x - b.x, a.y - b.y)
    return (dx * dx + dy * dy).squareRoot()
  }
}
