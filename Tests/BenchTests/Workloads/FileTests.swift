// SPDX-License-Identifier: Apache-2.0
import Foundation
import Meridian
import MeridianIO
import Testing

@testable import MeridianBench

@Suite struct FileTests {
  private func temporary(_ name: String) -> String {
    FileManager.default.temporaryDirectory.appending(path: "meridian-bench-\(getpid())-\(name)").path
  }

  @Test func theBigFileIsReadBackAndHasItsKinds() throws {
    let path = temporary("big.geojson")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let workloads = Workloads(scale: 0.01, seed: 4)
    let rows = try workloads.writeBigGeoJSON(to: path)
    #expect(rows == 40 + 1000)
    let data = try UserData(file: path)
    #expect(data.set.count == rows && data.unreadable == 0)
    #expect(data.set.model == .wgs84)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.components(separatedBy: "\"kind\":\"small\"").count == 1001)
    // The verdicts that are known stand by the rows that have them.
    let kinds = text.components(separatedBy: "\"kind\":\"").dropFirst().map { $0.prefix { $0 != "\"" } }
    let verdicts = try workloads.verdictsOfBig()
    #expect(kinds.count == rows && verdicts == kinds.map { $0 == "small" || $0 == "valid" })
    #expect(verdicts.contains(false))
    // Seven decimals.
    let array = data.set.arrays[0]
    #expect((0..<array.coordinateCount).allSatisfy { (array.x($0) * 1e7).rounded() / 1e7 == array.x($0) })
  }

  @Test func aFileOfTheUsersGivesCasesByType() throws {
    let path = temporary("mixed.wkt")
    defer { try? FileManager.default.removeItem(atPath: path) }
    try "POLYGON((0 0,4 0,4 3,0 0))\nLINESTRING(0 0,1 1,2 0)\nPOINT(5 5)\n"
      .write(toFile: path, atomically: false, encoding: .utf8)
    let data = try UserData(file: path)
    let operations = Set(try Catalogue.cases(data: data).map(\.head.operation))
    #expect(operations.isSuperset(of: ["measure.length", "measure.area", "validate.valid", "index.window"]))
    try "POINT(5 5)\nPOINT(6 7)\n".write(toFile: path, atomically: false, encoding: .utf8)
    let points = Set(try Catalogue.cases(data: try UserData(file: path)).map(\.head.operation))
    #expect(points.contains("index.nearest") && !points.contains("measure.area") && !points.contains("validate.valid"))
  }

  /// Extents that doubles do not hold give no tolerance, and no more.
  @Test(arguments: [
    "LINESTRING(-1.7e308 0,1.7e308 0)", "LINESTRING(0 0,1e-322 0)", "LINESTRING(5 5,5 5)",
    "POLYGON((-1e308 -1e308,1e308 -1e308,1e308 1e308,-1e308 -1e308))",
  ])
  func extentsOfEverySize(_ text: String) throws {
    let path = temporary("\(text.hashValue).wkt")
    defer { try? FileManager.default.removeItem(atPath: path) }
    try (text + "\n").write(toFile: path, atomically: false, encoding: .utf8)
    let cases = try Catalogue.cases(data: try UserData(file: path)).map(\.head.operation)
    #expect(cases.contains("measure.bounds") && !cases.contains { $0.hasPrefix("simplify.") }, "\(cases)")
  }

  @Test func afileThatIsNotThereSaysSo() {
    #expect(throws: FormatError.self) { try UserData(file: "/nowhere/at/all.geojson") }
  }
}
