// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import TestSupport
import Testing

/// Rows with more contacts, touches or crossings in one place than are kept: what is cut is said, and a verdict is that of all
/// of the row.
@Suite struct ValidateLimitTests {
  let table: mrd_family_validate
  init() throws { table = try LoadedLibrary("MeridianNative").validate() }

  private func check(
    _ wkt: String, call: GuardedCall? = nil, _ change: (inout mrd_validate_options) -> Void = { _ in }
  ) throws -> ValidateRun {
    ValidateRun.check(table, MRD_VALIDATE_VALID, try TestGeoms([wkt]), call: call, change)
  }

  private func square(_ x: Int, _ y: Int, _ side: Int) -> String {
    "(\(x) \(y),\(x + side) \(y),\(x + side) \(y + side),\(x) \(y + side),\(x) \(y))"
  }

  // MARK: - Touches are no faults

  /// A chain of holes that touch at their corners; the last one may cross itself.
  private func chain(of count: Int, endsInCrossing: Bool) -> String {
    let bow =
      "(\(count) \(count),\(count + 2) \(count + 2),\(count + 2) \(count),\(count) \(count + 2),\(count) \(count))"
    let holes = (0..<count).map { square($0, $0, 1) } + [endsInCrossing ? bow : square(count, count, 2)]
    return "POLYGON((-5 -5,\(count + 5) -5,\(count + 5) \(count + 5),-5 \(count + 5),-5 -5),"
      + holes.joined(separator: ",") + ")"
  }

  @Test(arguments: [MRD_MODE_ALL, MRD_MODE_FIRST, MRD_MODE_VERDICT])
  func aFaultBehindManyTouchesIsFound(_ mode: Int32) throws {
    let bad = try check(chain(of: 5000, endsInCrossing: true)) { $0.mode = mode }
    #expect(bad.verdicts == [0] && bad.call.statuses == [MRD_ITEM_OK])
    if mode == MRD_MODE_FIRST { #expect(bad.problems.map(\.code) == [MRD_PROBLEM_CROSSING]) }
    let limited = try check(chain(of: 5000, endsInCrossing: true)) { $0.limit = 1 }
    #expect(limited.verdicts == [0] && limited.problems.map(\.code) == [MRD_PROBLEM_CROSSING])
    let good = try check(chain(of: 5000, endsInCrossing: false)) { $0.mode = mode }
    #expect(good.verdicts == [1] && good.problems.isEmpty && good.call.statuses == [MRD_ITEM_OK])
  }

  @Test func aCheckerboardOfHolesIsDisconnected() throws {
    let size = 72
    let holes = (0..<size * size).filter { ($0 % size + $0 / size) % 2 == 0 }.map { square($0 % size, $0 / size, 1) }
    let text = "POLYGON(" + square(-1, -1, size + 2) + "," + holes.joined(separator: ",") + ")"
    let result = try check(text) { $0.mode = MRD_MODE_FIRST }
    #expect(result.verdicts == [0] && result.problems.map(\.code) == [MRD_PROBLEM_DISCONNECTED_INTERIOR])
    // Cells inside the border that no hole fills, each cut off by the four around it.
    let all = try check(text)
    let inner = (1..<size - 1).flatMap { y in (1..<size - 1).map { (x: $0, y: y) } }.count { ($0.x + $0.y) % 2 == 1 }
    #expect(all.problems.count == inner && all.problems.allSatisfy { $0.code == MRD_PROBLEM_DISCONNECTED_INTERIOR })
  }

  // MARK: - Warnings

  /// A limit leaves errors first, in the canonical order with the warnings that have room.
  @Test(arguments: [
    "POLYGON((0 0,0 0,10 10,10 0,0 8,0 8,0 0))",
    "POLYGON((0 0,5 0,5 0,10 0,10 0,10 10,0 10,0 0),(20 20,21 20,21 21,20 20))",
    "LINESTRING(0 0,0 0,1 1,1 1)", "LINESTRING(1 1,1 1)",
  ])
  func warningsHideNoError(wkt: String) throws {
    func check(limit: Int64) throws -> ValidateRun {
      try self.check(wkt) { ($0.limit, $0.flags) = (limit, MRD_VALIDATE_WARNINGS) }
    }
    let all = try check(limit: 0)
    let errors = all.problems.count { $0.severity == MRD_SEVERITY_ERROR }
    #expect(all.problems.count > 1 && errors < all.problems.count, "\(all.problems.map(\.code))")
    for limit in 1...all.problems.count {
      let cut = try check(limit: Int64(limit))
      var (errorRoom, otherRoom) = (min(limit, errors), max(0, limit - errors))
      let kept = all.problems.filter { problem in
        if problem.severity == MRD_SEVERITY_ERROR {
          errorRoom -= 1
          return errorRoom >= 0
        }
        otherRoom -= 1
        return otherRoom >= 0
      }
      #expect(cut.problems.map(\.code) == kept.map(\.code) && cut.problems.map(\.vertex) == kept.map(\.vertex))
      #expect(cut.problems.count == limit && cut.verdicts == all.verdicts)
      let isCut = limit < all.problems.count
      #expect(cut.call.statuses == [isCut ? MRD_ITEM_WARN_TRUNCATED : MRD_ITEM_OK])
    }
  }

  // MARK: - Cuts

  /// Sixteen long edges, one block, each crossed by every edge of a comb: the memory follows from what is asked for.
  @Test func contactsOfOneBlockAreCutWhileTheyCome() throws {
    let teeth = 3000
    let long = (0..<16).map { "\($0 % 2 == 0 ? 0 : teeth) \($0)" }
    let comb = (0..<teeth).map { "\(Double(teeth - $0) - 0.5) \($0 % 2 == 0 ? 30 : -30)" }
    let text = "POLYGON((" + (long + ["0 15.5"] + comb + [long[0]]).joined(separator: ",") + "))"
    let call = GuardedCall(rows: 1)
    let first = try check(text, call: call) { $0.mode = MRD_MODE_FIRST }
    #expect(first.verdicts == [0] && first.call.statuses == [MRD_ITEM_WARN_TRUNCATED])
    #expect(call.bytes < 5 << 20, "\(call.bytes) bytes")
    let (all, some) = (try check(text), try check(text) { $0.limit = 100 })
    #expect(all.problems.count > 16 * (teeth - 2) && all.call.statuses == [MRD_ITEM_OK])
    #expect(first.lines(row: 0) == Array(all.lines(row: 0).prefix(1)))
    #expect(some.lines(row: 0) == Array(all.lines(row: 0).prefix(100)))
  }

  // MARK: - Crossings that round to one place

  /// A ring that zigzags over lines through one place, as nearly as doubles have it: all cross there, in points that few doubles
  /// tell apart.
  static func zigzag(_ lines: Int, about centre: Double) -> String {
    let ends = (0..<2 * lines).map { step in
      let isFar = step % 4 == 1 || step % 4 == 2
      let angle = Double.pi * (Double(step / 2) / Double(lines) + (isFar ? 1 : 0))
      // Not as far on either side, or all would go through the middle exactly.
      let radius = isFar ? 1.7 : 1
      return "\(centre + radius * cos(angle)) \(centre + radius * sin(angle))"
    }
    return "POLYGON((" + (ends + [ends[0]]).joined(separator: ",") + "))"
  }

  @Test func distinctCrossingsAreThoseOfExactArithmetic() throws {
    // Seven lines through (1/3, 1/3), which is no double.
    let fan = [
      (0, 0), (1, 1), (3, -1), (-1, 1), (0, 1), (1, -1), (0, 2), (1, -3), (0, -1), (1, 3), (2, 0), (-3, 1), (-1, 0),
      (3, 1),
      (0, 0),
    ]
    let texts = [
      Self.zigzag(9, about: 1000.3), Self.zigzag(14, about: 1000.3), Self.zigzag(11, about: 1e9),
      Self.zigzag(10, about: 0), "POLYGON((" + fan.map { "\($0.0) \($0.1)" }.joined(separator: ",") + "))",
    ]
    for text in texts {
      let ring = Polygons(text.replacing("POLYGON(", with: "MULTIPOLYGON((") + ")").parts[0][0]
      let vertices = ring.map { $0.split(separator: " ").compactMap { Double($0) } }
      let found = try check(text).problems.filter {
        $0.code == MRD_PROBLEM_CROSSING && !vertices.contains([$0.x, $0.y])
      }
      let points = properCrossings(of: vertices)
      #expect(found.count == points.count && points.count > 2, "\(text)")
      for point in points {
        #expect(found.contains { point.x.rounds(to: $0.x) && point.y.rounds(to: $0.y) }, "\(text)")
      }
    }
  }

  /// The distinct points inside two edges of a ring that are no vertices, from all pairs.
  private func properCrossings(of ring: [[Double]]) -> [(x: ExactRational, y: ExactRational)] {
    let places = ring.map { (x: ExactRational($0[0]), y: ExactRational($0[1])) }
    var found: [(x: ExactRational, y: ExactRational)] = []
    let (zero, one) = (ExactRational(0), ExactRational(1))
    for i in 0..<places.count - 1 {
      for j in i + 1..<places.count - 1 {
        let (a, b, c, d) = (places[i], places[i + 1], places[j], places[j + 1])
        let determinant = (b.x - a.x) * (d.y - c.y) - (b.y - a.y) * (d.x - c.x)
        if determinant.sign == 0 { continue }
        let t = ((c.x - a.x) * (d.y - c.y) - (c.y - a.y) * (d.x - c.x)) / determinant
        let s = ((c.x - a.x) * (b.y - a.y) - (c.y - a.y) * (b.x - a.x)) / determinant
        guard zero < t, t < one, zero < s, s < one else { continue }
        let point = (x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y))
        if !(found + places).contains(where: { $0.x == point.x && $0.y == point.y }) { found.append(point) }
      }
    }
    return found
  }

  // MARK: - Chunks

  /// A slice of a large array: what is not in it is neither read nor given room.
  @Test func roundingLooksAtTheRowsOfASliceAlone() throws {
    let geoms = try TestGeoms(["POLYGON((0 0,10 0,10 10,5 0.04,0 10,0 0))", "POLYGON((0 0,1 0,0 1,0 0))"])
    geoms.mutable.pointee.coords.count = 1 << 40
    for (decimals, verdict) in [(Int32(1), UInt8(0)), (2, 1)] {
      let result = ValidateRun.check(table, MRD_VALIDATE_VALID, geoms) {
        $0.flags = MRD_VALIDATE_AT_DECIMALS
        $0.decimals = decimals
      }
      #expect(result.status == MRD_OK && result.verdicts == [verdict, 1])
    }
    let second = try TestGeoms(["POLYGON((7 7,8 7,7 8,7 7))", "POLYGON((0 0,10 0,10 10,5 0.04,0 10,0 0))"])
    second.mutable.pointee.first += 1
    second.mutable.pointee.length = 1
    let result = ValidateRun.check(table, MRD_VALIDATE_VALID, second) {
      $0.flags = MRD_VALIDATE_AT_DECIMALS
      $0.decimals = 1
    }
    #expect(result.verdicts[0] == 0 && result.problems.allSatisfy { $0.row == 0 })
  }
}

/// Work that must not grow with the square or the cube of a row.
@Suite struct ValidateGrowthPropertyTests {
  let table: mrd_family_validate
  init() throws { table = try LoadedLibrary("MeridianNative").validate() }

  private func check(
    _ wkt: String, _ change: (inout mrd_validate_options) -> Void = { _ in }
  ) throws -> ValidateRun {
    ValidateRun.check(table, MRD_VALIDATE_VALID, try TestGeoms([wkt]), change)
  }

  @Test(.timeLimit(.minutes(1))) func crossingsNearOnePlace() throws {
    let count = TestScale.isLarge ? 200 : 20
    let result = try check(ValidateLimitTests.zigzag(count, about: 1000.3))
    #expect(result.problems.count { $0.code == MRD_PROBLEM_CROSSING } > count * count / 4)
  }

  /// Each annulus lies in the hole of the one around it.
  @Test func nestedAnnuli() throws {
    let count = TestScale.isLarge ? 2000 : 60
    func ring(_ size: Int) -> String { "(\(-size) 0,0 \(-size),\(size) 0,0 \(size),\(-size) 0)" }
    let parts = (0..<count).map { "(" + ring(2 * $0 + 2) + "," + ring(2 * $0 + 1) + ")" }
    #expect(try check("MULTIPOLYGON(" + parts.joined(separator: ",") + ")").verdicts == [1])
    // The hole of one is missing: it holds the shells of all inside it.
    let bad = parts[..<20] + ["(" + ring(42) + ")"] + parts[21..<60]
    let problems = try check("MULTIPOLYGON(" + bad.joined(separator: ",") + ")").problems
    #expect(problems.count == 20 && problems.allSatisfy { $0.code == MRD_PROBLEM_NESTED_SHELLS })
  }

  /// Holes that all touch in one point: so many pairs that not all are kept, and whether the interior hangs together is not
  /// known; what is wrong otherwise is found.
  @Test func moreTouchesThanAreKept() throws {
    guard TestScale.isLarge else { return }
    func fan(_ shell: Int) -> String {
      let holes = (0..<2900).map { "(0 0,1000 \(3 * $0),1000 \(3 * $0 + 1),0 0)" }
      return "POLYGON((-10 -10,\(shell) -10,\(shell) 9000,-10 9000,-10 -10)," + holes.joined(separator: ",") + ")"
    }
    let good = try check(fan(1010))
    #expect(good.verdicts == [UInt8(MRD_VERDICT_UNKNOWN)] && good.call.statuses == [MRD_ITEM_WARN_TRUNCATED])
    let bad = try check(fan(990))
    #expect(bad.verdicts == [0] && bad.problems.count == 2 * 2900)
    #expect(bad.call.statuses == [MRD_ITEM_WARN_TRUNCATED])
  }
}
