// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport
import Testing

@Suite struct PlanarMeasureTests {
  let native: MeasureRun
  init() throws { native = try MeasureRun(LoadedLibrary("MeridianNative")) }

  @Test func aSquareWithAHole() throws {
    let geoms = try TestGeoms(["POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,2 1,2 2,1 2,1 1))"])
    #expect(native.measure(MRD_MEASURE_AREA, geoms).column(0) == [15])
    // The hole is wound like the shell, so the plain sum adds it.
    #expect(native.measure(MRD_MEASURE_AREA_SIGNED, geoms).column(0) == [17])
    #expect(native.measure(MRD_MEASURE_PERIMETER, geoms).column(0) == [20])
    #expect(native.measure(MRD_MEASURE_LENGTH, geoms).column(0) == [0])
    let counts = native.measure(MRD_MEASURE_COUNTS, geoms, columns: 3)
    #expect(counts.columns.map { $0[0] } == [1, 2, 10])
    let bounds = native.measure(MRD_MEASURE_BOUNDS, geoms, columns: 4)
    #expect(bounds.columns.map { $0[0] } == [0, 0, 4, 4])
  }
}
