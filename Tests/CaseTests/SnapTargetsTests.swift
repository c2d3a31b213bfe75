// SPDX-License-Identifier: Apache-2.0
import Meridian
import Testing

/// Snapping queries through the host: metres on longitude and latitude, and the vertices before the pointers.
@Suite(.enabled(if: !Installed.offering("snap.query").isEmpty)) struct SnapTargetsTests {
  private func set(_ lines: [[(Double, Double)]], _ model: GeometryModel) throws -> GeometrySet {
    var builder = GeometryBuilder(model: model)
    for line in lines {
      try builder.begin(line.count == 1 ? .point : .lineString, .xy)
      for (x, y) in line { builder.add(x, y) }
      try builder.end()
    }
    return try builder.finish()
  }

  @Test(arguments: [GeometryModel.wgs84Planar, .wgs84]) func metresOverTheAntimeridian(_ model: GeometryModel) throws {
    let roads = try set([[(179.99, 10), (180.01, 10)], [(8, 47), (8.1, 47)]], model)
    let targets = try SnapTargets(host: Installed.host, layers: [TargetLayer(roads, kinds: [.edge])])
    let points = try set([[(-179.995, 10.0001)], [(8.05, 47.0001)], [(0, 0)]], model)
    var options = SnapQueryOptions()
    options.toleranceMetres = 15
    let found = try targets.query(points, options: options)
    #expect(found.offsets == [0, 1, 2, 2] && found.hits.map { $0.feature } == [0, 1])
    // 0.0001 degrees of latitude are 11.06 m at 10 and 11.12 m at 47 degrees; geodesics bulge by 1 cm and 1.21 m towards the
    // points: 6,371 km sin(2 latitude) / 4 for the product of the angles to both ends.
    let expected = model == .wgs84 ? [11.05, 9.91] : [11.06, 11.12]
    #expect(zip(found.hits, expected).allSatisfy { abs($0.distance - $1) < 0.01 }, "\(found.hits)")
    // Nothing within reach: what is nearest is far away, in metres.
    let nearest = try targets.nearest(points)
    #expect(nearest.hits(ofPoint: 2).first.map { $0.distance > 5e6 && $0.feature == 1 } == true)
  }

  @Test func everyPointHasItsVertexBefore() throws {
    let walls = try set([[(0, 0), (10, 0)], [(0, 5), (10, 5)]], .planar)
    let targets = try SnapTargets(host: Installed.host, layers: [TargetLayer(walls, kinds: [.perpendicular])])
    let count = 3000
    // Rows of lines among the points: they are no points, and the rows behind them keep their vertices.
    let rows = (0..<count).map { row -> [(Double, Double)] in
      let x = Double(row % 7) + 1
      return row % 10 == 9 ? [(0, 0), (1, 1)] : [(x + 0.25, row % 2 == 0 ? 0.5 : 5.5)]
    }
    let points = try set(rows, .planar)
    var options = SnapQueryOptions()
    options.toleranceCoord = 1
    options.previous = (0..<count).flatMap { row -> [Double] in
      row % 5 == 3 ? [.nan, .nan] : [Double(row % 7) + 1, 2.5]
    }
    let found = try targets.query(points, options: options, run: Run(threads: 2))
    for row in 0..<count {
      let own = found.hits(ofPoint: row)
      if row % 10 == 9 || row % 5 == 3 {
        #expect(own.isEmpty, "row \(row)")
      } else {
        #expect(own.map { [$0.x, $0.y] } == [[Double(row % 7) + 1, row % 2 == 0 ? 0 : 5]], "row \(row)")
        #expect(own.allSatisfy { $0.snapKind == .perpendicular })
      }
    }
    options.previous = [1, 2]
    #expect(throws: MeridianError.self) { try targets.query(points, options: options) }
  }
}
