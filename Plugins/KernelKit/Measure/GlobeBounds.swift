// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// BOUNDS on the globe: an edge's own highest latitude, a pole that is inside, and the longitudes as the
/// complement of the widest gap (west > east = over the antimeridian; no gap = -180, 180).
///
/// Latitudes of vertices and all longitudes are input values, bit-equal up to whole turns; the highest latitude of an edge
/// is computed and rounded outward. A vertex at a pole counts with the longitude that it is given.
public func measureGlobeBounds<S: GlobeSurface>(
  _ surface: S, _ geoms: Geoms, _ side: Int32, _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  var most = 0
  for row in 0..<geoms.count where !geoms.isNull(row) { most = max(most, arcCount(geoms, row)) }
  guard var arcs = LongitudeArcs(capacity: most, call) else {
    return fail(call, MRD_E_MEMORY, "no memory for longitudes")
  }
  let loop = RowLoop(geoms, columns, call, domain: .globe, width: 4, emptyValue: .nan)
  return loop.run { row, poll in
    arcs.removeAll()
    var bounds = GlobeBounds(surface: surface, geoms: geoms, row: row, arcs: arcs)
    bounds.add(side: side, &poll)
    let (west, east) = bounds.longitudes()
    columns.set(0, row, west)
    columns.set(1, row, bounds.south)
    columns.set(2, row, east)
    columns.set(3, row, bounds.north)
    return bounds.ambiguous ? MRD_ITEM_WARN_AMBIGUOUS_EDGE : MRD_ITEM_OK
  }
}

/// At most this many arcs: one a path, one a point.
private func arcCount(_ geoms: Geoms, _ row: Int) -> Int {
  geoms.isPuntal ? geoms.coordinates(row).count : geoms.pathCount(row)
}

private struct GlobeBounds<S: GlobeSurface> {
  let surface: S
  let geoms: Geoms
  let row: Int
  var arcs: LongitudeArcs
  var south = Double.infinity
  var north = -Double.infinity
  var isFullCircle = false
  var ambiguous = false

  mutating func longitudes() -> (west: Double, east: Double) {
    isFullCircle ? (-180, 180) : arcs.complementOfWidestGap()
  }

  mutating func add(side: Int32, _ poll: inout CancelPoll) {
    if geoms.isPuntal {
      for coordinate in geoms.coordinates(row) where !geoms.isEmptyPoint(coordinate) {
        if poll.tick() { break }
        addLatitude(geoms.y(coordinate))
        arcs.add(west: geoms.x(coordinate), east: geoms.x(coordinate))
      }
      return
    }
    for index in 0..<geoms.pathCount(row) { addPath(geoms.path(row, index), &poll) }
    geoms.forEachPolygon(row) { rings in addPoles(rings, side, &poll) }
  }

  private mutating func addLatitude(_ latitude: Double) {
    if latitude < south { south = latitude }
    if latitude > north { north = latitude }
  }

  /// A line or ring covers one arc of longitudes: from its westmost to its eastmost place on the unrolled globe.
  private mutating func addPath(_ path: Range<Int>, _ poll: inout CancelPoll) {
    guard let first = path.first else { return }
    var here = UnrolledLongitude(geoms.x(first))
    var (west, east) = (here, here)
    addLatitude(geoms.y(first))
    let (low, high) = surface.extremeLatitudes(geoms, path, &poll)
    (south, north) = (min(south, low), max(north, high))
    for coordinate in path.dropFirst() {
      if poll.tick() { break }
      let (a, b) = (geoms.place(coordinate &- 1), geoms.place(coordinate))
      addLatitude(b.y)
      if isHalfTurn(a.x, b.x) { ambiguous = true }
      here.move(to: b.x, by: longitudeDifference(a.x, b.x))
      if here < west { west = here }
      if east < here { east = here }
    }
    if UnrolledLongitude.isFullTurn(west, east) { isFullCircle = true }
    // An arc that ends on the antimeridian ends at 180, one that starts there starts at -180.
    let endsThere = east.longitude == -180 && west < east
    arcs.add(west: west.longitude, east: endsThere ? 180 : east.longitude)
  }

  /// A pole inside the shell and in no hole is inside; a shell round a pole has every longitude, whatever is in its holes.
  private mutating func addPoles(_ rings: Range<Int>, _ side: Int32, _ poll: inout CancelPoll) {
    guard let shell = rings.first else { return }
    var inside = poles(in: shell, side, &poll)
    if !inside.south && !inside.north { return }
    isFullCircle = true
    for hole in rings.dropFirst() where inside.south || inside.north {
      let taken = poles(in: hole, side, &poll)
      inside = (inside.south && !taken.south, inside.north && !taken.north)
    }
    if inside.south { addLatitude(-90) }
    if inside.north { addLatitude(90) }
  }

  /// The poles inside a ring: those whose winding number is not 0.
  private func poles(in ring: Int, _ side: Int32, _ poll: inout CancelPoll) -> (south: Bool, north: Bool) {
    let ring = GlobeRing(surface: surface, geoms: geoms, path: geoms.path(row, ring))
    if side == MRD_SIDE_SMALLER && ring.isSurelyBesidePoles(&poll) { return (false, false) }
    let (integral, polarTurns) = ring.integral(&poll)
    let wanted = ringArea(integral, ofTotal: surface.totalArea, side: side)
    let south = ((wanted - integral) / surface.totalArea).rounded()
    return (south != 0, south + polarTurns != 0)
  }
}

extension GlobeRing {
  /// The area between an edge and the equator is at most half the globe's, by its share of a turn. A ring whose turns add
  /// up to less than one, and to none with their signs, has a smaller side without poles.
  fileprivate func isSurelyBesidePoles(_ poll: inout CancelPoll) -> Bool {
    var (turn, size) = (0.0, 0.0)
    for coordinate in path.dropFirst() {
      if poll.tick() { break }
      let way = longitudeDifference(geoms.x(coordinate &- 1), geoms.x(coordinate))
      turn += way
      size += way.magnitude
    }
    return size < 359 && turn.magnitude < 1
  }
}

/// A longitude in [-180, 180) and the number of whole turns from where the path began, compared without rounding.
private struct UnrolledLongitude {
  var turns = 0
  var longitude: Double

  init(_ longitude: Double) { self.longitude = UnrolledLongitude.canonical(longitude) }

  private static func canonical(_ longitude: Double) -> Double {
    let inside = normalizedLongitude(longitude)
    return inside == 180 ? -180 : inside
  }

  /// Goes on to `next`, which lies `difference` degrees away.
  mutating func move(to next: Double, by difference: Double) {
    let next = UnrolledLongitude.canonical(next)
    if difference > 0 && next < longitude { turns += 1 }
    if difference < 0 && next > longitude { turns -= 1 }
    longitude = next
  }

  static func < (a: UnrolledLongitude, b: UnrolledLongitude) -> Bool {
    a.turns != b.turns ? a.turns < b.turns : a.longitude < b.longitude
  }

  static func isFullTurn(_ west: UnrolledLongitude, _ east: UnrolledLongitude) -> Bool {
    let turns = east.turns - west.turns
    return turns > 1 || (turns == 1 && east.longitude >= west.longitude)
  }
}
