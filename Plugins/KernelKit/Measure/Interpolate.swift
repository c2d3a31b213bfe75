// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Finds places along the lines of an array.
public protocol LineWalk {
  /// The length of a row's line; `isAmbiguous` becomes true when an edge spans exactly half a turn.
  mutating func length(_ row: Int, _ isAmbiguous: inout Bool, _ poll: inout CancelPoll) -> Double
  /// Sets the columns of a row to the place at `distance`, in [0, length], at once or in `finish`.
  mutating func find(_ row: Int, at distance: Double, _ poll: inout CancelPoll)
  mutating func finish()
}

/// INTERPOLATE: x, y, azimuth of the place at a share of a line's length, or at a distance from its start.
///
/// Shares outside [0, 1] and distances outside [0, length] are the row status DOMAIN; distances that exceed the length by
/// rounding alone give the end. A line without length gives its start, azimuth 0 and DEGENERATE.
public func measureInterpolate<Walk: LineWalk>(
  _ walk: inout Walk, _ geoms: Geoms, _ domain: CoordinateDomain, _ options: mrd_measure_options, _ columns: Columns,
  _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard geoms.type == MRD_LINESTRING else { return fail(call, MRD_E_UNSUPPORTED, "interpolate takes lines only") }
  guard (options.at_fraction == nil) != (options.at_distance == nil) else {
    return fail(call, MRD_E_ARGUMENT, "interpolate takes either fractions or distances")
  }
  let loop = RowLoop(geoms, columns, call, domain: domain, width: 3, emptyValue: .nan)
  let status = loop.run { row, poll in
    var isAmbiguous = false
    let length = walk.length(row, &isAmbiguous, &poll)
    let wanted = options.at_fraction.map { $0[row] * length } ?? options.at_distance?[row] ?? .nan
    let isInside =
      options.at_fraction.map { $0[row] >= 0 && $0[row] <= 1 } ?? (wanted >= 0 && wanted <= length * (1 + 1e-12))
    guard isInside else {
      columns.fill(row, columns: 3, .nan)
      return wanted.isFinite ? MRD_ITEM_DOMAIN : MRD_ITEM_NONFINITE
    }
    walk.find(row, at: min(wanted, length), &poll)
    return (length == 0 ? MRD_ITEM_DEGENERATE : MRD_ITEM_OK) | (isAmbiguous ? MRD_ITEM_WARN_AMBIGUOUS_EDGE : 0)
  }
  walk.finish()
  return status
}

/// The same on any surface, line by line.
public func measureInterpolate<S: Surface>(
  _ surface: S, _ geoms: Geoms, _ options: mrd_measure_options, _ columns: Columns,
  _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  var walk = SurfaceWalk(surface: surface, geoms: geoms, columns: columns)
  return measureInterpolate(&walk, geoms, surface.domain, options, columns, call)
}

private struct SurfaceWalk<S: Surface>: LineWalk {
  let surface: S
  let geoms: Geoms
  let columns: Columns

  func length(_ row: Int, _ isAmbiguous: inout Bool, _ poll: inout CancelPoll) -> Double {
    totalLength(surface, geoms, row, &isAmbiguous, &poll)
  }

  func find(_ row: Int, at distance: Double, _ poll: inout CancelPoll) {
    let found = place(surface, geoms, geoms.span(row), at: distance, &poll)
    columns.set(0, row, found.place.x)
    columns.set(1, row, found.place.y)
    columns.set(2, row, found.azimuth)
  }

  func finish() {}
}

/// The place at `distance` along a polyline. Ends of edges come back bit-equal.
private func place<S: Surface>(
  _ surface: S, _ geoms: Geoms, _ path: Range<Int>, at distance: Double, _ poll: inout CancelPoll
) -> (place: Place, azimuth: Double) {
  var before = CompensatedSum()
  var previous = geoms.place(path.lowerBound)
  var last = (place: previous, azimuth: 0.0)
  guard path.count >= 2 else { return last }
  for coordinate in (path.lowerBound &+ 1)..<path.upperBound {
    let next = geoms.place(coordinate)
    let line = surface.line(previous, next)
    let length = surface.length(line)
    let along = max(0, distance - before.value)
    if length > 0 {
      if along < length {
        let inside = surface.place(on: line, at: along)
        return along == 0 ? (previous, inside.azimuth) : inside
      }
      last = (next, surface.place(on: line, at: length).azimuth)
    }
    before.add(length)
    previous = next
    if poll.tick() { break }
  }
  return last
}
