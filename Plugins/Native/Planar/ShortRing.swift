// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath

/// A ring of so few edges that one look at all of them is enough: no frame, no blocks, no memory.
struct ShortRing {
  static let edges = 3...15
  private var look = mrdk_small_ring()
  private let count: Int

  /// nil when the set is more than one such ring, when an ordinate is not finite, when consecutive vertices may be equal, or
  /// when the extent is out of the range of floats: what `EdgeBlocks` is for.
  @inline(__always)
  init?(_ edges: EdgeSet) {
    count = edges.count &- 1
    guard edges.chainCount == 1, ShortRing.edges.contains(count), edges.chains[0].isClosed,
      mrdk_look_at_ring(edges.x, edges.y, Int32(truncatingIfNeeded: count), &look) != 0, look.still == 0
    else { return nil }
  }

  /// Calls `body` for vertices at which an edge may run straight back along the one before.
  @inline(__always)
  func forEachTurn(_ body: (Int) -> Void) {
    var turns = look.turns
    while turns != 0 {
      let next = turns.trailingZeroBitCount &+ 1
      body(next == count ? 0 : next)
      turns &= turns &- 1
    }
  }

  /// Calls `body` with pairs of edges that may meet and are no neighbours, the lower one first. False = `body` answered
  /// false.
  @inline(__always)
  func forEachPair(_ body: (Int, Int) -> Bool) -> Bool {
    var steps = look.steps
    while steps != 0 {
      let step = steps.trailingZeroBitCount
      var bits = withUnsafeBytes(of: look.found) { $0.load(fromByteOffset: 2 &* step, as: UInt16.self) }
      while bits != 0 {
        let edge = bits.trailingZeroBitCount
        let other = edge &+ step < count ? edge &+ step : edge &+ step &- count
        if !body(min(edge, other), max(edge, other)) { return false }
        bits &= bits &- 1
      }
      steps &= steps &- 1
    }
    return true
  }
}
