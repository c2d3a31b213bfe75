// SPDX-License-Identifier: Apache-2.0
import Meridian
import Testing

@testable import MeridianBench

/// Right numbers against closed forms.
@Suite struct TruthTests {
  private func polygon(_ rings: [[(Double, Double)]]) throws -> GeometrySet {
    var builder = GeometryBuilder()
    try builder.polygon(
      rings.map { places in
        var ring = Ring()
        for place in places { ring.append(place.0, place.1) }
        ring.close()
        return ring
      })
    return try builder.finish()
  }

  private func line(_ places: [(Double, Double)]) throws -> GeometrySet {
    var builder = GeometryBuilder()
    try builder.begin(.lineString, .xy)
    for place in places { builder.add(place.0, place.1) }
    try builder.end()
    return try builder.finish()
  }

  private func planar(_ operation: MeasureOperation, _ set: GeometrySet) -> [Double] {
    PlanarTruth.values(operation, set).exact[0].map(\.high)
  }

  @Test func squaresWithHoles() throws {
    // The hole runs the other way, and the same way: the area does not care.
    for hole in [[(1.0, 1.0), (1, 2), (3, 2), (3, 1)], [(1.0, 1.0), (3, 1), (3, 2), (1, 2)]] {
      let set = try polygon([[(0, 0), (4, 0), (4, 4), (0, 4)], hole])
      #expect(planar(.area, set) == [14] && planar(.perimeter, set) == [22])
      #expect(planar(.perimeterArea, set) == [22, 14] && planar(.length, set) == [0])
      #expect(planar(.bounds, set) == [0, 0, 4, 4])
      let centroid = planar(.centroid, set)
      #expect(centroid[0] == 2 && abs(centroid[1] - (32 - 3.0) / 14) < 1e-15)
    }
  }

  @Test func areasFarFromTheOriginKeepTheirDigits() throws {
    let far = 0x1p40
    let set = try polygon([[(far, far), (far + 1, far), (far + 1, far + 1), (far, far + 1)]])
    #expect(planar(.area, set) == [1] && planar(.centroid, set) == [far + 0.5, far + 0.5])
  }

  @Test func centroidsOfWhatHasNoArea() throws {
    let bent = try line([(0, 0), (3, 0), (3, 1)])
    #expect(planar(.length, bent) == [4] && planar(.area, bent) == [0])
    #expect(planar(.centroid, bent) == [1.875, 0.125])
    // A ring that is flat: its length counts.
    #expect(planar(.centroid, try polygon([[(0, 0), (2, 0)]])) == [1, 0])
    #expect(planar(.centroid, try line([(5, 5), (5, 5)])) == [5, 5])
  }

  @Test func greatCircles() throws {
    let radius = NamedModel.radius
    func sphere(_ operation: MeasureOperation, _ set: GeometrySet) -> Double {
      SphereTruth.values(operation, set, radius: radius, rows: [0]).exact[0][0].high
    }
    let quarter = radius * Double.pi / 2
    #expect(abs(sphere(.length, try line([(0, 0), (90, 0)])) - quarter) < 2e-9)
    #expect(abs(sphere(.length, try line([(10, 80), (-170, 80)])) - radius * Double.pi / 9) < 2e-9)
    // The shorter way, over the antimeridian.
    #expect(abs(sphere(.length, try line([(179, 0), (-179, 0)])) - radius * Double.pi / 90) < 1e-9)
    // An octant, and what is outside of it: the smaller side is inside.
    let octant = 4 * Double.pi * radius * radius / 8
    for ring in [[(0.0, 0.0), (90, 0), (0, 90)], [(0.0, 90.0), (90, 0), (0, 0)]] {
      #expect(abs(sphere(.area, try polygon([ring])) / octant - 1) < 1e-15)
      #expect(abs(sphere(.perimeter, try polygon([ring])) / (3 * quarter) - 1) < 1e-15)
    }
    // A cap around the pole by many corners, a little under the circle's.
    let cap = (0..<360).map { (Double($0), 80.0) }
    let circle = 2 * Double.pi * radius * radius * (1 - sine(80))
    let share = sphere(.area, try polygon([cap])) / circle
    #expect(share < 1 && share > 0.9998)
    // One metre.
    let metre = 360 / (2 * Double.pi * radius)
    #expect(sphere(.area, try polygon([[(0, 95), (1, 95), (1, 96), (0, 96)]])).isNaN, "no place of the sphere")
    #expect(sphere(.length, try line([(0, 0), (0, 90.5)])).isNaN)
    let small = sphere(.area, try polygon([[(0, 0), (metre, 0), (metre, metre), (0, metre)]]))
    #expect(abs(small - 1) < 1e-12)
  }

  @Test func distancesAndEndsAgree() throws {
    let pairs = try PointPairs.uniform(50, seed: 21)
    let rows = Array(0..<50)
    let radius = NamedModel.radius
    let ends = SphereTruth.ends(
      pairs.a, azimuths: pairs.azimuths, distances: pairs.distances, radius: radius, rows: rows)
    for row in rows {
      let start = pairs.a.arrays[0]
      let one = SpherePoint(longitude: start.x(row), latitude: start.y(row))
      let two = SpherePoint(longitude: ends.exact[row][0], latitude: ends.exact[row][1])
      let distance = one.angle(to: two) * DoubleDouble(radius)
      #expect(distance.distance(to: pairs.distances[row]) < 1e-20 * 2e7, "row \(row)")
    }
    // North by nothing, and by a quarter of the way around: the pole's neighbour on the meridian beyond.
    let (x, y) = (pairs.a.arrays[0].x(0), pairs.a.arrays[0].y(0))
    func north(_ distance: Double) -> [DoubleDouble] {
      SphereTruth.ends(pairs.a, azimuths: [0], distances: [distance], radius: radius, rows: [0]).exact[0]
    }
    #expect(abs(north(0)[0].distance(to: x)) < 1e-13 && abs(north(0)[1].distance(to: y)) < 1e-13)
    let beyond = north(radius * .pi / 2)
    let latitude = y >= 0 ? 90 - y : 90 + y
    #expect(abs(beyond[1].distance(to: latitude)) < 1e-13)
    let turn = abs(beyond[0].high - x)
    #expect(abs(turn - (y >= 0 ? 180 : 0)) < 1e-11)
  }
}
