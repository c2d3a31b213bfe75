// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Crossings of edges in reach. An edge that is visited is held against those that were visited before, while they are few;
/// when they are many, the tree says which edges it may cross at all.
extension PointSearch {
  static var mostCrossing: Int { 24 }

  @inline(__always)
  mutating func visitForCrossings(_ item: TargetItem, _ square: Double) {
    let source = item.source
    let plan = options.plan(source.layer, MRD_SNAP_INTERSECTION)
    guard plan.rank >= 0 else { return }
    // The other edge's layer may rank before this one's.
    let limit = limit(options.crossingRank, plan.reach)
    guard limit >= 0, square <= bound(limit),
      !options.exclusions.hasEdge(source.layer, source.row, source.coordinate)
    else { return }
    if isListing {
      crossingEdges.append(item)
    } else if crossesByTree {
      crossByTree(item, limit)
    } else {
      for index in 0..<crossingEdges.count { takeCrossing(item, crossingEdges[index]) }
      crossingEdges.append(item)
    }
  }

  /// Takes the crossings with edges that are stored behind this one: each pair has one side that comes here.
  private mutating func crossByTree(_ item: TargetItem, _ limit: Double) {
    let reach = bound(limit).squareRoot() * (1 + 0x1p-48)
    var window = item.box
    window.xmin = max(window.xmin, (point.x - reach).nextDown)
    window.ymin = max(window.ymin, (point.y - reach).nextDown)
    window.xmax = min(window.xmax, (point.x + reach).nextUp)
    window.ymax = min(window.ymax, (point.y + reach).nextUp)
    let tree = tree
    tree.search(window) { leaf, hits in
      var bits = hits
      while bits != 0 {
        let other = tree.item(leaf, bits.trailingZeroBitCount)
        bits &= bits &- 1
        let source = other.source
        if source.flags.contains(.isEdge), item.source.isStoredBefore(source),
          options.plan(source.layer, MRD_SNAP_INTERSECTION).rank >= 0,
          !options.exclusions.hasEdge(source.layer, source.row, source.coordinate)
        {
          takeCrossing(item, other)
        }
      }
      return !poll.tick(TreeShape.fanout)
    }
  }

  /// Lists where the kept edges meet each other.
  mutating func listCrossings() {
    var edges = crossingEdges
    edges.sweep { first, second in
      takeCrossing(first, second)
      return !poll.tick()
    }
  }

  private mutating func takeCrossing(_ one: TargetItem, _ other: TargetItem) {
    let (point, metric) = (point, options.metric)
    if let candidate = options.crossing(one, other, layers, distance: { metric.distance(point, $0) }) {
      take(candidate)
    }
  }
}

extension ScratchList where Element == TargetItem {
  /// Calls `body` with the pairs of edges whose boxes meet along x, until it answers false.
  mutating func sweep(_ body: (TargetItem, TargetItem) -> Bool) {
    guard count > 1 else { return }
    sort { $0.box.xmin < $1.box.xmin }
    for first in 0..<count {
      let end = self[first].box.xmax
      var second = first + 1
      while second < count && self[second].box.xmin <= end {
        if !body(self[first], self[second]) { return }
        second += 1
      }
    }
  }
}

extension QueryOptions {
  /// The place where two edges meet, if it is in reach of both of their layers. The edge that is stored first gives the
  /// candidate its layer, its row and its Z.
  @inline(__always)
  func crossing(
    _ one: TargetItem, _ other: TargetItem, _ layers: UnsafeBufferPointer<TargetLayer>, distance: (Place) -> Double
  ) -> Candidate? {
    let (first, second) = one.source.isStoredBefore(other.source) ? (one, other) : (other, one)
    guard let meeting = meetingPlace(first.a, first.b, second.a, second.b) else { return nil }
    let plans = (plan(first.source.layer, MRD_SNAP_INTERSECTION), plan(second.source.layer, MRD_SNAP_INTERSECTION))
    let distance = distance(meeting.place)
    guard distance <= plans.0.reach, distance <= plans.1.reach else { return nil }
    let geoms = layers[Int(first.source.layer)].geoms
    return Candidate(
      place: meeting.place, distance: distance, rank: min(plans.0.rank, plans.1.rank), kind: MRD_SNAP_INTERSECTION,
      layer: first.source.layer, otherLayer: second.source.layer, row: first.source.row,
      coordinate: first.source.coordinate, otherRow: second.source.row, otherCoordinate: second.source.coordinate,
      z: geoms.z(from: first.source.coordinate, share: meeting.share))
  }
}
