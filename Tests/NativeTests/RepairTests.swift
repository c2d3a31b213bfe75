// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport
import Testing

@Suite struct RepairTests {
  let table: mrd_family_validate
  init() throws { table = try LoadedLibrary("MeridianNative").validate() }

  private static let everyRule: [Int32] = [
    MRD_REPAIR_STRUCTURE, MRD_REPAIR_LINEWORK, MRD_REPAIR_EVEN_ODD, MRD_REPAIR_NONZERO,
  ]

  private func repair(_ wkt: [String?], _ rule: Int32 = MRD_REPAIR_STRUCTURE) throws -> RepairCall {
    RepairCall(table, try TestGeoms(wkt), rule: rule)
  }

  /// The area after a repair by each rule.
  private func areas(_ wkt: String) throws -> [Double] {
    try Self.everyRule.map { rule in
      let result = try repair([wkt], rule)
      #expect(result.status == MRD_OK && result.call.isIntact)
      return result.reports[0].area_after
    }
  }

  @Test(arguments: everyRule) func aBowTieFallsApart(rule: Int32) throws {
    let valid = "POLYGON((0 0,4 0,4 4,0 0))"
    let result = try repair(["POLYGON((0 0,10 10,10 0,0 10,0 0))", nil, valid], rule)
    #expect(result.status == MRD_OK && result.type == MRD_MULTIPOLYGON && result.call.isIntact)
    #expect(result.reports.map(\.outcome) == [MRD_REPAIR_REPAIRED, MRD_REPAIR_UNCHANGED, MRD_REPAIR_UNCHANGED])
    #expect(result.call.statuses == [MRD_ITEM_OK, MRD_ITEM_NULL, MRD_ITEM_OK])
    let report = result.reports[0]
    #expect(report.rule == rule && report.area_before == 0 && report.area_after == 50)
    #expect(report.vertices_added == 1 && report.vertices_dropped == 0 && report.collapsed == 0)
    #expect(report.parts_before == 1 && report.parts_after == 2)
    #expect(result.polygons(0).count == 2 && result.polygons(2) == [[[[0, 0], [4, 0], [4, 4], [0, 0]]]])
  }

  /// A row and its areas, worked out by hand, by structure, linework, even_odd and nonzero.
  struct Areas: Sendable {
    let wkt: String
    let areas: [Double]
    init(_ wkt: String, _ areas: [Double]) { (self.wkt, self.areas) = (wkt, areas) }
  }

  private static let byHand: [Areas] = [
    // Two polygons that overlap; one inside the other; the same one twice.
    Areas("MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)),((2 1,6 1,6 3,2 3,2 1)))", [20.0, 16, 16, 20]),
    Areas("MULTIPOLYGON(((0 0,9 0,9 9,0 9,0 0)),((2 2,4 2,4 4,2 4,2 2)))", [81, 77, 77, 81]),
    Areas("MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)),((0 0,4 0,4 4,0 4,0 0)))", [16, 16, 0, 16]),
    // Side by side: of the edge that both have nothing is left but by linework, whose faces are united all the same.
    Areas("MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)),((4 0,8 0,8 4,4 4,4 0)))", [32, 32, 32, 32]),
    // A hole apart from its shell is land; one that only touches it from outside is dropped.
    Areas("POLYGON((0 0,4 0,4 4,0 4,0 0),(6 0,8 0,8 2,6 2,6 0))", [20, 20, 20, 20]),
    Areas("POLYGON((0 0,4 0,4 4,0 4,0 0),(4 4,6 4,6 6,4 6,4 4))", [16, 20, 20, 20]),
    // A hole in a hole, wound alike.
    Areas("POLYGON((0 0,8 0,8 8,0 8,0 0),(1 1,1 7,7 7,7 1,1 1),(2 2,2 4,4 4,4 2,2 2))", [28, 32, 32, 32]),
    // A ring run twice.
    Areas("POLYGON((0 0,4 0,4 4,0 4,0 0,4 0,4 4,0 4,0 0))", [16, 16, 0, 16]),
    // The loop that some systems draw a hole with, either way round.
    Areas("POLYGON((0 0,12 0,12 9,6 9,8 5,4 5,6 9,0 9,0 0))", [100, 100, 100, 100]),
    Areas("POLYGON((0 0,12 0,12 9,6 9,4 5,8 5,6 9,0 9,0 0))", [108, 100, 100, 108]),
    // GEOS 3.14 makes nothing of it by structure.
    Areas("POLYGON((1 1,4 1,3 1,3 4,1 0,4 1,1 1))", [3.5, 3.5, 3.5, 3.5]),
    // A shell that collapses takes its holes along; by the other rules they are rings like others.
    Areas("POLYGON((0 0,8 0,0 0,0 0),(1 1,2 1,2 2,1 1))", [0, 0.5, 0.5, 0.5]),
    // Open: closed.
    Areas("POLYGON((0 0,3 0,3 2,0 2))", [6, 6, 6, 6]),
    // Nothing but a place: no edge and no node is left.
    Areas("POLYGON((1 1,1 1,1 1,1 1))", [0, 0, 0, 0]),
    Areas("MULTIPOLYGON(((1 1,1 1,1 1,1 1)),((2 2,2 2,2 2,2 2)))", [0, 0, 0, 0]),
  ]

  @Test(arguments: byHand) func areasByRule(fact: Areas) throws {
    #expect(try areas(fact.wkt) == fact.areas, "\(fact.wkt)")
  }

  /// Starts, directions, repeated points: everything comes back as it was.
  @Test(arguments: everyRule) func aRowWithoutErrorsIsBitEqual(rule: Int32) throws {
    let rows = [
      "MULTIPOLYGON(((4 4,4 0,0 0,-0.0 4,4 4,4 4)),((4 4,8 4,8 8,4 4)))",
      "MULTIPOLYGON(((0 0,9 0,9 9,0 9,0 0),(0 4,3 3,3 5,0 4),(4 4,5 4,5 5,4 4)),((3 4,2 4.5,1 4,3 4)))",
      "MULTIPOLYGON(((0 0,9 0,9 9,0 9,0 0),(1 1,8 1,8 8,1 8,1 1)),((2 2,3 2,3 3,2 2)))", "MULTIPOLYGON EMPTY",
    ]
    let geoms = try TestGeoms(rows)
    let result = RepairCall(table, geoms, rule: rule)
    // The second row's island lies in the tip of a hole and touches it: that is legal.
    #expect(result.reports.map(\.outcome) == Array(repeating: MRD_REPAIR_UNCHANGED, count: 4))
    for (row, wkt) in rows.enumerated() where row < 3 {
      let alone = try repair([wkt], rule)
      #expect(alone.polygons() == result.polygons(row))
      #expect(alone.reports[0].area_after == alone.reports[0].area_before)
    }
    #expect(result.polygons(0)[0][0][3].x.sign == .minus)
  }

  @Test func untouchedPartsStayBitEqual() throws {
    let clockwise = "((0 9,5 9,5 5,5 5,0 5,0 9),(1 6,2 6,2 7,1 6))"
    let result = try repair(["MULTIPOLYGON(\(clockwise),((20 0,30 10,30 0,20 10,20 0)))"])
    let polygons = result.polygons()
    #expect(polygons.count == 3)
    #expect(
      polygons[0] == [[[0, 9], [5, 9], [5, 5], [5, 5], [0, 5], [0, 9]], [[1, 6], [2, 6], [2, 7], [1, 6]]])
  }

  @Test func spikesAndRingsWithoutAreaAreCounted() throws {
    let result = try repair(
      [
        "POLYGON((0 0,4 0,4 3,4 7,4 3,0 3,0 0))",
        "MULTIPOLYGON(((0 0,9 0,9 9,0 9,0 0)),((100 0,101 1,100 0,100 0)),((5 5,5 5,5 5,5 5)))",
        "MULTIPOLYGON(((1 1,2 2,1 1,1 1)))",
      ].map { $0.hasPrefix("POLYGON") ? "MULTIPOLYGON(\($0.dropFirst(7)))" : $0 })
    #expect(result.reports.map(\.collapsed) == [1, 2, 1])
    #expect(result.reports.map(\.outcome) == [MRD_REPAIR_REPAIRED, MRD_REPAIR_REPAIRED, MRD_REPAIR_COLLAPSED])
    #expect(result.reports.map(\.vertices_dropped) == [1, 3, 2])
    #expect(result.reports.map(\.area_after) == [12, 81, 0])
    #expect(result.polygons(2).isEmpty)
  }

  /// Z at a crossing is the mean of the edges', M what both have.
  @Test func ordinatesAtCrossings() throws {
    let result = try repair(["POLYGON((0 0 1 5,10 10 3 7,10 0 6 7,0 10 8 5,0 0 1 5))"])
    let (x, z, m) = (
      result.xs, result.call.values(MRD_BUF_Z, Double.self), result.call.values(MRD_BUF_M, Double.self)
    )
    let middle = try #require(x.firstIndex(of: 5))
    #expect(z[middle] == (2 + 7) / 2 && m[middle] == 6)
    #expect(zip(x, z).contains { $0 == 10 && $1 == 6 })
    let apart = try repair(["POLYGON((0 0 1 5,10 10 3 7,10 0 6 9,0 10 8 5,0 0 1 5))"])
    let place = try #require(apart.xs.firstIndex(of: 5))
    #expect(apart.call.values(MRD_BUF_M, Double.self)[place].isNaN)
  }

  @Test func coordinatesThatAreNoNumbersAreRefused() throws {
    let result = try repair(["POLYGON((0 0,inf 0,4 4,0 4,0 0))", "POLYGON((0 0,4 0,4 nan,0 4,0 0))"])
    #expect(result.reports.map(\.outcome) == [MRD_REPAIR_WITHHELD, MRD_REPAIR_WITHHELD])
    #expect(result.call.statuses == [MRD_ITEM_NONFINITE, MRD_ITEM_NONFINITE])
    #expect(result.xs.count == 10)
  }

  @Test func linesAndPoints() throws {
    let lines = try repair(["MULTILINESTRING((0 0,9 9),(5 5,5 5),(9 9,9 9))", "MULTILINESTRING((0 0,1 1,0 0))"])
    #expect(lines.type == MRD_MULTILINESTRING)
    #expect(lines.reports.map(\.outcome) == [MRD_REPAIR_REPAIRED, MRD_REPAIR_UNCHANGED])
    #expect(lines.reports[0].collapsed == 2 && lines.reports[0].vertices_dropped == 1)
    #expect(lines.xs == [0, 9, 0, 1, 0])
    let gone = try repair(["LINESTRING(1 1,1 1)"], MRD_REPAIR_LINEWORK)
    #expect(gone.reports[0].outcome == MRD_REPAIR_COLLAPSED && gone.xs.isEmpty)
    let points = try repair(["MULTIPOINT(1 1,1 1,nan nan)"])
    #expect(points.type == MRD_MULTIPOINT && points.reports[0].outcome == MRD_REPAIR_UNCHANGED)
  }

  /// Products of such ordinates overflow, or fall below the smallest numbers.
  @Test(arguments: ["1e200", "1e-200", "3e307", "5e-324"]) func extremeOrdinates(unit: String) throws {
    let text = "POLYGON((0 0,U U,U 0,0 U,0 0))".replacing("U", with: unit)
    let result = try repair([text])
    #expect(result.status == MRD_OK && result.reports[0].outcome != MRD_REPAIR_UNCHANGED)
    if unit != "5e-324" {
      let half = (Double(unit) ?? 0) / 2
      #expect(result.polygons().count == 2 && result.xs.contains(half) && result.ys.contains(half))
    }
  }

  @Test func rowsBesideOneAnotherDoNotMatter() throws {
    let rows = (0..<40).map { "POLYGON((0 0,\($0) 7,5 \($0 % 9),3 1,\($0 % 4) 6,0 0))" }
    let together = try repair(rows, MRD_REPAIR_LINEWORK)
    for (row, text) in rows.enumerated() {
      #expect(try repair([text], MRD_REPAIR_LINEWORK).polygons() == together.polygons(row))
    }
  }

  @Test func everyLayoutGivesTheSameBits() throws {
    let rows = ["POLYGON((0.1 0.2,10.3 7.7,9.9 0.1,0.3 8.2,0.1 0.2),(3 3,4 3,4 4,3 3))", nil]
    var seen: [([Double], [Double])] = []
    for layout in TestLayout.allCases {
      for bits in [32, 64] {
        let geoms = try TestGeoms(rows, layout: layout, offsetBits: bits)
        let result = RepairCall(table, geoms, rule: MRD_REPAIR_STRUCTURE)
        seen.append((result.xs, result.ys))
      }
    }
    for other in seen { #expect(other == seen[0]) }
  }

  @Test func memoryThatIsRefusedIsAnAnswer() throws {
    let text =
      "MULTIPOLYGON(((0 0,9 9,9 0,0 9,0 0),(20 0,21 0,21 1,20 0)),((4 4,4 4,4 4)),((2 2,6 2,6 6,2 6,2 2),(6 3,7 3,7 4,6 3)))"
    for rule in Self.everyRule {
      var request = 0
      while true {
        let call = GuardedCall(rows: 1)
        call.failingRequest = request
        let result = RepairCall(table, try TestGeoms([text]), rule: rule, call: call)
        #expect(call.isIntact)
        if result.status == MRD_OK { break }
        #expect(result.status == MRD_E_MEMORY, "request \(request) of rule \(rule)")
        request += 1
      }
      #expect(request > 20)
    }
  }

  /// Rows behind the 2^31st coordinate of their array: what is in front of them is neither read nor there.
  @Test func zFarBehindInItsArray() throws {
    let text = "POLYGON((0 0 1,4 4 2,4 0 3,0 4 4,0 0 1))"
    for rule in [MRD_REPAIR_STRUCTURE, MRD_REPAIR_LINEWORK, MRD_REPAIR_EVEN_ODD, MRD_REPAIR_NONZERO] {
      let near = RepairCall(table, try TestGeoms([text, text]), rule: rule)
      let geoms = try TestGeoms([text, text])
      let far: Int64 = 1 << 31
      let raw = geoms.mutable
      raw.pointee.coords.count += far
      func shifted(_ column: UnsafePointer<Double>?) -> UnsafePointer<Double>? {
        UnsafePointer(bitPattern: UInt(bitPattern: column) &- UInt(far * 8))
      }
      let v = raw.pointee.coords.v
      raw.pointee.coords.v = (shifted(v.0), shifted(v.1), shifted(v.2), nil)
      let offsets = UnsafeMutableRawPointer(mutating: raw.pointee.offsets.1)?.assumingMemoryBound(to: Int64.self)
      for ring in 0...2 { offsets?[ring] += far }
      let result = RepairCall(table, geoms, rule: rule)
      #expect(result.status == MRD_OK && result.polygons(0) == near.polygons(0) && !result.xs.isEmpty)
      let (z, expected) = (result.call.values(MRD_BUF_Z, Double.self), near.call.values(MRD_BUF_Z, Double.self))
      #expect(z == expected && z.contains(4) && z.allSatisfy { (1...4).contains($0) })
    }
  }

  @Test func cancellingStops() throws {
    let ring = (0..<10_000).map { "\($0) \($0 * 7919 % 10_000)" }.joined(separator: ",")
    let call = GuardedCall(rows: 1)
    call.isCancelled = true
    let result = RepairCall(table, try TestGeoms(["POLYGON((\(ring),0 0))"]), rule: MRD_REPAIR_STRUCTURE, call: call)
    #expect(result.status == MRD_E_CANCELLED)
  }

  @Test func whatIsNotOfferedIsRefused() throws {
    let geoms = try TestGeoms(["POLYGON((0 0,1 0,1 1,0 0))"])
    #expect(RepairCall(table, geoms, rule: 9).status == MRD_E_UNSUPPORTED)
    #expect(
      RepairCall(table, geoms, rule: MRD_REPAIR_STRUCTURE, dialect: MRD_DIALECT_SPHERICAL).status
        == MRD_E_UNSUPPORTED)
    let curved = try TestGeoms(["POLYGON((0 0,1 0,1 1,0 0))"], edges: MRD_EDGES_GEODESIC)
    #expect(RepairCall(table, curved, rule: MRD_REPAIR_STRUCTURE).status == MRD_E_UNSUPPORTED)
  }

  // MARK: - Many edges in one place

  /// So many copies of each polygon, an odd number, that coincident edges are looked at once: the result is that of one copy.
  @Test(arguments: everyRule) func copiesGiveWhatOneGives(rule: Int32) throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for round in 0..<12 {
      // Whole numbers, and places whose crossings are rounded.
      let scale = round % 2 == 0 ? 1.0 : 0.1
      let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ -> [RepairCall.Ring] in
        var ring = (0..<Int.random(in: 3...5, using: &random)).map { _ in
          SIMD2(Double(Int.random(in: 0...6, using: &random)), Double(Int.random(in: 0...6, using: &random))) * scale
        }
        ring.append(ring[0])
        return [ring]
      }
      let copies = (0..<81).flatMap { _ in parts }.shuffled(using: &random)
      let (one, many) = (RingMath.wkt(parts), RingMath.wkt(copies))
      let (first, second) = (try repair([one], rule), try repair([many], rule))
      #expect(second.status == MRD_OK && second.call.isIntact, "seed \(seed): \(one)")
      // Rings that come back as they were have any direction.
      func area(_ ring: RepairCall.Ring) -> Double {
        var sum = 0.0
        for (a, b) in zip(ring, ring.dropFirst()) {
          let (p, q) = (a - ring[0], b - ring[0])
          sum += p.x * q.y - p.y * q.x
        }
        return abs(sum) / 2
      }
      func area(_ result: RepairCall) -> Double {
        var sum = 0.0
        for polygon in result.polygons(0) {
          for (number, ring) in polygon.enumerated() { sum += number == 0 ? area(ring) : -area(ring) }
        }
        return sum
      }
      #expect(abs(area(first) - area(second)) <= 1e-12 * area(first), "seed \(seed), rule \(rule): \(one)")
      let verdict = ValidateRun.check(table, MRD_VALIDATE_VALID, try TestGeoms([RingMath.wkt(second.polygons(0))]))
      #expect(verdict.verdicts == [1], "seed \(seed), rule \(rule): \(one)")
    }
  }

  /// All pairs of them would be 128 million.
  @Test func thousandsOfCopiesInTime() throws {
    let square = "((0 0,4 0,4 4,0 4,0 0))"
    let result = try repair(["MULTIPOLYGON(" + [String](repeating: square, count: 4000).joined(separator: ",") + ")"])
    #expect(result.reports[0].area_after == 16 && result.reports[0].parts_after == 1)
  }

  /// A star of edges that all cross in one point: two triangles for each pair of its neighbours, by parity.
  @Test(arguments: everyRule) func edgesThroughOnePoint(rule: Int32) throws {
    let count = 301
    // On a square round the middle, each point opposite another: the ring goes to and fro through the middle.
    func point(_ index: Int) -> SIMD2<Double> {
      let (side, along) = (index / (2 * count), Double(index % (2 * count) - count))
      let reach = Double(count)
      return [[along, -reach], [reach, along], [-along, reach], [-reach, -along]][side % 4]
    }
    var ring: RepairCall.Ring = (0..<(2 * count)).flatMap { [point(2 * $0), point(2 * $0 + 4 * count)] }
    ring = ring.enumerated().map { $0.offset % 4 < 2 ? $0.element : ring[$0.offset ^ 1] }
    ring.append(ring[0])
    let result = try repair([RingMath.wkt([[ring]])], rule)
    #expect(result.status == MRD_OK && result.call.isIntact)
    #expect(result.call.statuses == [MRD_ITEM_OK])
    let repaired = RingMath.wkt(result.polygons(0))
    #expect(ValidateRun.check(table, MRD_VALIDATE_VALID, try TestGeoms([repaired])).verdicts == [1])
    let random = TestRandom(seed: 5)
    var generator = random
    for _ in 0..<200 where rule == MRD_REPAIR_EVEN_ODD || rule == MRD_REPAIR_NONZERO {
      let place = SIMD2(
        Double.random(in: -300...300, using: &generator), Double.random(in: -300...300, using: &generator))
      if RingMath.distance(ring, place) < 1e-6 { continue }
      let winding = RingMath.winding(ring, place)
      let expected = rule == MRD_REPAIR_NONZERO ? winding != 0 : winding % 2 != 0
      let own = result.polygons(0).contains { polygon in
        polygon.map { RingMath.winding($0, place) == 0 ? 0 : 1 }.reduce(0, +) == 1
      }
      #expect(own == expected, "\(place)")
    }
  }
}
