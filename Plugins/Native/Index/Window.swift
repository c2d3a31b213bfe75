// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// WINDOW: ids, counts or the lowest id of the boxes that meet each window.
func queryWindows(
  _ tree: PackedTree, _ windows: BoxArray, _ options: mrd_window_options, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard options.flags & ~MRD_WINDOW_ASCENDING == 0, options.limit >= 0,
    (MRD_WINDOW_IDS...MRD_WINDOW_FIRST).contains(options.mode)
  else { return fail(call, MRD_E_ARGUMENT, "an option of the window query is not known") }
  var query = WindowQuery(tree: tree, options: options, call: call)
  for number in 0..<windows.count {
    query.run(windows[number], number)
    if query.poll.isCancelled { return fail(call, MRD_E_CANCELLED, "cancelled", item: number) }
  }
  return query.finish() ? MRD_OK : fail(call, MRD_E_MEMORY, "no memory for the hits")
}

private struct WindowQuery {
  let tree: PackedTree
  let options: mrd_window_options
  let call: UnsafeMutablePointer<mrd_call>
  var ids: ResultBuffer<Int64>
  var rows: ResultBuffer<Int64>
  var poll: CancelPoll

  init(tree: PackedTree, options: mrd_window_options, call: UnsafeMutablePointer<mrd_call>) {
    self.tree = tree
    self.options = options
    self.call = call
    ids = ResultBuffer(call, MRD_BUF_IDS)
    rows = ResultBuffer(call, MRD_BUF_ROWS)
    poll = CancelPoll(call)
    if listsHits { rows.append(0) }
  }

  private var listsHits: Bool { options.mode == MRD_WINDOW_IDS && options.visitor == nil }

  mutating func run(_ window: Box, _ number: Int) {
    switch options.mode {
    case MRD_WINDOW_COUNT:
      var hits: Int64 = 0
      tree.search(window, &poll) { _ in
        hits += 1
        return true
      }
      ids.append(hits)
    case MRD_WINDOW_FIRST:
      var lowest: Int64 = -1
      tree.search(window, &poll) { id in
        if lowest < 0 || Int64(id) < lowest { lowest = Int64(id) }
        return true
      }
      ids.append(lowest)
    default: list(window, number)
    }
  }

  /// Hits go behind those of the windows before; with ASCENDING all are found before the limit cuts them.
  private mutating func list(_ window: Box, _ number: Int) {
    let begin = ids.count
    let limit = options.limit == 0 ? Int.max : Int(options.limit)
    let isAscending = options.flags & MRD_WINDOW_ASCENDING != 0
    let stopAt = isAscending || limit == Int.max ? Int.max : limit + 1
    var found = ids
    tree.search(window, &poll) { id in
      found.append(Int64(id))
      return !found.failed && found.count - begin < stopAt
    }
    ids = found
    if isAscending { ids.sort(from: begin) }
    if ids.count - begin > limit {
      ids.truncate(begin + limit)
      call.addWarning(number, MRD_ITEM_WARN_TRUNCATED)
    }
    guard let visitor = options.visitor else { return rows.append(Int64(ids.count)) }
    for index in begin..<ids.count where visitor(options.visitor_context, Int64(number), ids[index]) != 0 { break }
    ids.truncate(begin)
  }

  mutating func finish() -> Bool { ids.finish() && (!listsHits || rows.finish()) }
}

/// JOIN: the pairs of ids whose boxes meet, ascending; of one tree with itself each pair once, the lower id first.
func joinTrees(_ a: PackedTree, _ b: PackedTree?, _ call: UnsafeMutablePointer<mrd_call>) -> mrd_status {
  var pairs = ResultBuffer<Int64>(call, MRD_BUF_IDS)
  var poll = CancelPoll(call)
  guard let memory = call.pointee.scratch(call, Int64(a.count * MemoryLayout<Int>.stride), 8) else {
    return fail(call, MRD_E_MEMORY, "no memory for the order of the ids")
  }
  for leaf in a.leavesByID(in: memory) {
    let indexed = a.leaves[leaf]
    let begin = pairs.count
    var found = pairs
    (b ?? a).search(indexed.box, &poll) { other in
      if b != nil || other > indexed.id { found.append(Int64(other)) }
      return !found.failed
    }
    pairs = found
    pairs.sort(from: begin)
    putInFront(Int64(indexed.id), of: begin, &pairs)
    if poll.isCancelled { return fail(call, MRD_E_CANCELLED, "cancelled") }
    if pairs.failed { break }
  }
  return pairs.finish() ? MRD_OK : fail(call, MRD_E_MEMORY, "no memory for the pairs")
}

/// Makes pairs of the partners that begin at `begin`: each gets `id` in front of it, from the last one backward in place.
private func putInFront(_ id: Int64, of begin: Int, _ pairs: inout ResultBuffer<Int64>) {
  let partners = pairs.count - begin
  for _ in 0..<partners { pairs.append(0) }
  guard !pairs.failed else { return }
  for index in stride(from: partners - 1, through: 0, by: -1) {
    pairs[begin + 2 * index + 1] = pairs[begin + index]
    pairs[begin + 2 * index] = id
  }
}
