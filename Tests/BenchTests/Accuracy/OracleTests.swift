// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import Testing

@testable import Meridian
@testable import MeridianBench

/// Every oracle passes what is right and finds what is not: an oracle that cannot fail proves nothing.
@Suite struct OracleTests {
  private let workloads = Workloads(scale: 0.0002, seed: 31)

  // MARK: - Numbers

  private let bound = DeclaredBound(unit: "coord", absolute: 0, relative: 1e-15, perVertex: 0, text: "1e-15 relative")

  private func planarArea() throws -> (oracle: ExactValues, right: Outcome) {
    let set = try workloads.g1.value()
    let oracle = ExactValues(
      source: "", unit: "coord", columns: ["area"], values: Lazily { PlanarTruth.values(.area, set) })
    var outcome = Outcome()
    outcome.names = ["area"]
    outcome.columns = [PlanarTruth.values(.area, set).exact.map { $0[0].high }]
    return (oracle, outcome)
  }

  @Test func rightNumbersHaveNoErrorBeyondRounding() throws {
    let (oracle, right) = try planarArea()
    let accuracy = try oracle.judge(right, bound: bound)
    #expect(accuracy.compared == 20 && accuracy.wrong == 0 && accuracy.violations == 0)
    #expect(try #require(accuracy.largestRelative) <= 0x1p-53 && accuracy.bound == "1e-15 relative")
  }

  @Test func wrongNumbersAreFoundWithTheirRow() throws {
    let (oracle, right) = try planarArea()
    var wrong = right
    wrong.columns[0][13] *= 1 + 1e-9
    let accuracy = try oracle.judge(wrong, bound: bound)
    #expect(accuracy.worstRow == 13 && accuracy.violations == 1 && accuracy.wrong == 0)
    #expect(abs(try #require(accuracy.largestRelative) - 1e-9) < 1e-14)
    #expect(try oracle.judge(wrong, bound: nil).violations == nil)
    // A bound in another unit says nothing.
    let metres = DeclaredBound(unit: "m", absolute: 0, relative: 0, perVertex: 0, text: "exact")
    #expect(try oracle.judge(wrong, bound: metres).violations == nil)
  }

  @Test func absentNumbersAreWrong() throws {
    let (oracle, right) = try planarArea()
    var absent = right
    absent.columns[0][5] = .nan
    #expect(try oracle.judge(absent, bound: bound).wrong == 1)
    absent.columns = []
    absent.names = []
    #expect(try oracle.judge(absent, bound: bound).wrong == 20)
  }

  @Test func statisticsOfKnownErrors() {
    let errors = (1...100).map {
      Accuracy.Comparison(row: $0, error: Double($0), exact: 1000, vertices: 10)
    }
    let perVertex = DeclaredBound(unit: "m", absolute: 10, relative: 0.01, perVertex: 6, text: "")
    var random = SeededRandom(seed: 3)
    let accuracy = Accuracy(
      unit: "m", random.permutation(errors.count).map { errors[$0] }, wrong: 2, bound: perVertex)
    #expect(accuracy.largest == 100 && accuracy.mean == 50.5 && accuracy.p99 == 99 && accuracy.worstRow == 100)
    #expect(abs(accuracy.rootMeanSquare - 3383.5.squareRoot()) < 1e-12 && accuracy.largestRelative == 0.1)
    // 10 + 10 + 60 are allowed.
    #expect(accuracy.violations == 20 && accuracy.compared == 102 && accuracy.wrong == 2)
    let reference = DeclaredBound(unit: "m", absolute: 15, relative: 0, perVertex: 0, text: "")
    #expect(Accuracy(unit: "m", errors, bound: perVertex, slack: reference).violations == 5)
    let lost = Accuracy.Comparison(row: 7, error: .nan, exact: 1000, vertices: 10)
    let withNaN = Accuracy(unit: "m", errors + [lost], bound: perVertex)
    #expect(withNaN.largest == .infinity && withNaN.worstRow == 7 && withNaN.violations == 21)
    let none = Accuracy(unit: "m", [])
    #expect(none.largest == 0 && none.mean == 0 && none.worstRow == nil && none.violations == nil)
  }

  @Test func boundsOfDeclarations() {
    var info = mrd_op_info()
    info.error_unit = MRD_UNIT_METRE
    info.error_absolute = 15e-9
    info.error_per_vertex = 0.1
    let bound = DeclaredBound(info)
    #expect(bound?.unit == "m" && bound?.text == "1.5e-08 m + 0.1 m a vertex")
    #expect(bound?.allows(error: 0.2, exact: 1, vertices: 2) == true)
    #expect(bound?.allows(error: 0.2, exact: 1, vertices: 1) == false)
    info = mrd_op_info()
    #expect(DeclaredBound(info) == nil)
    info.error_unit = MRD_UNIT_ULP
    info.error_absolute = 2
    #expect(DeclaredBound(info)?.allows(error: 3 * 1.0.ulp, exact: 1, vertices: 1) == false)
  }

  @Test func placesOnTheGlobeAreComparedInMetres() throws {
    let oracle = ExactValues(
      source: "", unit: "m", columns: ["x", "y"], difference: .globe(radius: 6_371_008.8),
      values: Lazily {
        ExactValues.Values(rows: [0], vertices: [1], exact: [[DoubleDouble(180), DoubleDouble(60)]])
      })
    var outcome = Outcome()
    outcome.names = ["x", "y"]
    // The same place by another longitude, then a millionth of a degree to the north.
    outcome.columns = [[-180], [60]]
    #expect(try oracle.judge(outcome, bound: nil).largest < 1e-20)
    outcome.columns = [[-180], [60.000001]]
    #expect(try abs(oracle.judge(outcome, bound: nil).largest - 0.1112) < 1e-4)
  }

  // MARK: - Verdicts

  @Test func verdictsThatDifferAreCounted() throws {
    let oracle = KnownVerdicts(source: "", Lazily { [true, false, nil, true] })
    var outcome = Outcome()
    outcome.verdicts = [.valid, .invalid, .invalid, .valid]
    #expect(try oracle.judge(outcome, bound: nil).wrong == 0 && oracle.judge(outcome, bound: nil).compared == 3)
    outcome.verdicts = [.valid, .valid, .invalid, .unknown]
    let accuracy = try oracle.judge(outcome, bound: nil)
    #expect(accuracy.wrong == 2 && accuracy.worstRow == 1 && accuracy.compared == 3)
    outcome.verdicts = []
    #expect(try oracle.judge(outcome, bound: nil).wrong == 3)
  }

  // MARK: - Simplification

  private func chain(_ input: [(Double, Double)], _ output: [(Double, Double)], isRing: Bool) -> SimplifiedChain {
    SimplifiedChain(
      input: input.map { Place($0.0, $0.1) }, output: output.map { Place($0.0, $0.1) }, isRing: isRing)
  }

  @Test func keptVerticesAreFoundInOrder() throws {
    let input = [(0.0, 0.0), (1, 0.3), (2, 0), (3, 0.1), (4, 0)]
    let good = chain(input, [(0, 0), (2, 0), (4, 0)], isRing: false)
    let kept = try #require(good.kept)
    #expect(kept == [0, 2, 4])
    #expect(good.excess(kept, 0.3) == 0 && abs(good.excess(kept, 0.25) - 0.05) < 1e-15)
    // A moved vertex, another order, a lost end, a lost start.
    #expect(chain(input, [(0, 0), (2, 1e-16), (4, 0)], isRing: false).kept == nil)
    #expect(chain(input, [(0, 0), (3, 0.1), (2, 0), (4, 0)], isRing: false).kept == nil)
    #expect(chain(input, [(0, 0), (2, 0)], isRing: false).kept == nil)
    #expect(chain(input, [(2, 0), (4, 0)], isRing: false).kept == nil)
  }

  @Test func ringsMayBeginElsewhere() throws {
    let input = [(0.0, 0.0), (4, 0), (4, 2), (4, 4), (0, 4), (-0.5, 2), (0, 0)]
    let turned = chain(input, [(4, 0), (4, 4), (0, 4), (0, 0), (4, 0)], isRing: true)
    let kept = try #require(turned.kept)
    #expect(kept == [1, 3, 4, 6, 7] && turned.excess(kept, 0.5) == 0 && turned.excess(kept, 0.4) > 0.09)
    #expect(chain(input, [(4, 0), (0, 4), (4, 4), (0, 0), (4, 0)], isRing: true).kept == nil)
    #expect(chain(input, [(4, 0), (4, 4), (0, 4), (0, 0)], isRing: true).kept == nil)
    #expect(chain(input, [(4, 0), (4, 4), (4, 0)], isRing: true).kept == nil)
  }

  @Test func coarseOutputIsBeyondTheTolerance() throws {
    let set = try workloads.l1.value()
    var outcome = Outcome()
    outcome.set = set
    let oracle = SimplifyOracle(input: workloads.l1, tolerance: 1e-4)
    let unchanged = try oracle.judge(outcome, bound: nil)
    #expect(unchanged.wrong == 0 && unchanged.violations == 0 && unchanged.compared == set.count)
    // Only the ends are kept, of every row.
    var builder = GeometryBuilder()
    for row in 0..<set.count {
      let places = set.arrays[0].coordinates(ofRow: row)
      try builder.begin(.lineString, .xy)
      for place in [places.lowerBound, places.upperBound - 1] {
        builder.add(set.arrays[0].x(place), set.arrays[0].y(place))
      }
      try builder.end()
    }
    outcome.set = try builder.finish()
    let coarse = try oracle.judge(outcome, bound: nil)
    #expect(coarse.wrong == 0 && coarse.violations == set.count && coarse.largest > 1e-3)
    outcome.set = try set.subset(Array(1..<set.count) + [0])
    #expect(try oracle.judge(outcome, bound: nil).wrong == set.count)
  }

  // MARK: - Geometries out

  private func ring(_ numbers: [(Double, Double)]) -> [Place] { numbers.map { Place($0.0, $0.1) } }

  @Test func areasOfWhatRingsCover() throws {
    let square = ring([(0, 0), (4, 0), (4, 4), (0, 4), (0, 0)])
    let bowtie = ring([(0, 0), (4, 4), (4, 0), (0, 4), (0, 0)])
    #expect(FilledArea([square]).area { $0[0] != 0 } == 16)
    #expect(FilledArea([bowtie]).area { $0[0] != 0 } == 8)
    // Twice around the inner square.
    let twice = ring([(0, 0), (4, 0), (4, 4), (1, 4), (1, 1), (2, 1), (2, 2), (0, 2), (0, 0)])
    #expect(FilledArea([twice]).area { $0[0] != 0 } == 14)
    #expect(FilledArea([twice]).area { $0[0] % 2 != 0 } == 13)
    let hole = ring([(1, 1), (2, 1), (2, 2), (1, 2), (1, 1)])
    let apart = ring([(5, 5), (5, 8), (8, 8), (8, 5), (5, 5)])
    for rule in [RepairRule.structure, .linework] {
      #expect(RepairOracle.expectedArea([square, hole], rule) == 15)
      #expect(RepairOracle.expectedArea([square, hole, hole], rule) == 15)
      #expect(RepairOracle.expectedArea([square, apart], rule) == 25)
    }
    #expect(RepairOracle.expectedArea([square, hole, hole], .evenOdd) == 16)
    #expect(RepairOracle.expectedArea([twice], .structure) == 14)
    #expect(RepairOracle.expectedArea([twice], .linework) == 13)
  }

  /// Of a star that nothing was done to, the slabs have the area that the shoelace has.
  @Test func coveredAreasOfValidRingsAreTheirAreas() throws {
    let set = try workloads.g2.value()
    for row in 0..<5 {
      let (array, index) = try #require(set.location(ofRow: row))
      let places = array.rings(ofRow: index)[0].map { array.place($0) }
      let (found, exact) = (FilledArea([places]).area { $0[0] != 0 }, PlanarTruth.area(array, index).high)
      #expect(abs(found / exact - 1) < 1e-10, "row \(row)")
    }
  }

  @Test func repairToAnotherAreaIsWrong() throws {
    let set = try workloads.g4Invalid.value()
    let oracle = RepairOracle(input: workloads.g4Invalid, rule: .structure)
    var outcome = Outcome()
    var builder = GeometryBuilder()
    // Rows are gone, or have lost a ten-thousandth of their area.
    for row in 0..<set.count {
      if row % 2 == 0 {
        try builder.null()
      } else {
        var shell = Ring(set.arrays[0], set.arrays[0].rings(ofRow: row)[0])
        let middle = (x: shell.x.reduce(0, +) / Double(shell.count), y: shell.y.reduce(0, +) / Double(shell.count))
        for vertex in 0..<shell.count {
          shell.x[vertex] = middle.x + (shell.x[vertex] - middle.x) * 0.99995
          shell.y[vertex] = middle.y + (shell.y[vertex] - middle.y) * 0.99995
        }
        try builder.polygon([shell])
      }
    }
    outcome.set = try builder.finish()
    let accuracy = try oracle.judge(outcome, bound: nil)
    #expect(accuracy.wrong == set.count && accuracy.compared == set.count)
    #expect(throws: MeridianError.self) { try oracle.judge(Outcome(), bound: nil) }
  }

  @Test(.enabled(if: Installed.kernels.contains("geos"))) func outputThatIsNotValidIsWrong() throws {
    // Verdicts alone: everything else about the rows is right.
    let input = workloads.g4Invalid
    let oracle = OutputValidity(
      oracle: MovementOracle(input: input, largest: 1e-9), of: workloads.invalidSet)
    var outcome = Outcome()
    outcome.set = try input.value()
    let judge = try #require(try oracle.oracle(for: "nobody", on: Installed.host))
    #expect(try judge.judge(outcome, bound: nil).wrong == workloads.invalidSet.rows)
    #expect(try #require(oracle.name(on: Installed.host)).hasPrefix("distances from the input; validity by"))
  }

  /// The kernel whose output is judged does not judge it: brute force does where nobody else can.
  @Test(.enabled(if: Installed.kernels.contains("geos"))) func noKernelJudgesItsOwnOutput() throws {
    let others = Installed.host.kernels.filter { $0.shortID != "geos" && $0.operations.contains("validate.valid") }
    let oracle = OutputValidity(
      oracle: MovementOracle(input: workloads.g4Invalid, largest: 1e-9), of: workloads.invalidSet)
    let judge = try #require(try oracle.oracle(for: "geos", on: Installed.host))
    #expect(!judge.source.contains("geos"), "\(judge.source)")
    guard others.isEmpty else { return }
    #expect(judge.source.hasSuffix("by brute force"))
    #expect(try #require(oracle.name(on: Installed.host)).contains("that of geos by brute force"))
    var outcome = Outcome()
    outcome.set = try workloads.g4Invalid.value()
    let wrong = try judge.judge(outcome, bound: nil).wrong
    // A quarter has several rings, which brute force does not judge; so has another.
    #expect(wrong == workloads.invalidSet.rows / 2)
  }

  @Test func withoutTruthNothingIsRight() throws {
    let none = Lazily { () throws(MeridianError) -> GeometrySet in throw MeridianError(.memory, "no truth") }
    let noBoxes = Lazily { () throws(MeridianError) -> BruteForceBoxes in throw MeridianError(.memory, "no truth") }
    let oracles: [any Oracle] = [
      KnownVerdicts(source: "", Lazily { () throws(MeridianError) in throw MeridianError(.memory, "no truth") }),
      SimplifyOracle(input: none, tolerance: 1), MovementOracle(input: none, largest: 1),
      RepairOracle(input: none, rule: .structure), SnapQueryOracle(targets: none, points: none, tolerance: 1),
      WindowOracle(truth: noBoxes), NearestOracle(truth: noBoxes, count: 1), JoinOracle(truth: noBoxes),
      BuiltIndexOracle(truth: noBoxes),
      ExactValues(
        source: "", unit: "m", columns: ["area"],
        values: Lazily { () throws(MeridianError) in throw MeridianError(.memory, "no truth") }),
    ]
    for oracle in oracles {
      let error = #expect(throws: MeridianError.self) { try oracle.judge(Outcome(), bound: nil) }
      #expect(error?.message == "no truth", "\(type(of: oracle))")
    }
  }

  /// A judge that fails finds everything wrong, never nothing.
  @Test func aJudgeThatFailsPassesNothing() throws {
    let host = try syntheticHost()
    let oracle = OutputValidity(oracle: MovementOracle(input: workloads.g1, largest: 1), of: workloads.smallRingSet)
    var outcome = Outcome()
    outcome.set = try workloads.g1.value()
    let brute = try #require(try oracle.oracle(for: "breaks", on: host))
    #expect(brute.source.hasSuffix("by brute force"), "the synthetic kernels check no polygons")
    #expect(try brute.judge(outcome, bound: nil).wrong == 0)
    let failing = ValidityByKernel(
      oracle: MovementOracle(input: workloads.g1, largest: 1), host: host, kernel: try host.kernel(named: "breaks"))
    #expect(try failing.judge(outcome, bound: nil).wrong == workloads.smallRingSet.rows)
  }

  @Test func movementBeyondItsBoundIsFound() throws {
    let set = try workloads.g1.value()
    func moved(_ by: Double) throws -> Outcome {
      var builder = GeometryBuilder()
      for row in 0..<set.count {
        var ring = Ring(set.arrays[0], set.arrays[0].rings(ofRow: row)[0])
        for vertex in 0..<ring.count { ring.y[vertex] = 50 + ((ring.y[vertex] - 50 + by) * 1e6).rounded() / 1e6 }
        for vertex in 0..<ring.count { ring.x[vertex] = (ring.x[vertex] * 1e6).rounded() / 1e6 }
        for vertex in 0..<ring.count { ring.y[vertex] = (ring.y[vertex] * 1e6).rounded() / 1e6 }
        try builder.polygon([ring])
      }
      var outcome = Outcome()
      outcome.set = try builder.finish()
      return outcome
    }
    let oracle = MovementOracle(input: workloads.g1, largest: 0.7072e-6, gridScale: 1e6)
    let near = try oracle.judge(moved(0), bound: nil)
    #expect(near.wrong == 0 && near.violations == 0 && near.largest > 0)
    #expect(try oracle.judge(moved(1), bound: nil).violations == set.count)
    var unmoved = Outcome()
    unmoved.set = set
    #expect(try oracle.judge(unmoved, bound: nil).wrong == set.count)
  }

  // MARK: - Indexes

  private func hits(_ lists: [[Int64]], distances: [[Double]] = []) -> Outcome {
    var outcome = Outcome()
    var offsets = [0]
    for list in lists { offsets.append(offsets[offsets.count - 1] + list.count) }
    outcome.hits = IndexHits(
      offsets: offsets, ids: lists.flatMap { $0 }, distances: distances.flatMap { $0 }, statuses: [],
      answers: Answers())
    return outcome
  }

  private var truth: BruteForceBoxes {
    var boxes = Boxes()
    for place in 0..<10 { boxes.append(Double(place), 0, Double(place) + 0.5, 1) }
    boxes.append(.nan, 0, 1, 1)
    boxes.append(3, 3, 2, 2)
    var queries = Boxes()
    queries.append(1.5, 1, 3, 2)
    queries.append(point: 20, 20)
    return BruteForceBoxes(boxes: boxes, queries: queries)
  }

  @Test func windowHitsThatAreMissingOrTooManyAreCounted() throws {
    let truth = truth
    #expect(truth.hits(0) == [1, 2, 3] && truth.hits(1) == [])
    let oracle = WindowOracle(truth: Lazily { truth })
    #expect(try oracle.judge(hits([[3, 1, 2], []]), bound: nil).wrong == 0)
    #expect(try oracle.judge(hits([[3, 1], []]), bound: nil).wrong == 1)
    #expect(try oracle.judge(hits([[3, 1, 2, 2], [7]]), bound: nil).wrong == 2)
    #expect(try oracle.judge(hits([[], []]), bound: nil).wrong == 1, "questions are counted, not ids")
    #expect(try oracle.judge(hits([[], []]), bound: nil).largest == 3)
    #expect(try oracle.judge(hits([[], []]), bound: nil).compared == 2)
    #expect(try oracle.judge(hits([[1, 2, 4], []]), bound: nil).wrong == 1)
    #expect(throws: MeridianError.self) { try oracle.judge(Outcome(), bound: nil) }
  }

  @Test func nearestBoxesInAnotherOrderAreWrong() throws {
    let truth = truth
    #expect(truth.nearest(0, count: 4).map(\.id) == [1, 2, 3, 0])
    let oracle = NearestOracle(truth: Lazily { truth }, count: 2)
    let far = [(100 + 10.5 * 10.5 + 361 - 100).squareRoot(), (19 * 19 + 11.5 * 11.5).squareRoot()]
    let right = hits([[1, 2], [9, 8]], distances: [[0, 0], far])
    #expect(try oracle.judge(right, bound: nil).wrong == 0 && oracle.judge(right, bound: nil).largest == 0)
    #expect(try oracle.judge(hits([[2, 1], [9, 8]], distances: [[0, 0], far]), bound: nil).wrong == 1)
    #expect(try oracle.judge(hits([[1], [9, 8]], distances: [[0], far]), bound: nil).wrong == 1)
    #expect(try oracle.judge(hits([[1, 2], [9, 8]], distances: [[0, 0.25], far]), bound: nil).largest == 0.25)
  }

  @Test func joinsAreComparedBoxByBox() throws {
    var boxes = Boxes()
    for place in [0.0, 1, 1.5, 7] { boxes.append(place, 0, place + 1, 1) }
    let truth = BruteForceBoxes(boxes: boxes, queries: boxes)
    let oracle = JoinOracle(truth: Lazily { truth })
    var outcome = Outcome()
    outcome.pairs = [(0, 1), (1, 2)]
    #expect(try oracle.judge(outcome, bound: nil).wrong == 0)
    outcome.pairs = [(0, 1)]
    #expect(try oracle.judge(outcome, bound: nil).wrong == 2)
    outcome.pairs = [(0, 1), (1, 2), (2, 3)]
    #expect(try oracle.judge(outcome, bound: nil).wrong == 2)
  }

  @Test func anIndexOfOtherBoxesIsFound() throws {
    let b1 = try workloads.b1.value()
    let truth = Lazily { BruteForceBoxes(boxes: b1.boxes, queries: b1.windows) }
    var outcome = Outcome()
    outcome.kept = try BoxIndex(host: Installed.host, boxes: b1.boxes)
    #expect(try BuiltIndexOracle(truth: truth).judge(outcome, bound: nil).wrong == 0)
    outcome.kept = try BoxIndex(host: Installed.host, boxes: try workloads.b2.value().boxes)
    let other = try BuiltIndexOracle(truth: truth).judge(outcome, bound: nil)
    #expect(other.wrong > other.compared / 2 && other.wrong <= other.compared)
    #expect(throws: MeridianError.self) { try BuiltIndexOracle(truth: truth).judge(Outcome(), bound: nil) }
  }

  // MARK: - Snapping

  @Test func candidatesThatAreNotTheNearestAreFound() throws {
    var builder = GeometryBuilder()
    try builder.begin(.lineString, .xy)
    builder.add(0, 0)
    builder.add(10, 0)
    try builder.end()
    let targets = try builder.finish()
    let points = try Places(x: [4, 4, 13], y: [0.5, 3, 4]).set()
    let oracle = SnapQueryOracle(targets: Lazily { targets }, points: Lazily { points }, tolerance: 1)
    func outcome(_ places: [(Double, Double, Double)?]) -> Outcome {
      var offsets = [0]
      for place in places { offsets.append(offsets[offsets.count - 1] + (place == nil ? 0 : 1)) }
      var outcome = Outcome()
      outcome.snaps = SnapHits(
        offsets: offsets,
        hits: places.compactMap { place in
          place.map {
            SnapHit(
              kind: 5, group: 0, layer: 0, feature: 0, part: nil, ring: nil, vertex: 0, otherFeature: nil,
              otherVertex: nil, x: $0.0, y: $0.1, z: .nan, distance: $0.2)
          }
        }, statuses: [], answers: Answers())
      return outcome
    }
    let right = try oracle.judge(outcome([(4, 0, 0.5), nil, nil]), bound: nil)
    #expect(right.wrong == 0 && right.largest == 0 && right.compared == 3 && right.violations == 0)
    #expect(try oracle.judge(outcome([nil, nil, nil]), bound: nil).wrong == 1)
    #expect(try oracle.judge(outcome([(4, 0, 0.5), (4, 0, 3), nil]), bound: nil).wrong == 1)
    #expect(try abs(oracle.judge(outcome([(4.1, 0, 0.5), nil, nil]), bound: nil).largest - 0.0099) < 1e-4)
    let farther = try oracle.judge(outcome([(4, 0, 0.75), nil, nil]), bound: nil)
    #expect(abs(farther.largest - 0.25) < 1e-15 && farther.violations == 1)
    // Another place in reach, told truly, is not the nearest.
    let second = try oracle.judge(outcome([(4.3, 0, 0.5830951894845301), nil, nil]), bound: nil)
    #expect(second.wrong == 0 && second.violations == 1)
  }

  /// Two streets that cross have four kinds of places; the best kind in reach counts, however near the next one is.
  @Test func placesOfAWorseKindAreWrong() throws {
    var builder = GeometryBuilder()
    for ends in [[Place(0, 0), Place(10, 0)], [Place(4, -3), Place(4, 9)]] {
      try builder.begin(.lineString, .xy)
      for end in ends { builder.add(end.x, end.y) }
      try builder.end()
    }
    let targets = try builder.finish()
    let places: [(point: Place, kind: SnapKind, place: Place)] = [
      (Place(9.5, 0.25), .vertex, Place(10, 0)), (Place(4.5, 0.25), .intersection, Place(4, 0)),
      (Place(5.5, 0.25), .midpoint, Place(5, 0)), (Place(7, 0.25), .edge, Place(7, 0)),
    ]
    let points = try Places(x: places.map(\.point.x), y: places.map(\.point.y)).set()
    let oracle = SnapQueryOracle(
      targets: Lazily { targets }, points: Lazily { points }, tolerance: 1,
      ranks: [[.vertex], [.intersection], [.midpoint], [.edge]])
    func judge(_ hits: [(kind: SnapKind, place: Place)]) throws -> Accuracy {
      var outcome = Outcome()
      outcome.snaps = SnapHits(
        offsets: Array(0...hits.count),
        hits: hits.enumerated().map { number, hit in
          SnapHit(
            kind: hit.kind.rawValue, group: 0, layer: 0, feature: 0, part: nil, ring: nil, vertex: 0,
            otherFeature: nil, otherVertex: nil, x: hit.place.x, y: hit.place.y, z: .nan,
            distance: hit.place.distance(to: places[number].point))
        }, statuses: [], answers: Answers())
      return try oracle.judge(outcome, bound: nil)
    }
    let right = places.map { (kind: $0.kind, place: $0.place) }
    let accuracy = try judge(right)
    #expect(accuracy.compared == 4 && accuracy.wrong == 0 && accuracy.largest == 0 && accuracy.violations == 0)
    for number in 0..<3 {
      // The foot on the edge is nearer.
      var other = right
      other[number] = (.edge, Place(places[number].point.x, 0))
      #expect(try judge(other).wrong == 1)
    }
    var elsewhere = right
    elsewhere[1].place = Place(4.001, 0)
    #expect(try judge(elsewhere).violations == 1)
  }
}
