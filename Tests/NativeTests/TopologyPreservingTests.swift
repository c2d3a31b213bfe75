// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport
import Testing

/// Topology-preserving simplification: small figures with known answers. Validity of many random ones is judged by GEOS in
/// CaseTests.
@Suite struct TopologyPreservingTests {
  let library: LoadedLibrary
  init() throws { library = try LoadedLibrary("MeridianNative") }

  private func run(_ wkt: String, _ tolerance: Double) throws -> SimplifyRun {
    try SimplifyRun(library, try TestGeoms([wkt]), .init(MRD_SIMPLIFY_TOPOLOGY_PRESERVING, tolerance))
  }

  @Test func aHoleIsNotJumpedOver() throws {
    let result = try run("POLYGON((0 0,20 0,20 20,10 21,0 20,0 0),(9 20,11 20,10 20.5,9 20))", 5)
    #expect(result.call.statuses == [MRD_ITEM_OK])
    #expect(result.paths[0].contains(3))
    let free = try run("POLYGON((0 0,20 0,20 20,10 21,0 20,0 0),(9 10,11 10,10 10.5,9 10))", 5)
    #expect(!free.paths[0].contains(3))
  }

  @Test func touchesStay() throws {
    // A hole's vertex on an edge of the shell, and two shells that meet at a vertex.
    let hole = try run("POLYGON((0 0,10 0,10 10,0 10,0 0),(5 0,6 2,5 3,4 2,5 0))", 50)
    #expect(hole.paths[1].contains(5))
    let shells = try run("MULTIPOLYGON(((0 0,5 1,5 5,5 9,0 10,0 0)),((10 0,10 10,5.2 6,5 5,5.2 4,10 0)))", 50)
    #expect(shells.paths[0].contains(2) && shells.paths[1].contains(9))
  }

  @Test func ringsKeepATriangleWhateverTheTolerance() throws {
    for collapse in [MRD_COLLAPSE_KEEP, MRD_COLLAPSE_POINT, MRD_COLLAPSE_DROP] {
      var options = SimplifyRun.Options(MRD_SIMPLIFY_TOPOLOGY_PRESERVING, .infinity)
      options.collapse = collapse
      let result = try SimplifyRun(library, try TestGeoms(["POLYGON((0 0,4 0,5 5,2 6,0 4,0 0))"]), options)
      #expect(result.paths[0].count == 4 && result.outcomes == [MRD_SIMPLIFY_REDUCED])
    }
  }

  @Test(arguments: [
    "POLYGON((0 0,4 4,4 0,0 4,0 0))", "POLYGON((0 0,4 0,4 4,2 0,0 4,0 0))", "POLYGON((0 0,4 0,4 4,6 4,4 4,0 4,0 0))",
    "MULTIPOLYGON(((0 0,4 0,4 4,0 0)),((1 1,6 1,6 2,1 1)))", "POLYGON((0 0,4 0,4 4,0 4))",
    "MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)),((4 1,8 1,8 3,4 3,4 1)))",
    // Through each other at a common vertex.
    "MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)),((4 4,2 8,6 6,8 2,4 4)),((3 6,4 4,6 3,3 3,3 6)))",
  ])
  func invalidRowsComeBack(wkt: String) throws {
    let result = try run(wkt, 1)
    #expect(result.call.statuses == [MRD_ITEM_INVALID] && result.outcomes == [MRD_SIMPLIFY_WITHHELD])
    #expect(result.kept == Array(result.kept.indices))
  }

  @Test func kinksOfLinesThatWouldCrossStay() throws {
    let result = try run("MULTILINESTRING((0 0,5 2,10 0),(5 1,5 -9))", 3)
    #expect(result.paths[0] == [0, 1, 2])
    let free = try run("MULTILINESTRING((0 0,5 2,10 0),(5 3,5 9))", 3)
    #expect(free.paths[0] == [0, 2])
  }

  @Test func levelsAreNested() throws {
    let seed = testSeed()
    var figures = SimplifyFigures(seed: seed)
    for _ in 0..<20 {
      let places = figures.path(.walk, 40)
      var options = SimplifyRun.Options(MRD_SIMPLIFY_TOPOLOGY_PRESERVING, 0.2, 0.5, 1, 4)
      let levels = try SimplifyRun(library, try TestGeoms([SimplifyFigures.wkt(places, isRing: false)]), options)
      for (fine, coarse) in zip(levels.paths, levels.paths.dropFirst()) {
        #expect(Set(coarse).isSubset(of: Set(fine)), "seed \(seed)")
      }
      for (level, tolerance) in [0.2, 0.5, 1, 4].enumerated() {
        options.tolerances = [tolerance]
        let one = try SimplifyRun(library, try TestGeoms([SimplifyFigures.wkt(places, isRing: false)]), options)
        #expect(one.paths[0] == levels.paths[level], "seed \(seed)")
      }
    }
  }
}
