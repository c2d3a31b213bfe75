// SPDX-License-Identifier: Apache-2.0
import CSQLite
import KernelKit
import MeridianABI

extension Database {
  /// `meridian_nearest(xmin, ymin, xmax, ymax)`: an R-tree query that visits entries from the nearest box on.
  func registerNearest() throws(Failure) {
    let code = sqlite3_rtree_query_callback(handle, "meridian_nearest", { scoreNearest($0) }, nil, nil)
    guard code == SQLITE_OK else { throw Failure(sqlite: code, handle, "SQLite has no R-tree") }
  }
}

/// SQLite visits nodes and entries in the order of their scores: here the distance of their 32-bit box, which never
/// exceeds that of the exact boxes inside.
private func scoreNearest(_ info: UnsafeMutablePointer<sqlite3_rtree_query_info>?) -> Int32 {
  guard let info, info.pointee.nParam == 4, info.pointee.nCoord == 4, let p = info.pointee.aParam,
    let c = info.pointee.aCoord
  else { return SQLITE_ERROR }
  let query = Box(xmin: p[0], ymin: p[1], xmax: p[2], ymax: p[3])
  let node = Box(xmin: c[0], ymin: c[2], xmax: c[1], ymax: c[3])
  info.pointee.rScore = BoxDistance(node, query).value
  info.pointee.eWithin = PARTLY_WITHIN
  return SQLITE_OK
}

/// One neighbour.
struct Neighbour {
  let distance: BoxDistance
  let id: Int64
}

/// The k nearest of one query, by (distance, id).
struct NearestQuery {
  private let statement: Statement
  private let k: Int
  private let all: Bool
  private let maximum: Double

  /// `all`: also every equal of the k-th. `maximum`: closed.
  init(_ index: SQLiteIndex, k: Int, all: Bool, maximum: Double) throws(Failure) {
    self.k = k
    self.all = all
    self.maximum = maximum
    statement = try Statement(
      index.database,
      """
      SELECT b.id, b.xmin, b.ymin, b.xmax, b.ymax, t.x0, t.y0, t.x1, t.y1 \
      FROM tree t CROSS JOIN box b ON b.id = t.id WHERE t.id MATCH meridian_nearest(?1, ?2, ?3, ?4)
      """)
  }

  func neighbours(_ query: Box, except: Int64?) throws(Failure) -> [Neighbour] {
    guard query.shape(curved: false).pieces > 0 else { return [] }
    statement.bind(1, query.xmin)
    statement.bind(2, query.ymin)
    statement.bind(3, query.xmax)
    statement.bind(4, query.ymax)
    // Rows come from near to far by the filter's distance, so the search ends once that is past what is wanted.
    var found: [Neighbour] = []
    var nearest = LargestOf(k)
    while try statement.step() {
      let reach = BoxDistance(box(5), query).value
      if reach > maximum || nearest.largest.map({ reach > $0.value }) == true {
        statement.reset()
        break
      }
      let candidate = Neighbour(distance: BoxDistance(box(1), query), id: statement.integer(0))
      if candidate.id == except || candidate.distance.value > maximum { continue }
      if let largest = nearest.largest, largest < candidate.distance { continue }
      nearest.add(candidate.distance)
      found.append(candidate)
    }
    found.sort { $0.distance < $1.distance || ($0.distance == $1.distance && $0.id < $1.id) }
    guard found.count > k else { return found }
    guard all else { return Array(found.prefix(k)) }
    let last = found[k - 1].distance
    return Array(found.prefix { !(last < $0.distance) })
  }

  private func box(_ column: Int32) -> Box {
    Box(
      xmin: statement.double(column), ymin: statement.double(column + 1), xmax: statement.double(column + 2),
      ymax: statement.double(column + 3))
  }
}

/// The k smallest distances so far, as a binary heap with the largest of them on top.
private struct LargestOf {
  private var heap: [BoxDistance] = []
  private let k: Int

  init(_ k: Int) { self.k = k }

  /// The k-th smallest distance; nil while there are fewer.
  var largest: BoxDistance? { heap.count == k ? heap.first : nil }

  mutating func add(_ distance: BoxDistance) {
    if heap.count < k {
      heap.append(distance)
      siftUp(heap.count - 1)
    } else if let top = heap.first, distance < top {
      heap[0] = distance
      siftDown(0)
    }
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0, heap[(child - 1) / 2] < heap[child] {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var parent = start
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return }
      if child + 1 < heap.count, heap[child] < heap[child + 1] { child += 1 }
      guard heap[parent] < heap[child] else { return }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}

/// NEAREST over all queries of a call.
func runNearest(
  _ index: SQLiteIndex, _ queries: BoxArray, _ options: mrd_nearest_options, _ call: UnsafeMutablePointer<mrd_call>
) throws(Failure) {
  guard queries.metric == MRD_METRIC_COORD else {
    throw Failure(MRD_E_UNSUPPORTED, "nearest: this kernel measures in coordinate units only")
  }
  guard !index.curved, !queries.isCurved else {
    throw Failure(MRD_E_UNSUPPORTED, "nearest: this kernel knows distances between boxes with planar edges only")
  }
  guard options.max_distance_m == 0 else {
    throw Failure(MRD_E_ARGUMENT, "nearest: max_distance_m is given, but the metric is coordinate units")
  }
  guard options.k >= 0, options.max_distance_coord >= 0,
    options.ties == MRD_TIES_LOWEST_ID || options.ties == MRD_TIES_ALL
  else { throw Failure(MRD_E_ARGUMENT, "nearest: negative k or distance, NaN, or unknown ties") }
  let query = try index.locked(call) { () throws(Failure) in
    try NearestQuery(
      index, k: options.k == 0 ? 1 : Int(options.k), all: options.ties == MRD_TIES_ALL,
      maximum: options.max_distance_coord == 0 ? .infinity : options.max_distance_coord)
  }
  var rows = ResultBuffer<Int64>(call, MRD_BUF_ROWS)
  var ids = ResultBuffer<Int64>(call, MRD_BUF_IDS)
  var values = ResultBuffer<Double>(call, MRD_BUF_VALUES)
  rows.append(0)
  for row in 0..<queries.count {
    let except = options.exclude.flatMap { $0[row] == -1 ? nil : $0[row] }
    let found = try index.locked(call) { () throws(Failure) in try query.neighbours(queries[row], except: except) }
    for neighbour in found {
      ids.append(neighbour.id)
      values.append(neighbour.distance.value)
    }
    rows.append(Int64(ids.count))
  }
  guard rows.finish(), ids.finish(), values.finish() else {
    throw Failure(MRD_E_MEMORY, "no memory for the neighbours")
  }
}
