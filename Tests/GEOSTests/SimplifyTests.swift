// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import Testing

struct GeometryResult {
  var status: Int32
  var shapes: [Shape?]
  var outcomes: [Int32]
  var call: TestCall
}

func simplify(
  _ array: TestArray, _ op: UInt32, _ tolerance: Double, call: TestCall? = nil,
  _ change: (inout mrd_simplify_options) -> Void = { _ in }
) -> GeometryResult {
  let call = call ?? TestCall(rows: array.count)
  let tolerances = Block([tolerance, tolerance * 2])
  var options = mrd_simplify_options()
  options.struct_size = UInt32(MemoryLayout<mrd_simplify_options>.size)
  options.n_tolerances = 1
  options.tolerances = UnsafePointer(tolerances.base)
  change(&options)
  var out = mrd_geoms_out()
  out.struct_size = UInt32(MemoryLayout<mrd_geoms_out>.size)
  var outcomes = [Int32](repeating: -1, count: array.count)
  let status = withExtendedLifetime((array, tolerances)) {
    Adapter.simplify.simplify?(op, array.pointer, &options, &out, &outcomes, call.pointer) ?? -1
  }
  let shapes = status == MRD_OK ? call.shapes(out) : []
  return GeometryResult(status: status, shapes: shapes, outcomes: outcomes, call: call)
}

@Suite struct SimplifyTests {
  static let both = [MRD_SIMPLIFY_DOUGLAS_PEUCKER, MRD_SIMPLIFY_TOPOLOGY_PRESERVING]

  @Test(arguments: both)
  func verticesKeepZAndMAndNumbers(op: UInt32) {
    let line = "LINESTRING ZM (0 0 1 2, 5 0.1 3 4, 10 0 5 6)"
    let array = TestArray(wkt: [line, nil, line])
    let result = simplify(array, op, 1) { $0.flags = UInt32(MRD_SIMPLIFY_WANT_KEPT) }
    #expect(result.shapes[0] == wkt("LINESTRING ZM (0 0 1 2, 10 0 5 6)"))
    #expect(result.shapes[1] == nil)
    #expect(result.outcomes == [MRD_SIMPLIFY_REDUCED, MRD_SIMPLIFY_UNCHANGED, MRD_SIMPLIFY_REDUCED])
    #expect(result.call.values(MRD_BUF_IDS, as: Int64.self) == [0, 2, 3, 5])
    let same = simplify(array, op, 0.01)
    #expect(same.shapes[0] == wkt(line) && same.outcomes[0] == MRD_SIMPLIFY_UNCHANGED)
  }

  @Test func ordinatesTooFarApartForTheTreeOfGEOS() {
    let texts = ["LINESTRING (3 -2, -1e308 2, 1e200 5e-324, 0 360, 2 1, -2 2)", "LINESTRING (0 0, 5 0.1, 10 0)"]
    let result = simplify(TestArray(wkt: texts), MRD_SIMPLIFY_TOPOLOGY_PRESERVING, 1)
    #expect(result.shapes[0] == wkt(texts[0]))
    #expect(result.outcomes == [MRD_SIMPLIFY_WITHHELD, MRD_SIMPLIFY_REDUCED])
    #expect(result.call.status(0) == MRD_ITEM_UNSUPPORTED)
  }

  @Test func collapse() {
    let texts = ["POLYGON ((0 0, 1 0, 1 1, 0 0))", "LINESTRING (0 0, 5 0.1, 0 0)"]
    for text in texts {
      func run(_ rule: Int32) -> GeometryResult {
        simplify(TestArray(wkt: [text]), MRD_SIMPLIFY_DOUGLAS_PEUCKER, 100) { $0.collapse = rule }
      }
      let keep = run(MRD_COLLAPSE_KEEP)
      #expect(keep.shapes[0] == wkt(text) && keep.outcomes == [MRD_SIMPLIFY_WITHHELD])
      #expect(keep.call.status(0) == MRD_ITEM_NOT_APPLIED)
      let point = run(MRD_COLLAPSE_POINT)
      #expect(point.outcomes == [MRD_SIMPLIFY_TO_POINT])
      #expect(point.call.values(MRD_BUF_VALUES, as: Double.self) == [0, 0])
      let drop = run(MRD_COLLAPSE_DROP)
      #expect(drop.outcomes == [MRD_SIMPLIFY_DROPPED] && drop.shapes[0]?.parts.flatMap { $0 }.flatMap { $0 } == [])
    }
  }

  @Test func aLostPartIsLostOnlyOnRequest() {
    let text = "MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((100 0, 200 0, 200 100, 150 50.1, 100 0)))"
    let keep = simplify(TestArray(wkt: [text]), MRD_SIMPLIFY_DOUGLAS_PEUCKER, 10)
    #expect(keep.shapes[0] == wkt(text) && keep.outcomes == [MRD_SIMPLIFY_WITHHELD])
    let drop = simplify(TestArray(wkt: [text]), MRD_SIMPLIFY_DOUGLAS_PEUCKER, 10) { $0.collapse = MRD_COLLAPSE_DROP }
    #expect(drop.shapes[0] == wkt("MULTIPOLYGON (((100 0, 200 0, 200 100, 100 0)))"))
  }

  @Test func topologyPreservingLeavesInvalidRows() {
    let text = "POLYGON ((0 0, 4 4, 4 0, 0 4, 0 0))"
    let result = simplify(TestArray(wkt: [text]), MRD_SIMPLIFY_TOPOLOGY_PRESERVING, 1)
    #expect(result.shapes[0] == wkt(text) && result.outcomes == [MRD_SIMPLIFY_WITHHELD])
    #expect(result.call.status(0) == MRD_ITEM_INVALID)
  }

  @Test func refusals() {
    let array = TestArray(wkt: ["LINESTRING (0 0, 1 1)"])
    let op = MRD_SIMPLIFY_DOUGLAS_PEUCKER
    #expect(simplify(array, op, -1).status == MRD_E_ARGUMENT)
    #expect(simplify(array, op, .nan).status == MRD_E_ARGUMENT)
    #expect(simplify(array, op, 1) { $0.n_tolerances = 2 }.status == MRD_E_UNSUPPORTED)
    #expect(simplify(array, op, 1) { $0.unit = MRD_TOLERANCE_METRES }.status == MRD_E_UNSUPPORTED)
    #expect(simplify(array, op, 1) { $0.target_count = 3 }.status == MRD_E_UNSUPPORTED)
    #expect(simplify(array, MRD_SIMPLIFY_VISVALINGAM, 1).status == MRD_E_UNSUPPORTED)
    #expect(Adapter.simplify.info?(MRD_SIMPLIFY_COVERAGE) == nil)
  }

  /// Output vertices are input vertices in their order; dropped vertices lie within the tolerance of what replaces them.
  @Test(arguments: both)
  func randomRowsKeepTheirPromises(op: UInt32) {
    for seed in 0..<300 {
      var random = SplitMix(seed: UInt64(seed))
      let text = random.star(vertices: 4 + seed % 40)
      let input = wkt(text)
      let result = simplify(TestArray([input]), op, 0.15) { $0.collapse = MRD_COLLAPSE_DROP }
      #expect(result.status == MRD_OK, "seed \(seed)")
      let places = Set(input.parts[0][0].map { "\($0)" })
      let rings = result.shapes[0]?.parts.first ?? []
      #expect(rings.allSatisfy { $0.allSatisfy { places.contains("\($0)") } }, "seed \(seed)")
      if op == MRD_SIMPLIFY_TOPOLOGY_PRESERVING, check(TestArray([input])).verdicts == [1] {
        let valid = check(TestArray([result.shapes[0]], type: MRD_POLYGON)).verdicts == [1]
        #expect(valid && !rings.isEmpty, "seed \(seed)")
      }
    }
  }

  /// GEOS recurses once for each vertex of such a line; the adapter must not let it.
  @Test(arguments: both)
  func recursionThatWouldOverflowTheStackIsRefused(op: UInt32) {
    // Each chord's farthest vertex is the one beside its start.
    let count = 6000
    let line = (0..<count).map { index -> [Double] in
      let height = 1e9 / Double(index + 1)
      return [Double(index), index % 2 == 0 ? height : -height]
    }
    let shape = Shape(type: MRD_LINESTRING, parts: [[line]])
    let result = simplify(TestArray([shape]), op, 1e-9)
    #expect(result.outcomes == [MRD_SIMPLIFY_WITHHELD] && result.call.status(0) == MRD_ITEM_UNSUPPORTED)
    #expect(result.shapes[0] == shape)
  }
}

/// A small generator with a printed seed.
struct SplitMix {
  var state: UInt64
  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
  mutating func integer(_ below: Int) -> Int { Int(next() % UInt64(below)) }

  /// A polygon round the origin, mostly simple.
  mutating func star(vertices: Int) -> String {
    var places = (0..<vertices).map { index -> String in
      let angle = 2 * Double.pi * Double(index) / Double(vertices)
      let radius = 0.5 + unit()
      return "\(radius * cos(angle)) \(radius * sin(angle))"
    }
    places.append(places[0])
    return "POLYGON ((\(places.joined(separator: ", "))))"
  }
}
