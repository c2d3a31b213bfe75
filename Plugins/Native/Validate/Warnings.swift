// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

extension PolygonCheck {
  /// Where in a row a path lies.
  private struct PathPlace {
    var part: Int
    var ring: Int
    /// Rows of points: each coordinate is a part of its own.
    var isPoints = false
  }

  /// True when something is asked for that the rules of OGC do not know.
  var hasExtras: Bool { wantsWarnings || hasThresholds(options) || options.dialect == MRD_DIALECT_RFC7946 }

  private var wantsWarnings: Bool { options.flags & MRD_VALIDATE_WARNINGS != 0 }

  /// Range, winding and antimeridian of RFC 7946; warnings; thresholds. A threshold asks for its warning by itself.
  mutating func addExtras(_ row: Int, _ edges: EdgeSet) {
    eachPath(row) { check, place, span in check.lookAlong(place, span) }
    if depth == .verdict { return }
    if wantsWarnings {
      noteEmptyParts(row)
      if geoms.hasZ { noteHeights(row) }
    }
    if geoms.isPolygonal && (options.min_area_coord > 0 || options.min_sliver_ratio > 0) { lookAtAreas(row) }
    if options.min_clearance_coord > 0 {
      if edges.count > 0 { noteClearance(edges) } else if geoms.isLineal { noteClearance(ofLines: row) }
    }
  }

  private mutating func eachPath(_ row: Int, _ body: (inout PolygonCheck, PathPlace, Range<Int>) -> Void) {
    if geoms.isPuntal { return body(&self, PathPlace(part: 0, ring: -1, isPoints: true), geoms.span(row)) }
    guard geoms.isPolygonal else {
      for path in 0..<geoms.pathCount(row) { body(&self, PathPlace(part: path, ring: -1), geoms.path(row, path)) }
      return
    }
    let geoms = geoms
    let level = Int(geoms.raw.n_offsets) &- 1
    let span = geoms.span(row)
    let parts = geoms.type == MRD_POLYGON ? 1 : span.count
    for part in 0..<parts {
      let rings = geoms.type == MRD_POLYGON ? span : geoms.span(level: 1, span.lowerBound &+ part)
      for ring in rings {
        body(&self, PathPlace(part: part, ring: ring &- rings.lowerBound), geoms.span(level: level, ring))
      }
    }
  }

  private mutating func warn(
    _ code: Int32, _ place: PathPlace, vertex: Int, at coordinate: Place, value: Double = .nan,
    threshold: Double = .nan,
    severity: Int32 = MRD_SEVERITY_WARNING
  ) {
    if severity == MRD_SEVERITY_ERROR { isInvalid = true }
    var finding = Finding(
      code: code, severity: severity, part: place.isPoints ? vertex : place.part, ring: place.ring,
      vertex: place.isPoints ? 0 : vertex, place: coordinate)
    (finding.value, finding.threshold) = (value, threshold)
    findings.append(finding)
  }

  // MARK: - Along one path

  private mutating func lookAlong(_ place: PathPlace, _ span: Range<Int>) {
    guard !span.isEmpty else { return }
    let isRing = place.ring >= 0
    let isGeoJSON = options.dialect == MRD_DIALECT_RFC7946
    for index in span {
      let here = geoms.place(index)
      guard here.x.isFinite && here.y.isFinite else { continue }
      let vertex = index &- span.lowerBound
      let closes = isRing && vertex > 0 && index == span.upperBound &- 1 && here == geoms.place(span.lowerBound)
      if isGeoJSON && !closes { lookAtRange(place, vertex, here) }
      if depth == .verdict || vertex == 0 || place.isPoints { continue }
      let before = geoms.place(index &- 1)
      guard before.x.isFinite && before.y.isFinite else { continue }
      lookAtEdge(place, vertex, before, here)
    }
    if depth == .verdict || place.isPoints { return }
    if options.min_angle_deg > 0 { lookAtAngles(place, span) }
    // Areas are those of the plane.
    if isSpherical { return }
    if isRing && wantsWarnings { lookAtRing(place, span) }
    if wantsWarnings { noteOverflow(place, span) }
  }

  private mutating func lookAtRange(_ place: PathPlace, _ vertex: Int, _ here: Place) {
    if here.x.magnitude > 180 {
      warn(
        MRD_PROBLEM_LONGITUDE_RANGE, place, vertex: vertex, at: here, value: here.x, threshold: 180,
        severity: MRD_SEVERITY_ERROR)
    }
    if here.y.magnitude > 90 {
      warn(
        MRD_PROBLEM_LATITUDE_RANGE, place, vertex: vertex, at: here, value: here.y, threshold: 90,
        severity: MRD_SEVERITY_ERROR)
    }
  }

  /// The edge that ends at `vertex`; the problem is placed at the vertex when it is a repeat, at the start of the edge else.
  private mutating func lookAtEdge(_ place: PathPlace, _ vertex: Int, _ before: Place, _ here: Place) {
    if before == here {
      if wantsWarnings { warn(MRD_PROBLEM_REPEATED_POINT, place, vertex: vertex, at: here) }
      return
    }
    let (near, shortest) = (options.near_repeated_coord, options.min_edge_coord)
    if near > 0 || shortest > 0 {
      let size = length(here.x - before.x, here.y - before.y)
      if size < near {
        warn(MRD_PROBLEM_NEAR_REPEATED_POINT, place, vertex: vertex, at: here, value: size, threshold: near)
      }
      if size < shortest {
        warn(MRD_PROBLEM_SHORT_EDGE, place, vertex: vertex &- 1, at: before, value: size, threshold: shortest)
      }
    }
    if wantsWarnings && options.dialect == MRD_DIALECT_RFC7946 && (here.x - before.x).magnitude > 180 {
      warn(
        MRD_PROBLEM_ANTIMERIDIAN_NOT_CUT, place, vertex: vertex &- 1, at: before, value: (here.x - before.x).magnitude,
        threshold: 180)
    }
  }

  /// Angles between the two edges at a vertex, in degrees; repeated points are passed over.
  private mutating func lookAtAngles(_ place: PathPlace, _ span: Range<Int>) {
    let (first, last) = (span.lowerBound, span.upperBound &- 1)
    let isClosed = span.count > 2 && geoms.place(first) == geoms.place(last)
    for index in span {
      if index == last || (index == first && !isClosed) { continue }
      let here = geoms.place(index)
      if index > first && geoms.place(index &- 1) == here { continue }
      guard let before = neighbour(of: index, span, step: -1, isClosed),
        let after = neighbour(of: index, span, step: 1, isClosed)
      else { continue }
      let (ux, uy, vx, vy) = (before.x - here.x, before.y - here.y, after.x - here.x, after.y - here.y)
      let angle = atan2((ux * vy - uy * vx).magnitude, ux * vx + uy * vy) * degreesPerRadian
      if angle < options.min_angle_deg {
        warn(
          MRD_PROBLEM_SMALL_ANGLE, place, vertex: index &- first, at: here, value: angle,
          threshold: options.min_angle_deg)
      }
    }
  }

  /// The nearest place along a path that differs from that of `index`, round the ring; nil when there is none, or it is
  /// not finite.
  private func neighbour(of index: Int, _ span: Range<Int>, step: Int, _ isClosed: Bool) -> Place? {
    let here = geoms.place(index)
    var at = index
    for _ in span {
      at &+= step
      if at < span.lowerBound || at >= span.upperBound {
        guard isClosed else { return nil }
        at = step < 0 ? span.upperBound &- 2 : span.lowerBound &+ 1
      }
      let place = geoms.place(at)
      if place != here { return place.x.isFinite && place.y.isFinite ? place : nil }
    }
    return nil
  }

  private mutating func lookAtRing(_ place: PathPlace, _ span: Range<Int>) {
    guard span.count >= 4, span.allSatisfy({ geoms.x($0).isFinite && geoms.y($0).isFinite }) else { return }
    let first = geoms.place(span.lowerBound)
    let side = areaSign(about: first) { step in
      for index in span.dropLast() { step(geoms.place(index), geoms.place(index &+ 1)) }
    }
    if side == 0 { return warn(MRD_PROBLEM_ZERO_AREA_RING, place, vertex: 0, at: first) }
    // GeoJSON's shells run counter-clockwise, Esri's clockwise.
    let isShell = place.ring == 0
    let isWrong =
      switch options.dialect {
      case MRD_DIALECT_RFC7946: (side > 0) != isShell
      case MRD_DIALECT_ESRI: (side < 0) != isShell
      default: false
      }
    if isWrong { warn(MRD_PROBLEM_WRONG_WINDING, place, vertex: 0, at: first) }
  }

  /// Extents whose product, for areas, or square, for lengths, is no double.
  private mutating func noteOverflow(_ place: PathPlace, _ span: Range<Int>) {
    var box = Box.empty
    var farthest = span.lowerBound
    var reach = 0.0
    for index in span {
      let here = geoms.place(index)
      guard here.x.isFinite && here.y.isFinite else { return }
      box.grow(Box(xmin: here.x, ymin: here.y, xmax: here.x, ymax: here.y))
      let size = max(here.x.magnitude, here.y.magnitude)
      if size > reach { (farthest, reach) = (index, size) }
    }
    let (width, height) = (box.xmax - box.xmin, box.ymax - box.ymin)
    let measure = place.ring >= 0 ? width * height : width + height
    if !measure.isFinite {
      warn(
        MRD_PROBLEM_OVERFLOW, place, vertex: farthest &- span.lowerBound, at: geoms.place(farthest), value: reach)
    }
  }

  // MARK: - Of a row

  private mutating func noteEmptyParts(_ row: Int) {
    let nowhere = Place(x: .nan, y: .nan)
    let span = geoms.span(row)
    switch geoms.type {
    case MRD_POINT, MRD_LINESTRING: break
    case MRD_MULTIPOINT:
      for (part, coordinate) in span.enumerated() where geoms.isEmptyPoint(coordinate) {
        warn(MRD_PROBLEM_EMPTY_PART, PathPlace(part: part, ring: -1), vertex: -1, at: nowhere)
      }
    default:
      if geoms.type == MRD_MULTIPOLYGON {
        for (part, polygon) in span.enumerated() where geoms.span(level: 1, polygon).isEmpty {
          warn(MRD_PROBLEM_EMPTY_PART, PathPlace(part: part, ring: -1), vertex: -1, at: nowhere)
        }
      }
      eachPath(row) { check, place, path in
        if path.isEmpty { check.warn(MRD_PROBLEM_EMPTY_PART, place, vertex: -1, at: nowhere) }
      }
    }
  }

  /// Vertices that lie at one place with different Z, each held against the one before it in storage order.
  private mutating func noteHeights(_ row: Int) {
    let all = geoms.coordinates(row)
    guard all.count < Int(Int32.max) else { return }
    ends.truncate(0)
    for index in all where geoms.x(index).isFinite && geoms.y(index).isFinite {
      ends.append(OverlapEnd(place: geoms.place(index), overlap: Int32(truncatingIfNeeded: index &- all.lowerBound)))
    }
    ends.sort { $0.place != $1.place ? $0.place < $1.place : $0.overlap < $1.overlap }
    guard let differs = marks.room(for: all.count) else {
      failed = true
      return
    }
    differs.update(repeating: 0, count: all.count)
    for index in 1..<max(1, ends.count) where ends[index].place == ends[index &- 1].place {
      let (one, other) = (Int(ends[index].overlap), Int(ends[index &- 1].overlap))
      let (z, otherZ) = (geoms.z(all.lowerBound &+ one), geoms.z(all.lowerBound &+ other))
      if z != otherZ && !(z.isNaN && otherZ.isNaN) { differs[one] = 1 }
    }
    eachPath(row) { check, place, span in
      for index in span where differs[index &- all.lowerBound] != 0 {
        check.warn(
          MRD_PROBLEM_Z_DIFFERS, place, vertex: index &- span.lowerBound, at: check.geoms.place(index),
          value: check.geoms.z(index))
      }
    }
  }

  private mutating func lookAtAreas(_ row: Int) {
    var area = 0.0
    var around = 0.0
    var shell: (place: PathPlace, vertex: Place)?
    func end(_ check: inout PolygonCheck) {
      guard let shell, area.isFinite, around.isFinite else { return }
      if area < check.options.min_area_coord {
        check.warn(
          MRD_PROBLEM_SMALL_AREA, shell.place, vertex: 0, at: shell.vertex, value: area,
          threshold: check.options.min_area_coord)
      }
      let ratio = around > 0 ? 4 * Double.pi * area / (around * around) : 0
      if ratio < check.options.min_sliver_ratio {
        check.warn(
          MRD_PROBLEM_SLIVER, shell.place, vertex: 0, at: shell.vertex, value: ratio,
          threshold: check.options.min_sliver_ratio)
      }
    }
    eachPath(row) { check, place, span in
      if place.ring == 0 {
        end(&check)
        (area, around) = (0, 0)
        shell = span.isEmpty ? nil : (place, check.geoms.place(span.lowerBound))
      }
      let own = check.ringMeasure(span)
      area += place.ring == 0 ? own.area : -own.area
      around += own.length
    }
    end(&self)
  }

  /// The area without its sign, from the first vertex on, and the length of a ring.
  private func ringMeasure(_ span: Range<Int>) -> (area: Double, length: Double) {
    guard span.count > 1 else { return (0, 0) }
    var (area, around) = (CompensatedSum(), CompensatedSum())
    let origin = geoms.place(span.lowerBound)
    for index in span.dropLast() {
      let (a, b) = (geoms.place(index), geoms.place(index &+ 1))
      area.add((a.x - origin.x) * (b.y - origin.y))
      area.add(-((a.y - origin.y) * (b.x - origin.x)))
      around.add(length(b.x - a.x, b.y - a.y))
    }
    return (area.value.magnitude / 2, around.value)
  }

  // MARK: - Clearance

  private mutating func noteClearance(ofLines row: Int) {
    guard let edges = loadLines(row) else {
      failed = true
      return
    }
    if edges.count == 0 { return }
    switch blocks.build(edges, mayTurnBack: { _ in }) {
    case .ready: noteClearance(edges)
    case .noMemory: failed = true
    case .notFinite, .repeats: break
    }
  }

  /// The least distance of a vertex from an edge that does not begin or end at its place, when it is below the threshold.
  private mutating func noteClearance(_ edges: EdgeSet) {
    var least = options.min_clearance_coord
    var found: (vertex: Int, edge: Int)?
    let blocks = blocks
    for vertex in 0..<edges.count {
      if poll.tick() { return }
      let p = edges.place(vertex)
      let window = Box(xmin: p.x - least, ymin: p.y - least, xmax: p.x + least, ymax: p.y + least)
      _ = blocks.tree.forEach(meeting: blocks.framed(window).finite, after: -1) { block in
        if poll.tick(16) { return false }
        for edge in block &<< 4..<min(edges.count &- 1, (block &+ 1) &<< 4) where blocks.isEdge(edge) {
          let (a, b) = (edges.place(edge), edges.place(edge &+ 1))
          if a == p || b == p { continue }
          let gap = distance(p, a, b)
          if gap > 0 && gap < least { (least, found) = (gap, (vertex, edge)) }
        }
        return true
      }
    }
    guard let found else { return }
    let chain = edges.chain(of: found.vertex)
    let other = edges.chain(of: found.edge)
    var finding = Finding(
      code: MRD_PROBLEM_LOW_CLEARANCE, severity: MRD_SEVERITY_WARNING, part: Int(edges.chains[chain].part),
      ring: Int(edges.chains[chain].ring), vertex: edges.number(found.vertex, in: chain),
      otherPart: Int(edges.chains[other].part), otherRing: Int(edges.chains[other].ring),
      otherVertex: edges.number(found.edge, in: other), place: edges.place(found.vertex))
    (finding.value, finding.threshold) = (least, options.min_clearance_coord)
    findings.append(finding)
  }

  private func distance(_ p: Place, _ a: Place, _ b: Place) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let share = max(0, min(1, ((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy)))
    if share == 0 { return length(p.x - a.x, p.y - a.y) }
    if share == 1 { return length(p.x - b.x, p.y - b.y) }
    return (dx * (p.y - a.y) - dy * (p.x - a.x)).magnitude / length(dx, dy)
  }
}

private func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
