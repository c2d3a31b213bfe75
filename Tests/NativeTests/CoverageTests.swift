// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport
import Testing

/// Coverages: borders that rows share are simplified once.
@Suite struct CoverageTests {
  let library: LoadedLibrary
  init() throws { library = try LoadedLibrary("MeridianNative") }

  private func run(_ rows: [String], _ options: SimplifyRun.Options) throws -> SimplifyRun {
    try SimplifyRun(library, try TestGeoms(rows), options)
  }

  /// Squares of a grid whose common sides are bent, each ring from a vertex of its own and in a direction of its own.
  private struct Grid {
    let size: Int
    private var sides: [[Vertex]: [Vertex]] = [:]

    init(_ size: Int, _ figures: inout SimplifyFigures) {
      self.size = size
      for column in 0...size {
        for row in 0...size {
          let a = Vertex(Double(column), Double(row))
          for b in [a + [1, 0], a + [0, 1]] {
            let count = figures.integer(0...6)
            sides[[a, b]] = (0..<count).map { index in
              let along = Double(index + 1) / Double(count + 1)
              return a + (b - a) * along + [figures.number(-0.2...0.2), figures.number(-0.2...0.2)]
            }
          }
        }
      }
    }

    func ring(_ cell: Int) -> [Vertex] {
      let a = Vertex(Double(cell % size), Double(cell / size))
      let (b, c, d) = (a + [1, 0], a + [1, 1], a + [0, 1])
      var ring = [a]
      ring += sides[[a, b]] ?? []
      ring.append(b)
      ring += sides[[b, c]] ?? []
      ring.append(c)
      ring += (sides[[d, c]] ?? []).reversed()
      ring.append(d)
      ring += (sides[[a, d]] ?? []).reversed()
      return ring
    }
  }

  private func wkt(_ ring: [Vertex]) -> String { SimplifyFigures.wkt(ring + [ring[0]], isRing: true) }

  /// Edges of a ring, each from its lesser end.
  private func edges(_ places: [[Double]]) -> [[Double]] {
    zip(places, places.dropFirst()).map { a, b in a.lexicographicallyPrecedes(b) ? a + b : b + a }
  }

  @Test func borderIsSharedBeforeAndAfter() throws {
    // geoparquet-io/tylertoo#450: one border, different starts.
    let rows = [
      "POLYGON((0 0,10 0,10.4 2,9.7 4,10.5 6,9.8 8,10 10,0 10,0 0))",
      "POLYGON((10.5 6,9.7 4,10.4 2,10 0,20 0,20 10,10 10,9.8 8,10.5 6))",
    ]
    let result = try run(rows, .init(MRD_SIMPLIFY_COVERAGE, 1.2))
    #expect(result.outcomes == [MRD_SIMPLIFY_REDUCED, MRD_SIMPLIFY_REDUCED])
    let (left, right) = (edges(result.places[0]), edges(result.places[1]))
    let border = left.filter { $0.allSatisfy { $0 <= 10.5 } && $0[0] > 9 && $0[2] > 9 }
    #expect(!border.isEmpty && border.allSatisfy { right.contains($0) })
    let area = result.places.map { ring in
      zip(ring, ring.dropFirst()).reduce(0) { $0 + $1.0[0] * $1.1[1] - $1.1[0] * $1.0[1] }.magnitude / 2
    }
    #expect(abs(area[0] + area[1] - 200) < 1e-9)
  }

  @Test(arguments: [0.0, 0.1, 0.3, 5]) func noOrderMattersAndTwiceIsOnce(tolerance: Double) throws {
    let seed = testSeed()
    var figures = SimplifyFigures(seed: seed)
    for _ in 0..<SimplifyFigures.times(4, 60) {
      let grid = Grid(figures.integer(2...5), &figures)
      let cells = Array(0..<(grid.size * grid.size))
      let plain = try run(cells.map { wkt(grid.ring($0)) }, .init(MRD_SIMPLIFY_COVERAGE, tolerance))
      let wanted = plain.places.map { edges($0).sorted { $0.lexicographicallyPrecedes($1) } }
      let shuffled = cells.shuffled(using: &figures.random)
      let turned = shuffled.map { cell -> [Vertex] in
        let ring = grid.ring(cell)
        let turn = figures.integer(0...(ring.count - 1))
        let other = Array(ring[turn...] + ring[..<turn])
        return figures.integer(0...1) == 0 ? other : other.reversed()
      }
      let other = try run(turned.map(wkt), .init(MRD_SIMPLIFY_COVERAGE, tolerance))
      for (index, cell) in shuffled.enumerated() {
        let found = edges(other.places[index]).sorted { $0.lexicographicallyPrecedes($1) }
        #expect(found == wanted[cell], "seed \(seed): cell \(cell) of \(grid.size)")
      }
      let again = try run(
        plain.places.map { wkt($0.dropLast().map { Vertex($0[0], $0[1]) }) }, .init(MRD_SIMPLIFY_COVERAGE, tolerance))
      #expect(again.places == plain.places, "seed \(seed)")
      // Edges inside belong to two rows.
      let all = wanted.joined().filter { $0.allSatisfy { $0 > 0.21 && $0 < Double(grid.size) - 0.21 } }
      let counts = Dictionary(grouping: all, by: { $0 }).mapValues(\.count)
      #expect(counts.values.allSatisfy { $0 == 2 }, "seed \(seed)")
    }
  }

  @Test func boundariesAndDistancesAreKept() throws {
    let rows = ["POLYGON((0 0,5 0.1,10 0,10.2 5,10 10,0 10,0 0))", "POLYGON((10 0,20 0,20 10,10 10,10.2 5,10 0))"]
    var options = SimplifyRun.Options(MRD_SIMPLIFY_COVERAGE, 3)
    #expect(try run(rows, options).paths[0] == [0, 2, 4, 5, 0])
    options.flags = MRD_SIMPLIFY_FIXED_BOUNDARY
    #expect(try run(rows, options).paths[0] == [0, 1, 2, 4, 5, 0])
    options.flags = 0
    options.maxDistance = 0.15
    #expect(try run(rows, options).paths[0] == [0, 2, 3, 4, 5, 0])
    options.protected = [0b10]
    #expect(try run(rows, options).paths[0] == [0, 1, 2, 3, 4, 5, 0])
  }

  @Test func rowsThatCannotBeSimplifiedAreToldApart() throws {
    let result = try run(
      ["POLYGON((0 0,1 0,nan 1,0 0))", "POLYGON((0 0,2 0,4 0,4 4,0 0))", "POLYGON((9 9,8 8,7 9,7 7))"],
      .init(MRD_SIMPLIFY_COVERAGE, 0.1))
    #expect(result.call.statuses == [MRD_ITEM_NONFINITE, MRD_ITEM_OK, MRD_ITEM_OK])
    #expect(result.outcomes == [MRD_SIMPLIFY_WITHHELD, MRD_SIMPLIFY_REDUCED, MRD_SIMPLIFY_UNCHANGED])
  }
}
