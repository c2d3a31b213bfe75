// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// QUERY over all points of an array.
///
/// Points in no order look at the targets in no order, and most of their time goes into waiting for memory. A batch of
/// some size is therefore answered along the targets' curve. Candidates become hits in the order of the rows, where the
/// memory that says which part, ring and vertex they are of is asked for in advance.
struct PointBatch {
  private struct Found: BitwiseCopyable {
    let candidate: Candidate
    let group: Int
  }

  private let geoms: Geoms
  private let call: UnsafeMutablePointer<mrd_call>
  private let targets: PreparedTargets
  private var search: PointSearch
  private var found: ScratchList<Found>

  /// nil = no memory.
  init?(
    _ geoms: Geoms, _ targets: PreparedTargets, _ options: QueryOptions, _ call: UnsafeMutablePointer<mrd_call>
  ) {
    guard let search = PointSearch(targets, options, call) else { return nil }
    self.geoms = geoms
    self.call = call
    self.targets = targets
    self.search = search
    found = ScratchList(call)
  }

  mutating func run(_ out: UnsafeMutablePointer<mrd_snap_hits_out>) -> mrd_status {
    let order = QueryOrder(geoms.count, targets.tree.nodes, call, &search.poll) {
      let place = geoms.place(geoms.span($0).lowerBound)
      return Box(place, place)
    }
    guard let order, let begins = scratch(call, geoms.count, of: Int.self),
      let ends = scratch(call, geoms.count, of: Int.self)
    else { return search.poll.isCancelled ? fail(call, MRD_E_CANCELLED, "cancelled") : noMemory() }
    found.reserve(geoms.count)
    for place in 0..<order.count {
      let row = order[place]
      begins[row] = found.count
      if let point = point(row) {
        search.run(point)
        var found = found
        search.forEachHit { found.append(Found(candidate: $0, group: $1)) }
        self.found = found
      }
      ends[row] = found.count
      if search.poll.tick() { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
      if search.failed || found.failed { return noMemory() }
    }
    return put(begins, ends, out)
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

  /// How many rows ahead memory is asked for.
  private static let ahead = 8

  /// What was found, as hits in the order of the rows.
  private mutating func put(
    _ begins: UnsafeMutablePointer<Int>, _ ends: UnsafeMutablePointer<Int>,
    _ out: UnsafeMutablePointer<mrd_snap_hits_out>
  ) -> mrd_status {
    var rows = ResultBuffer<Int64>(call, MRD_BUF_ROWS)
    var records = ResultBuffer<mrd_snap_hit>(call, MRD_BUF_RECORDS)
    rows.extend(to: geoms.count + 1)
    records.extend(to: found.count)
    guard !rows.failed, !records.failed else { return noMemory() }
    var next = 0
    rows[0] = 0
    for row in 0..<geoms.count {
      prefetch(row &+ 2 &* PointBatch.ahead, begins, ends) { mrdk_prefetch(found.address($0)) }
      prefetch(row &+ PointBatch.ahead, begins, ends) {
        let candidate = found[$0].candidate
        targets.layers[Int(candidate.layer)].geoms.prefetch(candidate.row)
      }
      for index in begins[row]..<ends[row] {
        records[next] = found[index].candidate.hit(targets.layers, group: found[index].group)
        next &+= 1
      }
      rows[row &+ 1] = Int64(next)
      if search.poll.tick() { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
    }
    guard records.finish(), rows.finish() else { return noMemory() }
    out.pointee.record_size = UInt32(MemoryLayout<mrd_snap_hit>.stride)
    out.pointee.count = Int64(records.count)
    return MRD_OK
  }

  /// Calls `body` with the first candidate of a row that has one.
  @inline(__always)
  private func prefetch(
    _ row: Int, _ begins: UnsafeMutablePointer<Int>, _ ends: UnsafeMutablePointer<Int>, _ body: (Int) -> Void
  ) {
    if row < geoms.count && begins[row] < ends[row] { body(begins[row]) }
  }
}

extension Geoms {
  /// Asks for the memory that says where a row begins.
  @inline(__always)
  fileprivate func prefetch(_ row: Int) {
    guard let base = raw.offsets.0, type != MRD_POINT else { return }
    mrdk_prefetch(base + (row &+ Int(raw.first)) &* (raw.offset_bits == 64 ? 8 : 4))
  }
}
