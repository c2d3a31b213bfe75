// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// Most pieces that one edge is cut in: more would not fit in memory anyway.
private let mostPieces = 1e9

/// DENSIFY: each edge of length s in ceil(s / largest) equal pieces. Input vertices stay bit-equal; Z and M of new ones
/// are interpolated linearly. Rows that cannot be measured become null and say why. A row with an edge that is too long, or
/// has no length that is a number, is given unchanged: NOT_APPLIED.
public func buildDensified<S: Surface>(
  _ surface: S, _ geoms: Geoms, largest: Double, _ out: UnsafeMutablePointer<mrd_geoms_out>,
  _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard largest > 0 else { return fail(call, MRD_E_ARGUMENT, "the largest edge must be greater than 0") }
  guard let lines = LineQueue<S>(call) else { return fail(call, MRD_E_MEMORY, "no memory for edges") }
  var writer = GeomsWriter(call, type: geoms.type, dims: geoms.raw.dims)
  var poll = CancelPoll(call)
  for row in 0..<geoms.count {
    var status = geoms.inspect(row, surface.domain, &poll)
    if status == MRD_ITEM_OK || status == MRD_ITEM_EMPTY {
      var densifier = Densifier(surface: surface, geoms: geoms, largest: largest, lines: lines)
      densifier.write(row, &writer, &poll)
      if writer.failed { return writer.finish(out, call) }
      if densifier.isOverLimit {
        writer.dropRow()
        writer.copyRow(geoms, row)
        status = MRD_ITEM_NOT_APPLIED
      } else if densifier.ambiguous {
        status |= MRD_ITEM_WARN_AMBIGUOUS_EDGE
      }
    } else {
      writer.nullRow()
    }
    if poll.tick() { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
    call.setStatus(row, status)
  }
  return writer.finish(out, call)
}

/// Lines of a block of edges, and the vertices that wait for their places, in scratch memory.
private struct LineQueue<S: Surface> {
  /// A vertex to be written: the place at `share` of the edge from coordinate `from`, or that coordinate itself.
  struct Vertex: BitwiseCopyable {
    var from: Int
    var share: Double
  }

  static var room: Int { 64 }
  let edges: UnsafeMutablePointer<S.Line>
  let waiting: UnsafeMutablePointer<Vertex>
  // Of the waiting vertices that need places.
  let lines: UnsafeMutablePointer<S.Line>
  let distances: UnsafeMutablePointer<Double>
  let places: UnsafeMutablePointer<Place>

  /// nil = no memory.
  init?(_ call: UnsafeMutablePointer<mrd_call>) {
    func take<T>(_ type: T.Type) -> UnsafeMutablePointer<T>? {
      let bytes = Int64(LineQueue.room * MemoryLayout<T>.stride)
      return call.pointee.scratch(call, bytes, 64)?.bindMemory(to: T.self, capacity: LineQueue.room)
    }
    guard let edges = take(S.Line.self), let waiting = take(Vertex.self), let lines = take(S.Line.self),
      let distances = take(Double.self), let places = take(Place.self)
    else { return nil }
    (self.edges, self.waiting, self.lines) = (edges, waiting, lines)
    (self.distances, self.places) = (distances, places)
  }
}

/// Writes one row with its edges cut.
private struct Densifier<S: Surface> {
  let surface: S
  let geoms: Geoms
  let largest: Double
  let lines: LineQueue<S>
  var ambiguous = false
  var isOverLimit = false
  /// Vertices that wait, and those among them that are new.
  private var waiting = 0
  private var new = 0

  init(surface: S, geoms: Geoms, largest: Double, lines: LineQueue<S>) {
    self.surface = surface
    self.geoms = geoms
    self.largest = largest
    self.lines = lines
  }

  mutating func write(_ row: Int, _ writer: inout GeomsWriter, _ poll: inout CancelPoll) {
    if geoms.isPuntal { return writer.copyRow(geoms, row) }
    if geoms.type == MRD_LINESTRING {
      writePath(geoms.span(row), &writer, &poll)
    } else if geoms.type == MRD_MULTIPOLYGON {
      for part in geoms.span(row) {
        writeRings(level: 2, geoms.span(level: 1, part), &writer, &poll)
        if isOverLimit || writer.failed || poll.isCancelled { return }
        writer.endPart()
      }
    } else {
      writeRings(level: 1, geoms.span(row), &writer, &poll)
    }
    if !isOverLimit { writer.endRow() }
  }

  private mutating func writeRings(
    level: Int, _ rings: Range<Int>, _ writer: inout GeomsWriter, _ poll: inout CancelPoll
  ) {
    for ring in rings {
      writePath(geoms.span(level: level, ring), &writer, &poll)
      if isOverLimit || writer.failed || poll.isCancelled { return }
      writer.endRing()
    }
  }

  private mutating func writePath(_ path: Range<Int>, _ writer: inout GeomsWriter, _ poll: inout CancelPoll) {
    guard let first = path.first else { return }
    add(first, share: 0, &writer)
    var start = first
    while start < path.upperBound &- 1 {
      let count = min(LineQueue<S>.room, path.upperBound &- 1 &- start)
      surface.lines(geoms, start, count, lines.edges)
      for index in 0..<count {
        addInside(start &+ index, lines.edges[index], &writer, &poll)
        if isOverLimit || writer.failed || poll.tick() { return }
        add(start &+ index &+ 1, share: 0, &writer)
      }
      start &+= count
    }
    flush(&writer)
  }

  /// The new vertices between two neighbours.
  private mutating func addInside(
    _ from: Int, _ line: S.Line, _ writer: inout GeomsWriter, _ poll: inout CancelPoll
  ) {
    if surface.isAmbiguous(geoms.place(from), geoms.place(from &+ 1)) { ambiguous = true }
    let length = surface.length(line)
    let pieces = (length / largest).rounded(.up)
    guard pieces <= mostPieces else {
      isOverLimit = true
      return
    }
    guard pieces >= 2 else { return }
    for piece in 1..<Int(pieces) {
      if writer.failed || poll.tick() { return }
      let share = Double(piece) / pieces
      (lines.lines + new).initialize(to: line)
      lines.distances[new] = length * share
      new &+= 1
      add(from, share: share, &writer)
    }
  }

  private mutating func add(_ coordinate: Int, share: Double, _ writer: inout GeomsWriter) {
    lines.waiting[waiting] = LineQueue<S>.Vertex(from: coordinate, share: share)
    waiting &+= 1
    if waiting == LineQueue<S>.room { flush(&writer) }
  }

  /// Writes what waits; shares are above 0 for new vertices alone.
  private mutating func flush(_ writer: inout GeomsWriter) {
    surface.places(lines.lines, lines.distances, new, lines.places)
    var next = 0
    for index in 0..<waiting {
      let vertex = lines.waiting[index]
      if vertex.share == 0 {
        writer.add(geoms, vertex.from)
        continue
      }
      let (from, to) = (vertex.from, vertex.from &+ 1)
      var place = lines.places[next]
      next &+= 1
      if surface.isGlobe { place.x = longitude(place.x, between: geoms.x(from), geoms.x(to)) }
      writer.add(
        place.x, place.y, writer.hasZ ? mix(geoms.z(from), geoms.z(to), vertex.share) : .nan,
        writer.hasM ? mix(geoms.m(from), geoms.m(to), vertex.share) : .nan)
    }
    (waiting, new) = (0, 0)
  }

  private func mix(_ a: Double, _ b: Double, _ share: Double) -> Double { a + (b - a) * share }

  /// Inside [-180, 180] where both ends are, else in the turn of the start, so that files keep their convention.
  private func longitude(_ x: Double, between a: Double, _ b: Double) -> Double {
    if a.magnitude <= 180 && b.magnitude <= 180 { return normalizedLongitude(x) }
    return a + longitudeDifference(a, x)
  }
}
