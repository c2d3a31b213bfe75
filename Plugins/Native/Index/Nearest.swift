// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// NEAREST: the k boxes of least (distance, id) for each query, as index.h orders them.
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
    let query = queries[number]
    let excluded = options.exclude.map { Int($0[number]) } ?? -1
    best.removeAll()
    if query.canBeHit {
      tree.walk(&poll) {
        BoxDistance($0, query) <= best.bound
      } _: {
        let distance = BoxDistance($0.box, query)
        if $0.id != excluded && distance.value <= limit { best.offer(Neighbour(distance: distance, id: $0.id)) }
        return true
      }
    }
    best.sort()
    for index in 0..<best.count { lists.add(best[index]) }
    if options.ties == MRD_TIES_ALL && best.isFull {
      lists.addEquals(of: best[k - 1], tree, query, except: excluded, &poll)
    }
    lists.endRow()
    if poll.isCancelled { return fail(call, MRD_E_CANCELLED, "cancelled", item: number) }
  }
  return lists.finish() ? MRD_OK : fail(call, MRD_E_MEMORY, "no memory for the neighbours")
}

private struct Neighbour {
  let distance: BoxDistance
  let id: Int

  static func < (a: Neighbour, b: Neighbour) -> Bool {
    a.distance != b.distance ? a.distance < b.distance : a.id < b.id
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
  var bound: BoxDistance { isFull ? heap[0].distance : .infinite }
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
    distances.append(neighbour.distance.value)
  }

  /// The boxes as far away as the last of the k best whose ids are greater: the equals with lower ids are among the best.
  mutating func addEquals(
    of last: Neighbour, _ tree: PackedTree, _ query: Box, except excluded: Int, _ poll: inout CancelPoll
  ) {
    let begin = ids.count
    var found = ids
    tree.walk(&poll) {
      BoxDistance($0, query) <= last.distance
    } _: {
      if $0.id > last.id, $0.id != excluded, BoxDistance($0.box, query) == last.distance { found.append(Int64($0.id)) }
      return true
    }
    ids = found
    ids.sort(from: begin)
    for _ in begin..<ids.count { distances.append(last.distance.value) }
  }

  mutating func endRow() { rows.append(Int64(ids.count)) }

  mutating func finish() -> Bool { rows.finish() && ids.finish() && distances.finish() }
}
