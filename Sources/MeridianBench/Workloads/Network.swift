// SPDX-License-Identifier: Apache-2.0
import Meridian

/// S1: the streets of a town as single segments, a grid of 0.001 degrees whose nodes are moved a little, in random order;
/// with points around it to be snapped.
package struct Network: Sendable {
  /// Two vertices a row.
  package let segments: GeometrySet
  /// Uniform over the town.
  package let points: GeometrySet

  /// Degrees between neighbouring nodes.
  package static let spacing = 0.001
  private static let corner = (x: 9.5, y: 45.0)

  static func make(_ size: WorkloadSize, seed: UInt64) throws(MeridianError) -> Network {
    var random = SeededRandom(seed: seed, stream: "S1")
    let side = size.networkSide
    var nodes = Places()
    for row in 0..<side {
      for column in 0..<side {
        nodes.x.append(corner.x + Double(column) * spacing + 0.1 * spacing * random.normal())
        nodes.y.append(corner.y + Double(row) * spacing + 0.1 * spacing * random.normal())
      }
    }
    var ends: [(Int, Int)] = []
    for node in 0..<(side * side) {
      if node % side + 1 < side { ends.append((node, node + 1)) }
      if node + side < side * side { ends.append((node, node + side)) }
    }
    var builder = GeometryBuilder()
    for number in random.permutation(ends.count) {
      try builder.begin(.lineString, .xy)
      let (from, to) = ends[number]
      builder.add(nodes.x[from], nodes.y[from])
      builder.add(nodes.x[to], nodes.y[to])
      try builder.end()
    }
    let extent = Double(side - 1) * spacing
    let points = Places.uniform(
      size.queries, x: corner.x...(corner.x + extent), y: corner.y...(corner.y + extent), &random)
    return Network(segments: try builder.finish(), points: try points.set())
  }
}
