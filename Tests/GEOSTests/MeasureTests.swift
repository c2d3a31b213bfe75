// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import Testing

/// The columns of one measure.
func measure(_ op: UInt32, _ array: TestArray, columns: Int) -> (status: Int32, values: [[Double]], call: TestCall) {
  withColumns(columns, array.count) { out, call in
    Adapter.measure.measure?(op, array.pointer, nil, out, call.pointer) ?? -1
  }
}

func distances(_ a: TestArray, _ b: TestArray) -> [Double] {
  withColumns(1, a.count) { out, call in
    Adapter.measure.pair?(MRD_MEASURE_DISTANCE, a.pointer, b.pointer, nil, out, call.pointer) ?? -1
  }.values[0]
}

private func withColumns(
  _ columns: Int, _ rows: Int, _ body: (UnsafePointer<mrd_columns>, TestCall) -> Int32
) -> (status: Int32, values: [[Double]], call: TestCall) {
  let call = TestCall(rows: rows)
  let blocks = (0..<columns).map { _ in Block([Double](repeating: -7, count: rows)) }
  let pointers = Block<UnsafeMutablePointer<Double>?>(blocks.map { $0.base })
  var out = mrd_columns()
  out.struct_size = UInt32(MemoryLayout<mrd_columns>.size)
  out.count = UInt32(columns)
  out.length = Int64(rows)
  out.values = UnsafePointer(pointers.base)
  let status = withExtendedLifetime(pointers) { body(&out, call) }
  return (status, blocks.map { Array(UnsafeBufferPointer(start: $0.base, count: rows)) }, call)
}

@Suite struct MeasureTests {
  let polygons = [
    "MULTIPOLYGON (((0 0, 4 0, 4 3, 0 3, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1)), ((10 0, 11 0, 11 1, 10 0)))", nil,
    "MULTIPOLYGON EMPTY", "MULTIPOLYGON (((0 0, 4 0, 4 3)))",
  ]

  @Test func areasAndPerimeters() {
    let array = TestArray(wkt: polygons)
    let area = measure(MRD_MEASURE_AREA, array, columns: 1)
    #expect(area.values[0][0] == 11.5 && area.values[0][1].isNaN && area.values[0][2] == 0 && area.values[0][3].isNaN)
    #expect((0..<4).map(area.call.status) == [MRD_ITEM_OK, MRD_ITEM_NULL, MRD_ITEM_EMPTY, MRD_ITEM_INVALID])
    let both = measure(MRD_MEASURE_PERIMETER_AREA, array, columns: 2)
    #expect(both.values[1][0] == 11.5 && abs(both.values[0][0] - (18 + 2 + 2.0.squareRoot())) < 1e-14)
    #expect(measure(MRD_MEASURE_LENGTH, array, columns: 1).values[0][0] == 0)
    #expect(measure(MRD_MEASURE_LENGTH, TestArray(wkt: ["LINESTRING (0 0, 3 4)"]), columns: 1).values[0] == [5])
  }

  /// A hole that winds like its shell still subtracts.
  @Test func areaIsUnsigned() {
    let text = "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))"
    #expect(measure(MRD_MEASURE_AREA, TestArray(wkt: [text]), columns: 1).values[0] == [15])
  }

  @Test func boundsAndCentroid() {
    let array = TestArray(wkt: ["LINESTRING (0 0, 4 0, 4 3)", "LINESTRING EMPTY"], layout: .interleaved)
    let bounds = measure(MRD_MEASURE_BOUNDS, array, columns: 4).values
    #expect(bounds.map { $0[0] } == [0, 0, 4, 3] && bounds[0][1].isNaN)
    // A hole that leaves its shell has edges too.
    let stray = TestArray(wkt: ["POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 9 -2, 1 2, 1 1))"])
    #expect(measure(MRD_MEASURE_BOUNDS, stray, columns: 4).values.map { $0[0] } == [0, -2, 9, 4])
    let centroid = measure(MRD_MEASURE_CENTROID, TestArray(wkt: ["POLYGON ((0 0, 4 0, 4 2, 0 2, 0 0))"]), columns: 2)
    #expect(centroid.values.map { $0[0] } == [2, 1])
  }

  @Test func emptyPointsInMultipoints() {
    let array = TestArray(wkt: ["MULTIPOINT (EMPTY, 1 1, 3 5)", "MULTIPOINT (EMPTY, EMPTY)"])
    let bounds = measure(MRD_MEASURE_BOUNDS, array, columns: 4)
    #expect((0..<2).map(bounds.call.status) == [MRD_ITEM_OK, MRD_ITEM_EMPTY])
    #expect(bounds.values.map { $0[0] } == [1, 1, 3, 5] && bounds.values[0][1].isNaN)
    #expect(measure(MRD_MEASURE_CENTROID, array, columns: 2).values.map { $0[0] } == [2, 3])
    #expect(measure(MRD_MEASURE_AREA, array, columns: 1).values[0] == [0, 0])
    let found = distances(TestArray(wkt: ["POINT (3 4)", "POINT (3 4)"]), array)
    #expect(found[0] == 1 && found[1].isNaN)
    #expect(distances(array, TestArray(wkt: ["POINT (3 4)", "POINT (3 4)"]))[0] == 1)
    let half = TestArray([Shape(type: MRD_MULTIPOINT, parts: [[[[1, .nan], [2, 2]]]])])
    #expect(measure(MRD_MEASURE_BOUNDS, half, columns: 4).call.status(0) == MRD_ITEM_NONFINITE)
  }

  /// Too short for a valid ring, but measuring does not validate.
  @Test func ringsOfThreeCoordinates() {
    let array = TestArray(wkt: [
      "POLYGON ((0 0, 3 4, 0 0))", "POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 1 1))",
      "POLYGON ((0 0, 0 0, 0 0))",
    ])
    func values(_ op: UInt32, _ columns: Int) -> [[Double]] {
      let found = measure(op, array, columns: columns)
      #expect((0..<3).map(found.call.status) == [MRD_ITEM_OK, MRD_ITEM_OK, MRD_ITEM_OK], "operation \(op)")
      return (0..<3).map { row in found.values.map { $0[row] } }
    }
    #expect(values(MRD_MEASURE_LENGTH, 1) == [[0], [0], [0]])
    #expect(values(MRD_MEASURE_PERIMETER, 1) == [[10], [8 + 32.0.squareRoot() + 2], [0]])
    #expect(values(MRD_MEASURE_AREA, 1) == [[0], [8], [0]])
    #expect(values(MRD_MEASURE_PERIMETER_AREA, 2)[0] == [10, 0])
    #expect(values(MRD_MEASURE_BOUNDS, 4) == [[0, 0, 3, 4], [0, 0, 4, 4], [0, 0, 0, 0]])
    let centroids = values(MRD_MEASURE_CENTROID, 2)
    #expect(centroids[0] == [1.5, 2] && centroids[2] == [0, 0])
    #expect(abs(centroids[1][0] - 8.0 / 3) < 1e-14 && abs(centroids[1][1] - 4.0 / 3) < 1e-14)
    #expect(distances(TestArray(wkt: ["POINT (3 5)"]), TestArray(wkt: ["POLYGON ((0 0, 3 4, 0 0))"])) == [1])
  }

  @Test func distancesOfPairs() {
    let points = TestArray(wkt: ["POINT (0 0)", "POINT (9 9)", "POINT EMPTY", nil])
    let lines = TestArray(wkt: ["LINESTRING (3 -1, 3 1)", "LINESTRING (0 9, 9 9)", "LINESTRING (0 0, 1 1)", nil])
    let found = distances(points, lines)
    #expect(found[0] == 3 && found[1] == 0 && found[2].isNaN && found[3].isNaN)
  }

  @Test func otherModelsAreRefused() {
    var model = mrd_model()
    model.struct_size = UInt32(MemoryLayout<mrd_model>.size)
    model.metric = MRD_METRIC_ELLIPSOID
    model.semi_major = 6_378_137
    let array = TestArray([wkt("LINESTRING (0 0, 1 1)")], model: model)
    #expect(measure(MRD_MEASURE_LENGTH, array, columns: 1).status == MRD_E_UNSUPPORTED)
    #expect(measure(MRD_MEASURE_AREA_SIGNED, TestArray(wkt: ["POINT (0 0)"]), columns: 1).status == MRD_E_UNSUPPORTED)
  }
}
