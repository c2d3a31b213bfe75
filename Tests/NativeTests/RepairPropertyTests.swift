// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// Repairs of random rings on coarse grids, where every degeneracy happens, against winding numbers of places.
@Suite struct RepairPropertyTests {
  let table: mrd_family_validate
  init() throws { table = try LoadedLibrary("MeridianNative").validate() }

  private static let rounds = TestScale.isLarge ? 40 : 2

  /// A multipolygon with rings of any form; holes lie anywhere.
  private func row(_ random: inout TestRandom) -> [[RepairCall.Ring]] {
    let side = Int.random(in: 2...8, using: &random)
    let isWhole = Int.random(in: 0...2, using: &random) > 0
    func ring() -> RepairCall.Ring {
      var ring: RepairCall.Ring = (0..<Int.random(in: 3...12, using: &random)).map { _ in
        func ordinate() -> Double {
          isWhole
            ? Double(Int.random(in: 0...side, using: &random)) : Double.random(in: 0...Double(side), using: &random)
        }
        return [ordinate(), ordinate()]
      }
      if Int.random(in: 0...5, using: &random) == 0, ring.count > 3 { ring[2] = ring[0] }
      return ring + [ring[0]]
    }
    return (0..<Int.random(in: 1...3, using: &random)).map { _ in
      (0..<Int.random(in: 1...3, using: &random)).map { _ in ring() }
    }
  }

  private func judge(_ rows: [[[RepairCall.Ring]]], _ rule: Int32, _ seed: UInt64, _ random: inout TestRandom) throws {
    let result = RepairCall(table, try TestGeoms(rows.map(RingMath.wkt)), rule: rule)
    #expect(result.status == MRD_OK && result.call.isIntact, "seed \(seed)")
    let repaired = rows.indices.map { result.polygons($0) }
    let again = RepairCall(table, try TestGeoms(repaired.map(RingMath.wkt)), rule: rule)
    for (row, input) in rows.enumerated() {
      let words: String = "seed \(seed), rule \(rule): \(RingMath.wkt(input)) became \(RingMath.wkt(repaired[row]))"
      #expect(result.call.statuses[row] == MRD_ITEM_OK, "\(words)")
      // What is valid is left as it is: so the result is valid, by the kernel's own verdict.
      #expect(again.reports[row].outcome == MRD_REPAIR_UNCHANGED && again.polygons(row) == repaired[row], "\(words)")
      if result.reports[row].outcome == MRD_REPAIR_UNCHANGED { #expect(repaired[row] == input, "\(words)") }
      for _ in 0..<20 {
        let place = SIMD2(Double.random(in: -0.5...8.5, using: &random), Double.random(in: -0.5...8.5, using: &random))
        guard input.joined().allSatisfy({ RingMath.distance($0, place) > 1e-9 }) else { continue }
        guard let expected = isInside(input, place, rule) else { continue }
        let rings = repaired[row].joined().map { RingMath.winding($0, place) }
        #expect(rings.count { $0 != 0 } % 2 == (expected ? 1 : 0), "\(place) of \(words)")
      }
    }
  }

  /// nil where the rule is not a matter of winding numbers alone.
  private func isInside(_ parts: [[RepairCall.Ring]], _ place: SIMD2<Double>, _ rule: Int32) -> Bool? {
    let windings = parts.map { $0.map { RingMath.winding($0, place) } }
    let sum = windings.joined().reduce(0, +)
    switch rule {
    case MRD_REPAIR_EVEN_ODD: return sum % 2 != 0
    case MRD_REPAIR_NONZERO: return sum != 0
    case MRD_REPAIR_STRUCTURE:
      // Holes over their shell take away; whether one elsewhere is land depends on what it touches.
      if windings.contains(where: { $0[0] != 0 && $0.dropFirst().allSatisfy { $0 == 0 } }) { return true }
      return windings.contains { $0[0] == 0 && $0.dropFirst().contains { $0 != 0 } } ? nil : false
    default: return nil
    }
  }

  @Test(arguments: [MRD_REPAIR_STRUCTURE, MRD_REPAIR_LINEWORK, MRD_REPAIR_EVEN_ODD, MRD_REPAIR_NONZERO])
  func againstWindingNumbers(rule: Int32) throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for _ in 0..<Self.rounds {
      let rows = (0..<50).map { _ in row(&random) }
      try judge(rows, rule, seed, &random)
    }
  }

  /// Many long edges that all cross: every crossing is rounded, and pieces are moved over others.
  @Test func scribbles() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let rings: [[[RepairCall.Ring]]] = (0..<4).map { _ in
      var ring: RepairCall.Ring = (0..<60).map { _ in
        [Double.random(in: 0...8, using: &random), Double.random(in: 0...8, using: &random)]
      }
      ring.append(ring[0])
      return [[ring]]
    }
    for rule in [MRD_REPAIR_STRUCTURE, MRD_REPAIR_EVEN_ODD] { try judge(rings, rule, seed, &random) }
  }
}
