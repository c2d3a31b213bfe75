// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Finds the boxes that meet a window: the trees filter, the exact doubles decide.
struct WindowQuery {
  private let index: SQLiteIndex
  private let first: Statement
  private let second: Statement?

  init(_ index: SQLiteIndex) throws(Failure) {
    self.index = index
    // A box over the antimeridian (xmax < xmin) reaches 180 in its first piece and begins at -180 in its second.
    // CROSS JOIN keeps SQLite from turning the loops round.
    first = try Statement(
      index.database,
      """
      SELECT b.id FROM tree t CROSS JOIN box b ON b.id = t.id WHERE t.x0 <= ?3 AND t.x1 >= ?1 AND t.y0 <= ?4 AND t.y1 >= ?2 \
      AND b.xmin <= ?3 AND (b.xmax >= ?1 OR b.pieces = 2) AND b.ymin <= ?4 AND b.ymax >= ?2
      """)
    second =
      index.curved
      ? try Statement(
        index.database,
        """
        SELECT b.id FROM wrap t CROSS JOIN box b ON b.id = t.id WHERE t.x0 <= ?3 AND t.x1 >= ?1 AND t.y0 <= ?4 \
        AND t.y1 >= ?2 AND b.xmax >= ?1 AND b.ymin <= ?4 AND b.ymax >= ?2
        """) : nil
  }

  /// The ids of the boxes that meet `window`, ascending, each once. Nothing for a window that is no box.
  func hits(_ window: Box) throws(Failure) -> [Int64] {
    let shape = window.shape(curved: index.curved)
    guard shape.pieces > 0 else { return [] }
    var ids: [Int64] = []
    let windows = shape.box.windows(curved: index.curved)
    try collect(windows.first, &ids)
    if let other = windows.second { try collect(other, &ids) }
    ids.sort()
    // Two pieces of a box, or of the window, find a box more than once.
    if index.curved { ids.removeRepeats() }
    return ids
  }

  private func collect(_ window: Box, _ ids: inout [Int64]) throws(Failure) {
    try collect(first, window, &ids)
    if let second { try collect(second, window, &ids) }
  }

  private func collect(_ statement: Statement, _ window: Box, _ ids: inout [Int64]) throws(Failure) {
    statement.bind(1, window.xmin)
    statement.bind(2, window.ymin)
    statement.bind(3, window.xmax)
    statement.bind(4, window.ymax)
    while try statement.step() { ids.append(statement.integer(0)) }
  }
}

extension [Int64] {
  /// Keeps one of each run of equals.
  mutating func removeRepeats() {
    var kept = 0
    for value in self where kept == 0 || self[kept - 1] != value {
      self[kept] = value
      kept += 1
    }
    removeLast(count - kept)
  }
}

/// WINDOW over all windows of a call.
func runWindows(
  _ index: SQLiteIndex, _ windows: BoxArray, _ options: mrd_window_options, _ call: UnsafeMutablePointer<mrd_call>
) throws(Failure) {
  guard options.flags & ~MRD_WINDOW_ASCENDING == 0 else {
    throw Failure(MRD_E_UNSUPPORTED, "unknown window flags")
  }
  guard (MRD_WINDOW_IDS...MRD_WINDOW_FIRST).contains(options.mode), options.limit >= 0 else {
    throw Failure(MRD_E_ARGUMENT, "unknown window mode or negative limit")
  }
  try index.requireSameEdges(windows.isCurved)
  let query = try index.locked(call) { () throws(Failure) in try WindowQuery(index) }
  var output = WindowOutput(options, call)
  for window in 0..<windows.count {
    var ids = try index.locked(call) { () throws(Failure) in try query.hits(windows[window]) }
    if options.limit > 0, options.mode != MRD_WINDOW_FIRST, ids.count > options.limit {
      ids.removeLast(ids.count - Int(options.limit))
      call.addWarning(window, MRD_ITEM_WARN_TRUNCATED)
    }
    // Outside the lock: a visitor may ask the index again.
    output.add(ids, window: window)
  }
  guard output.finish() else { throw Failure(MRD_E_MEMORY, "no memory for the hits") }
}

/// Where hits go: the buffers, or the visitor.
private struct WindowOutput {
  private let options: mrd_window_options
  private var rows: ResultBuffer<Int64>
  private var ids: ResultBuffer<Int64>

  init(_ options: mrd_window_options, _ call: UnsafeMutablePointer<mrd_call>) {
    self.options = options
    rows = ResultBuffer(call, MRD_BUF_ROWS)
    ids = ResultBuffer(call, MRD_BUF_IDS)
    if fillsRows { rows.append(0) }
  }

  private var fillsRows: Bool { options.mode == MRD_WINDOW_IDS && options.visitor == nil }

  mutating func add(_ hits: [Int64], window: Int) {
    switch options.mode {
    case MRD_WINDOW_COUNT: ids.append(Int64(hits.count))
    case MRD_WINDOW_FIRST: ids.append(hits.first ?? -1)
    default:
      guard let visitor = options.visitor else {
        for id in hits { ids.append(id) }
        return rows.append(Int64(ids.count))
      }
      for id in hits where visitor(options.visitor_context, Int64(window), id) != 0 { return }
    }
  }

  mutating func finish() -> Bool {
    if fillsRows { return rows.finish() && ids.finish() }
    return options.mode == MRD_WINDOW_IDS || ids.finish()
  }
}
