// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian

/// L1: lines that wander with a persistent heading, in steps of about 0.001 degrees: tracks.
enum Walks {
  static func make(_ size: WorkloadSize, seed: UInt64) throws(MeridianError) -> GeometrySet {
    var random = SeededRandom(seed: seed, stream: "L1")
    var builder = GeometryBuilder()
    for _ in 0..<size.lines {
      try builder.begin(.lineString, .xy)
      var heading = random.uniform(0, 2 * .pi)
      var x = random.uniform(-170, 170)
      var y = random.uniform(-70, 70)
      try builder.add(count: size.lineVertices) { columns in
        for vertex in 0..<size.lineVertices {
          heading += 0.5 * random.normal()
          let step = random.uniform(0.0002, 0.002)
          x += step * cos(heading)
          y += step * sin(heading)
          columns.x[vertex] = x
          columns.y[vertex] = y
        }
      }
      try builder.end()
    }
    return try builder.finish()
  }
}
