// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian

/// C1: districts that share their borders: the cells of a grid of 0.1 degrees, each border a line of 25 edges that
/// wanders a little. A valid coverage: neighbours have the same vertices.
enum CoverageWorkload {
  static let edgesOfBorder = 25

  static func make(_ size: WorkloadSize, seed: UInt64) throws(MeridianError) -> GeometrySet {
    var random = SeededRandom(seed: seed, stream: "C1")
    let side = size.coverageSide
    // Borders to the east and to the north of each node, from the node on, without their far ends.
    var (east, north): ([Ring], [Ring]) = ([], [])
    for row in 0...side {
      for column in 0...side {
        east.append(border(column, row, dx: 1, dy: 0, &random))
        north.append(border(column, row, dx: 0, dy: 1, &random))
      }
    }
    func node(_ column: Int, _ row: Int) -> Int { row * (side + 1) + column }
    var builder = GeometryBuilder()
    for row in 0..<side {
      for column in 0..<side {
        var ring = Ring()
        ring.append(east[node(column, row)])
        ring.append(north[node(column + 1, row)])
        ring.append(east[node(column, row + 1)].reversed(to: corner(column + 1, row + 1)))
        ring.append(north[node(column, row)].reversed(to: corner(column, row + 1)))
        ring.close()
        try builder.polygon([ring])
      }
    }
    return try builder.finish()
  }

  private static func corner(_ column: Int, _ row: Int) -> (x: Double, y: Double) {
    (5 + 0.1 * Double(column), 40 + 0.1 * Double(row))
  }

  /// Vertices move across the border by less than a tenth of a cell, so borders meet in nodes alone.
  private static func border(
    _ column: Int, _ row: Int, dx: Double, dy: Double, _ random: inout SeededRandom
  ) -> Ring {
    let start = corner(column, row)
    var ring = Ring()
    ring.append(start.x, start.y)
    for vertex in 1..<edgesOfBorder {
      let along = 0.1 * Double(vertex) / Double(edgesOfBorder)
      // Near the nodes the borders of one node are closer together.
      let room = 0.1 * min(along, 0.1 - along)
      let across = random.uniform(-room, room)
      ring.append(start.x + dx * along + dy * across, start.y + dy * along + dx * across)
    }
    return ring
  }
}

extension Ring {
  fileprivate mutating func append(_ other: Ring) {
    x += other.x
    y += other.y
  }

  /// The border backward: from its far end, which it does not have itself, to its second vertex.
  fileprivate func reversed(to end: (x: Double, y: Double)) -> Ring {
    var ring = Ring()
    ring.append(end.x, end.y)
    for vertex in stride(from: count - 1, to: 0, by: -1) { ring.append(x[vertex], y[vertex]) }
    return ring
  }
}
