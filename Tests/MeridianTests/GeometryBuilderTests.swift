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

  /// `add` of one coordinate cannot throw, so `end` does, and drops the geometry; the rows around it stay.
  @Test func coordinatesOutsideOfARingAreRefusedAtTheEnd() throws {
    for type in [GeometryType.polygon, .multiLineString, .multiPolygon] {
      var builder = GeometryBuilder()
      func addTriangle(_ builder: inout GeometryBuilder) throws {
        try builder.begin(type, .xy)
        if type == .multiPolygon { try builder.part() }
        try builder.ring()
        for (x, y) in [(0.0, 0.0), (1, 0), (0, 1), (0, 0)] { builder.add(x, y) }
        try builder.end()
      }
      try addTriangle(&builder)
      try builder.begin(type, .xy)
      if type == .multiPolygon { try builder.part() }
      builder.add(5, 5)
      try builder.ring()
      builder.add(6, 6)
      let error = #expect(throws: MeridianError.self) { try builder.end() }
      #expect(error?.status == .argument)
      #expect(error?.message == "end: coordinates were added before a ring was opened")
      try addTriangle(&builder)
      let set = try builder.finish()
      #expect(set.count == 2)
      #expect(set.arrays[0].coordinates(ofRow: 1) == 4..<8)
    }
  }

  @Test func interleavedCoordinatesOfAllDimensions() throws {
    for dimensions in [Dimensions.xy, .xyz, .xym, .xyzm] {
      var builder = GeometryBuilder()
      try builder.begin(.lineString, dimensions)
      // Ordinate 2 is Z and ordinate 3 is M, whichever of them there is.
      let ordinates = [0, 1] + (dimensions.hasZ ? [2] : []) + (dimensions.hasM ? [3] : [])
      let width = ordinates.count
      let values = (0..<(3 * width)).map(Double.init)
      try values.withUnsafeBufferPointer { try builder.add(interleaved: try #require($0.baseAddress), count: 3) }
      try builder.end()
      let array = try builder.finish().arrays[0]
      for coordinate in 0..<3 {
        for (number, ordinate) in ordinates.enumerated() {
          #expect(array.ordinate(ordinate, coordinate) == Double(coordinate * width + number))
        }
      }
    }
  }

  /// More coordinates than any machine has memory for are an error, and nothing of them is read.
  @Test func memoryThatCannotBeHadIsAnError() throws {
    var builder = GeometryBuilder()
    try builder.begin(.lineString, .xyz)
    builder.add(1, 2, 3)
    for count in [Int.max / 8, Int.max] {
      let error = #expect(throws: MeridianError.self) {
        try [0.0].withUnsafeBufferPointer { try builder.add(interleaved: try #require($0.baseAddress), count: count) }
      }
      #expect(error?.status == .memory)
    }
    builder.add(4, 5, 6)
    try builder.end()
    let array = try builder.finish().arrays[0]
    #expect(array.coordinates(ofRow: 0) == 0..<2 && array.ordinate(2, 1) == 6)
  }

  @Test func callsOutOfOrderAreRefused() throws {
    var builder = GeometryBuilder()
    #expect(throws: MeridianError.self) { try builder.end() }
    try builder.begin(.multiPolygon, .xy)
    #expect(throws: MeridianError.self) { try builder.ring() }
    #expect(throws: MeridianError.self) { try builder.finish() }
  }
}
