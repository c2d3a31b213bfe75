// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport
import Testing

@Suite struct SimplifyTests {
  let table: mrd_family_simplify
  init() throws { table = try LoadedLibrary("MeridianNative").simplify() }

  private struct Result {
    var status: mrd_status
    var outcomes: [Int32]
    var call: GuardedCall
    var kept: [Int64] { call.values(MRD_BUF_IDS, Int64.self) }
    var x: [Double] { call.values(MRD_BUF_X, Double.self) }
    var y: [Double] { call.values(MRD_BUF_Y, Double.self) }
  }

  private func run(_ geoms: TestGeoms, _ tolerances: [Double], collapse: Int32 = MRD_COLLAPSE_KEEP) -> Result {
    var outcomes = Array(repeating: Int32(-1), count: geoms.rows * max(1, tolerances.count))
    let call = GuardedCall(rows: geoms.rows)
    var out = mrd_geoms_out()
    out.struct_size = UInt32(MemoryLayout<mrd_geoms_out>.size)
    let status = tolerances.withUnsafeBufferPointer { tolerances in
      var options = mrd_simplify_options()
      options.struct_size = UInt32(MemoryLayout<mrd_simplify_options>.size)
      options.flags = MRD_SIMPLIFY_WANT_KEPT
      options.collapse = collapse
      options.n_tolerances = UInt32(tolerances.count)
      options.tolerances = tolerances.baseAddress
      return call.run {
        table.simplify(MRD_SIMPLIFY_DOUGLAS_PEUCKER, geoms.pointer, &options, &out, &outcomes, $0)
      }
    }
    return Result(status: status, outcomes: outcomes, call: call)
  }

  @Test func emptyPointsInMultipointsStay() throws {
    let result = run(try TestGeoms(["MULTIPOINT(1 1,nan nan,3 5)", "MULTIPOINT(nan nan)", "MULTIPOINT(1 nan)"]), [1])
    #expect(result.outcomes == [MRD_SIMPLIFY_UNCHANGED, MRD_SIMPLIFY_UNCHANGED, MRD_SIMPLIFY_WITHHELD])
    #expect(result.call.statuses == [MRD_ITEM_OK, MRD_ITEM_EMPTY, MRD_ITEM_NONFINITE])
    #expect(result.x.map { $0.isNaN ? -1 : $0 } == [1, -1, 3, -1])
  }

  @Test func linesAndRings() throws {
    let line = run(try TestGeoms(["LINESTRING(0 0,1 0.1,2 0,3 5,4 0)", nil, "LINESTRING(0 0,1 1,2 2)"]), [0.5])
    #expect(line.status == MRD_OK && line.call.isIntact)
    #expect(line.outcomes == [MRD_SIMPLIFY_REDUCED, MRD_SIMPLIFY_UNCHANGED, MRD_SIMPLIFY_REDUCED])
    #expect(line.x == [0, 2, 3, 4, 0, 2])
    #expect(line.kept.prefix(4) == [0, 2, 3, 4])

    let ring = run(try TestGeoms(["POLYGON((2 0,4 0,4 4,0 4,0 0,2 0))"]), [0])
    #expect(ring.x == [4, 4, 0, 0, 4] && ring.y == [0, 4, 4, 0, 0])
  }

  @Test func collapsedRingsByMode() throws {
    let wkt = "POLYGON((0 0,1 0,1 1,0 1,0 0))"
    let kept = run(try TestGeoms([wkt]), [10])
    #expect(kept.outcomes == [MRD_SIMPLIFY_LEAST_FORM] && kept.x.count == 4)
    let dropped = run(try TestGeoms([wkt]), [10], collapse: MRD_COLLAPSE_DROP)
    #expect(dropped.outcomes == [MRD_SIMPLIFY_DROPPED] && dropped.x.isEmpty)
    let point = run(try TestGeoms([wkt]), [10], collapse: MRD_COLLAPSE_POINT)
    #expect(point.outcomes == [MRD_SIMPLIFY_TO_POINT])
    #expect(point.call.values(MRD_BUF_VALUES, Double.self) == [0, 0])
  }

  @Test func aClosedLineKeepsItsEnds() throws {
    let line = run(try TestGeoms(["LINESTRING(0 3,0 6,6 6,6 0,0 0,0 3)"]), [100])
    #expect(line.outcomes == [MRD_SIMPLIFY_LEAST_FORM])
    #expect(line.x == [0, 6, 0] && line.y == [3, 0, 3])
    #expect(line.kept == [0, 3, 5])
    let point = run(try TestGeoms(["LINESTRING(1 1,1 1,1 1)"]), [0])
    #expect(point.x == [1, 1, 1])
  }

  @Test func badTolerancesAreRefused() throws {
    for tolerances in [[-1.0], [Double.nan], [2, 1], []] {
      #expect(run(try TestGeoms(["LINESTRING(0 0,1 1)"]), tolerances).status == MRD_E_ARGUMENT)
    }
  }

  /// Every dropped vertex is within tolerance of the segment that replaces it; neither the start of a ring nor its
  /// direction matters where no two vertices are equal; the kept sets of a pyramid are nested.
  @Test func promisesOnRandomRings() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for _ in 0..<100 {
      let count = Int.random(in: 3...40, using: &random)
      let ring = (0..<count).map { _ in
        (Double(Int.random(in: 0...20, using: &random)), Double(Int.random(in: 0...20, using: &random)))
      }
      func wkt(_ ring: [(Double, Double)]) -> String {
        "POLYGON((" + (ring + [ring[0]]).map { "\($0.0) \($0.1)" }.joined(separator: ",") + "))"
      }
      let result = run(try TestGeoms([wkt(ring)]), [1, 3])
      let turn = Int.random(in: 0..<count, using: &random)
      let turned = run(try TestGeoms([wkt(Array((ring[turn...] + ring[..<turn]).reversed()))]), [1, 3])
      let offsets = result.call.values(MRD_BUF_OFFSETS1, Int64.self).map(Int.init)
      let fine = Set(result.kept[offsets[0]..<offsets[1]])
      let coarse = Set(result.kept[offsets[1]..<offsets[2]])
      #expect(coarse.isSubset(of: fine), "seed \(seed): \(wkt(ring))")

      func places(_ result: Result, _ from: Int, _ to: Int) -> [String] {
        (from..<(to - 1)).map { "\(result.x[$0]) \(result.y[$0])" }.sorted()
      }
      let turnedOffsets = turned.call.values(MRD_BUF_OFFSETS1, Int64.self).map(Int.init)
      // A ring that visits a place twice has ties that no rule about places can break.
      if Set(ring.map { "\($0.0) \($0.1)" }).count == count {
        #expect(
          places(result, offsets[0], offsets[1]) == places(turned, turnedOffsets[0], turnedOffsets[1]),
          "seed \(seed): \(wkt(ring))")
      }

      if result.outcomes[0] == MRD_SIMPLIFY_REDUCED {
        // The first row starts behind the spare coordinate-free row, so kept numbers are vertex numbers.
        let kept = result.kept[offsets[0]..<(offsets[1] - 1)].map(Int.init)
        for (index, from) in kept.enumerated() {
          let to = kept[(index + 1) % kept.count]
          var vertex = (from + 1) % count
          while vertex != to {
            #expect(distance(ring[vertex], ring[from], ring[to]) <= 1 + 1e-12, "seed \(seed): \(wkt(ring))")
            vertex = (vertex + 1) % count
          }
        }
      }
    }
  }

  private func distance(_ p: (Double, Double), _ a: (Double, Double), _ b: (Double, Double)) -> Double {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1)
    let length = dx * dx + dy * dy
    let share = length == 0 ? 0 : max(0, min(1, ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / length))
    let (ex, ey) = (p.0 - a.0 - share * dx, p.1 - a.1 - share * dy)
    return (ex * ex + ey * ey).squareRoot()
  }
}
