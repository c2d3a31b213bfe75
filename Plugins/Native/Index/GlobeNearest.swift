// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// The boxes nearest to a query in metres: those of a cap that grows, the near ones first by a bound that costs little, until
/// no other can be among them.
struct GlobeNearest {
  private struct Near: BitwiseCopyable {
    let bound: Double
    let id: UInt32
    let gap: GlobeGap
  }

  private let tree: BoxTree
  private let geodesics: Geodesics
  private let limit: Double
  /// Where the search for the next query begins: a little farther than the last one had to go.
  private var start: Double
  private var near: ScratchList<Near>
  /// Keys and ids of all whose distance was computed.
  private(set) var found: ScratchList<FoundBox>
  private var distances: GlobeDistances
  var failed: Bool { near.failed || found.failed }

  /// `limit`: in metres, infinite for none.
  init(_ tree: BoxTree, _ geodesics: Geodesics, k: Int, limit: Double, _ call: UnsafeMutablePointer<mrd_call>) {
    self.tree = tree
    self.geodesics = geodesics
    self.limit = limit
    // In an even spread over the boxes' bounds about as many as are wanted lie within it.
    let bounds = tree.bounds
    let width = min(360, bounds.xmax - bounds.xmin) * radiansPerDegree
    let height = min(180, bounds.ymax - bounds.ymin) * radiansPerDegree
    let square = width * height * Double(max(1, k)) / Double(max(1, tree.count))
    start = geodesics.a * (square > 0 ? square.squareRoot() : 0x1p-20)
    near = ScratchList(call)
    found = ScratchList(call)
    distances = GlobeDistances(geodesics)
  }

  /// Offers all boxes that may be among the best, with their distances as keys. `query` meets the latitudes of the globe.
  mutating func run(_ query: Box, except excluded: UInt32, _ best: inout Neighbours, _ poll: inout CancelPoll) {
    var reach = min(limit, start)
    defer { if best.isFull { start = max(2 * Double(bitPattern: best.worst), geodesics.a * 0x1p-40) } }
    while true {
      best.removeAll()
      near.truncate(0)
      found.truncate(0)
      let isAll = gather(query, &reach, except: excluded, &poll)
      near.sort { ($0.bound, $0.id) < ($1.bound, $1.id) }
      offerNear(within: reach, &best, &poll)
      if isAll || reach >= limit || poll.isCancelled || failed { return }
      if best.isFull && Double(bitPattern: best.worst) <= reach { return }
      reach = min(limit, reach * 2)
    }
  }

  /// Gathers what may lie within the reach. True when that is everything.
  private mutating func gather(
    _ query: Box, _ reach: inout Double, except excluded: UInt32, _ poll: inout CancelPoll
  ) -> Bool {
    let cap = GlobeCap(from: max(-90, query.ymin), to: min(90, query.ymax), reach, geodesics)
    if cap.isAll { reach = limit }
    tree.searchRound(cap.window(query.xmin, query.xmax)) { leaf, hits in
      var bits = hits
      while bits != 0 {
        let slot = bits.trailingZeroBitCount
        bits &= bits &- 1
        let id = tree.ids(leaf)[slot]
        guard id != excluded, let gap = GlobeGap(query, tree.box(leaf, slot)) else { continue }
        let bound = gap.leastDistance(geodesics)
        if bound <= reach { near.append(Near(bound: bound, id: id, gap: gap)) }
      }
      return !poll.tick(TreeShape.fanout) && !near.failed
    }
    return cap.isAll
  }

  /// Solves the near ones, sixteen at a time, as long as they can be among the best.
  private mutating func offerNear(within reach: Double, _ best: inout Neighbours, _ poll: inout CancelPoll) {
    var next = 0
    while next < near.count && !(best.isFull && near[next].bound > Double(bitPattern: best.worst)) {
      distances.removeAll()
      let first = next
      while next < near.count && !distances.isFull {
        distances.add(near[next].gap)
        next += 1
      }
      distances.solve()
      for index in 0..<distances.count where distances[index] <= reach {
        let key = distances[index].bitPattern
        best.offer(key, near[first + index].id)
        found.append(FoundBox(key: key, id: near[first + index].id))
      }
      if poll.tick(GlobeDistances.most) { return }
    }
  }
}
