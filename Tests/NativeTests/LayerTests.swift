// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// Rows against each other, by the native kernel.
@Suite struct LayerTests {
  let table: mrd_family_validate
  init() throws { table = try LoadedLibrary("MeridianNative").validate() }

  private func check(
    _ wkt: [String?], _ change: (inout mrd_validate_options) -> Void = { _ in }
  ) throws -> ValidateRun {
    ValidateRun.check(table, MRD_VALIDATE_LAYER, try TestGeoms(wkt), change)
  }

  private func square(_ x: Double, _ y: Double, _ size: Double = 2) -> String {
    "POLYGON((\(x) \(y),\(x + size) \(y),\(x + size) \(y + size),\(x) \(y + size),\(x) \(y)))"
  }

  // MARK: - Polygons

  @Test func polygonsSideBySide() throws {
    let run = try check([square(0, 0), square(2, 0), square(0, 2), square(2, 2)])
    #expect(run.problems.isEmpty && run.verdicts == [1, 1, 1, 1])
  }

  @Test func overlapsNameBothRowsAndTheirArea() throws {
    let run = try check([square(0, 0), square(1, 1), square(9, 9), square(9.5, 9.5, 1)])
    #expect(run.problems.map(\.code) == [MRD_PROBLEM_LAYER_OVERLAP, MRD_PROBLEM_LAYER_OVERLAP])
    #expect(run.problems.map(\.row) == [0, 2] && run.problems.map(\.other_row) == [1, 3])
    #expect(run.problems.map(\.value) == [1, 1])
    #expect(run.problems[0].x == 1 && run.problems[0].y == 1)
    // The place is a vertex of the second row, in the middle of the first.
    #expect(run.problems[0].vertex == -1 && run.problems[0].other_vertex == 0 && run.problems[0].other_ring == 0)
    #expect(run.verdicts == [0, 0, 0, 0])
    #expect(run.problems.allSatisfy { $0.severity == MRD_SEVERITY_ERROR })
  }

  @Test func gapsAndTheirWindow() throws {
    // Eight squares round an empty place of 2 x 2, and a strip of 2 x 0.25 under the last one.
    let ring = [(0, 0), (2, 0), (4, 0), (0, 2), (4, 2), (0, 4), (2, 4), (4, 4)].map { square($0.0, $0.1) }
    let rows = ring + ["POLYGON((0 6.25,6 6.25,6 8,0 8,0 6.25))", "POLYGON((0 6,2 6,2 6.25,0 6.25,0 6))"]
    let more = rows + ["POLYGON((4 6,6 6,6 6.25,4 6.25,4 6))"]
    func gaps(_ change: (inout mrd_validate_options) -> Void = { _ in }) throws -> [Double] {
      try check(more, change).problems.filter { $0.code == MRD_PROBLEM_LAYER_GAP }.map(\.value)
    }
    #expect(try gaps() == [4, 0.5])
    #expect(try gaps { $0.gap_max_area_coord = 0.5 } == [0.5])
    #expect(try gaps { $0.gap_max_area_coord = 0.4 }.isEmpty)
    #expect(try gaps { $0.gap_max_width_coord = 0.25 } == [0.5])
    #expect(try gaps { $0.gap_max_width_coord = 0.249 }.isEmpty)
    #expect(try gaps { $0.gap_max_width_coord = 2 } == [4, 0.5])
    #expect(
      try gaps {
        $0.gap_max_width_coord = 1.99
        $0.gap_max_area_coord = 9
      } == [0.5])
    let all = try check(more) { $0.gap_max_area_coord = 4 }.problems
    let gap = try #require(all.first { $0.code == MRD_PROBLEM_LAYER_GAP && $0.value == 4 })
    // Row 0 meets the gap in a corner alone, and does not bound it.
    #expect(gap.row == 1 && gap.other_row == 3 && gap.x == 2 && gap.y == 2 && gap.threshold == 4)
  }

  /// An island in a gap takes its area away; a hole that a row fills is none.
  @Test func holesAreGapsUnlessTheyAreFilled() throws {
    let frame = "POLYGON((0 0,9 0,9 9,0 9,0 0),(1 1,1 8,8 8,8 1,1 1))"
    let hole = try check([frame]).problems
    #expect(hole.map(\.code) == [MRD_PROBLEM_LAYER_GAP] && hole[0].value == 49 && hole[0].other_row == -1)
    #expect(try check([frame, square(3, 3)]).problems.map(\.value) == [45])
    #expect(try check([frame, square(1, 1, 7)]).problems.isEmpty)
    #expect(try check([square(1, 1, 7), frame]).problems.isEmpty)
  }

  /// The width of gaps that are no strips along the axes, against figures whose widest circle is known.
  @Test func widthsOfGaps() throws {
    func fits(_ ring: String, _ width: Double) throws -> Bool {
      let run = try check(["POLYGON((-90 -90,90 -90,90 90,-90 90,-90 -90),(\(ring)))"]) {
        $0.gap_max_width_coord = width
      }
      return run.problems.isEmpty
    }
    // A triangle of 3, 4, 5 holds a circle of diameter 2; a square on its corner of half diagonal 1 one of the square root
    // of 2; an L of arms of 1 and 9 one that reaches into its corner.
    let l = "0 0,9 0,9 1,1 1,1 9,0 9,0 0"
    let corner = 2 * (2 - 2.0.squareRoot())
    for (ring, width) in [("0 0,4 0,0 3,0 0", 2), ("1 0,2 1,1 2,0 1,1 0", 2.0.squareRoot()), (l, corner)] {
      #expect(try fits(ring, width * 0.99999), "\(ring)")
      #expect(try !fits(ring, width * 1.00001), "\(ring)")
    }
    // Long, thin and aslant.
    let strip = "0 0,80 60,79.4 60.8,-0.6 0.8,0 0"
    #expect(try !fits(strip, 1) && !fits(strip, 1.001) && fits(strip, 0.999))
  }

  @Test func verticesInsideOtherEdges() throws {
    let run = try check([square(0, 0, 4), square(4, 0), square(4, 2)])
    #expect(run.problems.map(\.code) == [MRD_PROBLEM_LAYER_UNMATCHED_EDGE, MRD_PROBLEM_LAYER_UNMATCHED_EDGE])
    #expect(run.problems.map(\.row) == [0, 0] && run.problems.map(\.other_row) == [1, 2])
    #expect(run.problems.map(\.vertex) == [1, 1] && run.problems.map(\.x) == [4, 4])
    #expect(run.problems.map(\.y) == [2, 2] && run.problems.map(\.other_vertex) == [3, 0])
  }

  @Test func copiesCountOnce() throws {
    let turned = "POLYGON((2 2,2 0,1 0,0 0,0 2,2 2))"
    let run = try check([square(0, 0), square(1, 1), turned, square(0, 0), "POLYGON EMPTY", nil])
    #expect(
      run.problems.map(\.code) == [
        MRD_PROBLEM_LAYER_OVERLAP, MRD_PROBLEM_LAYER_DUPLICATE, MRD_PROBLEM_LAYER_DUPLICATE,
      ])
    #expect(run.problems.map(\.row) == [0, 0, 0] && run.problems.map(\.other_row) == [1, 2, 3])
    #expect(run.verdicts == [0, 0, 0, 0, 1, 2])
    #expect(try check(["POINT(1 2)", "POINT(3 4)", "POINT(1 2)"]).verdicts == [0, 1, 0])
    let points = try check(["MULTIPOINT((1 2),(3 4))", "MULTIPOINT((3 4),(1 2),(3 4))", "MULTIPOINT((1 2))"])
    #expect(points.problems.map(\.other_row) == [1] && points.verdicts == [0, 0, 1])
  }

  @Test func rowsThatTakeNoPart() throws {
    let run = try check([square(0, 0), "POLYGON((0 0,2 0,2 2,0 nan,0 0))", "POLYGON((0 0,2 0,2 2))", square(1, 1)])
    #expect(run.verdicts == [0, 2, 2, 0] && run.problems.count == 1)
    #expect(run.call.statuses[1] == MRD_ITEM_NONFINITE && run.call.statuses[2] == MRD_ITEM_INVALID)
  }

  @Test func limitsAndModes() throws {
    let rows = (0..<5).map { square(Double($0) / 4, Double($0) / 4) }
    #expect(try check(rows).problems.count == 10)
    let cut = try check(rows) { $0.limit = 2 }
    #expect(cut.problems.map(\.row) == [0, 0, 1, 1, 2, 2, 3])
    #expect(cut.call.statuses.map { $0 & MRD_ITEM_WARN_TRUNCATED != 0 } == [true, true, false, false, false])
    #expect(try check(rows) { $0.mode = MRD_MODE_FIRST }.problems.map(\.row) == [0, 1, 2, 3])
    let verdict = try check(rows) { $0.mode = MRD_MODE_VERDICT }
    #expect(verdict.problems.isEmpty && verdict.verdicts == [0, 0, 0, 0, 0])
  }

  // MARK: - Against the reference

  private func wkt(_ parts: [[[SIMD2<Int>]]], scale: Int = 1) -> String {
    func list(_ items: [String]) -> String { "(" + items.joined(separator: ",") + ")" }
    return "MULTIPOLYGON" + list(parts.map { list($0.map { list($0.map { "\($0.x) \($0.y)" }) }) })
  }

  /// A coverage of triangles, quadrilaterals and pairs of them, with faults put in: vertices moved, rows lost, doubled, put
  /// anywhere.
  private func layer(_ random: inout TestRandom) -> [[[[SIMD2<Int>]]]] {
    var rows: [[[[SIMD2<Int>]]]] = []
    let (side, step) = (Int.random(in: 1...3, using: &random), Int.random(in: 1...3, using: &random))
    for x in 0..<side {
      for y in 0..<side {
        let corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map { SIMD2((x + $0[0]) * step, (y + $0[1]) * step) }
        if Bool.random(using: &random) {
          rows.append([[corners + [corners[0]]]])
        } else {
          rows.append([[[corners[0], corners[1], corners[2], corners[0]]]])
          rows.append([[[corners[0], corners[2], corners[3], corners[0]]]])
        }
      }
    }
    if rows.count > 2 && Bool.random(using: &random) { rows[0] += rows.removeLast() }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let row = Int.random(in: 0..<rows.count, using: &random)
      func anywhere() -> SIMD2<Int> {
        [Int.random(in: 0...(side * step), using: &random), Int.random(in: 0...(side * step), using: &random)]
      }
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where rows.count > 1: rows.remove(at: row)
      case 1: rows.append(rows[row])
      case 2:
        let at = Int.random(in: 0..<(rows[row][0][0].count - 1), using: &random)
        rows[row][0][0][at] = anywhere()
        rows[row][0][0][rows[row][0][0].count - 1] = rows[row][0][0][0]
      case 3: rows[row][0][0].insert(anywhere(), at: 1)
      default:
        let ring = [anywhere(), anywhere(), anywhere()]
        rows.append([[ring + [ring[0]]]])
      }
    }
    // A ring of two vertices or one takes no part, and would be no ring to the reference.
    return rows.filter { parts in
      parts.allSatisfy { $0.allSatisfy { ring in zip(ring, ring.dropFirst()).filter { $0 != $1 }.count >= 3 } }
    }
  }

  @Test func polygonsAgainstTrapezoids() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for _ in 0..<400 {
      let rows = layer(&random)
      if rows.isEmpty { continue }
      let reference = LayerReference(rows: rows)
      let expected = reference.areas()
      let run = try check(rows.map { wkt($0) })
      let words = "seed \(seed): \(rows.map { wkt($0) })"
      let overlaps = run.problems.filter { $0.code == MRD_PROBLEM_LAYER_OVERLAP }
      #expect(
        Set(overlaps.map { [Int($0.row), Int($0.other_row)] }) == Set(expected.overlaps.keys)
          && overlaps.count == expected.overlaps.count, "\(words)")
      for problem in overlaps {
        guard let area = expected.overlaps[[Int(problem.row), Int(problem.other_row)]] else { continue }
        #expect(abs(problem.value - area.size.double) < 1e-12 * max(1, area.size.double), "\(words)")
        #expect([problem.x, problem.y] == area.least.map(\.double), "\(words)")
      }
      let gaps = run.problems.filter { $0.code == MRD_PROBLEM_LAYER_GAP }
      #expect(gaps.count == expected.gaps.count, "\(words)")
      for (problem, area) in zip(
        gaps.sorted { ($0.x, $0.y, $0.value) < ($1.x, $1.y, $1.value) },
        expected.gaps.sorted {
          ($0.least[0], $0.least[1], $0.size) < ($1.least[0], $1.least[1], $1.size)
        })
      {
        #expect(abs(problem.value - area.size.double) < 1e-12 * max(1, area.size.double), "\(words)")
        #expect([problem.x, problem.y] == area.least.map(\.double), "\(words)")
      }
      let copies = run.problems.filter { $0.code == MRD_PROBLEM_LAYER_DUPLICATE }
      #expect(
        Set(copies.map { [Int($0.other_row), Int($0.row)] })
          == Set(rows.indices.filter { expected.first[$0] != $0 }.map { [$0, expected.first[$0]] }), "\(words)")
      #expect(unmatched(run) == unmatched(rows, expected.first), "\(words)")
    }
  }

  private func unmatched(_ run: ValidateRun) -> Set<[Int]> {
    Set(
      run.problems.filter { $0.code == MRD_PROBLEM_LAYER_UNMATCHED_EDGE }.map {
        [Int($0.row), Int($0.part), Int($0.vertex), Int($0.other_row), Int($0.x), Int($0.y)]
      })
  }

  private func unmatched(_ rows: [[[[SIMD2<Int>]]]], _ first: [Int]) -> Set<[Int]> {
    var found: Set<[Int]> = []
    for (row, parts) in rows.enumerated() where first[row] == row {
      for (part, rings) in parts.enumerated() {
        for (vertex, (a, b)) in zip(rings[0], rings[0].dropFirst()).enumerated() {
          for (other, its) in rows.enumerated() where other != row && first[other] == other {
            let inside = its.joined().joined().filter { LayerReference.liesInside($0, a, b) }
            // Repeats of a vertex begin no edge of their own.
            let start = (0...vertex).last { $0 == 0 || rings[0][$0 - 1] != rings[0][$0] } ?? vertex
            if let least = inside.min(by: { ($0.x, $0.y) < ($1.x, $1.y) }) {
              found.insert([row, part, start, other, least.x, least.y])
            }
          }
        }
      }
    }
    return found
  }

  /// Other starts, directions and orders of rows name the same pairs, places and sizes.
  @Test func orderDoesNotMatter() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for _ in 0..<200 {
      let rows = layer(&random)
      if rows.isEmpty { continue }
      let order = rows.indices.shuffled(using: &random)
      let mixed = order.map { Polygons(wkt(rows[$0])).mixed(&random).wkt }
      let (one, other) = (try check(rows.map { wkt($0) }), try check(mixed))
      func places(_ run: ValidateRun, _ names: [Int]) -> [String] {
        // Which of several copies is the first one, and which rows a gap is named after, is a matter of order.
        run.problems.filter { $0.code == MRD_PROBLEM_LAYER_OVERLAP || $0.code == MRD_PROBLEM_LAYER_GAP }.map {
          "\($0.code) \($0.x + 0) \($0.y + 0) \(Float($0.value))"
        }.sorted()
      }
      #expect(places(one, []) == places(other, order), "seed \(seed): \(rows.map { wkt($0) })")
      #expect(order.map { one.verdicts[$0] }.count == other.verdicts.count)
    }
  }

  // MARK: - Lines

  @Test func endsOfLines() throws {
    let run = try check([
      "LINESTRING(0 0,4 0)", "LINESTRING(4 0,4 4)", "LINESTRING(2 0,2 3)", "LINESTRING(7 7,8 7,8 8,7 7)",
    ])
    let found = run.problems.map { [Int($0.code), Int($0.row), Int($0.vertex), Int($0.other_row)] }
    #expect(
      found == [
        [100, 0, 0, -1], [101, 0, 1, 1], [100, 1, 1, -1], [100, 2, 1, -1],
      ])
    #expect(run.verdicts == [0, 0, 0, 1])
  }

  @Test func linesAgainstAllPairs() throws {
    let seed = testSeed()
    var random = TestRandom(seed: seed)
    for _ in 0..<600 {
      let size = Int.random(in: 2...4, using: &random)
      var lines = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        (0..<Int.random(in: 2...4, using: &random)).map { _ in
          SIMD2(Int.random(in: 0...size, using: &random), Int.random(in: 0...size, using: &random))
        }
      }.filter { Set($0).count > 1 }
      if lines.isEmpty { continue }
      if Bool.random(using: &random) { lines.append(lines[0].reversed()) }
      let texts = lines.map { "LINESTRING(" + $0.map { "\($0.x) \($0.y)" }.joined(separator: ",") + ")" }
      let run = try check(texts)
      let found = Set(run.problems.map { [Int($0.code), Int($0.row), Int($0.other_row), Int($0.x), Int($0.y)] })
      #expect(found == expected(lines), "seed \(seed): \(texts)")
    }
  }

  private func expected(_ lines: [[SIMD2<Int>]]) -> Set<[Int]> {
    var found: Set<[Int]> = []
    let vertices = Set(lines.joined())
    let pieces = lines.map { line in
      Set(
        zip(line, line.dropFirst()).flatMap { a, b -> [[Int]] in
          let along = vertices.filter { LayerReference.lies($0, a, b) }.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
          return zip(along, along.dropFirst()).map { [$0.x, $0.y, $1.x, $1.y] }
        })
    }
    let first = pieces.indices.map { row in pieces.firstIndex { $0 == pieces[row] } ?? row }
    for row in lines.indices where first[row] != row {
      if let least = lines[first[row]].min(by: { ($0.x, $0.y) < ($1.x, $1.y) }) {
        found.insert([99, first[row], row, least.x, least.y])
      }
    }
    for (row, line) in lines.enumerated() where first[row] == row && line[0] != line[line.count - 1] {
      for end in [line[0], line[line.count - 1]] {
        let others = lines.indices.filter {
          $0 != row && first[$0] == $0 && !LayerReference.ways(lines[$0], end).isEmpty
        }
        let own = LayerReference.ways(line, end)
        if others.isEmpty {
          if Set(own).count == 1 { found.insert([100, row, -1, end.x, end.y]) }
        } else if others.count == 1, others[0] > row, own.count == 1 {
          let other = lines[others[0]]
          let isEnd = other[0] != other[other.count - 1] && (other[0] == end || other[other.count - 1] == end)
          if isEnd && LayerReference.ways(other, end).count == 1 { found.insert([101, row, others[0], end.x, end.y]) }
        }
      }
    }
    return found
  }

  // MARK: - Contracts

  @Test func noMemoryAndCancelling() throws {
    var random = TestRandom(seed: 7)
    let rows = (0..<4).flatMap { _ in layer(&random) }.map { wkt($0) }
    let geoms = try TestGeoms(rows)
    let whole = ValidateRun.check(table, MRD_VALIDATE_LAYER, geoms)
    #expect(!whole.problems.isEmpty)
    for request in 0..<whole.call.requests {
      let call = GuardedCall(rows: geoms.rows)
      call.failingRequest = request
      let run = ValidateRun.check(table, MRD_VALIDATE_LAYER, geoms, call: call)
      #expect(run.status == MRD_E_MEMORY, "request \(request)")
    }
    let call = GuardedCall(rows: geoms.rows)
    call.isCancelled = true
    #expect(ValidateRun.check(table, MRD_VALIDATE_LAYER, geoms, call: call).status == MRD_E_CANCELLED)
  }

  /// A line that runs along itself 46,401 times, with as many vertices of another line on it: the visits of all are more than
  /// 2^31.
  @Test func linesThatRunBackAndForth() throws {
    let runs = 46_401
    let there = (0...runs).map { $0 % 2 == 0 ? "0 0" : "100000 0" }.joined(separator: ",")
    let beads = (1..<runs).map { "\($0) 0" }.joined(separator: ",")
    let run = try check(["LINESTRING(\(there))", "LINESTRING(\(beads))"])
    #expect(run.status == MRD_OK, "\(run.call.message)")
    #expect(run.problems.map(\.code) == [MRD_PROBLEM_LAYER_DANGLE, MRD_PROBLEM_LAYER_DANGLE])
    #expect(run.problems.map(\.x) == [0, 100_000])
  }

  /// Far from the origin doubles are farther apart than the squares that look for circles.
  @Test func widthsFarFromTheOrigin() throws {
    let hole = "(1e15 0,1e15 0.05,1000000000000000.25 0,1e15 0)"
    let rows = [
      "POLYGON((999999999999990 -10,1000000000000010 -10,1000000000000010 10,999999999999990 10,999999999999990 -10),\(hole))"
    ]
    #expect(try check(rows) { $0.gap_max_width_coord = 0.01 }.problems.isEmpty)
    #expect(try check(rows) { $0.gap_max_width_coord = 0.05 }.problems.map(\.code) == [MRD_PROBLEM_LAYER_GAP])
    // A square whose size is no multiple of what doubles can halve.
    let wide = "POLYGON((-1e16 -1e16,1e16 -1e16,1e16 1e16,-1e16 1e16,-1e16 -1e16),(0 0,0 1e15,1e15 1e15,1e15 0,0 0))"
    #expect(try check([wide]) { $0.gap_max_width_coord = 1e-3 }.problems.isEmpty)
  }

  /// Long edges with many vertices of others on them, and many rows above them.
  @Test func longEdgesOverManyRows() throws {
    let count = 2000
    let floor = "POLYGON((0 -1,\(2 * count) -1,\(2 * count) 0,0 0,0 -1))"
    let standing = (0..<count).map { square(Double(2 * $0), 0, 1) }
    let floating = (0..<count).map { square(Double(2 * $0), 2, 1) }
    let run = try check([floor] + standing + floating)
    #expect(run.problems.count == count && run.problems.allSatisfy { $0.code == MRD_PROBLEM_LAYER_UNMATCHED_EDGE })
    #expect(run.problems.map(\.other_row).sorted() == (1...Int64(count)).map { $0 })
  }

  @Test func optionsOfRowsAreRefused() throws {
    let rows = [square(0, 0), square(4, 4)]
    #expect(try check(rows) { $0.flags = MRD_VALIDATE_WARNINGS }.status == MRD_E_UNSUPPORTED)
    #expect(try check(rows) { $0.min_angle_deg = 5 }.status == MRD_E_UNSUPPORTED)
    #expect(try check(rows) { $0.min_clearance_coord = 5 }.status == MRD_E_UNSUPPORTED)
  }

  /// More shared places than are listed: rows of which nothing was found have no verdict.
  @Test(.enabled(if: TestScale.isLarge))
  func whatIsCutShortIsNotValid() throws {
    let count = 500
    let run = try check((0..<count).map { square(Double($0), Double($0), 2 * Double(count - $0)) })
    let named = Set(run.problems.flatMap { [Int($0.row), Int($0.other_row)] })
    #expect(!named.isEmpty)
    for row in 0..<count {
      #expect(run.verdicts[row] == UInt8(named.contains(row) ? MRD_VERDICT_INVALID : MRD_VERDICT_UNKNOWN), "row \(row)")
      #expect(run.call.statuses[row] & MRD_ITEM_WARN_TRUNCATED != 0)
    }
  }

  /// Exact where doubles are not: three rows whose borders part by an ulp, and crossings that round to one place.
  @Test func sliversAnUlpWide() throws {
    let up = 1.0.nextUp
    let slit = try check(["POLYGON((0 0,1 0,1 1,0 1,0 0))", "POLYGON((\(up) 0,2 0,2 1,\(up) 1,\(up) 0))"])
    #expect(slit.problems.isEmpty)
    let over = try check(["POLYGON((0 0,\(up) 0,\(up) 1,0 1,0 0))", "POLYGON((1 0,2 0,2 1,1 1,1 0))"])
    #expect(over.problems.filter { $0.code == MRD_PROBLEM_LAYER_OVERLAP }.map(\.value) == [up - 1])
    // Closed above and below: a gap of an ulp.
    let lid = "POLYGON((0 1,2 1,2 2,0 2,0 1))"
    let floor = "POLYGON((0 -1,2 -1,2 0,0 0,0 -1))"
    let gap = try check([
      "POLYGON((0 0,1 0,1 1,0 1,0 0))", "POLYGON((\(up) 0,2 0,2 1,\(up) 1,\(up) 0))", lid, floor,
    ])
    #expect(gap.problems.filter { $0.code == MRD_PROBLEM_LAYER_GAP }.map(\.value) == [up - 1])
  }
}
