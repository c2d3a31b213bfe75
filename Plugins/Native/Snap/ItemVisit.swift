// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

extension PointSearch {
  /// Takes what an item offers. `square`: a bound of the square of its distance in coordinates.
  @inline(__always)
  mutating func visit(_ item: TargetItem, _ square: Double) {
    let source = item.source
    let flags = source.flags
    if flags.contains(.ownsStart) {
      visitVertex(item.a, source, source.coordinate, isEndPoint: flags.contains(.startIsEndPoint))
    }
    if flags.contains(.ownsEnd) {
      visitVertex(item.b, source, source.coordinate &+ 1, isEndPoint: flags.contains(.endIsEndPoint))
    }
    if flags.contains(.isEdge) {
      visitEdge(item, square)
    } else if flags.contains(.isCentroid) {
      visitCentroid(item.a, source)
    }
  }

  @inline(__always)
  private func limit(_ plan: KindPlan) -> Double { limit(plan.rank, plan.reach) }

  /// False when a place is farther away than the limit by plain arithmetic, with room for its rounding.
  @inline(__always)
  private func mayReach(_ place: Place, _ limit: Double) -> Bool {
    guard !options.metric.isScreen else { return limit >= 0 }
    let (dx, dy) = (place.x - point.x, place.y - point.y)
    let bound = limit * limit * (1 + 0x1p-40)
    return limit >= 0 && (dx * dx + dy * dy <= bound || bound < 0x1p-900)
  }

  @inline(__always)
  private mutating func visitVertex(_ place: Place, _ source: ItemSource, _ coordinate: Int, isEndPoint: Bool) {
    var limit = limit(options.plan(source.layer, MRD_SNAP_VERTEX))
    if isEndPoint { limit = max(limit, self.limit(options.plan(source.layer, MRD_SNAP_END_POINT))) }
    if mayReach(place, limit) { takeVertex(place, source, coordinate, isEndPoint: isEndPoint) }
  }

  private mutating func takeVertex(_ place: Place, _ source: ItemSource, _ coordinate: Int, isEndPoint: Bool) {
    if let wantedPlace, place != wantedPlace { return }
    let distance = options.metric.distance(point, place)
    guard let (rank, kind) = options.vertex(source.layer, isEndPoint: isEndPoint, distance),
      !options.exclusions.hasVertex(source.layer, source.row, coordinate)
    else { return }
    var candidate = Candidate(
      place: place, distance: distance, rank: rank, kind: kind, layer: source.layer, row: source.row,
      coordinate: coordinate)
    if hasZ { candidate.z = layers[Int(source.layer)].geoms.z(coordinate) }
    take(candidate)
  }

  private mutating func visitCentroid(_ place: Place, _ source: ItemSource) {
    let plan = options.plan(source.layer, MRD_SNAP_CENTROID)
    guard mayReach(place, limit(plan)) else { return }
    let distance = options.metric.distance(point, place)
    guard distance <= plan.reach, !options.exclusions.hasFeature(source.layer, source.row) else { return }
    take(
      Candidate(
        place: place, distance: distance, rank: plan.rank, kind: MRD_SNAP_CENTROID, layer: source.layer,
        row: source.row, coordinate: -1))
  }

  @inline(__always)
  private mutating func visitEdge(_ item: TargetItem, _ square: Double) {
    let source = item.source
    let middle = options.plan(source.layer, MRD_SNAP_MIDPOINT)
    if middle.rank >= 0 { takeMidpoint(item, middle) }
    if let previous { takePerpendicular(item, previous) }
    let edge = options.plan(source.layer, MRD_SNAP_EDGE)
    if edge.rank >= 0 && square <= bound(limit(edge)) { takeEdge(item, edge) }
    if options.findsCrossings { visitForCrossings(item, square) }
  }

  private mutating func takeMidpoint(_ item: TargetItem, _ plan: KindPlan) {
    let source = item.source
    let place = Place(x: (item.a.x + item.b.x) / 2, y: (item.a.y + item.b.y) / 2)
    // Between neighbouring doubles the middle is an end, and a vertex.
    guard place != item.a, place != item.b, mayReach(place, limit(plan)) else { return }
    let distance = options.metric.distance(point, place)
    guard distance <= plan.reach, !options.exclusions.hasEdge(source.layer, source.row, source.coordinate) else {
      return
    }
    take(
      Candidate(
        place: place, distance: distance, rank: plan.rank, kind: MRD_SNAP_MIDPOINT, layer: source.layer,
        row: source.row, coordinate: source.coordinate, z: z(source, 0.5)))
  }

  private mutating func takePerpendicular(_ item: TargetItem, _ previous: Place) {
    let source = item.source
    let plan = options.plan(source.layer, MRD_SNAP_PERPENDICULAR)
    guard plan.rank >= 0 else { return }
    let foot = Foot(of: previous, on: item.a, item.b, options.metric)
    guard foot.spot == .interior, foot.place != previous, mayReach(foot.place, limit(plan)) else { return }
    let distance = options.metric.distance(point, foot.place)
    guard distance <= plan.reach, !options.exclusions.hasEdge(source.layer, source.row, source.coordinate) else {
      return
    }
    take(
      Candidate(
        place: foot.place, distance: distance, rank: plan.rank, kind: MRD_SNAP_PERPENDICULAR, layer: source.layer,
        row: source.row, coordinate: source.coordinate, z: z(source, foot.share)))
  }

  private mutating func takeEdge(_ item: TargetItem, _ plan: KindPlan) {
    let source = item.source
    let foot = Foot(of: point, on: item.a, item.b, options.metric)
    if let wantedPlace, foot.place != wantedPlace { return }
    let distance = options.metric.distance(point, foot.place)
    guard distance <= plan.reach, !options.exclusions.hasEdge(source.layer, source.row, source.coordinate) else {
      return
    }
    if isVertex(foot.spot, source, distance) { return }
    take(
      Candidate(
        place: foot.place, distance: distance, rank: plan.rank, kind: MRD_SNAP_EDGE, layer: source.layer,
        row: source.row, coordinate: source.coordinate, z: z(source, foot.share)))
  }

  /// Whether a foot is an end of its edge that is a candidate of its own: edges at excluded vertices do not come here.
  private func isVertex(_ spot: Foot.Spot, _ source: ItemSource, _ distance: Double) -> Bool {
    switch spot {
    case .interior: false
    case .start: options.vertex(source.layer, isEndPoint: source.flags.contains(.startIsEndPoint), distance) != nil
    case .end: options.vertex(source.layer, isEndPoint: source.flags.contains(.endIsEndPoint), distance) != nil
    }
  }

  /// Z along an edge; NaN without.
  @inline(__always)
  func z(_ source: ItemSource, _ share: Double) -> Double {
    hasZ ? layers[Int(source.layer)].geoms.z(from: source.coordinate, share: share) : .nan
  }
}

extension Geoms {
  /// Z at a share of the edge from a coordinate to the next one, taken from the nearer end; NaN without.
  func z(from coordinate: Int, share: Double) -> Double {
    guard hasZ else { return .nan }
    let (a, b) = (z(coordinate), z(coordinate + 1))
    if share == 0 { return a }
    if share == 1 { return b }
    return share <= 0.5 ? a + (b - a) * share : b - (b - a) * (1 - share)
  }
}
