// SPDX-License-Identifier: Apache-2.0

/// The area of what rings cover where they may cross, touch and repeat each other and themselves.
///
/// The plane is cut into vertical slabs at every vertex and every crossing. Inside a slab edges do not cross, so what lies
/// between two neighbours is a trapezoid, and all of it is inside or none.
struct FilledArea {
  /// An edge from left to right.
  private struct Edge {
    let left: Place
    let right: Place
    let ring: Int
    /// 1 where the ring runs from left to right, -1 where it runs back.
    let direction: Int

    func y(at x: Double) -> Double {
      left.y + (right.y - left.y) * ((x - left.x) / (right.x - left.x))
    }
  }

  private var edges: [Edge] = []
  private var cuts: [Double] = []
  private let ringCount: Int

  /// - Parameter rings: closed; vertices should be near 0 0, since rounding grows with them.
  init(_ rings: [[Place]]) {
    ringCount = rings.count
    for (number, ring) in rings.enumerated() {
      cuts += ring.map(\.x)
      for (a, b) in zip(ring, ring.dropFirst()) where a.x != b.x {
        let runsRight = a.x < b.x
        edges.append(
          Edge(left: runsRight ? a : b, right: runsRight ? b : a, ring: number, direction: runsRight ? 1 : -1))
      }
    }
    edges.sort { $0.left.x < $1.left.x }
    addCrossings()
    cuts.sort()
  }

  private mutating func addCrossings() {
    for (number, one) in edges.enumerated() {
      for other in edges[(number + 1)...] {
        // Edges are in the order of their left ends.
        if other.left.x >= one.right.x { break }
        guard max(one.left.y, one.right.y) >= min(other.left.y, other.right.y),
          max(other.left.y, other.right.y) >= min(one.left.y, one.right.y)
        else { continue }
        let (from, to) = (other.left.x, min(one.right.x, other.right.x))
        let (before, after) = (one.y(at: from) - other.y(at: from), one.y(at: to) - other.y(at: to))
        if (before < 0 && after > 0) || (before > 0 && after < 0) {
          cuts.append(from + (to - from) * (before / (before - after)))
        }
      }
    }
  }

  /// - Parameter isInside: tells from how often each ring winds about a place, in the order of the rings.
  func area(where isInside: ([Int]) -> Bool) -> Double {
    var total = 0.0
    var next = 0
    var open: [Edge] = []
    for (from, to) in zip(cuts, cuts.dropFirst()) where from < to {
      open.removeAll { $0.right.x <= from }
      while next < edges.count, edges[next].left.x <= from {
        if edges[next].right.x > from { open.append(edges[next]) }
        next += 1
      }
      total += area(from, to, open, isInside)
    }
    return total
  }

  private func area(_ from: Double, _ to: Double, _ open: [Edge], _ isInside: ([Int]) -> Bool) -> Double {
    let middle = from + (to - from) / 2
    let stack = open.map { (edge: $0, y: $0.y(at: middle)) }.sorted { $0.y < $1.y }
    var windings = [Int](repeating: 0, count: ringCount)
    var height = 0.0
    for (below, above) in zip(stack, stack.dropFirst()) {
      windings[below.edge.ring] += below.edge.direction
      // The mean height of a trapezoid is that at its middle.
      if isInside(windings) { height += above.y - below.y }
    }
    return height * (to - from)
  }
}
