// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

func indexNearest(
  _ index: OpaquePointer?, _ queries: UnsafePointer<mrd_boxes>?, _ options: UnsafePointer<mrd_nearest_options>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ABI }
  guard let tree = tree(index) else { return fail(call, MRD_E_ARGUMENT, "no index") }
  guard let known = knownOptions(options, zero: mrd_nearest_options(), call) else { return call.failure }
  guard known.max_distance_m == 0 else {
    return fail(call, MRD_E_UNSUPPORTED, "GEOS's tree measures in coordinate units")
  }
  guard known.k >= 0, known.max_distance_coord >= 0, known.ties == MRD_TIES_LOWEST_ID || known.ties == MRD_TIES_ALL
  else { return fail(call, MRD_E_ARGUMENT, "k, the largest distance or the rule for ties is outside its domain") }
  guard let boxes = BoxArray(planar: queries, call) else { return call.failure }
  guard let session = Session(call) else { return MRD_E_MEMORY }
  var search = NearestSearch(session: session, tree: tree, options: known)
  return search.run(boxes)
}

/// Finds k nearest boxes. GEOS gives one neighbour, without a rule for ties, so its tree answers windows here: a window
/// that grows until the k-th distance is smaller than what lies outside of it can be.
private struct NearestSearch {
  let session: Session
  let tree: Tree
  let options: mrd_nearest_options
  let wanted: Int
  let limit: Double
  let firstReach: Double
  var rows: ResultBuffer<Int64>
  var ids: ResultBuffer<Int64>
  var distances: ResultBuffer<Double>

  struct Neighbour {
    let distance: BoxDistance
    let id: Int

    static func ascending(_ a: Neighbour, _ b: Neighbour) -> Bool {
      a.distance == b.distance ? a.id < b.id : a.distance < b.distance
    }
  }

  init(session: Session, tree: Tree, options: mrd_nearest_options) {
    self.session = session
    self.tree = tree
    self.options = options
    wanted = max(1, Int(options.k))
    limit = options.max_distance_coord > 0 ? options.max_distance_coord : .infinity
    firstReach = NearestSearch.firstReach(tree, wanted)
    rows = ResultBuffer(session.call, MRD_BUF_ROWS)
    ids = ResultBuffer(session.call, MRD_BUF_IDS)
    distances = ResultBuffer(session.call, MRD_BUF_VALUES)
  }

  /// Half the side of a square that would hold k boxes if they were spread evenly; any positive number is right.
  private static func firstReach(_ tree: Tree, _ wanted: Int) -> Double {
    let bounds = tree.bounds.clamped
    let side = max(bounds.xmax - bounds.xmin, bounds.ymax - bounds.ymin)
    let share = (Double(wanted) / Double(max(1, tree.count - tree.neverHit))).squareRoot()
    let reach = side * min(1, share) / 2
    return reach > 0 && reach.isFinite ? reach : 1
  }

  mutating func run(_ queries: BoxArray) -> mrd_status {
    rows.append(0)
    for query in 0..<queries.count {
      let box = queries[query]
      if box.hasNaN { session.call.setStatus(query, MRD_ITEM_NONFINITE) }
      if box.canBeHit {
        let status = answer(box, exclude: options.exclude.map { Int($0[query]) } ?? -1)
        if status != MRD_OK { return status }
      }
      rows.append(Int64(ids.count))
    }
    let fine = ids.finish() && distances.finish()
    return rows.finish() && fine ? MRD_OK : fail(session.call, MRD_E_MEMORY, "no memory for the neighbours")
  }

  private mutating func answer(_ query: Box, exclude: Int) -> mrd_status {
    var reach = min(firstReach, limit)
    while true {
      if session.call.isCancelled { return session.cancelled() }
      let window = query.grown(by: reach)
      guard var found = neighbours(of: query, in: window, exclude) else { return session.failure() }
      found.sort(by: Neighbour.ascending)
      let holdsAll = reach >= limit || covers(window)
      if holdsAll || isSettled(found, reach) {
        report(found)
        return MRD_OK
      }
      reach = min(reach * 2, limit)
    }
  }

  /// nil = GEOS failed.
  private func neighbours(of query: Box, in window: Box, _ exclude: Int) -> [Neighbour]? {
    var found: [Neighbour] = []
    let fine = tree.hits(window, session) { id in
      let distance = BoxDistance(query, tree.boxes[id])
      if id != exclude, distance.value <= limit { found.append(Neighbour(distance: distance, id: id)) }
    }
    return fine ? found : nil
  }

  /// True when the k-th neighbour is nearer than any box outside of the window, whose square is at least that of the
  /// reach: so neither it nor its equals are missing.
  private func isSettled(_ found: [Neighbour], _ reach: Double) -> Bool {
    wanted <= found.count && found[wanted - 1].distance < BoxDistance(reach: reach)
  }

  private func covers(_ window: Box) -> Bool {
    let bounds = tree.bounds
    return !bounds.canBeHit
      || (window.xmin <= bounds.xmin && window.ymin <= bounds.ymin && bounds.xmax <= window.xmax
        && bounds.ymax <= window.ymax)
  }

  private mutating func report(_ found: [Neighbour]) {
    for (rank, neighbour) in found.enumerated() {
      if rank >= wanted {
        guard options.ties == MRD_TIES_ALL, neighbour.distance == found[wanted - 1].distance else { return }
      }
      ids.append(Int64(neighbour.id))
      distances.append(neighbour.distance.value)
    }
  }
}
