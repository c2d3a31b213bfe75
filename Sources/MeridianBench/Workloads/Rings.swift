// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian

/// Closed rings, the first vertex repeated as the last one.
struct Ring: Sendable {
  var x: [Double] = []
  var y: [Double] = []
  var count: Int { x.count }

  mutating func append(_ x: Double, _ y: Double) {
    self.x.append(x)
    self.y.append(y)
  }

  mutating func close() {
    if let x = x.first, let y = y.first { append(x, y) }
  }

  /// A regular polygon of twelve sides.
  static func circle(_ x: Double, _ y: Double, _ radius: Double) -> Ring {
    var ring = Ring()
    for corner in 0..<12 {
      let angle = Double(corner) * .pi / 6
      ring.append(x + radius * cos(angle), y + radius * sin(angle))
    }
    ring.close()
    return ring
  }
}

/// Star-shaped rings: the angle seen from the centre grows from vertex to vertex and the radius is positive, so they do
/// not cross themselves and are valid by construction.
struct Star: Sendable {
  var x: Double
  var y: Double
  var size: Double

  /// A centre on land and sea alike, off the poles and the antimeridian.
  init(sizes: ClosedRange<Double>, _ random: inout SeededRandom) {
    x = random.uniform(-170, 170)
    y = random.uniform(-70, 70)
    size = random.uniform(sizes.lowerBound, sizes.upperBound)
  }

  /// - Parameters:
  ///   - smooth: strength of the waves of order 2 to 7, as shares of the radius.
  ///   - white: strength of the noise of single vertices, likewise.
  func ring(_ corners: Int, smooth: Double, white: Double, _ random: inout SeededRandom) -> Ring {
    let waves = (2..<8).map { order in
      (
        order: Double(order), strength: smooth / Double(order) * random.normal(),
        phase: random.uniform(0, 2 * .pi)
      )
    }
    var ring = Ring()
    for corner in 0..<corners {
      let angle = Self.angle(corner, of: corners, &random)
      let smoothRadius = waves.reduce(1) { $0 + $1.strength * cos($1.order * angle + $1.phase) }
      let radius = size * max(smoothRadius, 0.2) * (1 + white * random.uniform(-1, 1))
      ring.append(x + radius * cos(angle), y + radius * sin(angle))
    }
    ring.close()
    return ring
  }

  /// Angles that grow: even steps, each moved by less than half of one.
  static func angle(_ corner: Int, of corners: Int, _ random: inout SeededRandom) -> Double {
    (Double(corner) + random.uniform(-0.45, 0.45)) * (2 * .pi / Double(corners))
  }
}

/// The workloads G1 to G3.
enum Rings {
  /// G1: rings of ten corners, 50 m to 2 km in size: buildings and fields.
  static func small(_ size: WorkloadSize, seed: UInt64) throws(MeridianError) -> GeometrySet {
    var random = SeededRandom(seed: seed, stream: "G1")
    var builder = GeometryBuilder()
    for _ in 0..<size.smallRings {
      let star = Star(sizes: 0.0005...0.02, &random)
      try builder.polygon([star.ring(size.smallRingVertices - 1, smooth: 0.15, white: 0.2, &random)])
    }
    return try builder.finish()
  }

  /// The stars of G2, which G4 damages: each is made from its own number, so both have the same ones.
  static func star(_ number: Int, _ size: WorkloadSize, seed: UInt64) -> (star: Star, ring: Ring) {
    var random = SeededRandom(seed: seed, stream: "G2/\(number)")
    let star = Star(sizes: 0.01...0.3, &random)
    return (star, star.ring(size.ringVertices - 1, smooth: 0.15, white: 0.05, &random))
  }

  /// G2: rings of 500 corners, 1 to 30 km: districts.
  static func larger(_ size: WorkloadSize, seed: UInt64) throws(MeridianError) -> GeometrySet {
    var builder = GeometryBuilder()
    for number in 0..<size.rings { try builder.polygon([star(number, size, seed: seed).ring]) }
    return try builder.finish()
  }

  /// G3: long rings whose radius is a sum of waves with amplitudes of 1 / frequency^1.25: coasts.
  static func coasts(_ size: WorkloadSize, seed: UInt64) throws(MeridianError) -> GeometrySet {
    var random = SeededRandom(seed: seed, stream: "G3")
    var builder = GeometryBuilder()
    for number in 0..<size.coasts {
      let corners = size.coastVertices - 1
      let noise = Coast.noise(corners, &random)
      var ring = Ring()
      for corner in 0..<corners {
        let angle = Star.angle(corner, of: corners, &random)
        let radius = 2 * max(1 + noise[corner], 0.2)
        ring.append(Double(number) * 6 - 27 + radius * cos(angle), 10 + radius * sin(angle))
      }
      ring.close()
      try builder.polygon([ring])
    }
    return try builder.finish()
  }
}

extension GeometryBuilder {
  /// Appends a row.
  mutating func polygon(_ rings: [Ring]) throws(MeridianError) {
    try begin(.polygon, .xy)
    for one in rings {
      try ring()
      try add(count: one.count) { columns in
        for vertex in 0..<one.count {
          columns.x[vertex] = one.x[vertex]
          columns.y[vertex] = one.y[vertex]
        }
      }
    }
    try end()
  }
}
