// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// INVERSE and DISTANCE on the ellipsoid, on every CPU level that this machine has.
@Suite struct GeodesicInverseTests {
  private static let flattening = 1 / 298.257223563

  private func geodesic(_ wkt: [String?], flattening: Double = flattening) throws -> TestGeoms {
    try TestGeoms(wkt, edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, flattening: flattening)
  }

  @Test(arguments: NativeLevels.runnable) func hardFactsAreMet(_ level: String) throws {
    let native = try MeasureRun(LoadedLibrary(level))
    for facts in try GeodesicFact.all() {
      let flattening = facts[0].flattening
      let bound = abs(flattening) <= 1.0 / 150 ? 15e-9 : 30e-9
      let a = try GeodesicFact.points(facts.map { ($0.lon1, $0.lat1) }, flattening: flattening)
      let b = try GeodesicFact.points(facts.map { ($0.lon2, $0.lat2) }, flattening: flattening)
      let there = native.pair(MRD_MEASURE_INVERSE, a, b, columns: 3)
      let back = native.pair(MRD_MEASURE_INVERSE, b, a, columns: 3)
      let alone = native.pair(MRD_MEASURE_DISTANCE, a, b, columns: 1)
      let aloneBack = native.pair(MRD_MEASURE_DISTANCE, b, a, columns: 1)
      #expect(there.status == MRD_OK && there.isIntact, "\(there.message)")
      #expect(there.column(0) == back.column(0) && alone.column(0) == aloneBack.column(0))
      for (row, fact) in facts.enumerated() {
        #expect(fact.distanceError(there.column(0)[row]) <= bound, "\(fact.text) \(there.column(0)[row])")
        #expect(fact.distanceError(alone.column(0)[row]) <= bound, "\(fact.text) \(alone.column(0)[row])")
        try checkAzimuths(fact, there, row, bound)
      }
    }
  }

  private func checkAzimuths(_ fact: GeodesicFact, _ result: MeasureRun.Result, _ row: Int, _ bound: Double) throws {
    let status = result.statuses[row]
    if result.column(0)[row] == 0 {
      #expect(status == MRD_ITEM_DEGENERATE && result.column(1)[row] == 0 && result.column(2)[row] == 0, "\(fact.text)")
      return
    }
    // The last digit of the file is 5e-4; a metre is where the warning begins.
    if abs(fact.reducedLength) < 0.999 { #expect(status & MRD_ITEM_WARN_ILL_CONDITIONED != 0, "\(fact.text)") }
    if abs(fact.reducedLength) > 1.001 { #expect(status & MRD_ITEM_WARN_ILL_CONDITIONED == 0, "\(fact.text)") }
    guard abs(fact.reducedLength) > 1, status & MRD_ITEM_WARN_AMBIGUOUS_EDGE == 0 else { return }
    let allowed = (bound / abs(fact.reducedLength) + 4e-16) * 180 / .pi
    for (column, azimuth) in [(1, fact.azimuth1), (2, fact.azimuth2)] {
      let value = result.column(column)[row]
      let error = abs((value - azimuth).remainder(dividingBy: 360))
      // Half an ulp of the degrees themselves.
      #expect(error <= allowed + azimuth.ulp && value > -180 && value <= 180, "\(fact.text) \(value)")
    }
  }

  @Test func shortLinesKeepTheirDigits() throws {
    // On the equator an arc is a dlambda; on a meridian it is M dphi with M known at the equator.
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    let (a, f) = (6_378_137.0, Self.flattening)
    for exponent in stride(from: -40, through: -10, by: 3) {
      let step = exp2(Double(exponent))
      let result = native.pair(
        MRD_MEASURE_DISTANCE, try geodesic(["POINT(8 0)", "POINT(8 0)"]),
        try geodesic(["POINT(\(8 + step) 0)", "POINT(8 \(step))"]), columns: 1)
      let radians = step * .pi / 180
      let east = a * radians
      // M grows by 3/2 e^2 phi^2, on average over the arc half of e^2 phi^2.
      let e2 = f * (2 - f)
      let north = a * (1 - e2) * radians * (1 + e2 * radians * radians / 2)
      #expect(abs(result.column(0)[0] - east) <= 1e-15 * east, "\(step)")
      #expect(abs(result.column(0)[1] - north) <= 1e-15 * north, "\(step)")
    }
  }

  @Test func rowsThatCannotBeMeasuredSaySo() throws {
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    let a = try geodesic([
      "POINT(0 0)", nil, "POINT(0 0)", "POINT(0 91)", "POINT(inf 0)", "POINT(10 20)", "POINT(10 0)",
    ])
    let b = try geodesic([
      "POINT(1 1)", "POINT(0 0)", nil, "POINT(0 0)", "POINT(0 0)", "POINT(370 20)", "POINT(-170 1)",
    ])
    let result = native.pair(MRD_MEASURE_INVERSE, a, b, columns: 3)
    #expect(
      result.statuses == [
        MRD_ITEM_OK, MRD_ITEM_NULL, MRD_ITEM_NULL, MRD_ITEM_DOMAIN, MRD_ITEM_NONFINITE, MRD_ITEM_DEGENERATE,
        MRD_ITEM_WARN_AMBIGUOUS_EDGE,
      ])
    for row in 1...4 { for column in 0..<3 { #expect(result.column(column)[row].isNaN) } }
    #expect(result.column(1)[6] == 0 && abs(result.column(2)[6]) == 180)
    let one = try geodesic(["POINT(1 1)"])
    let broadcast = native.pair(MRD_MEASURE_DISTANCE, a, one, columns: 1, broadcast: true)
    #expect(broadcast.column(0)[0] == result.column(0)[0] && broadcast.statuses[5] == MRD_ITEM_OK)
  }

  @Test func ellipsoidsBeyondTheSeriesAreRefused() throws {
    let native = try MeasureRun(LoadedLibrary("MeridianNative"))
    let a = try geodesic(["POINT(0 0)"], flattening: 1.0 / 40)
    #expect(native.pair(MRD_MEASURE_DISTANCE, a, a, columns: 1).status == MRD_E_UNSUPPORTED)
  }

  @Test func everyLevelLayoutAndSplitGivesTheSameBits() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let count = TestScale.isLarge ? 200_000 : 2000
    let places = (0..<count).map { row -> [(Double, Double)] in
      let from = (Double.random(in: -180...180, using: &random), Double.random(in: -90...90, using: &random))
      // One in eight is nearly opposite, one in eight near by.
      let to =
        row % 8 == 0
        ? (
          from.0 + 180 + Double.random(in: -1...1, using: &random),
          -from.1 * Double.random(in: 0.98...1, using: &random)
        )
        : row % 8 == 1
          ? (
            from.0 + Double.random(in: -0.1...0.1, using: &random),
            from.1 * Double.random(in: 0.999...1, using: &random)
          )
          : (Double.random(in: -180...180, using: &random), Double.random(in: -90...90, using: &random))
      return [from, to]
    }
    func points(_ index: Int, _ rows: Range<Int>, _ layout: TestLayout = .separated) throws -> TestGeoms {
      try TestGeoms(
        places[rows].map { "POINT(\($0[index].0) \($0[index].1))" }, edges: MRD_EDGES_GEODESIC,
        metric: MRD_METRIC_ELLIPSOID, layout: layout)
    }
    var expected: [[Double]] = []
    for level in NativeLevels.runnable {
      let native = try MeasureRun(LoadedLibrary(level))
      let whole = native.pair(
        MRD_MEASURE_INVERSE, try points(0, 0..<count), try points(1, 0..<count), columns: 3)
      if expected.isEmpty { expected = whole.columns }
      #expect(whole.columns == expected, "seed \(seed): \(level)")
      let part = 5..<min(count, 48)
      for layout in TestLayout.allCases {
        let some = native.pair(
          MRD_MEASURE_INVERSE, try points(0, part, layout), try points(1, part, layout), columns: 3)
        #expect(some.columns == expected.map { Array($0[part]) }, "seed \(seed): \(level) \(layout)")
      }
    }
  }
}
