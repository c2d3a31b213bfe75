// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

func indexWindow(
  _ index: OpaquePointer?, _ windows: UnsafePointer<mrd_boxes>?, _ options: UnsafePointer<mrd_window_options>?,
  _ call: UnsafeMutablePointer<mrd_call>?
) -> mrd_status {
  guard let call else { return MRD_E_ABI }
  guard let tree = tree(index) else { return fail(call, MRD_E_ARGUMENT, "no index") }
  guard let known = knownOptions(options, zero: mrd_window_options(), call) else { return call.failure }
  guard known.flags & ~UInt32(MRD_WINDOW_ASCENDING) == 0 else {
    return fail(call, MRD_E_UNSUPPORTED, "an option flag is not known")
  }
  guard known.mode >= MRD_WINDOW_IDS, known.mode <= MRD_WINDOW_FIRST, known.limit >= 0 else {
    return fail(call, MRD_E_ARGUMENT, "the mode or the limit of hits is outside its domain")
  }
  guard let queries = BoxArray(planar: windows, call) else { return call.failure }
  guard let session = Session(call) else { return MRD_E_MEMORY }
  var query = WindowQuery(session: session, tree: tree, options: known)
  return query.run(queries)
}

/// Answers the windows of one call.
private struct WindowQuery {
  let session: Session
  let tree: Tree
  let options: mrd_window_options
  var rows: ResultBuffer<Int64>
  var ids: ResultBuffer<Int64>

  init(session: Session, tree: Tree, options: mrd_window_options) {
    self.session = session
    self.tree = tree
    self.options = options
    rows = ResultBuffer(session.call, MRD_BUF_ROWS)
    ids = ResultBuffer(session.call, MRD_BUF_IDS)
  }

  private var fillsRows: Bool { options.mode == MRD_WINDOW_IDS && options.visitor == nil }

  mutating func run(_ windows: BoxArray) -> mrd_status {
    if fillsRows { rows.append(0) }
    var hits: [Int] = []
    for window in 0..<windows.count {
      if session.call.isCancelled { return session.cancelled() }
      hits.removeAll(keepingCapacity: true)
      let box = windows[window]
      if box.hasNaN { session.call.setStatus(window, MRD_ITEM_NONFINITE) }
      guard tree.hits(box, session, { hits.append($0) }) else { return session.failure() }
      answer(window, &hits)
    }
    if options.visitor != nil, options.mode == MRD_WINDOW_IDS { return MRD_OK }
    guard ids.finish(), !fillsRows || rows.finish() else {
      return fail(session.call, MRD_E_MEMORY, "no memory for the hits")
    }
    return MRD_OK
  }

  private mutating func answer(_ window: Int, _ hits: inout [Int]) {
    switch options.mode {
    case MRD_WINDOW_COUNT: ids.append(Int64(limited(hits.count, window)))
    case MRD_WINDOW_FIRST: ids.append(Int64(hits.min() ?? -1))
    default:
      if options.flags & UInt32(MRD_WINDOW_ASCENDING) != 0 { hits.sort() }
      let count = limited(hits.count, window)
      if let visitor = options.visitor {
        for id in hits.prefix(count) where visitor(options.visitor_context, Int64(window), Int64(id)) != 0 { break }
      } else {
        for id in hits.prefix(count) { ids.append(Int64(id)) }
        rows.append(Int64(ids.count))
      }
    }
  }

  private func limited(_ count: Int, _ window: Int) -> Int {
    guard options.limit > 0, count > Int(options.limit) else { return count }
    session.call.addWarning(window, MRD_ITEM_WARN_TRUNCATED)
    return Int(options.limit)
  }
}
