// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// QUERY over all points of an array.
///
/// Points in no order look at the targets in no order, and most of their time goes into waiting for memory. A batch of
/// some size is therefore answered along the targets' curve and put into the order of its rows afterwards.
struct PointBatch {
  /// Below this the sorting costs more than it saves.
  private static let leastSorted = 256
  /// Targets that fit into a cache need no order.
  private static let leastTargets = 16_384

  private let geoms: Geoms
  private let call: UnsafeMutablePointer<mrd_call>
  private let targets: PreparedTargets
  private var search: PointSearch
  private var rows: ResultBuffer<Int64>
  private var records: ResultBuffer<mrd_snap_hit>

  init(
    _ geoms: Geoms, _ targets: PreparedTargets, _ options: QueryOptions, _ call: UnsafeMutablePointer<mrd_call>
  ) {
    self.geoms = geoms
    self.call = call
    self.targets = targets
    search = PointSearch(targets, options, call)
    rows = ResultBuffer(call, MRD_BUF_ROWS)
    records = ResultBuffer(call, MRD_BUF_RECORDS)
  }

  mutating func run(_ out: UnsafeMutablePointer<mrd_snap_hits_out>) -> mrd_status {
    rows.reserve(geoms.count + 1)
    rows.append(0)
    let isSorted = geoms.count >= PointBatch.leastSorted && targets.tree.pointee.count >= PointBatch.leastTargets
    let status = isSorted ? runSorted() : runInOrder()
    if status != MRD_OK { return status }
    guard !search.failed, records.finish(), rows.finish() else { return noMemory() }
    out.pointee.record_size = UInt32(MemoryLayout<mrd_snap_hit>.stride)
    out.pointee.count = Int64(records.count)
    return MRD_OK
  }

  private func noMemory() -> mrd_status { fail(call, MRD_E_MEMORY, "no memory for the candidates") }

  /// The point of a row, nil with the row's status set when it has none.
  private func point(_ row: Int) -> Place? {
    var poll = search.poll
    var status = geoms.inspect(row, .finite, &poll)
    let place = geoms.place(geoms.span(row).lowerBound)
    if status == MRD_ITEM_OK && !isInPlane(place) { status = MRD_ITEM_DOMAIN }
    call.setStatus(row, status)
    return status == MRD_ITEM_OK ? place : nil
  }

  private mutating func runInOrder() -> mrd_status {
    for row in 0..<geoms.count {
      if let point = point(row) {
        search.run(point)
        var found = records
        search.forEachHit { found.append($0) }
        records = found
      }
      rows.append(Int64(records.count))
      if let status = trouble(row) { return status }
    }
    return MRD_OK
  }

  private mutating func trouble(_ row: Int) -> mrd_status? {
    if search.poll.tick() { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
    return search.failed || records.failed || rows.failed ? noMemory() : nil
  }

  private mutating func runSorted() -> mrd_status {
    guard let order = curveOrder(), let begins = scratch(call, geoms.count, of: Int.self),
      let ends = scratch(call, geoms.count, of: Int.self)
    else { return search.poll.isCancelled ? fail(call, MRD_E_CANCELLED, "cancelled") : noMemory() }
    var unordered = ScratchList<mrd_snap_hit>(call)
    for index in 0..<geoms.count {
      let row = CurveOrder.number(order[index])
      begins[row] = unordered.count
      if let point = point(row) {
        search.run(point)
        var found = unordered
        search.forEachHit { found.append($0) }
        unordered = found
      }
      ends[row] = unordered.count
      if unordered.failed { return noMemory() }
      if let status = trouble(row) { return status }
    }
    records.reserve(unordered.count)
    for row in 0..<geoms.count {
      for index in begins[row]..<ends[row] { records.append(unordered[index]) }
      rows.append(Int64(records.count))
      if let status = trouble(row) { return status }
    }
    return MRD_OK
  }

  /// Keys whose lower half are the rows along the curve; nil = no memory, or cancelled.
  private mutating func curveOrder() -> UnsafeMutablePointer<UInt64>? {
    guard geoms.count <= Int(UInt32.max) else { return nil }
    return CurveOrder.keys(geoms.count, targets.tree.pointee.frame, call, &search.poll) {
      let place = geoms.place(geoms.span($0).lowerBound)
      return Box(place, place)
    }
  }
}
