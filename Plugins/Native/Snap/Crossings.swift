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

  /// Lists where the kept edges meet each other: a sweep along x.
  mutating func listCrossings() {
    guard crossingEdges.count > 1 else { return }
    crossingEdges.sort { $0.box.xmin < $1.box.xmin }
    for first in 0..<crossingEdges.count {
      let end = crossingEdges[first].box.xmax
      var second = first + 1
      while second < crossingEdges.count && crossingEdges[second].box.xmin <= end {
        if poll.tick() { return }
        takeCrossing(crossingEdges[first], crossingEdges[second])
        second += 1
      }
    }
  }

  /// The edge that is stored first gives the candidate its layer, its row and its reach.
  private mutating func takeCrossing(_ one: TargetItem, _ other: TargetItem) {
    let (first, second) = one.source.isStoredBefore(other.source) ? (one, other) : (other, one)
    guard let meeting = meetingPlace(first.a, first.b, second.a, second.b) else { return }
    let (plan, secondPlan) = (
      options.plan(first.source.layer, MRD_SNAP_INTERSECTION), options.plan(second.source.layer, MRD_SNAP_INTERSECTION)
    )
    let distance = options.metric.distance(point, meeting.place)
    guard distance <= plan.reach, distance <= secondPlan.reach else { return }
    take(
      Candidate(
        place: meeting.place, distance: distance, rank: min(plan.rank, secondPlan.rank), kind: MRD_SNAP_INTERSECTION,
        layer: first.source.layer, otherLayer: second.source.layer, row: first.source.row,
        coordinate: first.source.coordinate, otherRow: second.source.row, otherCoordinate: second.source.coordinate,
        z: z(first.source, meeting.share)))
  }
}
