// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Finds vertices of a row in the closed region between a run of a path and its chord.
struct RegionSearch {
  /// Edges of a run from which on those that turn around a place are looked for in the tree.
  private static let long = 48

  private let store: PathStore
  private let tree: EdgeTree

  init(_ store: PathStore, _ tree: EdgeTree) {
    self.store = store
    self.tree = tree
  }

  /// Whether no vertex but those of the run lies in the region. Places equal to the run's ends are not meant.
  func isFree(_ low: Int, _ high: Int, _ poll: inout CancelPoll) -> Bool {
    let (x, y) = (store.x, store.y)
    let chord = mrdk_make_chord(x[low], y[low], x[high], y[high])
    var window: Window = [0, 0, 0, 0]
    let most = withUnsafeMutableBytes(of: &window) { bytes -> Double in
      guard let corners = bytes.assumingMemoryBound(to: Double.self).baseAddress else { return .infinity }
      return mrdk_window_around(x + low, y + low, UInt(high &- low &+ 1), chord, corners)
    }
    // The region lies in the run's hull, and the distance from a segment is a convex function: nothing there is farther from
    // the chord than the farthest vertex of the run. 64 of the errors of its square cover that of another square as well:
    // with s the root of `most` and a = 2^-50 length2 the error is about 4 a (s + a), and of a square that is 256 a (s + a)
    // larger at most 100 a (s + a).
    let reach = most + 64 * mrdk_square_error(most, chord)
    var isFree = true
    tree.forEachGroup(meeting: window) { group in
      let first = 8 &* group
      var bits = withUnsafeBytes(of: window) {
        mrdk_places8_near(
          x + first, y + first, $0.assumingMemoryBound(to: Double.self).baseAddress, chord, reach)
      }
      while bits != 0 && isFree {
        let index = first &+ bits.trailingZeroBitCount
        bits &= bits &- 1
        if index >= store.count || (low <= index && index <= high) { continue }
        isFree = !isBetween(index, low, high)
        _ = poll.tick(min(high &- low, RegionSearch.long))
      }
      return isFree && !poll.isCancelled
    }
    return isFree
  }

  /// Whether a vertex of another run lies between a run and its chord, or on one of them; its ends are not meant.
  private func isBetween(_ index: Int, _ low: Int, _ high: Int) -> Bool {
    let place = store.place(index)
    if place == store.place(low) || place == store.place(high) { return false }
    guard let turn = winding(place, high, low), let others = windingOfRun(place, low, high) else { return true }
    return turn &+ others != 0
  }

  /// What the edges of a run add to the turns of a closed curve around a place; nil when the place is on one.
  private func windingOfRun(_ place: Place, _ low: Int, _ high: Int) -> Int? {
    var sum: Int? = 0
    if high &- low < RegionSearch.long {
      for edge in low..<high {
        guard let turn = winding(place, edge, edge &+ 1) else { return nil }
        sum = sum.map { $0 &+ turn }
      }
      return sum
    }
    // Edges count that meet the level line from the place to the right.
    let ray: Window = [place.x, place.y, .infinity, place.y]
    tree.forEachGroup(meeting: ray, from: low >> 3) { group in
      let first = 8 &* group
      if first >= high { return false }
      var edges = withUnsafeBytes(of: ray) {
        mrdk_edges8_meeting(store.x + first, store.y + first, $0.assumingMemoryBound(to: Double.self).baseAddress)
      }
      while edges != 0 {
        let edge = first &+ edges.trailingZeroBitCount
        edges &= edges &- 1
        if edge < low || edge >= high { continue }
        guard let turn = winding(place, edge, edge &+ 1) else {
          sum = nil
          return false
        }
        sum = sum.map { $0 &+ turn }
      }
      return true
    }
    return sum
  }

  /// What an edge adds to the turns of a closed curve around a place; nil when the place is on it.
  @inline(__always)
  private func winding(_ place: Place, _ from: Int, _ to: Int) -> Int? {
    let (a, b) = (store.place(from), store.place(to))
    if a.y <= place.y {
      if b.y > place.y {
        let side = orientation(a, b, place)
        return side == 0 ? nil : side > 0 ? 1 : 0
      }
      // A level edge.
      if b.y == place.y && a.y == place.y { return min(a.x, b.x) <= place.x && place.x <= max(a.x, b.x) ? nil : 0 }
    } else if b.y <= place.y {
      let side = orientation(a, b, place)
      return side == 0 ? nil : side < 0 ? -1 : 0
    }
    return b == place || a == place ? nil : 0
  }
}
