// SPDX-License-Identifier: Apache-2.0
import Meridian
import TestSupport
import Testing

/// What the host brings from the arrays of a set to its rows is what each row has by itself: one array row for row, several arrays
/// in any order, nulls, and collections.
@Suite(.enabled(if: Installed.offering("validate.valid").contains("native"))) struct GatheringTests {
  private struct Rows: CustomTestStringConvertible {
    let testDescription: String
    let types: [GeometryType]
    /// One row in so many is null, one a collection; 0 = none.
    let nulls: Int
    let collections: Int

    /// The rows with these numbers; each is the same in whatever company.
    func set(_ numbers: some Sequence<Int>, _ seed: UInt64) throws -> GeometrySet {
      var builder = GeometryBuilder()
      for number in numbers {
        var figures = Figures(seed: seed &+ UInt64(number))
        if nulls > 0, figures.integer(1...nulls) == 1 {
          try builder.null()
        } else if collections > 0, figures.integer(1...collections) == 1 {
          try builder.begin(.collection, .xy)
          for _ in 0..<figures.integer(0...3) { try append(&figures, to: &builder) }
          try builder.end()
        } else {
          try append(&figures, to: &builder)
        }
      }
      return try builder.finish()
    }

    private func append(_ figures: inout Figures, to builder: inout GeometryBuilder) throws {
      let frame = Figures.Frame(x: 0, y: 0, size: 8, isGrid: true)
      try figures.append(types[figures.integer(0...(types.count - 1))], to: &builder, in: frame)
    }
  }

  private static let mixtures = [
    Rows(testDescription: "one type", types: [.polygon], nulls: 0, collections: 0),
    Rows(testDescription: "one type and nulls", types: [.polygon], nulls: 3, collections: 0),
    Rows(testDescription: "all types", types: GeometryType.each, nulls: 0, collections: 0),
    Rows(testDescription: "all types, nulls and collections", types: GeometryType.each, nulls: 5, collections: 4),
  ]

  private static let count = 60
  private let host = Installed.host
  private let run = Run(rules: "measure=native;validate=native")

  @Test(arguments: mixtures.indices) func measuresAndVerdicts(_ number: Int) throws {
    let (rows, seed) = (Self.mixtures[number], testSeed())
    let set = try rows.set(0..<Self.count, seed)
    let alone = try (0..<Self.count).map { try rows.set([$0], seed) }
    for operation in [MeasureOperation.area, .perimeter, .bounds, .centroid] {
      let whole = try host.measure(operation, set, run: run)
      for row in alone.indices {
        let own = try host.measure(operation, alone[row], run: run)
        expectSame(whole, own, row, "seed \(seed) \(rows.testDescription): \(operation) of row \(row)")
      }
    }
    let whole = try host.validate(.valid, set, run: run)
    for row in alone.indices {
      let own = try host.validate(.valid, alone[row], run: run)
      let place = "seed \(seed) \(rows.testDescription): row \(row)"
      #expect(whole.verdicts[row] == own.verdicts[0] && whole.statuses[row] == own.statuses[0], "\(place)")
    }
  }

  @Test(arguments: mixtures.indices, [false, true]) func pairs(_ number: Int, _ broadcast: Bool) throws {
    let (rows, seed) = (Self.mixtures[number], testSeed())
    let set = try rows.set(0..<Self.count, seed)
    let others = try rows.set(broadcast ? Self.count..<(Self.count + 1) : Self.count..<(2 * Self.count), seed)
    let whole = try host.measurePair(.distance, set, others, broadcast: broadcast, run: run)
    for row in 0..<Self.count {
      let other = try rows.set([Self.count + (broadcast ? 0 : row)], seed)
      let own = try host.measurePair(.distance, try rows.set([row], seed), other, run: run)
      expectSame(whole, own, row, "seed \(seed) \(rows.testDescription): distance of row \(row)")
    }
  }

  private func expectSame(_ whole: Measured, _ own: Measured, _ row: Int, _ place: String) {
    #expect(whole.statuses[row] == own.statuses[0], "\(place)")
    #expect(whole.columns.map { $0[row].bitPattern } == own.columns.map { $0[0].bitPattern }, "\(place)")
  }
}
