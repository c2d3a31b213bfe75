// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// WINDOW: ids, counts or the lowest id of the boxes that meet each window.
func queryWindows(
  _ tree: BoxTree, _ windows: BoxArray, _ options: mrd_window_options, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard options.flags & ~MRD_WINDOW_ASCENDING == 0, options.limit >= 0,
    (MRD_WINDOW_IDS...MRD_WINDOW_FIRST).contains(options.mode)
  else { return fail(call, MRD_E_ARGUMENT, "an option of the window query is not known") }
  var query = WindowQuery(tree: tree, options: options, call: call)
  let isFine =
    options.mode != MRD_WINDOW_IDS
    ? query.reduce(windows) : options.visitor != nil ? query.visit(windows) : query.list(windows)
  if query.poll.isCancelled { return fail(call, MRD_E_CANCELLED, "cancelled") }
  return isFine ? MRD_OK : fail(call, MRD_E_MEMORY, "no memory for the hits")
}

private struct WindowQuery {
  let tree: BoxTree
  let options: mrd_window_options
  let call: UnsafeMutablePointer<mrd_call>
  var poll: CancelPoll
  private let limit: Int
  private var isAscending: Bool { options.flags & MRD_WINDOW_ASCENDING != 0 }

  init(tree: BoxTree, options: mrd_window_options, call: UnsafeMutablePointer<mrd_call>) {
    self.tree = tree
    self.options = options
    self.call = call
    poll = CancelPoll(call)
    limit = options.limit == 0 ? Int.max : Int(clamping: options.limit)
  }

  /// COUNT and FIRST. False = no memory, or cancelled.
  mutating func reduce(_ windows: BoxArray) -> Bool {
    var answers = ResultBuffer<Int64>(call, MRD_BUF_IDS)
    answers.extend(to: windows.count)
    guard !answers.failed, let order = QueryOrder(windows.count, tree.nodes, call, &poll, { windows[$0] }) else {
      return false
    }
    for place in 0..<order.count {
      let number = order[place]
      let window = windows[number]
      answers[number] = options.mode == MRD_WINDOW_COUNT ? hits(window) : lowestID(window)
      if poll.tick() { return false }
    }
    return answers.finish()
  }

  private mutating func hits(_ window: Box) -> Int64 {
    var hits = 0
    tree.search(window) { _, bits in
      hits &+= bits.nonzeroBitCount
      return !poll.tick(16)
    }
    return Int64(hits)
  }

  private mutating func lowestID(_ window: Box) -> Int64 {
    var lowest = UInt32.max
    var found = false
    tree.search(window) { leaf, bits in
      var rest = bits
      while rest != 0 {
        lowest = min(lowest, tree.ids(leaf)[rest.trailingZeroBitCount])
        rest &= rest &- 1
      }
      found = true
      return !poll.tick(16)
    }
    return found ? Int64(lowest) : -1
  }

  /// Gathers the hits of one window in `store`; no more than one beyond the limit matters where the order is the tree's.
  @inline(__always)
  private mutating func gather(_ window: Box, _ store: inout HitStore) {
    let most = isAscending || limit == .max ? Int.max : limit &+ 1
    store.begin()
    tree.search(window) { leaf, bits in
      store.add(tree.ids(leaf), bits)
      return !poll.tick(16) && !store.failed && store.count < most
    }
  }

  /// The ids of all windows in the order of the windows. False = no memory, or cancelled.
  mutating func list(_ windows: BoxArray) -> Bool {
    var rows = ResultBuffer<Int64>(call, MRD_BUF_ROWS)
    rows.extend(to: windows.count + 1)
    guard !rows.failed, let order = QueryOrder(windows.count, tree.nodes, call, &poll, { windows[$0] }),
      let found = scratch(call, windows.count, of: UnsafeMutablePointer<UInt32>?.self)
    else { return false }
    var store = HitStore(call)
    for place in 0..<order.count {
      let number = order[place]
      gather(windows[number], &store)
      if poll.tick() || store.failed { return false }
      found[number] = store.ids
      rows[number + 1] = Int64(store.count)
    }
    return put(found, &rows)
  }

  /// Puts what was found for each window, numbers of hits in `rows` but for the first place, in order.
  private mutating func put(
    _ found: UnsafeMutablePointer<UnsafeMutablePointer<UInt32>?>, _ rows: inout ResultBuffer<Int64>
  ) -> Bool {
    var ids = ResultBuffer<Int64>(call, MRD_BUF_IDS)
    let windows = rows.count - 1
    rows[0] = 0
    for number in 0..<windows {
      if rows[number + 1] > limit { call.addWarning(number, MRD_ITEM_WARN_TRUNCATED) }
      rows[number + 1] = rows[number] &+ (isAscending ? rows[number + 1] : min(rows[number + 1], Int64(limit)))
    }
    ids.extend(to: Int(rows[windows]))
    guard !ids.failed else { return false }
    for number in 0..<windows {
      let begin = Int(rows[number])
      let size = Int(rows[number + 1]) - begin
      if let hits = found[number] { ids.set(begin, size, widening: hits) }
      if isAscending { ids.sort(begin..<(begin + size)) }
      if poll.tick(size) { return false }
    }
    if isAscending && limit < .max { cut(&ids, &rows) }
    return ids.finish() && rows.finish()
  }

  /// Drops what is beyond the limit, which could only be known when all was sorted.
  private func cut(_ ids: inout ResultBuffer<Int64>, _ rows: inout ResultBuffer<Int64>) {
    var (kept, begin) = (0, 0)
    for number in 0..<(rows.count - 1) {
      let end = Int(rows[number + 1])
      for index in begin..<min(end, begin + limit) {
        ids[kept] = ids[index]
        kept += 1
      }
      begin = end
      rows[number + 1] = Int64(kept)
    }
    ids.truncate(kept)
  }

  /// Hands the hits over one by one, window by window.
  mutating func visit(_ windows: BoxArray) -> Bool {
    guard let visitor = options.visitor else { return true }
    var store = HitStore(call)
    for number in 0..<windows.count {
      gather(windows[number], &store)
      if poll.tick() || store.failed { return false }
      guard let ids = store.ids, store.count > 0 else { continue }
      if isAscending {
        var sorted = UnsafeMutableBufferPointer(start: ids, count: store.count)
        sorted.sort()
      }
      if store.count > limit { call.addWarning(number, MRD_ITEM_WARN_TRUNCATED) }
      for index in 0..<min(store.count, limit)
      where visitor(options.visitor_context, Int64(number), Int64(ids[index])) != 0 { break }
    }
    var ids = ResultBuffer<Int64>(call, MRD_BUF_IDS)
    return ids.finish()
  }
}
