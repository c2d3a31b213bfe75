// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Foundation
import MeridianABI
import TestSupport
import Testing

@Suite struct ValidateTests {
  let table: mrd_family_validate
  init() throws { table = try LoadedLibrary("MeridianNative").validate() }

  private func check(
    _ wkt: [String?], _ op: UInt32 = MRD_VALIDATE_VALID, layout: TestLayout = .separated,
    _ change: (inout mrd_validate_options) -> Void = { _ in }
  ) throws -> ValidateRun {
    ValidateRun.check(table, op, try TestGeoms(wkt, layout: layout), change)
  }

  private func codes(_ wkt: String, _ change: (inout mrd_validate_options) -> Void = { _ in }) throws -> [Int32] {
    try check([wkt], MRD_VALIDATE_VALID, layout: .separated, change).problems.map(\.code)
  }

  // MARK: - Against exact arithmetic

  /// `Data/problems.py` looks at every pair of edges with fractions.
  @Test func allProblemsAreThoseOfExactArithmetic() throws {
    let lines = try facts("Data/problems.tsv")
    #expect(lines.count == 500)
    let result = try check(lines.map { $0[0] })
    for (row, line) in lines.enumerated() {
      let expected = line[1] == "valid" ? [] : line[1].components(separatedBy: ";")
      #expect(result.lines(row: row).sorted() == expected.sorted(), "\(line[0])")
      #expect(result.verdicts[row] == (expected.isEmpty ? 1 : 0), "\(line[0])")
    }
  }

  @Test func startsDirectionsAndOrderDoNotMatter() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    let texts = try facts("Data/problems.tsv").map { $0[0] }
    let mixed = texts.map { Polygons($0).mixed(&random).wkt }
    let (plain, other) = (try check(texts), try check(mixed))
    for row in texts.indices {
      #expect(plain.places(row: row) == other.places(row: row), "seed \(seed): \(texts[row]) and \(mixed[row])")
    }
  }

  @Test func modesAndLayoutsAgree() throws {
    let texts = try facts("Data/problems.tsv").prefix(200).map { $0[0] }
    let all = try check(texts)
    let verdicts = try check(texts) { $0.mode = MRD_MODE_VERDICT }
    #expect(verdicts.verdicts == all.verdicts && verdicts.problems.isEmpty)
    let first = try check(texts) { $0.mode = MRD_MODE_FIRST }
    #expect(first.verdicts == all.verdicts)
    #expect(first.problems.map(\.row) == (0..<texts.count).filter { all.verdicts[$0] == 0 }.map(Int64.init))
    for row in texts.indices {
      #expect(Set(first.lines(row: row)).isSubset(of: all.lines(row: row)))
    }
    for layout in [TestLayout.interleaved, .backward] {
      let other = try check(texts, layout: layout)
      #expect(texts.indices.allSatisfy { other.lines(row: $0) == all.lines(row: $0) })
    }
  }

  @Test func problemsAreInTheCanonicalOrder() throws {
    let result = try check(try facts("Data/problems.tsv").map { $0[0] })
    let keys = result.problems.map { [$0.row, $0.part, $0.ring, $0.vertex] }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 == $1 || $0.lexicographicallyPrecedes($1) })
    // Along one edge, from its start on.
    let star = try check(["POLYGON((0 0,10 0,8 2,7 -2,5 2,4 -2,2 2,0 0))"])
    #expect(star.problems.prefix(4).map(\.vertex) == [0, 0, 0, 0])
    #expect(star.problems.prefix(4).map(\.x) == star.problems.prefix(4).map(\.x).sorted())
    let back = try check(["POLYGON((10 0,0 0,2 2,4 -2,5 2,7 -2,8 2,10 0))"])
    #expect(back.problems.prefix(4).map(\.x) == star.problems.prefix(4).map(\.x).reversed())
  }

  /// Verdicts that the suites of JTS, GEOS and others state.
  @Test func publishedVerdicts() throws {
    let lines = try facts("../GEOSTests/Data/validity.tsv")
    #expect(lines.count > 500)
    for line in lines where !line[2].hasPrefix("GEOMETRYCOLLECTION") {
      let op = line[0] == "valid" ? MRD_VALIDATE_VALID : MRD_VALIDATE_SIMPLE
      let text = line[2].replacing(" (", with: "(").replacing(", ", with: ",")
      guard let geoms = try? TestGeoms([text]) else { continue }
      let result = ValidateRun.check(table, op, geoms)
      #expect(result.verdicts == [UInt8(line[1]) ?? 9], "\(line) \(result.lines(row: 0))")
    }
  }

  // MARK: - Codes and places

  @Test func eachRingAlone() throws {
    let result = try check([
      "POLYGON((0 0,1 0,inf 1,0 0))", "POLYGON((5 5,6 5,6 6))", "POLYGON((3 1,2 2,3 1))", "POLYGON((1 1,1 1,1 1))", nil,
      "POLYGON EMPTY", "POLYGON((0 0,9 0,9 9,0 0),(1 nan,2 2,3 3))",
    ])
    #expect(result.verdicts == [0, 0, 0, 0, 2, 1, 0])
    #expect(
      result.problems.map(\.code) == [
        MRD_PROBLEM_NONFINITE, MRD_PROBLEM_RING_NOT_CLOSED, MRD_PROBLEM_TOO_FEW_POINTS, MRD_PROBLEM_TOO_FEW_POINTS,
        MRD_PROBLEM_NONFINITE,
      ])
    #expect(result.problems[0].vertex == 2 && result.problems[0].x == .infinity)
    #expect(result.problems[1].x == 5 && result.problems[1].vertex == 0)
    #expect(result.problems[2].x == 2 && result.problems[2].vertex == 1)
    #expect(result.problems[4].ring == 1 && result.problems[4].x == 1 && result.problems[4].y.isNaN)
    #expect(result.call.statuses[4] == MRD_ITEM_NULL)
    // The other rings are judged all the same.
    #expect(
      try codes("POLYGON((0 0,4 4,4 0,0 4,0 0),(5 5,6 5,6 6))") == [MRD_PROBLEM_CROSSING, MRD_PROBLEM_RING_NOT_CLOSED])
  }

  @Test func contactsOfRings() throws {
    #expect(try codes("POLYGON((0 0,12 0,12 9,6 9,8 5,4 5,6 9,0 9,0 0))") == [MRD_PROBLEM_RING_SELF_TOUCH])
    #expect(try codes("POLYGON((0 0,4 0,4 3,4 7,4 3,0 3,0 0))") == [MRD_PROBLEM_SPIKE])
    #expect(try codes("POLYGON((0 0,4 0,4 3,4 3.000000000000001,4 3,0 3,0 0))") == [MRD_PROBLEM_SPIKE])
    #expect(try codes("MULTIPOLYGON(((0 0,4 0,4 4,0 4,0 0)),((4 1,8 1,8 3,4 3,4 1)))") == [MRD_PROBLEM_EDGE_OVERLAP])
    let same = "POLYGON((0 0,4 0,4 4,0 4,0 0),(4 4,4 2,4 0,0 0,0 4,4 4))"
    #expect(try codes(same) == [MRD_PROBLEM_DUPLICATE_RING])
    #expect(try codes("POLYGON((0 0,9 0,9 9,0 9,0 0),(0 0,4 5,9 9,5 4,0 0))") == [MRD_PROBLEM_DISCONNECTED_INTERIOR])
    #expect(try codes("POLYGON((2 2,5 2,5 4,5 4,2 4,2 2))") == [])
    let crossing = try check(["POLYGON((0 0,3 1,3 0,0 2,0 0))"]).problems[0]
    #expect(crossing.vertex == 0 && crossing.other_vertex == 2 && crossing.x == 2 && crossing.y == 2.0 / 3)
    #expect(crossing.jts_code == MRD_JTS_SELF_INTERSECTION && crossing.severity == MRD_SEVERITY_ERROR)
  }

  @Test func nesting() throws {
    let many = try check([
      "POLYGON((0 0,20 0,20 10,15 10,15 12,17 12,13 10,13 8,5 10,5 12,7 10,0 10,0 0),(30 30,31 30,31 31,30 30),"
        + "(2 2,6 2,6 6,2 6,2 2),(3 3,5 3,5 5,3 5,3 3))"
    ])
    let found = many.problems.map(\.code)
    // Whether a hole lies in a shell that crosses itself is not asked.
    #expect(!found.contains(MRD_PROBLEM_HOLE_OUTSIDE_SHELL) && found.contains(MRD_PROBLEM_NESTED_HOLES))
    #expect(many.problems.contains { $0.code == MRD_PROBLEM_CROSSING && $0.x == 15 && $0.y == 11 })
    #expect(
      try codes("MULTIPOLYGON(((0 0,9 0,9 9,0 9,0 0)),((2 2,4 2,4 4,2 4,2 2)))") == [MRD_PROBLEM_NESTED_SHELLS])
    #expect(
      try codes("MULTIPOLYGON(((0 0,9 0,9 9,0 9,0 0),(1 1,5 1,5 5,1 5,1 1)),((2 2,4 2,4 4,2 4,2 2)))") == [])
  }

  /// Ordinates whose products overflow or vanish are exact numbers like any others.
  @Test func hugeAndTinyOrdinates() throws {
    let square = "POLYGON((0 0,1e200 0,1e200 1e200,0 1e200,0 0))"
    #expect(try codes(square) == [])
    let bow = try check(["POLYGON((0 0,1e200 1e200,1e200 0,0 1e200,0 0))"]).problems
    #expect(bow.map(\.code) == [MRD_PROBLEM_CROSSING] && bow[0].x == 5e199 && bow[0].y == 5e199)
    let widest = try check([
      "POLYGON((-1.7e308 -1.7e308,1.7e308 1.7e308,1.7e308 -1.7e308,-1.7e308 1.7e308,-1.7e308 -1.7e308))"
    ])
    #expect(widest.problems.map(\.code) == [MRD_PROBLEM_CROSSING] && widest.problems[0].x == 0)
    #expect(try codes("POLYGON((0 0,4e-320 4e-320,4e-320 0,0 4e-320,0 0))") == [MRD_PROBLEM_CROSSING])
    let circle = (0...100).map { step in
      let angle = 2 * Double.pi * Double(step % 100) / 100
      return "\(0x1p-1030 * cos(angle)) \(0x1p-1030 * sin(angle))"
    }
    #expect(try codes("POLYGON((" + circle.joined(separator: ",") + "))") == [])
  }

  /// Powers of two along either axis change nothing but the places.
  @Test func ordinatesOfMixedExponents() throws {
    let texts = try facts("Data/problems.tsv").map { $0[0] }
    let plain = try check(texts)
    for (x, y) in [(0x1p-900, 0x1p900), (0x1p950, 0x1p-60), (0x1p-450, 0x1p-440)] {
      let scaled = texts.map { text in
        var polygons = Polygons(text)
        polygons.parts = polygons.parts.map { part in
          part.map { ring in
            ring.map { vertex in
              let place = vertex.split(separator: " ").compactMap { Double($0) }
              return "\(place[0] * x) \(place[1] * y)"
            }
          }
        }
        return polygons.wkt
      }
      let other = try check(scaled)
      for row in texts.indices {
        let (one, two) = (plain.problems.filter { $0.row == row }, other.problems.filter { $0.row == row })
        #expect(one.map(\.code) == two.map(\.code) && one.map(\.vertex) == two.map(\.vertex), "\(scaled[row])")
        #expect(one.map { $0.x * x } == two.map(\.x) && one.map { $0.y * y } == two.map(\.y), "\(scaled[row])")
      }
    }
    // A parabola through all exponents, and two of its vertices changed over: their four edges cross.
    var chain = stride(from: -500, through: 500, by: 2).map {
      "\(Double(sign: .plus, exponent: $0, significand: 1)) "
        + "\(Double(sign: .plus, exponent: 2 * $0, significand: 1))"
    }
    func text() -> String { "POLYGON((" + (chain + chain.prefix(1)).joined(separator: ",") + "))" }
    #expect(try codes(text()) == [])
    chain.swapAt(200, 350)
    #expect(Set(try codes(text())) == [MRD_PROBLEM_CROSSING])
  }

  @Test func limitsCutTheList() throws {
    let count = 101
    let star = (0...count).map { step in
      let angle = 2 * Double.pi * Double(step % count * (count / 2) % count) / Double(count)
      return "\(cos(angle)) \(sin(angle))"
    }
    let text = "POLYGON((" + star.joined(separator: ",") + "))"
    let all = try check([text])
    #expect(all.problems.count == count * (count - 3) / 2)
    let some = try check([text]) { $0.limit = 10 }
    #expect(some.problems.map(\.x) == all.problems.prefix(10).map(\.x))
    #expect(some.call.statuses == [MRD_ITEM_WARN_TRUNCATED] && some.verdicts == [0])
  }

  @Test func linesAndPoints() throws {
    let lines = try check(["LINESTRING(1 1)", "LINESTRING(1 1,1 1)", "LINESTRING(0 0,1 1)", "LINESTRING EMPTY"])
    #expect(lines.verdicts == [0, 0, 1, 1])
    #expect(lines.problems.map(\.code) == [MRD_PROBLEM_TOO_FEW_POINTS, MRD_PROBLEM_TOO_FEW_POINTS])
    #expect(try check(["MULTIPOINT(1 1,nan nan)", "MULTIPOINT(1 1,inf 2)"]).verdicts == [1, 0])
  }

  @Test func simplicity() throws {
    let result = try check(
      [
        "LINESTRING(0 0,4 4,4 0,0 4)", "LINESTRING(0 0,4 0,2 0)", "LINESTRING(0 0,1 0,1 1,0 0)",
        "LINESTRING(0 0,inf 1)",
      ],
      MRD_VALIDATE_SIMPLE)
    #expect(result.verdicts == [0, 0, 1, 2])
    #expect(result.problems.map(\.code) == [MRD_PROBLEM_NOT_SIMPLE_CROSSING, MRD_PROBLEM_NOT_SIMPLE_CROSSING])
    #expect(result.problems[0].x == 2 && result.problems[0].y == 2)
    #expect(result.call.statuses == [0, 0, 0, MRD_ITEM_NONFINITE])
    let points = try check(["MULTIPOINT(3 3,1 2,3 3,3 3)", "MULTIPOINT(1 1,2 2)"], MRD_VALIDATE_SIMPLE)
    #expect(points.verdicts == [0, 1] && points.problems.map(\.code) == [MRD_PROBLEM_NOT_SIMPLE_REPEATED])
    #expect(points.problems[0].part == 2 && points.problems[0].other_part == 0)
  }

  // MARK: - Dialects, warnings, thresholds

  @Test func geoJSON() throws {
    let text = "POLYGON((170 0,190 0,190 91,170 10,170 0))"
    let strict = try check([text]) { $0.dialect = MRD_DIALECT_RFC7946 }
    #expect(strict.verdicts == [0])
    #expect(
      strict.problems.map(\.code) == [
        MRD_PROBLEM_LONGITUDE_RANGE, MRD_PROBLEM_LONGITUDE_RANGE, MRD_PROBLEM_LATITUDE_RANGE,
      ])
    let clockwise = try check(["POLYGON((-170 0,-170 5,170 5,170 0,-170 0))"]) {
      $0.dialect = MRD_DIALECT_RFC7946
      $0.flags = MRD_VALIDATE_WARNINGS
    }
    #expect(clockwise.verdicts == [1])
    #expect(
      clockwise.problems.map(\.code) == [
        MRD_PROBLEM_WRONG_WINDING, MRD_PROBLEM_ANTIMERIDIAN_NOT_CUT, MRD_PROBLEM_ANTIMERIDIAN_NOT_CUT,
      ])
    #expect(
      try check(["POLYGON((-170 0,-170 5,170 5,170 0,-170 0))"]) { $0.dialect = MRD_DIALECT_RFC7946 }.problems.isEmpty)
  }

  @Test func esri() throws {
    func verdict(_ wkt: String) throws -> (UInt8, [Int32]) {
      let result = try check([wkt]) { $0.dialect = MRD_DIALECT_ESRI }
      return (result.verdicts[0], result.problems.map(\.code))
    }
    // A shell round a hole that it touches; a hole that is two holes; either with vertices inside edges.
    #expect(try verdict("POLYGON((0 0,12 0,12 9,6 9,8 5,4 5,6 9,0 9,0 0))") == (1, []))
    #expect(try verdict("POLYGON((0 0,12 0,12 9,0 9,0 0),(2 2,6 4,10 2,10 6,6 4,2 6,2 2))") == (1, []))
    #expect(try verdict("POLYGON((0 0,12 0,12 9,0 9,8 5,4 5,6 9,0 0))").0 == 0)
    // Two areas that touch; an island in a hole; a hole that cuts the shell in two.
    let twice = MRD_PROBLEM_DISCONNECTED_INTERIOR
    #expect(try verdict("POLYGON((1 2,1 3,5 3,5 2,4 0,5 3,1 2))") == (0, [twice]))
    #expect(
      try verdict("POLYGON((0 0,20 0,20 20,0 20,0 0),(2 2,2 18,18 18,18 2,10 2,12 8,8 8,10 2,2 2))") == (0, [twice]))
    #expect(try verdict("POLYGON((0 0,12 0,12 9,6 9,8 5,6 0,4 5,6 9,0 9,0 0))") == (0, [twice]))
    let wound = try check(["POLYGON((0 0,1 0,1 1,0 0))"]) {
      $0.dialect = MRD_DIALECT_ESRI
      $0.flags = MRD_VALIDATE_WARNINGS
    }
    #expect(wound.verdicts == [1] && wound.problems.map(\.code) == [MRD_PROBLEM_WRONG_WINDING])
  }

  /// Forms that Esri takes and forms that it does not, at any size that doubles have.
  @Test func esriAtAnySize() throws {
    let forms: [(String, [Int32])] = [
      ("0 0,0 10,10 10,10 0,5 0,7 4,3 4,5 0,0 0", []),
      ("0 0,12 0,12 9,6 9,8 5,4 5,6 9,0 9,0 0", []),
      ("1 2,1 3,5 3,5 2,4 0,5 3,1 2", [MRD_PROBLEM_DISCONNECTED_INTERIOR]),
      ("0 0,12 0,12 9,6 9,8 5,6 0,4 5,6 9,0 9,0 0", [MRD_PROBLEM_DISCONNECTED_INTERIOR]),
    ]
    let scales = [1, 0x1p-1070, 0x1p-1020, 0x1p-700, 0x1p-300, 0x1p300, 0x1p700, 0x1p1020]
    for (form, codes) in forms {
      for scale in scales {
        for (shiftX, shiftY) in [(0.0, 0.0), (-6.0, -5.0), (1e15, 1e15)] where shiftX < 1e9 || scale == 1 {
          let vertices = form.split(separator: ",").map { vertex in
            vertex.split(separator: " ").compactMap { Double($0) }
          }
          let text = vertices.map { "\(($0[0] + shiftX) * scale) \(($0[1] + shiftY) * scale)" }.joined(separator: ",")
          let result = try check(["POLYGON((\(text)))"]) {
            $0.dialect = MRD_DIALECT_ESRI
            $0.flags = MRD_VALIDATE_WARNINGS
          }
          let found = result.problems.filter { $0.severity == MRD_SEVERITY_ERROR }.map(\.code)
          #expect(found == codes, "\(form) times \(scale)")
          // The winding is told at any size, too.
          let warned = result.problems.contains { $0.code == MRD_PROBLEM_WRONG_WINDING }
          let twice = zip(vertices, vertices.dropFirst()).reduce(0) { $0 + $1.0[0] * $1.1[1] - $1.0[1] * $1.1[0] }
          #expect(warned == (twice > 0), "\(form) times \(scale)")
        }
      }
    }
    let flat = try check(["POLYGON((1e200 1e200,2e200 2e200,3e200 3e200,1e200 1e200))"]) {
      $0.flags = MRD_VALIDATE_WARNINGS
    }
    #expect(flat.problems.contains { $0.code == MRD_PROBLEM_ZERO_AREA_RING })
  }

  /// Shells that touch themselves many times: each inlet that the border goes round and comes back from is a hole.
  @Test func esriShellsOfManyLoops() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for _ in 0..<20 {
      let width = Int.random(in: 1...40, using: &random)
      // Along the bottom, now and then a detour up and back to the same place: inward a hole, outward another area.
      var ring = ["0 0"]
      var outward = 0
      for x in 1...width {
        ring.append("\(x * 4) 0")
        let isOut = Int.random(in: 0...9, using: &random) == 0
        let (far, isTurned) = (isOut ? -3 : 3, Int.random(in: 0...99, using: &random) == 0)
        if isOut { outward += 1 }
        let loop = ["\(x * 4 - 1) \(far)", "\(x * 4 + 1) \(far)"]
        ring += isTurned ? loop.reversed() : loop
        ring.append("\(x * 4) 0")
      }
      ring += ["\(width * 4 + 4) 0", "\(width * 4 + 4) 9", "0 9"]
      let start = Int.random(in: 0..<ring.count, using: &random)
      var turned = Array(ring[start...] + ring[..<start])
      if Bool.random(using: &random) { turned.reverse() }
      turned.append(turned[0])
      let text = "POLYGON((" + turned.joined(separator: ",") + "))"
      let result = try check([text]) { $0.dialect = MRD_DIALECT_ESRI }
      let found = result.problems.filter { $0.code != MRD_PROBLEM_CROSSING }
      let crossings = result.problems.count - found.count
      // A loop that is run through the other way round crosses the border where it leaves it.
      if crossings == 0 {
        #expect(found.count == outward, "seed \(seed): \(text)")
        #expect(found.allSatisfy { $0.code == MRD_PROBLEM_DISCONNECTED_INTERIOR })
      }
      #expect(result.verdicts == [outward + crossings == 0 ? 1 : 0], "seed \(seed): \(text)")
    }
  }

  @Test(arguments: NativeLevels.optimised) func cpuLevelsAgree(_ name: String) throws {
    let other = try LoadedLibrary(name).validate()
    let texts = try facts("Data/problems.tsv").map { $0[0] }
    let geoms = try TestGeoms(texts)
    let (one, two) = (
      ValidateRun.check(table, MRD_VALIDATE_VALID, geoms), ValidateRun.check(other, MRD_VALIDATE_VALID, geoms)
    )
    #expect(texts.indices.allSatisfy { one.lines(row: $0) == two.lines(row: $0) } && one.verdicts == two.verdicts)
  }

  @Test func warnings() throws {
    func warned(_ wkt: String) throws -> [Int32] {
      let result = try check([wkt]) { $0.flags = MRD_VALIDATE_WARNINGS }
      #expect(result.problems.allSatisfy { $0.severity == MRD_SEVERITY_WARNING } && result.verdicts == [1])
      return result.problems.map(\.code)
    }
    #expect(try warned("POLYGON((2 2,5 2,5 4,5 4,2 4,2 2))") == [MRD_PROBLEM_REPEATED_POINT])
    #expect(try warned("POLYGON((0 0 1,1 0 1,1 1 1,0 0 2))") == [MRD_PROBLEM_Z_DIFFERS])
    #expect(try warned("POLYGON((0 0,1e200 0,1e200 1e200,0 1e200,0 0))") == [MRD_PROBLEM_OVERFLOW])
    #expect(try warned("POLYGON((0 0,1 0,1 1,0 0))") == [])
  }

  @Test func thresholds() throws {
    let thin = "POLYGON((0 0,100 0,100 0.5,50 0.5,49.9 0.5,0 0.5,0 0))"
    func found(_ wkt: String, _ change: (inout mrd_validate_options) -> Void) throws -> [mrd_problem] {
      try check([wkt], MRD_VALIDATE_VALID, layout: .separated, change).problems
    }
    let edges = try found(thin) { $0.min_edge_coord = 0.2 }
    #expect(edges.map(\.code) == [MRD_PROBLEM_SHORT_EDGE] && edges[0].vertex == 3)
    #expect(abs(edges[0].value - 0.1) < 1e-9 && edges[0].threshold == 0.2)
    #expect(try found(thin) { $0.near_repeated_coord = 0.2 }.map(\.code) == [MRD_PROBLEM_NEAR_REPEATED_POINT])
    #expect(try found(thin) { $0.min_area_coord = 51 }.map(\.value) == [50])
    #expect(try found(thin) { $0.min_sliver_ratio = 0.1 }.map(\.code) == [MRD_PROBLEM_SLIVER])
    let clearance = try found("POLYGON((0 0,10 0,10 10,5 0.25,0 10,0 0))") { $0.min_clearance_coord = 1 }
    #expect(
      clearance.map(\.code) == [MRD_PROBLEM_LOW_CLEARANCE] && clearance[0].value == 0.25 && clearance[0].vertex == 3)
    #expect(try found("POLYGON((0 0,10 0,0 1,0 0))") { $0.min_angle_deg = 10 }.map(\.vertex) == [1])
    #expect(try found(thin) { _ in }.isEmpty)
    #expect(try check([thin]) { $0.min_edge_coord = -1 }.status == MRD_E_ARGUMENT)
  }

  @Test func coordinatesAsTheyWillBeWritten() throws {
    let text = "POLYGON((0 0,10 0,10 10,5 0.04,0 10,0 0))"
    func verdict(_ decimals: Int32) throws -> UInt8 {
      try check([text]) {
        $0.flags = MRD_VALIDATE_AT_DECIMALS
        $0.decimals = decimals
      }.verdicts[0]
    }
    #expect(try verdict(0) == 0)
    #expect(try verdict(1) == 0)
    #expect(try verdict(2) == 1)
    #expect(try verdict(17) == 1)
  }

  /// The least distance between a vertex of a line and an edge that it is no end of, over all pairs.
  @Test func clearanceOfLines() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for _ in 0..<200 {
      let lines = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        (0..<Int.random(in: 2...30, using: &random)).map { _ in
          SIMD2(Double(Int.random(in: 0...40, using: &random)), Double(Int.random(in: 0...40, using: &random)))
        }
      }.filter { Set($0.map { "\($0)" }).count > 1 }
      if lines.isEmpty { continue }
      let parts = lines.map { "(" + $0.map { "\($0.x) \($0.y)" }.joined(separator: ",") + ")" }
      let text = "MULTILINESTRING(" + parts.joined(separator: ",") + ")"
      var least = Double.infinity
      for vertex in lines.joined() {
        for line in lines {
          for (a, b) in zip(line, line.dropFirst()) where a != b && a != vertex && b != vertex {
            // Small whole numbers: exact. A vertex on the edge is a matter of simplicity.
            let (along, from) = (b - a, vertex - a)
            let isOnLine = along.x * from.y == along.y * from.x
            if isOnLine && ((vertex - a) * (vertex - b)).sum() <= 0 { continue }
            least = min(least, RingMath.distance([a, b], vertex))
          }
        }
      }
      let run = try check([text]) { $0.min_clearance_coord = 1000 }
      if least == .infinity {
        #expect(run.problems.isEmpty, "seed \(seed): \(text)")
      } else {
        #expect(run.problems.map(\.code) == [MRD_PROBLEM_LOW_CLEARANCE], "seed \(seed): \(text)")
        #expect(abs((run.problems.first?.value ?? 0) - least) < 1e-12 * least, "seed \(seed): \(text)")
      }
      #expect(run.verdicts == [1])
      #expect(try check([text]) { $0.min_clearance_coord = least * 0.999 }.problems.isEmpty)
    }
  }

  // MARK: - Contracts

  @Test func refusals() throws {
    let text = ["POLYGON((0 0,1 0,1 1,0 0))"]
    #expect(try check(text) { $0.dialect = MRD_DIALECT_SPHERICAL + 1 }.status == MRD_E_UNSUPPORTED)
    #expect(try check(text) { $0.gap_max_area_coord = 1 }.status == MRD_E_UNSUPPORTED)
    #expect(try check(text) { $0.flags = 8 }.status == MRD_E_UNSUPPORTED)
    #expect(try check(text) { $0.mode = 3 }.status == MRD_E_ARGUMENT)
    #expect(try check(text) { $0.limit = -1 }.status == MRD_E_ARGUMENT)
    let sphere = try TestGeoms(text, edges: MRD_EDGES_GREAT_CIRCLE)
    #expect(ValidateRun.check(table, MRD_VALIDATE_VALID, sphere).status == MRD_E_UNSUPPORTED)
  }

  /// Large rows are looked through in pieces where there are threads, with the same answers.
  @Test func threadsDoNotMatter() throws {
    let count = 160_000
    var ring = (0..<count).map { step in
      let angle = 2 * Double.pi * Double(step) / Double(count)
      let size = step.isMultiple(of: 2) ? 1 : 0.9999
      return SIMD2(size * cos(angle), size * sin(angle))
    }
    func run(_ budget: UInt32) throws -> ValidateRun {
      let text = (ring + ring.prefix(1)).map { "\($0.x) \($0.y)" }.joined(separator: ",")
      let call = GuardedCall(rows: 1)
      call.threadBudget = budget
      return ValidateRun.check(table, MRD_VALIDATE_VALID, try TestGeoms(["POLYGON((\(text)))"]), call: call)
    }
    func agree() throws -> ValidateRun {
      let (one, two) = (try run(1), try run(2))
      #expect(one.lines(row: 0) == two.lines(row: 0) && one.verdicts == two.verdicts)
      #expect(one.call.pieces == 0 && two.call.pieces == 10)
      return two
    }
    #expect(try agree().verdicts == [1])
    // A fault inside a group of blocks, one between two of them, and one between far ones.
    ring.swapAt(6, 8)
    ring.swapAt(16_382, 16_384)
    ring[100_000] = ring[30_001] * 0.99999
    #expect(try agree().problems.count > 2)
  }

  @Test func noMemoryIsAnAnswer() throws {
    let texts = try facts("Data/problems.tsv").prefix(30).map { $0[0] }
    let geoms = try TestGeoms(texts)
    let whole = ValidateRun.check(table, MRD_VALIDATE_VALID, geoms)
    var refused = 0
    for request in 0..<whole.call.requests {
      let call = GuardedCall(rows: geoms.rows)
      call.failingRequest = request
      let result = ValidateRun.check(table, MRD_VALIDATE_VALID, geoms, call: call)
      // Where memory can be had in a second attempt, the answer is the same.
      if result.status == MRD_OK {
        #expect(texts.indices.allSatisfy { result.lines(row: $0) == whole.lines(row: $0) }, "request \(request)")
      } else {
        #expect(result.status == MRD_E_MEMORY, "request \(request)")
        refused += 1
      }
    }
    #expect(refused > whole.call.requests / 2)
  }

  @Test func cancelling() throws {
    let texts = (0..<3000).map {
      "POLYGON((\($0) 0,\($0 + 9) 0,\($0) 9,\($0) 0),(\($0 + 1) 1,\($0 + 2) 1,\($0 + 1) 2,\($0 + 1) 1))"
    }
    let geoms = try TestGeoms(texts)
    let call = GuardedCall(rows: geoms.rows)
    call.isCancelled = true
    #expect(ValidateRun.check(table, MRD_VALIDATE_VALID, geoms, call: call).status == MRD_E_CANCELLED)
  }
}
