// SPDX-License-Identifier: Apache-2.0
import Meridian
import Testing

@testable import MeridianIO

@Suite struct WKBTests {
  @Test func pointIsWrittenAndRead() throws {
    var builder = GeometryBuilder()
    try builder.begin(.point, .xyz)
    builder.add(1, -0.0, 3)
    try builder.end()
    let set = try builder.finish()
    var bytes: [UInt8] = []
    #expect(WKBWriter.append(row: 0, of: set, to: &bytes))
    #expect(Array(bytes[0..<5]) == [1, 0xE9, 3, 0, 0])
    var again = GeometryBuilder()
    let result = try bytes.withUnsafeBytes { try WKBReader.read($0, into: &again) }
    #expect(result.length == 29)
    let read = try again.finish()
    #expect(read.arrays[0].y(0).sign == .minus)
    #expect(read.arrays[0].ordinate(2, 0) == 3)
  }

  @Test func everyTruncationIsAnErrorThatLeavesTheBuilderAlone() throws {
    // A collection of a point, a line and a multipolygon, little-endian.
    let set = try collectionOfThree()
    var bytes: [UInt8] = []
    #expect(WKBWriter.append(row: 0, of: set, to: &bytes, options: .init(flavour: .ewkb, srid: 4326)))
    for length in 0..<bytes.count {
      var builder = GeometryBuilder()
      try builder.begin(.point, .xy)
      builder.add(5, 6)
      try builder.end()
      let error = #expect(throws: WKBError.self) {
        try bytes[0..<length].withUnsafeBytes { try WKBReader.read($0, into: &builder) }
      }
      #expect((error?.needed ?? 0) > length)
      let left = try builder.finish()
      #expect(left.count == 1 && left.arrays[0].count == 1 && left.arrays[0].coordinateCount == 1)
    }
    var builder = GeometryBuilder()
    let result = try bytes.withUnsafeBytes { try WKBReader.read($0, into: &builder) }
    #expect(result == WKBReader.Result(length: bytes.count, srid: 4326))
  }

  private func collectionOfThree() throws -> GeometrySet {
    var builder = GeometryBuilder()
    try builder.begin(.collection, .xy)
    try builder.begin(.point, .xy)
    builder.add(1, 2)
    try builder.end()
    try builder.begin(.lineString, .xy)
    builder.add(1, 2)
    builder.add(3, 4)
    try builder.end()
    try builder.begin(.multiPolygon, .xy)
    try builder.part()
    try builder.ring()
    for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (0, 0)] { builder.add(x, y) }
    try builder.end()
    try builder.end()
    return try builder.finish()
  }
}
