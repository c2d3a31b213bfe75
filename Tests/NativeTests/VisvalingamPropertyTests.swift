// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import TestSupport
import Testing

/// Visvalingam-Whyatt against the plain loop: the least area first, found anew each time.
@Suite struct VisvalingamPropertyTests {
  let library: LoadedLibrary
  init() throws { library = try LoadedLibrary("MeridianNative") }

  private struct Plain {
    let places: [Vertex]
    let isRing: Bool
    var left: [Int]
    var keys: [Double?]

    init(_ places: [Vertex], isRing: Bool) {
      self.places = places
      self.isRing = isRing
      left = Array(places.indices)
      keys = []
      keys = left.indices.map { key($0) }
    }

    func key(_ at: Int) -> Double? {
      if !isRing && (at == 0 || at == left.count - 1) { return nil }
      let count = left.count
      return area(places[left[(at + count - 1) % count]], places[left[at]], places[left[(at + 1) % count]])
    }

    /// Takes away while keys are at most `threshold` and more than `count` vertices are left.
    mutating func run(threshold: Double, count: Int) {
      while left.count > max(count, isRing ? 3 : 2) {
        let candidates = keys.indices.filter { keys[$0].map { $0 <= threshold } ?? false }.sorted { a, b in
          let (one, other) = (keys[a] ?? 0, keys[b] ?? 0)
          return one != other ? one < other : ExactDouglasPeucker.comesBefore(places[left[a]], places[left[b]])
        }
        guard let at = candidates.first(where: { mayGo($0) }) else { return }
        let key = keys[at] ?? 0
        left.remove(at: at)
        keys.remove(at: at)
        for near in [at - 1, at] {
          let index = isRing ? (near + left.count) % left.count : near
          if let fresh = self.key(index) { keys[index] = max(fresh, key) }
        }
      }
    }

    private func mayGo(_ at: Int) -> Bool {
      guard isRing, left.count == 4 else { return true }
      let rest = left.indices.filter { $0 != at }.map { places[left[$0]] }
      return area(rest[0], rest[1], rest[2]) > 0
    }
  }

  /// Distinct vertices on a grid.
  private func path(_ figures: inout SimplifyFigures) -> [Vertex] {
    var places: [Vertex] = []
    for _ in 0..<figures.integer(4...SimplifyFigures.times(20, 60)) {
      let place = Vertex(Double(figures.integer(0...80)) / 8, Double(figures.integer(0...80)) / 8)
      if !places.contains(place) { places.append(place) }
    }
    return places
  }

  @Test func thresholdsCountsAndShares() throws {
    let seed = testSeed()
    var figures = SimplifyFigures(seed: seed)
    for _ in 0..<SimplifyFigures.times(30, 600) {
      let places = path(&figures)
      let isRing = figures.integer(0...1) == 0
      let wkt = SimplifyFigures.wkt(isRing ? places + [places[0]] : places, isRing: isRing)
      let threshold = Double(figures.integer(0...40)) / 8
      let wanted = figures.integer(1...places.count)
      var byArea = SimplifyRun.Options(MRD_SIMPLIFY_VISVALINGAM, threshold)
      byArea.measure = MRD_SIMPLIFY_BY_AREA
      var byCount = SimplifyRun.Options(MRD_SIMPLIFY_VISVALINGAM)
      byCount.tolerances = []
      byCount.targetCount = wanted
      var byShare = byCount
      byShare.targetCount = 0
      byShare.targetShare = Double(wanted) / Double(places.count)
      for (options, limit, count) in [(byArea, threshold, 0), (byCount, .infinity, wanted), (byShare, .infinity, -1)] {
        var plain = Plain(places, isRing: isRing)
        plain.run(
          threshold: limit,
          count: count >= 0 ? count : Int((options.targetShare * Double(places.count)).rounded(.up)))
        let run = try SimplifyRun(library, try TestGeoms([wkt]), options)
        #expect(run.status == MRD_OK && run.call.isIntact, "\(run.call.message)")
        let found = isRing ? run.paths[0].dropLast().map { $0 % places.count } : run.paths[0]
        #expect(found == plain.left, "seed \(seed): \(threshold) \(wanted) \(wkt)")
      }
    }
  }

  /// Short paths go eight at a time and long ones in pieces, by turns; a number of vertices is left by one queue.
  @Test func lanesAndPiecesTakeWhatOneQueueTakes() throws {
    let seed = testSeed()
    var figures = SimplifyFigures(seed: seed)
    for round in 0..<SimplifyFigures.times(28, 1400) {
      let world = SimplifyFigures.World.allCases[round % SimplifyFigures.World.allCases.count]
      let isRing = figures.integer(0...1) == 0
      let rows = (0..<figures.integer(1...12)).map { _ in
        let places = figures.path(
          world, figures.integer(0...2) == 0 ? figures.integer(100...900) : figures.integer(4...100))
        return SimplifyFigures.wkt(isRing ? places + [places[0]] : places, isRing: isRing)
      }
      let tolerances = (0..<3).map { _ in figures.tolerance(world, figures.number(0...1.5)) }.sorted()
      var all = SimplifyRun.Options(MRD_SIMPLIFY_VISVALINGAM)
      all.tolerances = tolerances
      let together = try SimplifyRun(library, try TestGeoms(rows), all)
      #expect(together.status == MRD_OK && together.call.isIntact, "\(together.call.message)")
      var begin = 0
      for (row, wkt) in rows.enumerated() {
        for (level, tolerance) in tolerances.enumerated() {
          let alone = try SimplifyRun(library, try TestGeoms([wkt]), .init(MRD_SIMPLIFY_VISVALINGAM, tolerance)).paths[
            0]
          let found = together.paths[level * rows.count + row].map { $0 - begin }
          #expect(found == alone, "seed \(seed), \(world), \(tolerance): \(wkt)")
          // Least forms are not what a number of vertices leaves.
          guard alone.count > 5 else { continue }
          var byCount = SimplifyRun.Options(MRD_SIMPLIFY_VISVALINGAM)
          byCount.tolerances = []
          byCount.targetCount = alone.count - (isRing ? 1 : 0)
          let queue = try SimplifyRun(library, try TestGeoms([wkt]), byCount).paths[0]
          #expect(alone == queue, "seed \(seed), \(world), \(tolerance): \(wkt)")
        }
        begin += wkt.split(separator: ",").count
      }
    }
  }

  @Test func levelsAreNestedAndWeightsTell() throws {
    let wkt = "LINESTRING(0 0,1 1,2 0,3 3,4 0,5 0.1,6 0)"
    var options = SimplifyRun.Options(MRD_SIMPLIFY_VISVALINGAM, 0.5, 1.1, 5)
    options.measure = MRD_SIMPLIFY_BY_AREA
    let run = try SimplifyRun(library, try TestGeoms([wkt]), options)
    #expect(run.paths.count == 3)
    for (fine, coarse) in zip(run.paths, run.paths.dropFirst()) { #expect(Set(coarse).isSubset(of: Set(fine))) }
    // A spike and a bump of one area: weighted, the spike goes first.
    let bumps = "LINESTRING(0 0,10 0,10.5 8,11 0,20 0,24 1,28 0,40 0)"
    var heavy = SimplifyRun.Options(MRD_SIMPLIFY_VISVALINGAM, 3)
    heavy.measure = MRD_SIMPLIFY_BY_AREA
    let plain = try SimplifyRun(library, try TestGeoms([bumps]), heavy).paths[0]
    #expect(plain.contains(2) && plain.contains(5))
    heavy.flags = MRD_SIMPLIFY_WEIGHTED
    let weighted = try SimplifyRun(library, try TestGeoms([bumps]), heavy).paths[0]
    #expect(!weighted.contains(2) && weighted.contains(5))
  }

  @Test func whatIsGuardedDoesNotCross() throws {
    // Without the guard the bump over the needle goes straight through it.
    let wkt = "MULTILINESTRING((0 0,5 1,10 0),(5 -3,5 0.5,6 -3))"
    var options = SimplifyRun.Options(MRD_SIMPLIFY_VISVALINGAM, 6)
    options.measure = MRD_SIMPLIFY_BY_AREA
    #expect(try SimplifyRun(library, try TestGeoms([wkt]), options).paths[0] == [0, 2])
    options.flags = MRD_SIMPLIFY_NO_CROSSING
    let guarded = try SimplifyRun(library, try TestGeoms([wkt]), options)
    // The needle is as large: it goes first, and then nothing holds the bump.
    #expect(guarded.paths == [[0, 2], [3, 5]])
    options.tolerances = [5]
    let bump = try SimplifyRun(library, try TestGeoms(["MULTILINESTRING((0 0,5 1,10 0),(5 -30,5 0.5,6 -30))"]), options)
    #expect(bump.paths == [[0, 1, 2], [3, 4, 5]])
  }
}

/// Areas on a grid of eighths are exact in doubles.
private func area(_ a: Vertex, _ b: Vertex, _ c: Vertex) -> Double {
  (((a.x - b.x) * (c.y - b.y) - (a.y - b.y) * (c.x - b.x)) / 2).magnitude
}
