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
    var plan = options.plan(source.layer, MRD_SNAP_VERTEX)
    var kind = MRD_SNAP_VERTEX
    var limit = limit(plan)
    var second: (plan: KindPlan, kind: Int32, limit: Double)?
    if isEndPoint {
      // The kind that ranks first, and the other one should that be out of reach.
      let ends = options.plan(source.layer, MRD_SNAP_END_POINT)
      if ends.rank >= 0 {
        if plan.rank < 0 || ends.rank <= plan.rank {
          second = (plan, kind, limit)
          (plan, kind, limit) = (ends, MRD_SNAP_END_POINT, self.limit(ends))
        } else {
          second = (ends, MRD_SNAP_END_POINT, self.limit(ends))
        }
      }
    }
    guard mayReach(place, max(limit, second?.limit ?? -1)) else { return }
    takeVertex(place, source, coordinate, plan, kind, second.map { ($0.plan, $0.kind) })
  }

  private mutating func takeVertex(
    _ place: Place, _ source: ItemSource, _ coordinate: Int, _ plan: KindPlan, _ kind: Int32,
    _ second: (plan: KindPlan, kind: Int32)?
  ) {
    if let wantedPlace, place != wantedPlace { return }
    let distance = options.metric.distance(point, place)
    let chosen: (rank: Int32, kind: Int32)
    if plan.rank >= 0 && distance <= plan.reach {
      chosen = (plan.rank, kind)
    } else if let second, second.plan.rank >= 0, distance <= second.plan.reach {
      chosen = (second.plan.rank, second.kind)
    } else {
      return
    }
    guard !options.exclusions.hasVertex(source.layer, source.row, coordinate) else { return }
    var candidate = Candidate(
      place: place, distance: distance, rank: chosen.rank, kind: chosen.kind, layer: source.layer, row: source.row,
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

  private mutating func takeEdge(_ item: TargetItem, _ plan: KindPlan) {
    let source = item.source
    let foot = Foot(of: point, on: item.a, item.b, options.metric)
    if let wantedPlace, foot.place != wantedPlace { return }
    let distance = options.metric.distance(point, foot.place)
    guard distance <= plan.reach, !options.exclusions.hasEdge(source.layer, source.row, source.coordinate) else {
      return
    }
    switch foot.spot {
    case .start:
      if isCandidate(distance, source, .startIsEndPoint) { return }
    case .end:
      if isCandidate(distance, source, .endIsEndPoint) { return }
    case .interior: break
    }
    take(
      Candidate(
        place: foot.place, distance: distance, rank: plan.rank, kind: MRD_SNAP_EDGE, layer: source.layer,
        row: source.row, coordinate: source.coordinate, z: z(source, foot.share)))
  }

  /// Whether the end of an edge is a candidate of its own: edges at excluded vertices do not come here.
  private func isCandidate(_ distance: Double, _ source: ItemSource, _ endFlag: ItemFlags) -> Bool {
    let vertex = options.plan(source.layer, MRD_SNAP_VERTEX)
    if vertex.rank >= 0 && distance <= vertex.reach { return true }
    let end = options.plan(source.layer, MRD_SNAP_END_POINT)
    return source.flags.contains(endFlag) && end.rank >= 0 && distance <= end.reach
  }

  /// Z along an edge, from the nearer end; NaN without.
  @inline(__always)
  func z(_ source: ItemSource, _ share: Double) -> Double { hasZ ? interpolatedZ(source, share) : .nan }

  private func interpolatedZ(_ source: ItemSource, _ share: Double) -> Double {
    let geoms = layers[Int(source.layer)].geoms
    guard geoms.hasZ else { return .nan }
    let (a, b) = (geoms.z(source.coordinate), geoms.z(source.coordinate + 1))
    if share == 0 { return a }
    if share == 1 { return b }
    return share <= 0.5 ? a + (b - a) * share : b - (b - a) * (1 - share)
  }
}
