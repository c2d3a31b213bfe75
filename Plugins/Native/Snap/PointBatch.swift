// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Finds the candidates of one query point after the other.
protocol CandidateSearch {
  var poll: CancelPoll { get set }
  /// True when memory ran out.
  var failed: Bool { get }
  /// The tree along whose curve a batch is answered.
  var nodes: NodeTree { get }
  var options: QueryOptions { get }
  /// The candidates of the last point.
  var found: PlaceList { get }

  /// Where a point lies in the tree's frame.
  func locate(_ point: Place) -> Place
  /// Says that the next points lie in a box.
  mutating func begin(group box: Box)
  /// `previous`: the vertex before the pointer.
  mutating func run(_ point: Place, from previous: Place?)
}

extension CandidateSearch {
  @inline(__always)
  func locate(_ point: Place) -> Place { point }
  mutating func begin(group box: Box) {}
}

/// QUERY over all points of an array.
///
/// Points in no order look at the targets in no order, and most of their time goes into waiting for memory. A batch of
/// some size is therefore answered along the targets' curve. Candidates become hits in the order of the rows, where the
/// memory that says which part, ring and vertex they are of is asked for in advance.
struct PointBatch<Search: CandidateSearch> {
  private let geoms: Geoms
  private let call: UnsafeMutablePointer<mrd_call>
  private let targets: PreparedTargets
  private let limits: (x: Double, y: Double)
  private var search: Search
  private var found: ScratchList<FoundHit>

  init(_ geoms: Geoms, _ targets: PreparedTargets, _ search: Search, _ call: UnsafeMutablePointer<mrd_call>) {
    self.geoms = geoms
    self.call = call
    self.targets = targets
    limits = targets.limits
    self.search = search
    found = ScratchList(call)
  }

  /// Points along the curve that are looked up together.
  private static var group: Int { 16 }
  /// How many rows ahead memory is asked for.
  private static var ahead: Int { 8 }

  @inline(__always)
  private func isUsable(_ place: Place) -> Bool { place.x.magnitude <= limits.x && place.y.magnitude <= limits.y }

  mutating func run(_ out: UnsafeMutablePointer<mrd_snap_hits_out>) -> mrd_status {
    var poll = search.poll
    let order = QueryOrder(geoms.count, search.nodes, call, &poll) {
      let place = search.locate(geoms.place(geoms.span($0).lowerBound))
      return Box(place, place)
    }
    search.poll = poll
    guard let order, let ranges = scratch(call, geoms.count, of: FoundRange.self) else {
      return search.poll.isCancelled ? fail(call, MRD_E_CANCELLED, "cancelled") : noMemory()
    }
    found.reserve(geoms.count)
    for place in 0..<order.count {
      let row = order[place]
      if place &+ PointBatch.ahead < order.count {
        let next = order[place &+ PointBatch.ahead]
        mrdk_prefetch(ranges + next)
        geoms.prefetchPoint(next)
      }
      if order.isSorted && place % PointBatch.group == 0 { beginGroup(order, place) }
      let begin = found.count
      if let point = point(row) {
        search.run(point, from: search.options.previous(row))
        keep(search.found)
      }
      ranges[row] = FoundRange(begin: begin, end: found.count)
      if search.poll.tick() { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
      if search.failed || found.failed { return noMemory() }
    }
    return put(ranges, out)
  }

  /// The places of a point that are wanted, the best first.
  @inline(__always)
  private mutating func keep(_ list: PlaceList) {
    for group in 0..<min(list.places.count, search.options.wanted) {
      for index in list.places[group].begin..<list.places[group].end {
        found.append(FoundHit(list.candidates.address(index), group: group))
      }
    }
  }

  /// A point that is no number, or too large, is left out: it is answered without a look.
  private mutating func beginGroup(_ order: QueryOrder, _ first: Int) {
    var box = Box.empty
    for place in first..<min(order.count, first &+ PointBatch.group) {
      let point = geoms.place(order[place] &+ Int(geoms.raw.first))
      if isUsable(point) { box.grow(Box(point, point)) }
    }
    if box.canBeHit { search.begin(group: box) }
  }

  private func noMemory() -> mrd_status { fail(call, MRD_E_MEMORY, "no memory for the candidates") }

  /// The point of a row, nil with the row's status set when it has none.
  @inline(__always)
  private func point(_ row: Int) -> Place? {
    let place = geoms.place(row &+ Int(geoms.raw.first))
    var status = MRD_ITEM_OK
    if geoms.isNull(row) {
      status = MRD_ITEM_NULL
    } else if !isUsable(place) {
      status =
        place.x.isNaN && place.y.isNaN
        ? MRD_ITEM_EMPTY : place.x.isFinite && place.y.isFinite ? MRD_ITEM_DOMAIN : MRD_ITEM_NONFINITE
    }
    call.setStatus(row, status)
    return status == MRD_ITEM_OK ? place : nil
  }

  /// What was found, as hits in the order of the rows.
  private mutating func put(
    _ ranges: UnsafeMutablePointer<FoundRange>, _ out: UnsafeMutablePointer<mrd_snap_hits_out>
  ) -> mrd_status {
    var rows = ResultBuffer<Int64>(call, MRD_BUF_ROWS)
    var records = ResultBuffer<mrd_snap_hit>(call, MRD_BUF_RECORDS)
    rows.extend(to: geoms.count + 1)
    records.extend(to: found.count)
    guard !rows.failed, !records.failed else { return noMemory() }
    let layers = targets.layers
    var next = 0
    rows[0] = 0
    for row in 0..<geoms.count {
      prefetch(row &+ 2 &* PointBatch.ahead, ranges) { mrdk_prefetch(found.address($0)) }
      prefetch(row &+ PointBatch.ahead, ranges) { found.address($0).pointee.prefetch(layers) }
      for index in ranges[row].begin..<ranges[row].end {
        found.address(index).pointee.write(layers, to: records.address(next))
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
    _ row: Int, _ ranges: UnsafeMutablePointer<FoundRange>, _ body: (Int) -> Void
  ) {
    if row < geoms.count && ranges[row].begin < ranges[row].end { body(ranges[row].begin) }
  }
}

/// What was found for a row.
private struct FoundRange: BitwiseCopyable {
  let begin: Int
  let end: Int
}

extension Geoms {
  /// Asks for the memory of a point.
  @inline(__always)
  fileprivate func prefetchPoint(_ row: Int) {
    let at = row &+ Int(raw.first)
    if let x = UnsafeRawPointer(raw.coords.v.0) { mrdk_prefetch(x + at &* Int(raw.coords.stride.0)) }
    if let y = UnsafeRawPointer(raw.coords.v.1) { mrdk_prefetch(y + at &* Int(raw.coords.stride.1)) }
  }
}
