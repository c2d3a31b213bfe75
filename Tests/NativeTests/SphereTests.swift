// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// The dialect `spherical`: edges are great circles between unit vectors, and a polygon lies left of its shell.
@Suite struct SphereTests {
  let table: mrd_family_validate
  init() throws { table = try LoadedLibrary("MeridianNative").validate() }

  private func check(
    _ wkt: [String?], _ table: mrd_family_validate? = nil, _ change: (inout mrd_validate_options) -> Void = { _ in }
  ) throws -> ValidateRun {
    ValidateRun.check(table ?? self.table, MRD_VALIDATE_VALID, try TestGeoms(wkt)) {
      $0.dialect = MRD_DIALECT_SPHERICAL
      change(&$0)
    }
  }

  private func codes(_ wkt: String) throws -> [Int32] { try check([wkt]).problems.map(\.code) }

  private static func direction(_ x: Double, _ y: Double) -> SIMD3<Double> {
    let (lon, lat) = (x * .pi / 180, y * .pi / 180)
    return [cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat)]
  }

  /// Code and rings of a problem, and its place: equal when they are nanometres apart.
  private struct Line: CustomStringConvertible {
    var words: String
    var place: SIMD3<Double>
    var description: String { "\(words) at \(place)" }

    /// "CODE x y part ring other-part other-ring".
    init(_ text: String) {
      let parts = text.split(separator: " ").map(String.init)
      words = ([parts[0]] + parts[3...]).joined(separator: " ")
      place = SphereTests.direction(Double(parts[1]) ?? .nan, Double(parts[2]) ?? .nan)
    }

    func isSame(as other: Line) -> Bool {
      let way = place - other.place
      return words == other.words && (way * way).sum() < 1e-28
    }
  }

  private func areSame(_ a: [Line], _ b: [Line]) -> Bool {
    var rest = b
    for line in a {
      guard let index = rest.firstIndex(where: { $0.isSame(as: line) }) else { return false }
      rest.remove(at: index)
    }
    return rest.isEmpty
  }

  // MARK: - Against whole numbers

  /// `Data/sphere.py` looks at every pair of edges with whole numbers.
  @Test func allProblemsAreThoseOfExactArithmetic() throws {
    let facts = try facts("Data/sphere.tsv")
    #expect(facts.count == 500)
    let result = try check(facts.map { $0[0] })
    for (row, fact) in facts.enumerated() {
      let expected = fact[1] == "valid" ? [] : fact[1].split(separator: ";").map { Line(String($0)) }
      let found = result.lines(row: row).map(Line.init)
      #expect(areSame(found, expected), "\(fact[0]): \(found), not \(expected)")
      #expect(result.verdicts[row] == (expected.isEmpty ? 1 : 0), "\(fact[0])")
    }
  }

  /// Other starts of rings, directions of holes and orders, and longitudes by whole turns.
  @Test func namesOfPlacesAndOrderDoNotMatter() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let texts = try facts("Data/sphere.tsv").map { $0[0] }
    let mixed = texts.map { text in
      var polygons = Polygons(text)
      for part in polygons.parts.indices {
        for ring in polygons.parts[part].indices {
          var vertices = Array(polygons.parts[part][ring].dropLast())
          let start = Int.random(in: 0..<vertices.count, using: &random)
          vertices = Array(vertices[start...] + vertices[..<start])
          if ring > 0 && Bool.random(using: &random) { vertices.reverse() }
          polygons.parts[part][ring] = vertices + vertices.prefix(1)
        }
        let holes = polygons.parts[part].dropFirst().shuffled(using: &random)
        polygons.parts[part] = polygons.parts[part].prefix(1) + holes
      }
      polygons.parts.shuffle(using: &random)
      return polygons.wkt
    }
    let (plain, other) = (try check(texts), try check(mixed))
    for row in texts.indices {
      func places(_ run: ValidateRun) -> [Line] {
        run.problems.filter { $0.row == Int64(row) }.map { Line("\(ValidateRun.name($0.code)) \($0.x) \($0.y)") }
      }
      #expect(areSame(places(plain), places(other)), "seed \(seed): \(texts[row]) and \(mixed[row])")
    }
  }

  @Test func modesAgree() throws {
    let texts = try facts("Data/sphere.tsv").map { $0[0] }
    let all = try check(texts)
    let verdicts = try check(texts) { $0.mode = MRD_MODE_VERDICT }
    #expect(verdicts.verdicts == all.verdicts && verdicts.problems.isEmpty)
    let first = try check(texts) { $0.mode = MRD_MODE_FIRST }
    #expect(first.verdicts == all.verdicts)
    for row in texts.indices {
      #expect(Set(first.lines(row: row)).isSubset(of: all.lines(row: row)))
      #expect(first.lines(row: row).count == (all.verdicts[row] == 0 ? 1 : 0))
    }
    let keys = all.problems.map { [$0.row, $0.part, $0.ring, $0.vertex] }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 == $1 || $0.lexicographicallyPrecedes($1) })
  }

  @Test(arguments: NativeLevels.optimised) func cpuLevelsAgree(_ name: String) throws {
    let texts = try facts("Data/sphere.tsv").map { $0[0] }
    let (one, two) = (try check(texts), try check(texts, try LoadedLibrary(name).validate()))
    #expect(texts.indices.allSatisfy { one.lines(row: $0) == two.lines(row: $0) } && one.verdicts == two.verdicts)
  }

  // MARK: - What is different on the sphere

  @Test func polesAndAntimeridian() throws {
    // Round a pole, either way: a cap, or all but that.
    #expect(try codes("POLYGON((0 60,90 60,180 60,-90 60,0 60))") == [])
    #expect(try codes("POLYGON((0 60,-90 60,180 60,90 60,0 60))") == [])
    // Over the antimeridian, with either name of its places.
    #expect(try codes("POLYGON((170 -10,-170 -10,-170 10,170 10,170 -10))") == [])
    #expect(try codes("POLYGON((170 -10,190 -10,190 10,170 10,-190 -10))") == [])
    #expect(try codes("POLYGON((180 0,-170 0,-170 9,-180 0))") == [])
    // A pole is one place whatever its longitude: these are repeats, and visits to one place.
    #expect(try codes("POLYGON((0 60,90 60,45 90,-45 90,0 60))") == [])
    #expect(try codes("POLYGON((0 60,0 90,90 60,100 60,50 90,140 60,0 60))").contains(MRD_PROBLEM_RING_SELF_TOUCH))
    // Crossing in the plane, and not on the sphere; and the other way round: a parallel bulges towards its pole.
    #expect(try codes("POLYGON((179 0,-179 0,-179 1,179 1,179 0))") == [])
    #expect(
      try codes("POLYGON((-60 50,60 50,60 80,0 60,-60 80,-60 50))") == [MRD_PROBLEM_CROSSING, MRD_PROBLEM_CROSSING])
  }

  @Test func sidesOfRings() throws {
    let (shell, hole) = ("0 0,20 0,20 20,0 20,0 0", "5 5,9 5,9 9,5 9,5 5")
    let (reversed, back) = ("0 0,0 20,20 20,20 0,0 0", "5 5,5 9,9 9,9 5,5 5")
    // Holes either way round, in shells that have them on their left.
    #expect(try codes("POLYGON((\(shell)),(\(hole)))") == [])
    #expect(try codes("POLYGON((\(shell)),(\(back)))") == [])
    #expect(try codes("POLYGON((\(reversed)),(\(hole)))") == [MRD_PROBLEM_HOLE_OUTSIDE_SHELL])
    #expect(try codes("POLYGON((\(reversed)),(60 60,70 60,70 70,60 60))") == [])
    #expect(try codes("MULTIPOLYGON(((\(shell))),((\(hole))))") == [MRD_PROBLEM_NESTED_SHELLS])
    // All but a disc, and the disc; all but a disc, and all but another one.
    #expect(try codes("MULTIPOLYGON(((\(reversed))),((\(hole))))") == [])
    #expect(
      try codes("MULTIPOLYGON(((\(reversed))),((60 60,60 70,70 70,60 60)))")
        == [MRD_PROBLEM_NESTED_SHELLS, MRD_PROBLEM_NESTED_SHELLS])
    // Each shell lies in a hole of the other polygon, and yet the two have a belt in common.
    func circle(_ latitude: Int, east: Bool) -> String {
      let ring = (0...6).map { "\((east ? $0 : 6 - $0) * 60 % 360) \(latitude)" }
      return "(" + ring.joined(separator: ",") + ")"
    }
    let north = "(\(circle(80, east: false)),\(circle(-60, east: true)))"
    let south = "(\(circle(-80, east: true)),\(circle(60, east: true)))"
    #expect(
      try codes("MULTIPOLYGON(\(north),\(south))") == [MRD_PROBLEM_NESTED_SHELLS, MRD_PROBLEM_NESTED_SHELLS])
  }

  @Test func alone() throws {
    let result = try check([
      "POLYGON((0 0,180 0,90 50,0 0))", "POLYGON((10 20,-170 -20,50 60,10 20))", "POLYGON((0 0,1 0,1 91,0 0))",
      "POLYGON((-180 0,10 0,10 10,180 0))", "POLYGON((0 0,360 0,720 0,0 0))",
    ])
    #expect(
      result.problems.map(\.code) == [
        MRD_PROBLEM_ANTIPODAL_EDGE, MRD_PROBLEM_ANTIPODAL_EDGE, MRD_PROBLEM_LATITUDE_RANGE, MRD_PROBLEM_TOO_FEW_POINTS,
      ])
    #expect(result.verdicts == [0, 0, 0, 1, 0])
    #expect(result.problems[1].vertex == 0 && result.problems[1].x == -170 && result.problems[2].vertex == 2)
    let lines = try check([
      "LINESTRING(0 0,180 0)", "LINESTRING(0 95,1 1)", "LINESTRING(0 90,70 90)", "LINESTRING(0 0,1 1)",
    ])
    #expect(lines.verdicts == [0, 0, 0, 1])
    #expect(
      lines.problems.map(\.code) == [
        MRD_PROBLEM_ANTIPODAL_EDGE, MRD_PROBLEM_LATITUDE_RANGE, MRD_PROBLEM_TOO_FEW_POINTS,
      ])
    #expect(try check(["POINT(0 91)", "POINT(999 9)"]).verdicts == [0, 1])
    let warned = try check(["POLYGON((0 0,5 0,365 0,5 5,0 0))"]) { $0.flags = MRD_VALIDATE_WARNINGS }
    #expect(warned.verdicts == [1] && warned.problems.map(\.code) == [MRD_PROBLEM_REPEATED_POINT])
  }

  @Test func refusals() throws {
    let text = ["POLYGON((0 0,1 0,1 1,0 0))"]
    #expect(try check(text) { $0.min_edge_coord = 1 }.status == MRD_E_UNSUPPORTED)
    for op in [MRD_VALIDATE_SIMPLE, MRD_VALIDATE_LAYER] {
      let run = ValidateRun.check(table, op, try TestGeoms(text)) { $0.dialect = MRD_DIALECT_SPHERICAL }
      #expect(run.status == MRD_E_UNSUPPORTED)
    }
  }

  // MARK: - Many edges

  /// A star round a place, of vertices at random distances.
  private func star(_ count: Int, _ random: inout TestRandom) -> [SIMD2<Double>] {
    let (lon, lat) = (Double.random(in: -180...180, using: &random), Double.random(in: -90...90, using: &random))
    let size = pow(10, Double.random(in: -6...0, using: &random))
    let middle = Self.direction(lon, lat)
    let (sine, cosine) = (sin(lon * .pi / 180), cos(lon * .pi / 180))
    let east: SIMD3<Double> = [-sine, cosine, 0]
    let north: SIMD3<Double> = [-middle.z * cosine, -middle.z * sine, (1 - middle.z * middle.z).squareRoot()]
    return (0..<count).map { step in
      let angle = 2 * .pi * Double(step) / Double(count)
      let away = size * Double.random(in: 0.5...1, using: &random)
      let v = middle + away * (cos(angle) * east + sin(angle) * north)
      return [atan2(v.y, v.x) * 180 / .pi, atan2(v.z, (v.x * v.x + v.y * v.y).squareRoot()) * 180 / .pi]
    }
  }

  private func text(_ ring: [SIMD2<Double>]) -> String {
    "POLYGON((" + (ring + ring.prefix(1)).map { "\($0.x) \($0.y)" }.joined(separator: ",") + "))"
  }

  /// Crossings of all pairs of edges, by plain determinants, which are good enough for random places.
  private func crossings(_ ring: [SIMD2<Double>]) -> Int {
    let v = ring.map { Self.direction($0.x, $0.y) }
    func det(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
      let (u, w) = (a - c, b - c)
      return (u.y * w.z - u.z * w.y) * c.x + (u.z * w.x - u.x * w.z) * c.y + (u.x * w.y - u.y * w.x) * c.z
    }
    var count = 0
    for i in v.indices {
      for j in v.indices.dropFirst(i + 2) where !(i == 0 && j == v.count - 1) {
        let (a, b, c, d) = (v[i], v[i + 1], v[j], v[(j + 1) % v.count])
        let (sc, sd, sa, sb) = (det(a, b, c), det(a, b, d), det(c, d, a), det(c, d, b))
        if sc * sd < 0 && sa * sb < 0 && (sc > 0) == (sb > 0) { count += 1 }
      }
    }
    return count
  }

  @Test func starsOfAnySize() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for _ in 0..<60 {
      var ring = star(Int.random(in: 3...700, using: &random), &random)
      let whole = try check([text(ring), text(ring.reversed())])
      #expect(whole.verdicts == [1, 1], "seed \(seed): \(text(ring))")
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        ring.swapAt(Int.random(in: 0..<ring.count, using: &random), Int.random(in: 0..<ring.count, using: &random))
      }
      let found = try check([text(ring)]).problems
      #expect(found.allSatisfy { $0.code == MRD_PROBLEM_CROSSING }, "seed \(seed): \(text(ring))")
      #expect(found.count == crossings(ring), "seed \(seed): \(text(ring))")
    }
  }

  @Test func manyHoles() throws {
    let shell = "(-80 -50,80 -50,80 50,-80 50,-80 -50)"
    var holes: [String] = []
    for x in stride(from: -45, to: 45, by: 3) {
      for y in stride(from: -45, to: 45, by: 3) {
        holes.append("(\(x) \(y),\(x + 1) \(y),\(x + 2) \(y + 2),\(x) \(y))")
      }
    }
    let all = holes.joined(separator: ",")
    #expect(try codes("POLYGON(\(shell),\(all))") == [])
    // An island in each hole is apart from the polygon; one between them lies in it.
    let islands = holes.map { $0.replacing("(", with: "((").replacing(")", with: "))") }
    let inner = islands.map { island in
      let first = island.dropFirst(2).split(separator: ",")[0].split(separator: " ").compactMap { Double($0) }
      let (x, y) = (first[0], first[1])
      return "((\(x + 0.6) \(y + 0.2),\(x + 0.9) \(y + 0.2),\(x + 0.9) \(y + 0.4),\(x + 0.6) \(y + 0.2)))"
    }
    #expect(try codes("MULTIPOLYGON((\(shell),\(all)),\(inner.joined(separator: ",")))") == [])
    let outside = "((50.5 0,50.9 0,50.9 0.5,50.5 0))"
    #expect(
      try codes("MULTIPOLYGON((\(shell),\(all)),\(inner.joined(separator: ",")),\(outside))")
        == [MRD_PROBLEM_NESTED_SHELLS])
  }

  @Test func noMemoryIsAnAnswer() throws {
    let texts = try facts("Data/sphere.tsv").prefix(20).map { $0[0] }
    let geoms = try TestGeoms(texts)
    let sphere = { (options: inout mrd_validate_options) in options.dialect = MRD_DIALECT_SPHERICAL }
    let whole = ValidateRun.check(table, MRD_VALIDATE_VALID, geoms, sphere)
    var refused = 0
    for request in 0..<whole.call.requests {
      let call = GuardedCall(rows: geoms.rows)
      call.failingRequest = request
      let result = ValidateRun.check(table, MRD_VALIDATE_VALID, geoms, call: call, sphere)
      if result.status == MRD_OK {
        #expect(texts.indices.allSatisfy { result.lines(row: $0) == whole.lines(row: $0) }, "request \(request)")
      } else {
        #expect(result.status == MRD_E_MEMORY, "request \(request)")
        refused += 1
      }
    }
    #expect(refused > 0)
  }
}
