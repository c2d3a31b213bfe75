// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian

/// Pairs of points in longitude and latitude (P1, P2), with a direction and a distance from each first point.
package struct PointPairs: Sendable {
  package let a: GeometrySet
  package let b: GeometrySet
  /// Degrees clockwise from north, and metres.
  package let azimuths: [Double]
  package let distances: [Double]

  /// P1: uniform on the sphere.
  static func uniform(_ count: Int, seed: UInt64) throws(MeridianError) -> PointPairs {
    var random = SeededRandom(seed: seed, stream: "P1")
    let a = Places.onSphere(count, &random)
    let b = Places.onSphere(count, &random)
    return try PointPairs(a, b, reach: 2e7, &random)
  }

  /// P2: the second point within 10 km of the first, evenly over the disc.
  static func near(_ count: Int, seed: UInt64) throws(MeridianError) -> PointPairs {
    var random = SeededRandom(seed: seed, stream: "P2")
    var a = Places.onSphere(count, &random)
    for i in 0..<count {
      a.y[i] = min(max(a.y[i], -89), 89)
      a.x[i] = random.uniform(-179.8, 179.8)
    }
    var b = a
    /// Metres of a degree of latitude, nearly.
    let metresPerDegree = 111_700.0
    for i in 0..<count {
      let radius = 10_000 * random.uniform().squareRoot()
      let angle = random.uniform(0, 2 * .pi)
      let across = radius * sin(angle) / (metresPerDegree * cos(a.y[i] * .pi / 180))
      b.y[i] += radius * cos(angle) / metresPerDegree
      b.x[i] += min(max(across, -5), 5)
    }
    return try PointPairs(a, b, reach: 10_000, &random)
  }

  /// Some of the pairs, in the order of `rows`.
  func subset(_ rows: [Int]) throws(MeridianError) -> PointPairs {
    PointPairs(
      a: try a.subset(rows), b: try b.subset(rows), azimuths: rows.map { azimuths[$0] },
      distances: rows.map { distances[$0] })
  }

  private init(a: GeometrySet, b: GeometrySet, azimuths: [Double], distances: [Double]) {
    (self.a, self.b, self.azimuths, self.distances) = (a, b, azimuths, distances)
  }

  private init(_ a: Places, _ b: Places, reach: Double, _ random: inout SeededRandom) throws(MeridianError) {
    self.a = try a.set()
    self.b = try b.set()
    azimuths = (0..<a.x.count).map { _ in random.uniform(-180, 180) }
    distances = (0..<a.x.count).map { _ in random.uniform(0, reach) }
  }
}
