// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Two arrays whose rows belong together, the second perhaps one row for all.
public struct PairedGeoms {
  public let a: Geoms
  public let b: Geoms
  public let isBroadcast: Bool

  /// nil, with the call's error filled, when the arrays do not fit together.
  public init?(_ a: Geoms, _ b: Geoms, broadcast: Bool, _ call: UnsafeMutablePointer<mrd_call>) {
    guard broadcast ? b.count == 1 : a.count == b.count else {
      _ = fail(call, MRD_E_ARGUMENT, "the two arrays differ in length")
      return nil
    }
    let (one, other) = (a.model, b.model)
    let isSame =
      one.edges == other.edges && one.metric == other.metric
      && (one.metric == MRD_METRIC_COORD || (one.semi_major == other.semi_major && one.flattening == other.flattening))
    guard isSame else {
      _ = fail(call, MRD_E_ARGUMENT, "the two arrays differ in edge model or metric")
      return nil
    }
    self.a = a
    self.b = b
    isBroadcast = broadcast
  }

  /// True when some row may be null.
  public var haveNulls: Bool { a.raw.validity != nil || b.raw.validity != nil }

  @inline(__always)
  public func rowOfB(_ row: Int) -> Int { isBroadcast ? 0 : row }

  /// Runs `body` for each pair whose rows can both be measured, as `RowLoop` does for one array.
  public func run(
    _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>, domain: CoordinateDomain, width: Int,
    _ body: (_ row: Int, _ rowOfB: Int, _ poll: inout CancelPoll) -> mrd_item_status
  ) -> mrd_status {
    let loop = RowLoop(a, columns, call, domain: domain, width: width, emptyValue: .nan)
    var first = CancelPoll(call)
    // One row for all is looked at once.
    let common = isBroadcast ? b.inspect(0, domain, &first) : MRD_ITEM_OK
    return loop.run { row, poll in
      let other = rowOfB(row)
      let status = isBroadcast ? common : b.inspect(other, domain, &poll)
      guard status == MRD_ITEM_OK else {
        columns.fill(row, columns: width, .nan)
        return status
      }
      return body(row, other, &poll)
    }
  }
}

/// INVERSE of points: distance and both forward azimuths; coincident points give zeros and DEGENERATE.
public func pairInverse<S: ShortestLineSurface>(
  _ surface: S, _ pairs: PairedGeoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard pairs.a.type == MRD_POINT, pairs.b.type == MRD_POINT else {
    return fail(call, MRD_E_UNSUPPORTED, "inverse takes points only")
  }
  return pairs.run(columns, call, domain: surface.domain, width: 3) { row, other, _ in
    let (a, b) = (pairs.a.place(pairs.a.span(row).lowerBound), pairs.b.place(pairs.b.span(other).lowerBound))
    let result = surface.inverse(a, b)
    columns.set(0, row, result.distance)
    columns.set(1, row, result.azimuth1)
    columns.set(2, row, result.azimuth2)
    if result.distance == 0 { return MRD_ITEM_DEGENERATE }
    return surface.isAmbiguous(a, b) ? MRD_ITEM_WARN_AMBIGUOUS_EDGE : MRD_ITEM_OK
  }
}

/// DISTANCE between points.
public func pairDistance<S: ShortestLineSurface>(
  _ surface: S, _ pairs: PairedGeoms, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard pairs.a.type == MRD_POINT, pairs.b.type == MRD_POINT else {
    return fail(call, MRD_E_UNSUPPORTED, "this kernel knows the distance between points only")
  }
  return pairs.run(columns, call, domain: surface.domain, width: 1) { row, other, _ in
    let (a, b) = (pairs.a.place(pairs.a.span(row).lowerBound), pairs.b.place(pairs.b.span(other).lowerBound))
    columns.set(0, row, surface.distance(a, b))
    return MRD_ITEM_OK
  }
}

/// DIRECT: from each point along an azimuth for a distance; x2, y2, azimuth at 2.
public func measureDirect<S: ShortestLineSurface>(
  _ surface: S, _ points: Geoms, _ azimuths: UnsafePointer<Double>?, _ distances: UnsafePointer<Double>?,
  _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard points.type == MRD_POINT else { return fail(call, MRD_E_UNSUPPORTED, "direct takes points only") }
  guard points.count == 0 || (azimuths != nil && distances != nil), let azimuths, let distances else {
    return points.count == 0 ? MRD_OK : fail(call, MRD_E_ARGUMENT, "direct needs azimuths and distances")
  }
  let loop = RowLoop(points, columns, call, domain: surface.domain, width: 3, emptyValue: .nan)
  return loop.run { row, _ in
    guard azimuths[row].isFinite, distances[row].isFinite else {
      columns.fill(row, columns: 3, .nan)
      return MRD_ITEM_NONFINITE
    }
    let start = points.place(points.span(row).lowerBound)
    let end = surface.direct(start, azimuth: azimuths[row], distance: distances[row])
    columns.set(0, row, end.place.x)
    columns.set(1, row, end.place.y)
    columns.set(2, row, end.azimuth)
    return MRD_ITEM_OK
  }
}
