// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Most pieces that one edge is cut in; more is MRD_E_LIMIT, since the result would not fit in memory anyway.
private let mostPieces = 1e9

/// DENSIFY: each edge of length s in ceil(s / largest) equal pieces. Input vertices stay bit-equal; Z and M of new ones
/// are interpolated linearly. Rows that cannot be measured become null and say why.
public func buildDensified<S: Surface>(
  _ surface: S, _ geoms: Geoms, largest: Double, _ out: UnsafeMutablePointer<mrd_geoms_out>,
  _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard largest > 0 else { return fail(call, MRD_E_ARGUMENT, "the largest edge must be greater than 0") }
  var writer = GeomsWriter(call, type: geoms.type, dims: geoms.raw.dims)
  var poll = CancelPoll(call)
  for row in 0..<geoms.count {
    var status = geoms.inspect(row, surface.domain, &poll)
    if status == MRD_ITEM_OK || status == MRD_ITEM_EMPTY {
      var densifier = Densifier(surface: surface, geoms: geoms, largest: largest)
      densifier.write(row, &writer, &poll)
      if densifier.isOverLimit {
        return fail(call, MRD_E_LIMIT, "an edge would be cut in more than 1,000,000,000 pieces", item: row)
      }
      if densifier.ambiguous { status |= MRD_ITEM_WARN_AMBIGUOUS_EDGE }
    } else {
      writer.nullRow()
    }
    if poll.tick() { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
    call.setStatus(row, status)
  }
  return writer.finish(out, call)
}

/// Writes one row with its edges cut.
private struct Densifier<S: Surface> {
  let surface: S
  let geoms: Geoms
  let largest: Double
  var ambiguous = false
  var isOverLimit = false

  mutating func write(_ row: Int, _ writer: inout GeomsWriter, _ poll: inout CancelPoll) {
    if geoms.isPuntal { return writer.copyRow(geoms, row) }
    if geoms.type == MRD_LINESTRING {
      writePath(geoms.span(row), &writer, &poll)
    } else if geoms.type == MRD_MULTIPOLYGON {
      for part in geoms.span(row) {
        writeRings(level: 2, geoms.span(level: 1, part), &writer, &poll)
        writer.endPart()
      }
    } else {
      writeRings(level: 1, geoms.span(row), &writer, &poll)
    }
    writer.endRow()
  }

  private mutating func writeRings(
    level: Int, _ rings: Range<Int>, _ writer: inout GeomsWriter, _ poll: inout CancelPoll
  ) {
    for ring in rings {
      writePath(geoms.span(level: level, ring), &writer, &poll)
      writer.endRing()
    }
  }

  private mutating func writePath(_ path: Range<Int>, _ writer: inout GeomsWriter, _ poll: inout CancelPoll) {
    guard let first = path.first else { return }
    writer.add(geoms, first)
    for end in path.dropFirst() where !isOverLimit && !poll.tick() {
      writeInside(end &- 1, end, &writer, &poll)
      writer.add(geoms, end)
    }
  }

  /// The new vertices between two neighbours.
  private mutating func writeInside(
    _ from: Int, _ to: Int, _ writer: inout GeomsWriter, _ poll: inout CancelPoll
  ) {
    let (a, b) = (geoms.place(from), geoms.place(to))
    if surface.isAmbiguous(a, b) { ambiguous = true }
    let line = surface.line(a, b)
    let length = surface.length(line)
    let pieces = (length / largest).rounded(.up)
    guard pieces <= mostPieces else {
      isOverLimit = true
      return
    }
    guard pieces >= 2 else { return }
    for piece in 1..<Int(pieces) where !poll.tick() {
      let share = Double(piece) / pieces
      var place = surface.place(on: line, at: length * share).place
      if surface.isGlobe { place.x = longitude(place.x, between: a.x, b.x) }
      writer.add(
        place.x, place.y, writer.hasZ ? mix(geoms.z(from), geoms.z(to), share) : .nan,
        writer.hasM ? mix(geoms.m(from), geoms.m(to), share) : .nan)
    }
  }

  private func mix(_ a: Double, _ b: Double, _ share: Double) -> Double { a + (b - a) * share }

  /// Inside [-180, 180] where both ends are, else in the turn of the start, so that files keep their convention.
  private func longitude(_ x: Double, between a: Double, _ b: Double) -> Double {
    if a.magnitude <= 180 && b.magnitude <= 180 { return normalizedLongitude(x) }
    return a + longitudeDifference(a, x)
  }
}
