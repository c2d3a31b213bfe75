// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport
import Testing

/// Two kernels on one sphere: PROJ's series with flattening 0 and the native half-angle formulas.
@Suite struct SphereAgreementTests {
  @Test func randomRingsMeasureAlike() throws {
    let proj = try MeasureRun(LoadedLibrary("MeridianPROJ"))
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    var wkt: [String] = []
    for size in [0.001, 1, 30, 90, 180] {
      for _ in 0..<40 {
        let center = (Double.random(in: -180...180, using: &random), Double.random(in: -89...89, using: &random))
        var ring = (0..<5).map { _ in
          let y = max(-90, min(90, center.1 + size / 2 * Double.random(in: -1...1, using: &random)))
          return "\(center.0 + size * Double.random(in: -1...1, using: &random)) \(y)"
        }
        ring.append(ring[0])
        wkt.append("POLYGON((" + ring.joined(separator: ",") + "))")
      }
    }
    let geoms = try TestGeoms(wkt, edges: MRD_EDGES_GREAT_CIRCLE, metric: MRD_METRIC_SPHERE, flattening: 0)
    // A ring that runs back over itself, at a pole for example, has no inside to agree on.
    let smaller = native.measure(MRD_MEASURE_AREA, geoms).column(0)
    for side in [MRD_SIDE_SMALLER, MRD_SIDE_LEFT] {
      let (one, two) = (
        proj.measure(MRD_MEASURE_PERIMETER_AREA, geoms, columns: 2, side: side),
        native.measure(MRD_MEASURE_PERIMETER_AREA, geoms, columns: 2, side: side)
      )
      let bounds = (
        proj.measure(MRD_MEASURE_BOUNDS, geoms, columns: 4, side: side),
        native.measure(MRD_MEASURE_BOUNDS, geoms, columns: 4, side: side)
      )
      for row in wkt.indices where smaller[row] > 10 {
        #expect(abs(one.column(0)[row] - two.column(0)[row]) <= 6 * 30e-9, "seed \(seed): \(wkt[row])")
        #expect(
          abs(one.column(1)[row] - two.column(1)[row]) <= 6 * 0.1 + 5e-14 * one.column(1)[row],
          "seed \(seed): \(wkt[row])")
        for column in 0..<4 {
          #expect(abs(bounds.0.column(column)[row] - bounds.1.column(column)[row]) < 1e-11, "seed \(seed): \(wkt[row])")
        }
      }
    }
  }
}
