// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI
import TestSupport
import Testing

/// Douglas-Peucker against the same in fractions, and what must not change its answer.
@Suite struct DouglasPeuckerPropertyTests {
  let library: LoadedLibrary
  init() throws { library = try LoadedLibrary("MeridianNative") }

  @Test(arguments: SimplifyFigures.World.allCases)
  func keptVerticesAreThoseOfExactArithmetic(world: SimplifyFigures.World) throws {
    let seed = testSeed()
    var figures = SimplifyFigures(seed: seed)
    for _ in 0..<SimplifyFigures.times(6, 60) {
      var places = figures.path(world, figures.integer(3...SimplifyFigures.times(12, 40)))
      let isRing = figures.integer(0...1) == 0
      if isRing { places.append(places[0]) }
      let tolerances = [figures.integer(0...4), figures.integer(4...12)].map {
        figures.tolerance(world, Double($0) / 4)
      }
      let wkt = SimplifyFigures.wkt(places, isRing: isRing)
      var options = SimplifyRun.Options()
      options.tolerances = tolerances
      let run = try SimplifyRun(library, try TestGeoms([wkt]), options)
      #expect(run.status == MRD_OK && run.call.isIntact)
      for (level, tolerance) in tolerances.enumerated() {
        var wanted =
          isRing
          ? ExactDouglasPeucker.ring(places.dropLast(), tolerance) : ExactDouglasPeucker.line(places, tolerance)
        if isRing { wanted.append(wanted.count == places.count - 1 && wanted[0] == 0 ? places.count - 1 : wanted[0]) }
        // The closing vertex of a ring may be told by its own number or by that of its first.
        let found = run.paths[level].map { isRing ? $0 % (places.count - 1) : $0 }
        #expect(found == wanted.map { isRing ? $0 % (places.count - 1) : $0 }, "seed \(seed): \(tolerance) \(wkt)")
      }
    }
  }

  /// Long enough for the tree of blocks; combs and spirals split off a vertex at a time.
  @Test func longLinesAgreeWithShortPieces() throws {
    let count = SimplifyFigures.times(1500, 20_000)
    let shapes: [(Int) -> Vertex] = [
      { [Double($0), $0 % 2 == 0 ? 0 : 1e3] },
      { index in
        let angle = Double(index) * 0.05
        return [1e-3 * Double(index) * angle, Double(index % 97)]
      },
      { [Double($0), ($0 % 2 == 0 ? 1e9 : -1e9) / Double($0 + 1)] },
      { [Double(($0 * 7919) % 1013), Double(($0 * 104_729) % 997)] },
    ]
    for (number, shape) in shapes.enumerated() {
      let places = (0..<count).map(shape)
      var options = SimplifyRun.Options()
      options.tolerances = [0.4]
      let run = try SimplifyRun(library, try TestGeoms([SimplifyFigures.wkt(places, isRing: false)]), options)
      let kept = run.paths[0]
      // Whatever way was taken, runs that were replaced are within the tolerance, and each kept vertex was needed.
      for (from, to) in zip(kept, kept.dropFirst()) where to > from + 1 {
        let exact = ExactDouglasPeucker(Array(places[from...to]))
        #expect(exact.kept(0, to - from, 0.4).isEmpty, "shape \(number): \(from) to \(to)")
      }
      let backward = try SimplifyRun(
        library, try TestGeoms([SimplifyFigures.wkt(places.reversed(), isRing: false)]), options)
      #expect(backward.paths[0].map { count - 1 - $0 }.reversed() == kept, "shape \(number)")
    }
  }

  @Test func levelsOfTheProcessorAndLayoutsKeepTheSame() throws {
    let seed = testSeed()
    var figures = SimplifyFigures(seed: seed)
    var rows: [String] = []
    for world in SimplifyFigures.World.allCases where world != .tiny {
      for _ in 0..<SimplifyFigures.times(3, 40) {
        let places = figures.path(world, figures.integer(3...120)).map {
          Vertex($0.x.remainder(dividingBy: 80), $0.y.remainder(dividingBy: 80))
        }
        rows.append(SimplifyFigures.wkt(places, isRing: false))
      }
    }
    for operation in [
      MRD_SIMPLIFY_DOUGLAS_PEUCKER, MRD_SIMPLIFY_VISVALINGAM, MRD_SIMPLIFY_TOPOLOGY_PRESERVING, MRD_SIMPLIFY_COVERAGE,
    ] {
      for unit in [MRD_TOLERANCE_COORD, MRD_TOLERANCE_METRES, MRD_TOLERANCE_PIXELS] {
        var options = SimplifyRun.Options(operation)
        options.unit = unit
        options.zoom = 3.5
        options.tolerances = unit == MRD_TOLERANCE_METRES ? [2e4, 1e5] : [0.25, 0.5]
        var seen: [[Int]]?
        for name in NativeLevels.runnable {
          let library = try LoadedLibrary(name)
          for layout in TestLayout.allCases {
            let geoms = try TestGeoms(rows, edges: MRD_EDGES_PLANAR, metric: MRD_METRIC_ELLIPSOID, layout: layout)
            let run = try SimplifyRun(library, geoms, options)
            #expect(run.status == MRD_OK, "\(run.call.message)")
            // Numbers count coordinates of the array, which has others before the rows.
            let paths = run.paths
            #expect(seen == nil || seen == paths, "seed \(seed): operation \(operation), unit \(unit), \(name)")
            seen = paths
          }
        }
      }
    }
  }

  @Test func memoryThatIsRefusedIsAnAnswer() throws {
    let rows = ["LINESTRING(0 0,1 3,2 0,3 1,4 0,5 5)", "LINESTRING(0 0,1 1,3 0,4 4)"]
    for operation in [
      MRD_SIMPLIFY_DOUGLAS_PEUCKER, MRD_SIMPLIFY_VISVALINGAM, MRD_SIMPLIFY_TOPOLOGY_PRESERVING, MRD_SIMPLIFY_COVERAGE,
    ] {
      for flags in operation == MRD_SIMPLIFY_VISVALINGAM ? [0, MRD_SIMPLIFY_NO_CROSSING] : [0] {
        var options = SimplifyRun.Options(operation, 0.5)
        options.flags = flags
        let whole = try SimplifyRun(library, try TestGeoms(rows), options)
        #expect(whole.status == MRD_OK)
        for request in 0..<whole.call.requests {
          options.failingRequest = request
          let run = try SimplifyRun(library, try TestGeoms(rows), options)
          #expect(run.status == MRD_E_MEMORY && run.call.isIntact, "operation \(operation), request \(request)")
        }
        options.failingRequest = -1
        options.isCancelled = true
        let long = (0..<9000).map { "\($0) \($0 % 7)" }.joined(separator: ",")
        let run = try SimplifyRun(library, try TestGeoms(["LINESTRING(\(long))"]), options)
        #expect(run.status == MRD_E_CANCELLED, "operation \(operation)")
      }
    }
  }
}
