// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Moves of a figure's vertices, each a hair toward the inside in one lap and back in the next: every call moves one, and
/// the figure stays as valid as it was.
struct FigureMoves {
  private let ring: Ring
  private var calls = 0

  init(_ ring: Ring) { self.ring = ring }

  mutating func next() -> Edit {
    let count = ring.count - 1
    let (lap, number) = (calls / count, calls % count)
    calls += 1
    // A prime step: neighbours in time are far from each other on the ring.
    let vertex = number * 7919 % count
    let scale = lap % 2 == 0 ? 1 - 1e-7 : 1.0
    return Edit(.move, vertex: vertex, x: ring.x[vertex] * scale, y: ring.y[vertex] * scale)
  }
}
