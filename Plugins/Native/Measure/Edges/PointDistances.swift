// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Lengths that may come in two steps. Two short loops over a block keep a processor busier than a long one: more vectors
/// are under way at once.
protocol LengthMethod {
  /// True when lengths are still to be `finished`.
  static var isFinishedApart: Bool { get }
  func finished(_ lengths: Lanes) -> Lanes
}

extension LengthMethod {
  static var isFinishedApart: Bool { false }

  @inline(__always)
  func finished(_ lengths: Lanes) -> Lanes { lengths }
}

/// Distances between places on the globe, a vector of pairs at a time.
protocol DistanceMethod: LengthMethod {
  /// To be `finished`.
  func distances(_ lat1: Lanes, _ lon1: Lanes, _ lat2: Lanes, _ lon2: Lanes) -> Lanes
}

/// DISTANCE between points.
func pairPointDistances<Method: DistanceMethod>(
  _ method: Method, _ pairs: PairedGeoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard pairs.a.type == MRD_POINT, pairs.b.type == MRD_POINT else {
    return fail(call, MRD_E_UNSUPPORTED, "this kernel knows distances between points only")
  }
  guard pairs.a.count > 0 else { return MRD_OK }
  let writer = PairWriter(pairs: pairs, columns: columns, call: call, width: 1)
  let (firstA, firstB) = (pairs.a.span(0).lowerBound, pairs.b.span(0).lowerBound)
  var poll = CancelPoll(call)
  var row = 0
  while row < pairs.a.count {
    let end = min(row &+ 128, pairs.a.count)
    if poll.tick(end &- row) { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
    var isGood = LaneMask(repeating: true)
    for at in stride(from: row, to: end, by: Lanes.scalarCount) {
      let count = min(Lanes.scalarCount, end &- at)
      let (x1, y1) = pairs.a.lanes(firstA &+ at, count)
      let (x2, y2) = pairs.isBroadcast ? pairs.b.lanes(firstB, 1) : pairs.b.lanes(firstB &+ at, count)
      isGood = isGood .& PointLanes(x: x1, y: y1).isGood .& PointLanes(x: x2, y: y2).isGood
      if let column = columns.column(0) { method.distances(y1, x1, y2, x2).store(column, at, count) }
    }
    if Method.isFinishedApart, let column = columns.column(0) { finish(method, column, row..<end) }
    call.setStatus(row, count: end &- row, MRD_ITEM_OK)
    if pairs.haveNulls || !all(isGood) { writer.overwriteBadRows(row, end &- row) }
    row = end
  }
  return MRD_OK
}

@inline(__always)
private func finish<Method: DistanceMethod>(
  _ method: Method, _ column: UnsafeMutablePointer<Double>, _ rows: Range<Int>
) {
  for at in stride(from: rows.lowerBound, to: rows.upperBound, by: Lanes.scalarCount) {
    let count = min(Lanes.scalarCount, rows.upperBound &- at)
    method.finished(Lanes(UnsafePointer(column), 8, at, count)).store(column, at, count)
  }
}
