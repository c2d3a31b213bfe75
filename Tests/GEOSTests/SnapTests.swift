// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import Testing

func snap(
  _ op: UInt32, _ array: TestArray, to targets: TestArray? = nil, _ change: (inout mrd_snap_options) -> Void
) -> GeometryResult {
  let call = TestCall(rows: array.count)
  var options = mrd_snap_options()
  options.struct_size = UInt32(MemoryLayout<mrd_snap_options>.size)
  change(&options)
  var out = mrd_geoms_out()
  out.struct_size = UInt32(MemoryLayout<mrd_geoms_out>.size)
  var outcomes = [Int32](repeating: -1, count: array.count)
  let status = Adapter.snap.snap?(op, array.pointer, targets?.pointer, &options, &out, &outcomes, call.pointer) ?? -1
  let shapes = status == MRD_OK ? call.shapes(out) : []
  return GeometryResult(status: status, shapes: shapes, outcomes: outcomes, call: call)
}

func pair(_ text: String?, to target: String?, _ tolerance: Double) -> GeometryResult {
  snap(MRD_SNAP_PAIR, TestArray(wkt: [text]), to: TestArray(wkt: [target])) { $0.tolerance_coord = tolerance }
}

func grid(_ text: String, _ scale: Double, flags: UInt32 = 0) -> GeometryResult {
  snap(MRD_SNAP_GRID, TestArray(wkt: [text])) {
    $0.grid_scale = scale
    $0.flags = flags
  }
}

@Suite struct SnapTests {
  @Test func pairMovesVerticesAndInsertsThem() {
    let result = pair("LINESTRING (0 0, 10 0)", to: "LINESTRING (0 1, 10 1, 5 0.5)", 2)
    #expect(result.outcomes == [MRD_SNAP_MOVED])
    #expect(result.shapes[0] == wkt("LINESTRING (0 1, 5 0.5, 10 1)"))
    let same = pair("LINESTRING (0 0, 10 0)", to: "POINT (50 50)", 2)
    #expect(same.outcomes == [MRD_SNAP_UNCHANGED] && same.shapes[0] == wkt("LINESTRING (0 0, 10 0)"))
    let lone = pair("LINESTRING (0 0, 10 0)", to: "POINT EMPTY", 2)
    #expect(lone.outcomes == [MRD_SNAP_UNCHANGED])
  }

  @Test func aRowThatWouldBecomeInvalidIsWithheld() {
    let thin = "POLYGON ((0 0, 10 0, 10 1, 5 0.5, 0 1, 0 0))"
    let result = pair(thin, to: "POINT (5 -0.2)", 1)
    #expect(result.outcomes == [MRD_SNAP_WITHHELD] && result.call.status(0) == MRD_ITEM_NOT_APPLIED)
    #expect(result.shapes[0] == wkt(thin))
  }

  @Test func zComesFromTheTarget() {
    let moved = pair("LINESTRING Z (0 0 7, 10 0 8)", to: "POINT Z (0 1 100)", 2)
    #expect(moved.shapes[0] == wkt("LINESTRING Z (0 1 100, 10 0 8)"))
    #expect(pair("LINESTRING Z (0 0 7, 10 0 8)", to: "POINT (0 1)", 2).status == MRD_E_UNSUPPORTED)
  }

  /// Nothing moves farther than the tolerance, whatever GEOS does; valid rows stay valid.
  @Test func randomPairsKeepTheirPromises() {
    for seed in 0..<400 {
      var random = SplitMix(seed: UInt64(seed) &+ 77)
      let text = random.star(vertices: 4 + seed % 12)
      let target = random.star(vertices: 4 + seed % 9)
      let result = pair(text, to: target, 0.3)
      guard let shape = result.shapes[0] else {
        Issue.record("seed \(seed): no row")
        continue
      }
      #expect((result.outcomes[0] == MRD_SNAP_WITHHELD) == (result.call.status(0) == MRD_ITEM_NOT_APPLIED))
      if check(TestArray(wkt: [text])).verdicts == [1] {
        #expect(check(TestArray([shape])).verdicts == [1], "seed \(seed)")
      }
      let border = Shape(type: MRD_LINESTRING, parts: wkt(text).parts)
      for vertex in shape.parts[0][0] {
        let point = Shape(type: MRD_POINT, parts: [[[vertex]]])
        #expect(distances(TestArray([point]), TestArray([border]))[0] <= 0.3 * (1 + 1e-9), "seed \(seed)")
      }
    }
  }

  /// Empty points in multipoints are no fault, and they stay where they were among the others.
  @Test func emptyPointsInMultipoints() {
    func ordinates(_ result: GeometryResult) -> [[Double]] {
      (result.shapes[0]?.parts[0][0] ?? []).map { $0.map { $0.isNaN ? -1 : $0 } }
    }
    let moved = pair("MULTIPOINT (EMPTY, 1 1, EMPTY, 30 50)", to: "MULTIPOINT (EMPTY, 2 1)", 2)
    #expect(moved.outcomes == [MRD_SNAP_MOVED] && ordinates(moved) == [[-1, -1], [2, 1], [-1, -1], [30, 50]])
    let still = pair("MULTIPOINT (EMPTY, 1 1)", to: "POINT (9 9)", 2)
    #expect(still.outcomes == [MRD_SNAP_UNCHANGED] && ordinates(still) == [[-1, -1], [1, 1]])
    let onGrid = grid("MULTIPOINT (3 3, EMPTY, 1 1)", 10)
    #expect(onGrid.outcomes == [MRD_SNAP_UNCHANGED] && ordinates(onGrid) == [[3, 3], [-1, -1], [1, 1]])
    let rounded = grid("MULTIPOINT (EMPTY, 1.2 1)", 1)
    #expect(rounded.outcomes == [MRD_SNAP_MOVED] && ordinates(rounded) == [[1, 1]])
    let none = grid("MULTIPOINT (EMPTY, EMPTY)", 1)
    #expect(none.outcomes == [MRD_SNAP_UNCHANGED] && none.call.status(0) == MRD_ITEM_EMPTY)
  }

  /// The contract rounds halves to even from the exact product; GEOS rounds them up from the rounded one.
  @Test func gridRoundsHalvesToEven() {
    func image(_ ordinate: Double, _ scale: Double) -> Double {
      grid("POINT (\(ordinate) 7)", scale).shapes[0]?.parts[0][0][0][0] ?? .nan
    }
    for (ordinate, wanted) in [(0.5, 0.0), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (-2.5, -2), (4.5, 4)] {
      #expect(image(ordinate, 1) == wanted, "\(ordinate)")
    }
    #expect(image(0.25, 2) == 0 && image(0.75, 2) == 1 && image(1.25, 2) == 1)
    // The double 0.15 lies below 0.15, and 0.35 below 0.35, yet ten times either rounds to a half; 0.45 lies above.
    #expect(image(0.15, 10) == 0.1 && image(0.35, 10) == 0.3 && image(0.45, 10) == 0.5 && image(0.25, 10) == 0.2)
    #expect(image(0.49999999999999994, 1) == 0 && image(0.5000000000000001, 1) == 1)
    // Near 2^52 cells there are halves and little else.
    #expect(image(0x1p51 + 0.5, 1) == 0x1p51 && image(0x1p51 + 1.5, 1) == 0x1p51 + 2)
    let square = grid("POLYGON ((0.5 0.5, 10.5 0.5, 10.5 11.5, 0.5 11.5, 0.5 0.5))", 1)
    let vertices = Set((square.shapes[0]?.parts[0][0] ?? []).map { "\($0)" })
    #expect(vertices == ["[0.0, 0.0]", "[10.0, 0.0]", "[10.0, 12.0]", "[0.0, 12.0]"])
  }

  /// Neighbours that share a border with halves in it share it afterwards.
  @Test func gridKeepsSharedBordersWithHalves() {
    let left = grid("POLYGON ((0 0, 2.5 0, 2.5 4.5, 1.5 8, 0 8, 0 0))", 1)
    let right = grid("POLYGON ((2.5 0, 6 0, 6 8, 1.5 8, 2.5 4.5, 2.5 0))", 1)
    func vertices(_ result: GeometryResult) -> Set<[Double]> { Set(result.shapes[0]?.parts[0][0] ?? []) }
    #expect(vertices(left).intersection(vertices(right)) == [[2, 0], [2, 4], [2, 8]])
  }

  @Test func gridRounds() {
    let result = grid("POLYGON ((0.12 0, 5 0.04, 10 0.02, 10 10, 0 10, 0.12 0))", 10)
    #expect(result.outcomes == [MRD_SNAP_MOVED])
    let vertices = Set((result.shapes[0]?.parts[0][0] ?? []).map { "\($0)" })
    #expect(vertices == ["[0.1, 0.0]", "[5.0, 0.0]", "[10.0, 0.0]", "[10.0, 10.0]", "[0.0, 10.0]"])
    let onGrid = "POLYGON ((0.1 0, 10 0, 10 10, 0.1 0))"
    let same = grid(onGrid, 10)
    #expect(same.outcomes == [MRD_SNAP_UNCHANGED] && same.shapes[0]?.parts == wkt(onGrid).parts)
  }

  @Test func gridCollapse() {
    let tiny = grid("POLYGON ((0.1 0, 0.2 0, 0.2 0.1, 0.1 0))", 1)
    #expect(tiny.outcomes == [MRD_SNAP_COLLAPSED] && tiny.shapes[0]?.parts.isEmpty == true)
    let lines = "MULTILINESTRING ((0.1 0, 0.2 0), (3.2 3, 5 5))"
    #expect(grid(lines, 1).shapes[0] == wkt("MULTILINESTRING ((3 3, 5 5))"))
    #expect(
      grid(lines, 1, flags: UInt32(MRD_SNAP_KEEP_COLLAPSED)).shapes[0]
        == wkt("MULTILINESTRING ((0 0, 0 0), (3 3, 5 5))"))
    let keep = grid("POLYGON ((0 0, 1 0, 1 1, 0 0))", 1, flags: UInt32(MRD_SNAP_KEEP_COLLAPSED))
    #expect(keep.status == MRD_E_UNSUPPORTED)
    #expect(grid("POINT (1 1)", 0).status == MRD_E_ARGUMENT)
  }

  @Test func gridGivesCoordinatesOfTheGridAndValidRows() {
    for seed in 0..<200 {
      var random = SplitMix(seed: UInt64(seed) &+ 5)
      let result = grid(random.star(vertices: 30), 7)
      guard result.outcomes[0] != MRD_SNAP_WITHHELD, let shape = result.shapes[0] else { continue }
      #expect(shape.parts.isEmpty || check(TestArray([shape])).verdicts == [1], "seed \(seed)")
      let ordinates = shape.parts.flatMap { $0 }.flatMap { $0 }.flatMap { $0 }
      #expect(ordinates.allSatisfy { $0 == ($0 * 7).rounded(.toNearestOrEven) / 7 }, "seed \(seed)")
    }
  }

  @Test func refusals() {
    let array = TestArray(wkt: ["POINT (1 1)"])
    let targets = TestArray(wkt: ["POINT (1 1)"])
    #expect(snap(MRD_SNAP_PAIR, array, to: targets) { $0.tolerance_m = 1 }.status == MRD_E_UNSUPPORTED)
    #expect(snap(MRD_SNAP_PAIR, array, to: targets) { $0.tolerance_coord = -1 }.status == MRD_E_ARGUMENT)
    #expect(snap(MRD_SNAP_SELF, array) { $0.tolerance_coord = 1 }.status == MRD_E_UNSUPPORTED)
    #expect(snap(MRD_SNAP_PAIR, array) { $0.tolerance_coord = 1 }.status == MRD_E_ABI)
    #expect(Adapter.snap.info?(MRD_SNAP_LAYER) == nil && Adapter.snap.open == nil)
  }
}
