// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Which coordinates an operation takes.
public enum CoordinateDomain {
  /// Any finite number.
  case finite
  /// Finite, and so small that products of differences and their sums cannot overflow.
  case plane
  /// Any finite longitude, latitudes in [-90, 90].
  case globe

  /// Largest magnitude in the domain `plane`.
  static let planeLimit = 0x1p480

  @inline(__always)
  func holds(_ x: Double, _ y: Double) -> Bool {
    switch self {
    case .finite: true
    case .plane: x.magnitude <= CoordinateDomain.planeLimit && y.magnitude <= CoordinateDomain.planeLimit
    case .globe: y.magnitude <= 90
    }
  }
}

extension Geoms {
  /// NULL, EMPTY, NONFINITE, DOMAIN or OK: what can be said of a row before it is measured. A row that is OK has finite
  /// coordinates but for the empty points of a multipoint (`isEmptyPoint`), which whoever measures it leaves out.
  public func inspect(_ row: Int, _ domain: CoordinateDomain, _ poll: inout CancelPoll) -> mrd_item_status {
    if isNull(row) { return MRD_ITEM_NULL }
    if isEmpty(row) { return MRD_ITEM_EMPTY }
    for index in coordinates(row) {
      let (x, y) = (x(index), y(index))
      if poll.tick() { return MRD_ITEM_OK }
      if !(x.isFinite && y.isFinite) {
        if isEmptyPoint(index) { continue }
        return MRD_ITEM_NONFINITE
      }
      if !domain.holds(x, y) { return MRD_ITEM_DOMAIN }
    }
    return MRD_ITEM_OK
  }
}

/// Runs an operation over all rows: finds the rows that cannot be measured, writes statuses, marks absent results.
public struct RowLoop {
  public let geoms: Geoms
  public let columns: Columns
  public let call: UnsafeMutablePointer<mrd_call>
  let domain: CoordinateDomain
  let width: Int
  let emptyValue: Double

  /// `width`: how many columns the operation has. `emptyValue`: what they hold for an empty row, 0 for measures and NaN
  /// for places.
  public init(
    _ geoms: Geoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>, domain: CoordinateDomain, width: Int,
    emptyValue: Double
  ) {
    self.geoms = geoms
    self.columns = columns
    self.call = call
    self.domain = domain
    self.width = width
    self.emptyValue = emptyValue
  }

  /// `body` measures one row that is present, finite and inside the domain, sets its columns and answers its status.
  public func run(_ body: (_ row: Int, _ poll: inout CancelPoll) -> mrd_item_status) -> mrd_status {
    var poll = CancelPoll(call)
    for row in 0..<geoms.count {
      var status = geoms.inspect(row, domain, &poll)
      if status == MRD_ITEM_OK {
        status = body(row, &poll)
      } else {
        columns.fill(row, columns: width, status == MRD_ITEM_EMPTY ? emptyValue : .nan)
      }
      if poll.tick() { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
      call.setStatus(row, status)
    }
    return MRD_OK
  }
}
