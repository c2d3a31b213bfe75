// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import MeridianABI
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

  @Test func centroidsOnTheSphere() throws {
    func centroid(_ set: GeometrySet) -> [Double] {
      SphereTruth.values(.centroid, set, radius: NamedModel.radius, rows: [0]).exact[0].map(\.high)
    }
    // An octant, either way round: as far from one corner as from the next.
    let middle = atan2(1, 2.0.squareRoot()) * 180 / .pi
    for ring in [[(0.0, 0.0), (90, 0), (0, 90)], [(0.0, 90.0), (90, 0), (0, 0)]] {
      let place = centroid(try polygon([ring]))
      #expect(abs(place[0] - 45) < 1e-13 && abs(place[1] - middle) < 1e-13)
    }
    // A hole in the east moves it west, and not north.
    let hole = [(2.0, -1.0), (4, -1), (4, 1), (2, 1)]
    let place = centroid(try polygon([[(-5, -3), (5, -3), (5, 3), (-5, 3)], hole]))
    #expect(place[0] < -0.1 && place[0] > -0.5 && abs(place[1]) < 1e-15)
    #expect(centroid(try line([(0, 0), (1, 0)]))[0].isNaN, "no area")
  }

  /// On an ellipsoid that is a sphere, quadrature gives what Stokes' theorem gives.
  @Test func centroidsByQuadratureAndBySums() throws {
    var random = SeededRandom(seed: 29, stream: "centroids")
    var builder = GeometryBuilder()
    for _ in 0..<20 {
      let (x, y) = (random.uniform(-170, 170), random.uniform(-80, 80))
      let shell = (0..<7).map { corner in
        (angle: Double(corner) * 2 * .pi / 7, radius: random.uniform(0.5, 1.9))
      }
      var (ring, hole) = (Ring(), Ring())
      for corner in shell {
        ring.append(x + corner.radius * cos(corner.angle), y + corner.radius * sin(corner.angle))
        hole.append(x + 0.1 + 0.2 * cos(corner.angle), y + 0.2 * sin(corner.angle))
      }
      ring.close()
      hole.close()
      try builder.polygon([ring, hole])
    }
    let set = try builder.finish()
    let rows = Array(0..<set.count)
    #expect(rows.allSatisfy { GeodesicCentroid.suits(set, row: $0) })
    let round = GeometryModel(
      edges: MRD_EDGES_GEODESIC, metric: MRD_METRIC_ELLIPSOID, semiMajor: NamedModel.radius, flattening: 0)
    let found = try GeodesicCentroid.places(of: set, round, on: Installed.host, Run(model: round))
    let oracle = ExactValues(
      source: "", unit: "m", columns: ["x", "y"], difference: .globe(radius: NamedModel.radius),
      values: Lazily { SphereTruth.values(.centroid, set, radius: NamedModel.radius, rows: rows) })
    let accuracy = try oracle.judge(found, bound: nil)
    #expect(accuracy.compared == 20 && accuracy.wrong == 0 && accuracy.largest < 1e-8, "\(accuracy)")
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
