// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import MeridianIO
import Testing

@testable import MeridianJobs

/// Reports of a row with many parts and many findings take time in proportion to them.
@Suite(.serialized) struct ReportGrowthTests {
  /// One row of bow ties, each of which crosses itself once; and its findings.
  private static func row(_ count: Int, isCollection: Bool) throws -> (set: GeometrySet, findings: [Finding]) {
    let folder = try Scratch()
    let ties = (0..<count).map { "((\($0) 0,\($0).5 1,\($0).5 0,\($0) 1,\($0) 0))" }
    let text =
      isCollection
      ? "GEOMETRYCOLLECTION(\(ties.map { "POLYGON" + $0 }.joined(separator: ",")))"
      : "MULTIPOLYGON(\(ties.joined(separator: ",")))"
    let reader = try openReader(try folder.write(text + "\n", to: "a.wkt"))
    let batch = try #require(try reader.next(BatchLimit()))
    let findings = (0..<count).map { part in
      var finding = Finding(code: "CROSSING", severity: .error, message: "Edges cross", part: part, ring: 0, vertex: 0)
      finding.partner = Finding.Partner(part: part, ring: 0, vertex: 2)
      return finding
    }
    return (batch.geometries, findings)
  }

  /// Seconds of this thread's own work; the least of three runs.
  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    func now() -> Double {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
    var least = Double.infinity
    for _ in 0..<3 {
      let start = now()
      try body()
      least = min(least, now() - start)
    }
    return least
  }

  /// Four times as many parts take about four times as long, not sixteen times.
  private static func growth(isCollection: Bool, _ body: (GeometrySet, [Finding]) -> Void) throws -> Double {
    let times = try [1500, 6000].map { count in
      let row = try Self.row(count, isCollection: isCollection)
      return Self.seconds { body(row.set, row.findings) }
    }
    return times[1] / times[0]
  }

  @Test(arguments: [false, true]) func outlinesGrowWithTheFindings(isCollection: Bool) throws {
    let growth = try Self.growth(isCollection: isCollection) { set, findings in
      let outline = Outline(of: set, row: 0, findings: findings)
      #expect(outline.vertexCount == 5 * findings.count)
    }
    #expect(growth < 9, "\(growth)")
  }

  @Test(arguments: [false, true]) func edgesAreFoundWithoutLookingAtAllMembers(isCollection: Bool) throws {
    let growth = try Self.growth(isCollection: isCollection) { set, findings in
      var finder = EdgeFinder(set)
      let found = findings.map { finder.edges(of: $0, row: 0).count }
      #expect(found.allSatisfy { $0 == 2 })
    }
    #expect(growth < 9, "\(growth)")
  }

  /// What findings name stays of long rings, in each part and member.
  @Test(arguments: [false, true]) func verticesThatFindingsNameStay(isCollection: Bool) throws {
    let folder = try Scratch()
    let rings = (0..<2).map { part in
      let points = (0..<5000).map { "\(Double($0) / 7 + Double(part) * 1000) \($0 % 13)" }
      return "((" + (points + [points[0]]).joined(separator: ",") + "))"
    }
    let text =
      isCollection
      ? "GEOMETRYCOLLECTION(POLYGON\(rings[0]),POLYGON\(rings[1]))" : "MULTIPOLYGON(\(rings[0]),\(rings[1]))"
    let batch = try #require(
      try openReader(try folder.write(text + "\n", to: "a.wkt")).next(BatchLimit()))
    var finding = Finding(code: "CROSSING", severity: .error, message: "", part: 1, ring: 0, vertex: 1001)
    finding.partner = Finding.Partner(part: 0, ring: 0, vertex: 2003)
    let outline = Outline(of: batch.geometries, row: 0, findings: [finding])
    #expect(outline.isThinned && outline.paths.count == 2)
    func has(_ path: Int, _ vertex: Int) -> Bool {
      let list = outline.paths[path].coordinates
      let x = Double(vertex) / 7 + Double(path) * 1000
      return stride(from: 0, to: list.count, by: 2).contains { list[$0] == x }
    }
    #expect(has(1, 1001) && has(1, 1002) && has(0, 2003) && has(0, 2004))
    #expect(!has(0, 1001) && !has(0, 1002) && !has(1, 2003))
  }
}
