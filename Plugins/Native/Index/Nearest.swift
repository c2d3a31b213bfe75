// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// NEAREST: the k boxes of least (squared distance, id) for each query, as index.h orders them.
func queryNearest(
  _ tree: PackedTree, _ queries: BoxArray, _ options: mrd_nearest_options, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard options.k >= 0, options.max_distance_coord >= 0, options.max_distance_m == 0,
    options.ties == MRD_TIES_LOWEST_ID || options.ties == MRD_TIES_ALL
  else {
    return fail(call, MRD_E_ARGUMENT, "k and the largest distance must not be negative; distances are in coordinates")
  }
  let k = max(1, min(Int(max(1, options.k)), tree.count))
  guard let memory = call.pointee.scratch(call, Int64(k * MemoryLayout<Neighbour>.stride), 16) else {
    return fail(call, MRD_E_MEMORY, "no memory for the neighbours")
  }
  let limit = options.max_distance_coord == 0 ? Double.infinity : options.max_distance_coord
  var best = BestNeighbours(memory.bindMemory(to: Neighbour.self, capacity: k), k)
  var lists = NeighbourLists(call)
  var poll = CancelPoll(call)
  for number in 0..<queries.count {
    let query = queries.box(number)
    let excluded = options.exclude.map { Int($0[number]) } ?? -1
    best.removeAll()
    if query.canHit {
      tree.walk(&poll) {
        $0.squaredDistance(query) <= best.bound
      } _: {
        let squared = $0.squaredDistance(query)
        if $0.id != excluded && squared.squareRoot() <= limit { best.offer(Neighbour(squared: squared, id: $0.id)) }
        return true
      }
    }
    if options.ties == MRD_TIES_ALL && best.isFull {
      let bound = best.bound
      lists.addAll(tree, within: bound, of: query, except: excluded, limit: limit, &poll)
    } else {
      best.sort()
      for index in 0..<best.count { lists.add(best[index]) }
    }
    lists.endRow()
    if poll.isCancelled { return fail(call, MRD_E_CANCELLED, "cancelled", item: number) }
  }
  return lists.finish() ? MRD_OK : fail(call, MRD_E_MEMORY, "no memory for the neighbours")
}

private struct Neighbour {
  let squared: Double
  let id: Int

  static func < (a: Neighbour, b: Neighbour) -> Bool {
    a.squared != b.squared ? a.squared < b.squared : a.id < b.id
  }
}

/// The k best so far as a heap with the worst on top.
private struct BestNeighbours {
  private let heap: UnsafeMutablePointer<Neighbour>
  private let k: Int
  private(set) var count = 0

  init(_ heap: UnsafeMutablePointer<Neighbour>, _ k: Int) {
    self.heap = heap
    self.k = k
  }

  var isFull: Bool { count == k }
  /// Nothing farther than this can still matter; equals can, by their id.
  var bound: Double { isFull ? heap[0].squared : .infinity }
  subscript(index: Int) -> Neighbour { heap[index] }

  mutating func removeAll() { count = 0 }

  mutating func offer(_ neighbour: Neighbour) {
    if count < k {
      heap[count] = neighbour
      count += 1
      siftUp(count - 1)
    } else if neighbour < heap[0] {
      heap[0] = neighbour
      siftDown(0, count)
    }
  }

  /// Ascending; the heap is used up.
  func sort() {
    var end = count
    while end > 1 {
      end -= 1
      swap(0, end)
      siftDown(0, end)
    }
  }

  private func swap(_ a: Int, _ b: Int) { (heap[a], heap[b]) = (heap[b], heap[a]) }

  private func siftUp(_ start: Int) {
    var at = start
    while at > 0 && heap[(at - 1) / 2] < heap[at] {
      swap(at, (at - 1) / 2)
      at = (at - 1) / 2
    }
  }

  private func siftDown(_ start: Int, _ end: Int) {
    var at = start
    while 2 * at + 1 < end {
      var child = 2 * at + 1
      if child + 1 < end && heap[child] < heap[child + 1] { child += 1 }
      if !(heap[at] < heap[child]) { return }
      swap(at, child)
      at = child
    }
  }
}

/// The result lists: ids and distances side by side, and where each query's begin.
private struct NeighbourLists {
  private var rows: ResultBuffer<Int64>
  private var ids: ResultBuffer<Int64>
  private var distances: ResultBuffer<Double>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    rows = ResultBuffer(call, MRD_BUF_ROWS)
    ids = ResultBuffer(call, MRD_BUF_IDS)
    distances = ResultBuffer(call, MRD_BUF_VALUES)
    rows.append(0)
  }

  mutating func add(_ neighbour: Neighbour) {
    ids.append(Int64(neighbour.id))
    distances.append(neighbour.squared.squareRoot())
  }

  mutating func endRow() { rows.append(Int64(ids.count)) }

  /// Every box up to the bound, so that equals of the last neighbour are all there, in order.
  mutating func addAll(
    _ tree: PackedTree, within bound: Double, of query: IndexedBox, except excluded: Int, limit: Double,
    _ poll: inout CancelPoll
  ) {
    let begin = ids.count
    var (foundIDs, foundDistances) = (ids, distances)
    tree.walk(&poll) {
      $0.squaredDistance(query) <= bound
    } _: {
      let squared = $0.squaredDistance(query)
      if $0.id != excluded && squared.squareRoot() <= limit {
        foundIDs.append(Int64($0.id))
        foundDistances.append(squared)
      }
      return true
    }
    (ids, distances) = (foundIDs, foundDistances)
    sortPairs(from: begin)
    for index in begin..<distances.count { distances[index] = distances[index].squareRoot() }
  }

  /// Heap sort of both columns by (squared distance, id).
  private mutating func sortPairs(from begin: Int) {
    let count = min(ids.count, distances.count) - begin
    var start = count / 2
    while start > 0 {
      start -= 1
      sift(begin, start, count)
    }
    var end = count
    while end > 1 {
      end -= 1
      swap(begin, begin + end)
      sift(begin, 0, end)
    }
  }

  private func isLess(_ a: Int, _ b: Int) -> Bool {
    distances[a] != distances[b] ? distances[a] < distances[b] : ids[a] < ids[b]
  }

  private mutating func swap(_ a: Int, _ b: Int) {
    (ids[a], ids[b]) = (ids[b], ids[a])
    (distances[a], distances[b]) = (distances[b], distances[a])
  }

  private mutating func sift(_ begin: Int, _ start: Int, _ end: Int) {
    var at = start
    while 2 * at + 1 < end {
      var child = 2 * at + 1
      if child + 1 < end && isLess(begin + child, begin + child + 1) { child += 1 }
      if !isLess(begin + at, begin + child) { return }
      swap(begin + at, begin + child)
      at = child
    }
  }

  mutating func finish() -> Bool { rows.finish() && ids.finish() && distances.finish() }
}
