// SPDX-License-Identifier: Apache-2.0
import Meridian
import TestSupport
import Testing

/// The native repair beside GEOS's: GEOS finds every result valid, and by the rules that both have the areas are the same
/// wherever edges run along the axes and their halves, so that all crossings are exact. Elsewhere GEOS rounds one crossing of
/// three edges to several places, and linework then differs.
@Suite(.enabled(if: Installed.offering("validate.repair").contains("geos"))) struct RepairAgreementPropertyTests {
  private typealias Ring = [SIMD2<Double>]

  /// Steps in eight directions on a grid, closed along it.
  private func ring(_ random: inout TestRandom, side: Int, most: Int) -> Ring {
    func ordinate() -> Double { Double(Int.random(in: 0...side, using: &random)) }
    var ring: Ring = [[ordinate(), ordinate()]]
    for _ in 0..<Int.random(in: 3...most, using: &random) {
      func step() -> Double { Double(Int.random(in: -1...1, using: &random)) }
      let next = ring[ring.count - 1] + Double(Int.random(in: 1...side, using: &random)) * SIMD2(step(), step())
      if next.min() >= 0 && next.max() <= Double(side) { ring.append(next) }
    }
    ring.append([ring[0].x, ring[ring.count - 1].y])
    ring.append(ring[0])
    while ring.count < 4 { ring.append(ring[0]) }
    return ring
  }

  private func set(_ random: inout TestRandom, rows: Int) throws -> GeometrySet {
    var builder = GeometryBuilder()
    for _ in 0..<rows {
      let side = Int.random(in: 2...9, using: &random)
      try builder.begin(.multiPolygon, .xy)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        try builder.part()
        for number in 0..<Int.random(in: 1...3, using: &random) {
          try builder.ring()
          for place in ring(&random, side: side, most: number == 0 ? 14 : 6) { builder.add(place.x, place.y) }
        }
      }
      try builder.end()
    }
    return try builder.finish()
  }

  private func repair(_ set: GeometrySet, _ rule: RepairRule, _ kernel: String) throws -> Repaired {
    var options = RepairOptions()
    options.rule = rule
    return try Installed.host.repair(set, options: options, run: Run(rules: "validate.repair=\(kernel)"))
  }

  @Test(arguments: RepairRule.allCases) func resultsAreValidAndAreasAgree(rule: RepairRule) throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let set = try set(&random, rows: Scale.times(60))
    let native = try repair(set, rule, "native")
    let verdicts = try Installed.host.validate(.valid, native.set, run: Run(rules: "validate.valid=geos")).verdicts
    let before = try Installed.host.validate(.valid, set, run: Run(rules: "validate.valid=geos")).verdicts
    for row in 0..<set.count {
      let words: String =
        "seed \(seed), \(rule): \(NormalForm(set, row: row)) became \(NormalForm(native.set, row: row))"
      #expect(verdicts[row] == .valid, "\(words)")
      #expect((before[row] == .valid) == (native.reports[row].outcome == .unchanged), "\(words)")
    }
    guard rule == .structure || rule == .linework else { return }
    let geos = try repair(set, rule, "geos")
    for row in 0..<set.count where geos.reports[row].outcome != .withheld {
      // By structure GEOS now and then makes nothing of a row that has an area.
      if rule == .structure && geos.reports[row].outcome == .collapsed { continue }
      let (a, b) = (native.reports[row].areaAfter, geos.reports[row].areaAfter)
      #expect(abs(a - b) <= 1e-9 * max(a, b), "seed \(seed), \(rule): \(a) \(b) of \(NormalForm(set, row: row))")
    }
  }
}
