// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// INTERPOLATE: x, y, azimuth of the place at a share of a line's length, or at a distance from its start.
///
/// Shares outside [0, 1] and distances outside [0, length] are the row status DOMAIN; distances that exceed the length by
/// rounding alone give the end. A line without length gives its start, azimuth 0 and DEGENERATE.
public func measureInterpolate<S: Surface>(
  _ surface: S, _ geoms: Geoms, _ options: mrd_measure_options, _ columns: Columns,
  _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard geoms.type == MRD_LINESTRING else { return fail(call, MRD_E_UNSUPPORTED, "interpolate takes lines only") }
  guard (options.at_fraction == nil) != (options.at_distance == nil) else {
    return fail(call, MRD_E_ARGUMENT, "interpolate takes either fractions or distances")
  }
  let loop = RowLoop(geoms, columns, call, domain: surface.domain, width: 3, emptyValue: .nan)
  return loop.run { row, poll in
    var ambiguous = false
    let length = totalLength(surface, geoms, row, &ambiguous, &poll)
    let wanted = options.at_fraction.map { $0[row] * length } ?? options.at_distance?[row] ?? .nan
    let isInside =
      options.at_fraction.map { $0[row] >= 0 && $0[row] <= 1 } ?? (wanted >= 0 && wanted <= length * (1 + 1e-12))
    guard isInside else {
      columns.fill(row, columns: 3, .nan)
      return wanted.isFinite ? MRD_ITEM_DOMAIN : MRD_ITEM_NONFINITE
    }
    let found = place(surface, geoms, geoms.span(row), at: min(wanted, length), &poll)
    columns.set(0, row, found.place.x)
    columns.set(1, row, found.place.y)
    columns.set(2, row, found.azimuth)
    return (length == 0 ? MRD_ITEM_DEGENERATE : MRD_ITEM_OK) | (ambiguous ? MRD_ITEM_WARN_AMBIGUOUS_EDGE : 0)
  }
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
