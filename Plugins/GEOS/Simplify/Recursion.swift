// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// GEOS simplifies a line by recursion, one stack frame for each split: a line made for it overflows the stack of the
/// process. So long lines are split here first, with a list in place of the stack, to see how deep GEOS would go.
enum Recursion {
  /// The deepest recursion that is let through: about 2 MB of stack.
  static let limit = 4096

  /// True when all rings or lines of the row stay within the limit. `tolerance` < 0 splits down to single edges, which
  /// bounds what the topology-preserving simplifier does.
  static func isShallow(_ geoms: Geoms, _ row: Int, tolerance: Double, _ call: UnsafeMutablePointer<mrd_call>) -> Bool {
    guard geoms.coordinates(row).count > limit else { return true }
    guard geoms.type != MRD_LINESTRING else { return isShallow(geoms, geoms.span(row), tolerance, call) }
    let level = Int(geoms.raw.n_offsets) - 1
    for ring in geoms.rings(row) where !isShallow(geoms, geoms.span(level: level, ring), tolerance, call) {
      return false
    }
    return true
  }

  private struct Section {
    let first: Int
    let last: Int
    let depth: Int
  }

  private static func isShallow(
    _ geoms: Geoms, _ span: Range<Int>, _ tolerance: Double, _ call: UnsafeMutablePointer<mrd_call>
  ) -> Bool {
    guard span.count > limit else { return true }
    var open = [Section(first: span.lowerBound, last: span.upperBound - 1, depth: 1)]
    while let section = open.popLast() {
      // A cancelled call ends at its next poll whatever is answered here.
      if call.isCancelled { return true }
      if section.depth > limit { return false }
      guard let split = farthest(geoms, section, beyond: tolerance) else { continue }
      open.append(Section(first: section.first, last: split, depth: section.depth + 1))
      open.append(Section(first: split, last: section.last, depth: section.depth + 1))
    }
    return true
  }

  /// The inner vertex farthest from the section's chord, nil when none is farther than `tolerance`.
  private static func farthest(_ geoms: Geoms, _ section: Section, beyond tolerance: Double) -> Int? {
    guard section.last - section.first > 1 else { return nil }
    let chord = Segment(
      x1: geoms.x(section.first), y1: geoms.y(section.first), x2: geoms.x(section.last), y2: geoms.y(section.last))
    var found: Int?
    var most = tolerance < 0 ? -1 : tolerance * tolerance
    for index in (section.first + 1)..<section.last {
      let distance = chord.squaredDistance(geoms.x(index), geoms.y(index))
      if distance > most {
        most = distance
        found = index
      }
    }
    return found
  }
}
