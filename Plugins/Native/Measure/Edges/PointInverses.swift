// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Distances and azimuths between places on the globe, a vector of pairs at a time.
protocol InverseMethod {
  func inverse(_ lat1: Lanes, _ lon1: Lanes, _ lat2: Lanes, _ lon2: Lanes) -> InverseResult
}

/// Distance and azimuths of one vector of pairs.
struct InverseResult {
  var distance: Lanes
  var azimuth1 = Lanes()
  var azimuth2 = Lanes()
  /// Pairs whose azimuths hang on the last bits of their coordinates: the reduced length is under a metre.
  var isIllConditioned = LaneMask(repeating: false)
}

/// INVERSE of points.
func pairPointInverses<Method: InverseMethod>(
  _ method: Method, _ pairs: PairedGeoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard pairs.a.type == MRD_POINT, pairs.b.type == MRD_POINT else {
    return fail(call, MRD_E_UNSUPPORTED, "inverse takes points only")
  }
  let writer = PairWriter(pairs: pairs, columns: columns, call: call, width: 3)
  var poll = CancelPoll(call)
  var row = 0
  while row < pairs.a.count {
    let count = min(Lanes.scalarCount, pairs.a.count &- row)
    if poll.tick(count) { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
    let (a, b) = (PointLanes(pairs.a, row, count), PointLanes(second: pairs, row, count))
    writer.write(method.inverse(a.y, a.x, b.y, b.x), TurnLanes(from: a.x, to: b.x).isHalfTurn, row, count)
    if pairs.haveNulls || !all(a.isGood .& b.isGood) {
      writer.overwriteBadRows(row, count, &poll)
      if poll.isCancelled { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
    }
    row &+= count
  }
  return MRD_OK
}

/// Some points; a short vector repeats its last one.
struct PointLanes {
  let x: Lanes
  let y: Lanes

  @inline(__always)
  init(_ geoms: Geoms, _ row: Int, _ count: Int) {
    (x, y) = geoms.lanes(geoms.span(row).lowerBound, count)
  }

  @inline(__always)
  init(second pairs: PairedGeoms, _ row: Int, _ count: Int) {
    if pairs.isBroadcast {
      self.init(pairs.b, 0, 1)
    } else {
      self.init(pairs.b, row, count)
    }
  }

  /// Finite longitudes and latitudes in [-90, 90].
  var isGood: LaneMask {
    @inline(__always) get { (magnitude(y) .<= 90) .& (magnitude(x) .< .infinity) }
  }
}

/// Writes the results of some pairs.
struct PairWriter {
  let pairs: PairedGeoms
  let columns: Columns
  let call: UnsafeMutablePointer<mrd_call>
  let width: Int

  @inline(__always)
  func write(_ result: InverseResult, _ isHalfTurn: LaneMask, _ row: Int, _ count: Int) {
    if let column = columns.column(0) { result.distance.store(column, row, count) }
    if let column = columns.column(1) { result.azimuth1.store(column, row, count) }
    if let column = columns.column(2) { result.azimuth2.store(column, row, count) }
    call.setStatus(row, count: count, MRD_ITEM_OK)
    if any(result.isIllConditioned .| isHalfTurn) { markUnusual(result, isHalfTurn, row, count) }
  }

  /// Coincident points have no azimuth; half a turn and short reduced lengths are warned of.
  @inline(never)
  private func markUnusual(
    _ result: InverseResult, _ isHalfTurn: LaneMask, _ row: Int, _ count: Int
  ) {
    for lane in 0..<count {
      if result.distance[lane] == 0 {
        columns.set(1, row &+ lane, 0)
        columns.set(2, row &+ lane, 0)
        call.setStatus(row &+ lane, MRD_ITEM_DEGENERATE)
        continue
      }
      if isHalfTurn[lane] { call.addWarning(row &+ lane, MRD_ITEM_WARN_AMBIGUOUS_EDGE) }
      if result.isIllConditioned[lane] {
        call.addWarning(row &+ lane, MRD_ITEM_WARN_ILL_CONDITIONED)
      }
    }
  }

  /// Rows that are null, empty or outside the domain.
  @inline(never)
  func overwriteBadRows(_ first: Int, _ count: Int, _ poll: inout CancelPoll) {
    for row in first..<(first &+ count) {
      var status = pairs.a.inspect(row, .globe, &poll)
      if status == MRD_ITEM_OK { status = pairs.b.inspect(pairs.rowOfB(row), .globe, &poll) }
      guard status != MRD_ITEM_OK else { continue }
      columns.fill(row, columns: width, .nan)
      call.setStatus(row, status)
    }
  }
}

extension Geoms {
  /// x and y of `count` coordinates from `first` on.
  @inline(__always)
  func lanes(_ first: Int, _ count: Int) -> (x: Lanes, y: Lanes) {
    guard let x = raw.coords.v.0, let y = raw.coords.v.1 else {
      return (Lanes(repeating: .nan), Lanes(repeating: .nan))
    }
    return (
      Lanes(x, Int(raw.coords.stride.0), first, count),
      Lanes(y, Int(raw.coords.stride.1), first, count)
    )
  }
}
