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

  /// Largest magnitude in the domain `plane`: products of two differences, and sums of 2^60 of them, are doubles.
  public static let planeLimit = 0x1p480

  /// The largest magnitudes of x and y.
  @inline(__always)
  public var limits: (x: Double, y: Double) {
    switch self {
    case .finite: (.greatestFiniteMagnitude, .greatestFiniteMagnitude)
    case .plane: (CoordinateDomain.planeLimit, CoordinateDomain.planeLimit)
    case .globe: (.greatestFiniteMagnitude, 90)
    }
  }

  /// For finite ordinates.
  @inline(__always)
  func holds(_ x: Double, _ y: Double) -> Bool { x.magnitude <= limits.x && y.magnitude <= limits.y }
}

extension Geoms {
  /// NULL, EMPTY, NONFINITE, DOMAIN or OK: what can be said of a row before it is measured. A row that is OK has finite
  /// coordinates but for the empty points of a multipoint (`isEmptyPoint`), which whoever measures it leaves out. FAILED when
  /// the call is cancelled, so that nobody goes on with a row that was not looked at; `poll` says so too.
  public func inspect(_ row: Int, _ domain: CoordinateDomain, _ poll: inout CancelPoll) -> mrd_item_status {
    if isNull(row) { return MRD_ITEM_NULL }
    if isEmpty(row) { return MRD_ITEM_EMPTY }
    let range = coordinates(row)
    if range.count >= 8 && areInside(range, domain) {
      return poll.tick(range.count) ? MRD_ITEM_FAILED : MRD_ITEM_OK
    }
    for index in range {
      let (x, y) = (x(index), y(index))
      if poll.tick() { return MRD_ITEM_FAILED }
      if !(x.isFinite && y.isFinite) {
        if isEmptyPoint(index) { continue }
        return MRD_ITEM_NONFINITE
      }
      if !domain.holds(x, y) { return MRD_ITEM_DOMAIN }
    }
    return MRD_ITEM_OK
  }
}

extension Geoms {
  /// True when all coordinates are finite and inside the domain, eight at a time.
  private func areInside(_ range: Range<Int>, _ domain: CoordinateDomain) -> Bool {
    let (x, y) = domain.limits
    return isWithin(raw.coords.v.0, Int(raw.coords.stride.0), range, x)
      && isWithin(raw.coords.v.1, Int(raw.coords.stride.1), range, y)
  }

  /// True when no ordinate exceeds `limit` or is no number.
  private func isWithin(_ base: UnsafePointer<Double>?, _ stride: Int, _ range: Range<Int>, _ limit: Double) -> Bool {
    guard let base else { return false }
    let start = UnsafeRawPointer(base) + range.lowerBound &* stride
    var isGood = SIMDMask<SIMD8<Int64>>(repeating: true)
    var index = 0
    while index < range.count {
      // The last eight may overlap those before.
      let first = min(index, range.count &- 8)
      var values = SIMD8<Double>()
      if stride == 8 {
        values = (start + first &* 8).loadUnaligned(as: SIMD8<Double>.self)
      } else {
        for lane in 0..<8 { values[lane] = (start + (first &+ lane) &* stride).load(as: Double.self) }
      }
      isGood = isGood .& (values .<= limit) .& (values .>= -limit)
      index &+= 8
    }
    return all(isGood)
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
