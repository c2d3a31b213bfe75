// SPDX-License-Identifier: Apache-2.0
import MeridianABI
import Testing

@testable import Meridian

@Suite struct GeometryBuilderTests {
  @Test func mixedRowsGoToTheArrayOfTheirKind() throws {
    var builder = GeometryBuilder(model: .wgs84)
    try builder.begin(.point, .xy)
    builder.add(1, 2)
    try builder.end()
    try builder.null()
    try builder.begin(.multiPolygon, .xyz)
    for _ in 0..<2 {
      try builder.part()
      try builder.ring()
      for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (0, 0)] { builder.add(x, y, 5) }
    }
    try builder.end()
    try builder.begin(.collection, .xy)
    try builder.begin(.point, .xy)
    try builder.end()
    try builder.end()
    let set = try builder.finish()

    #expect(set.count == 4)
    #expect(set.place(ofRow: 1) == .null)
    #expect(set.type(ofRow: 2) == .multiPolygon)
    #expect(set.type(ofRow: 3) == .collection)
    #expect(set.rows[0] == [0, 3])
    #expect(set.members[0] == [-1, 0])
    #expect(set.arrays[0].isEmpty(1))
    #expect(set.arrays[1].coordinates(ofRow: 0) == 0..<8)
    #expect(set.arrays[1].ordinate(2, 7) == 5)
  }

  @Test func callsOutOfOrderAreRefused() throws {
    var builder = GeometryBuilder()
    #expect(throws: MeridianError.self) { try builder.end() }
    try builder.begin(.multiPolygon, .xy)
    #expect(throws: MeridianError.self) { try builder.ring() }
    #expect(throws: MeridianError.self) { try builder.finish() }
  }
}
