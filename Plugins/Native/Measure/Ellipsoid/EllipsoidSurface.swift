// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// One edge at a time, by vectors of equal lanes: for the operations whose loops KernelKit brings. The results have the
/// bits of the vector loops.
struct EllipsoidSurface: GlobeSurface {
  struct Line {
    let start: Place
    let azimuth: Double
    let length: Double
  }

  let geodesics: Geodesics

  func distance(_ a: Place, _ b: Place) -> Double {
    geodesics.distances(
      Lanes(repeating: a.y), Lanes(repeating: a.x), Lanes(repeating: b.y), Lanes(repeating: b.x))[0]
  }

  func inverse(_ a: Place, _ b: Place) -> (distance: Double, azimuth1: Double, azimuth2: Double) {
    let result = geodesics.inverse(
      Lanes(repeating: a.y), Lanes(repeating: a.x), Lanes(repeating: b.y), Lanes(repeating: b.x))
    let distance = result.distance[0]
    return distance == 0 ? (0, 0, 0) : (distance, result.azimuth1[0], result.azimuth2[0])
  }

  func direct(_ a: Place, azimuth: Double, distance: Double) -> (place: Place, azimuth: Double) {
    let end = DirectLanes(
      latitude: Lanes(repeating: a.y), longitude: Lanes(repeating: a.x),
      azimuth: Lanes(repeating: azimuth),
      distance: Lanes(repeating: distance), geodesics)
    return (Place(x: end.longitude[0], y: end.latitude[0]), end.azimuth[0])
  }

  func line(_ a: Place, _ b: Place) -> Line {
    let (length, azimuth, _) = inverse(a, b)
    return Line(start: a, azimuth: azimuth, length: length)
  }
  func length(_ line: Line) -> Double { line.length }
  func place(on line: Line, at distance: Double) -> (place: Place, azimuth: Double) {
    direct(line.start, azimuth: line.azimuth, distance: distance)
  }

  func lines(_ geoms: Geoms, _ start: Int, _ count: Int, _ lines: UnsafeMutablePointer<Line>) {
    var done = 0
    while done < count {
      let lanes = min(Lanes.scalarCount, count &- done)
      let (aX, aY) = geoms.lanes(start &+ done, lanes)
      let (bX, bY) = geoms.lanes(start &+ done &+ 1, lanes)
      let edge = geodesics.inverse(aY, aX, bY, bX)
      for lane in 0..<lanes {
        let length = edge.distance[lane]
        lines[done &+ lane] = Line(
          start: Place(x: aX[lane], y: aY[lane]), azimuth: length == 0 ? 0 : edge.azimuth1[lane], length: length)
      }
      done &+= lanes
    }
  }

  func places(
    _ lines: UnsafePointer<Line>, _ distances: UnsafePointer<Double>, _ count: Int,
    _ places: UnsafeMutablePointer<Place>
  ) {
    var done = 0
    while done < count {
      let lanes = min(Lanes.scalarCount, count &- done)
      var (x, y, azimuth) = (Lanes(), Lanes(), Lanes())
      for lane in 0..<lanes {
        let line = lines[done &+ lane]
        (x[lane], y[lane], azimuth[lane]) = (line.start.x, line.start.y, line.azimuth)
      }
      let end = DirectLanes(
        latitude: y, longitude: x, azimuth: azimuth, distance: Lanes(distances, 8, done, lanes), geodesics)
      for lane in 0..<lanes { places[done &+ lane] = Place(x: end.longitude[lane], y: end.latitude[lane]) }
      done &+= lanes
    }
  }

  var totalArea: Double { geodesics.totalArea }

  func areaToEquator(_ a: Place, _ b: Place) -> Double {
    let turn = TurnLanes(from: Lanes(repeating: a.x), to: Lanes(repeating: b.x))
    let (start, end) = (
      VertexLanes(latitude: Lanes(repeating: a.y), geodesics),
      VertexLanes(latitude: Lanes(repeating: b.y), geodesics)
    )
    let strip = geodesics.distancesAndStrips(CanonicalPair(start, end, turn, geodesics)).strip
    let mean = 0.5 * (start.sinBeta[0] + end.sinBeta[0])
    return geodesics.c2 * (mean * (turn.value[0] * (Double.pi / 180))) + strip.rest[0]
  }

  func smallRingArea(_ geoms: Geoms, _ path: Range<Int>, _ poll: inout CancelPoll) -> Double? {
    path.first.flatMap { SmallRing(geodesics, first: geoms.place($0)).area(geoms, path, &poll) }
  }

  /// A geodesic has its highest latitude inside an edge that leaves the start towards that pole and reaches the end from
  /// there. By Clairaut, cos(highest reduced latitude) = sin(azimuth) cos(reduced latitude).
  func extremeLatitude(_ a: Place, _ b: Place) -> Double? {
    let (distance, azimuth1, azimuth2) = inverse(a, b)
    guard distance > 0, (azimuth1.magnitude < 90) == (azimuth2.magnitude > 90),
      azimuth1.magnitude != 90
    else {
      return nil
    }
    return highestLatitude(a.y, azimuth1)
  }

  func extremeLatitudes(
    _ geoms: Geoms, _ path: Range<Int>, _ poll: inout CancelPoll
  ) -> (low: Double, high: Double) {
    var (low, high) = (Double.infinity, -Double.infinity)
    var start = path.lowerBound
    while start < path.upperBound &- 1 {
      let count = min(Lanes.scalarCount, path.upperBound &- 1 &- start)
      if poll.tick(count) { break }
      let (aX, aY) = geoms.lanes(start, count)
      let (bX, bY) = geoms.lanes(start &+ 1, count)
      let edge = geodesics.inverse(aY, aX, bY, bX)
      let (one, two) = (magnitude(edge.azimuth1), magnitude(edge.azimuth2))
      let isInside = (edge.distance .> 0) .& .!((one .< 90) .^ (two .> 90)) .& (one .!= 90)
      if any(isInside) {
        for lane in 0..<count where isInside[lane] {
          let extreme = highestLatitude(aY[lane], edge.azimuth1[lane])
          (low, high) = (min(low, extreme), max(high, extreme))
        }
      }
      start &+= count
    }
    return (low, high)
  }

  /// Of the geodesic that leaves a latitude at an azimuth, on the side that it sets out for.
  private func highestLatitude(_ start: Double, _ azimuth1: Double) -> Double {
    let sign = azimuth1.magnitude < 90 ? 1.0 : -1.0
    let (azimuth, latitude) = (sineCosine(degrees: azimuth1), sineCosine(degrees: start))
    let reduced = atan2(geodesics.f1 * latitude.sin, latitude.cos)
    let highest = atan2(
      hypot(azimuth.cos, azimuth.sin * sin(reduced)),
      geodesics.f1 * (azimuth.sin * cos(reduced)).magnitude)
    // Outward by 33 nm, more than azimuth and formula can be wrong, and at most the pole.
    return sign * min(90, highest * degreesPerRadian + 3e-13)
  }
}

/// DIRECT on the ellipsoid.
func directOnEllipsoid(
  _ geodesics: Geodesics, _ points: Geoms, _ azimuths: UnsafePointer<Double>?,
  _ distances: UnsafePointer<Double>?,
  _ columns: Columns, _ call: UnsafeMutablePointer<mrd_call>
) -> mrd_status {
  guard points.type == MRD_POINT else {
    return fail(call, MRD_E_UNSUPPORTED, "direct takes points only")
  }
  guard points.count > 0 else { return MRD_OK }
  guard let azimuths, let distances else {
    return fail(call, MRD_E_ARGUMENT, "direct needs azimuths and distances")
  }
  var poll = CancelPoll(call)
  var row = 0
  while row < points.count {
    let count = min(Lanes.scalarCount, points.count &- row)
    if poll.tick(count) { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
    let (x, y) = points.lanes(points.span(row).lowerBound, count)
    let (azimuth, distance) = (Lanes(azimuths, 8, row, count), Lanes(distances, 8, row, count))
    let end = DirectLanes(
      latitude: y, longitude: x, azimuth: azimuth, distance: distance, geodesics)
    if let column = columns.column(0) { end.longitude.store(column, row, count) }
    if let column = columns.column(1) { end.latitude.store(column, row, count) }
    if let column = columns.column(2) { end.azimuth.store(column, row, count) }
    for lane in 0..<count { call.setStatus(row &+ lane, MRD_ITEM_OK) }
    let isGood =
      (magnitude(y) .<= 90) .& (magnitude(x) .< .infinity) .& (magnitude(azimuth) .< .infinity)
      .& (magnitude(distance) .< .infinity)
    if points.raw.validity != nil || !all(isGood) {
      markBadRows(points, azimuths, distances, row..<(row &+ count), columns, &poll, call)
      if poll.isCancelled { return fail(call, MRD_E_CANCELLED, "cancelled", item: row) }
    }
    row &+= count
  }
  return MRD_OK
}

@inline(never)
private func markBadRows(
  _ points: Geoms, _ azimuths: UnsafePointer<Double>, _ distances: UnsafePointer<Double>,
  _ rows: Range<Int>,
  _ columns: Columns, _ poll: inout CancelPoll, _ call: UnsafeMutablePointer<mrd_call>
) {
  for row in rows {
    var status = points.inspect(row, .globe, &poll)
    if status == MRD_ITEM_OK && !(azimuths[row].isFinite && distances[row].isFinite) {
      status = MRD_ITEM_NONFINITE
    }
    guard status != MRD_ITEM_OK else { continue }
    columns.fill(row, columns: 3, .nan)
    call.setStatus(row, status)
  }
}
