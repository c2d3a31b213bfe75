// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Finds the candidates of one query point after the other; its lists are used again, so that no point asks for memory.
///
/// One place is wanted: the tree is walked with a reach that shrinks to what can still rank before the best so far; a
/// second, small walk gathers all that lies at that place. Several places, or crossings: all in reach are listed and
/// sorted. Either way the reach grows from about the spacing of the targets, so a wide tolerance costs little where
/// targets are near.
struct PointSearch {
  let targets: PreparedTargets
  let options: QueryOptions
  private let spacing: Double
  var poll: CancelPoll
  private var list: ScratchList<Candidate>
  /// The list's places in the order of their ranks: where each begins in the list, and its best.
  private var places: ScratchList<CandidatePlace>
  private var crossingEdges: ScratchList<TargetItem>
  /// The items that the last walk came by, while they are few.
  private var visited: ScratchList<Int>
  private static let mostVisited = 64

  private var point = Place(x: 0, y: 0)
  private var best: Candidate
  private var isListing = false
  /// While a place is gathered: nothing else is listed.
  private var wantedPlace: Place?
  private var treeWindow = CellBox.nothing

  init(_ targets: PreparedTargets, _ options: QueryOptions, _ call: UnsafeMutablePointer<mrd_call>) {
    self.targets = targets
    self.options = options
    poll = CancelPoll(call)
    list = ScratchList(call)
    places = ScratchList(call)
    crossingEdges = ScratchList(call)
    visited = ScratchList(call)
    best = PointSearch.nothing
    spacing = PointSearch.spacing(targets.tree.pointee, options.metric)
  }

  /// True when memory ran out; the lists are then not complete.
  var failed: Bool { list.failed || places.failed || crossingEdges.failed || visited.failed }

  private static var nothing: Candidate {
    Candidate(
      place: Place(x: .nan, y: .nan), distance: .infinity, rank: .max, kind: -1, layer: -1, row: -1, coordinate: -1)
  }

  /// About as far as it is from one target to the next, in the metric's unit.
  private static func spacing(_ tree: CurveTree, _ metric: ScreenMetric) -> Double {
    let (width, height) = (tree.bounds.xmax - tree.bounds.xmin, tree.bounds.ymax - tree.bounds.ymin)
    let count = Double(max(1, tree.count))
    let square = (width / count.squareRoot()) * (height / count.squareRoot())
    let spacing = square > 0 ? square.squareRoot() : max(width, height) / count
    return spacing / max(metric.reachX, metric.reachY)
  }

  /// Finds the candidates of a point: afterwards `forEachHit` gives them in their order.
  mutating func run(_ point: Place) {
    self.point = point
    list.truncate(0)
    places.truncate(0)
    if options.wanted == 1 && !options.findsCrossings { findOne() } else { findSeveral() }
  }

  func forEachHit(_ body: (mrd_snap_hit) -> Void) {
    for group in 0..<min(places.count, options.wanted) {
      for index in places[group].begin..<places[group].end { body(list[index].hit(targets.layers, group: group)) }
    }
  }

  // MARK: - One place

  private mutating func findOne() {
    isListing = false
    best = PointSearch.nothing
    let largest = options.largestReach
    var reach = min(largest, spacing)
    while true {
      walk(within: reach)
      if poll.isCancelled { return }
      // What ranks before the best lies within this.
      let rest = min(largest, best.rank == .max ? largest : needed)
      if reach >= rest { break }
      reach = min(rest, reach * 4 > 0 ? reach * 4 : rest)
    }
    findArea()
    guard best.rank != .max else { return }
    gather(best.place)
    list.sort(by: Candidate.comesBefore)
    places.append(CandidatePlace(best: list.count > 0 ? list[0] : best, begin: 0, end: list.count))
  }

  /// How far away something may be and still rank before the best.
  @inline(__always)
  private var needed: Double {
    let before = options.plan(best.layer, best.kind).reachBefore
    return before > best.distance ? before : best.distance
  }

  /// The point itself is the best place when a polygon holds it and nothing ranks before that.
  private mutating func findArea() {
    guard targets.areas != nil else { return }
    isListing = true
    listAreas(only: best.rank, at: best.distance)
    isListing = false
    for index in 0..<list.count where Candidate.comesBefore(list[index], best) { best = list[index] }
    list.truncate(0)
  }

  /// Lists everything that lies at a place. The walk that found the place came by all of it: its window held the place
  /// all the time.
  private mutating func gather(_ place: Place) {
    wantedPlace = place
    isListing = true
    if visited.count < PointSearch.mostVisited {
      for index in 0..<visited.count {
        let item = targets.items[visited[index]]
        if item.box.holds(place) { visit(item) }
      }
    } else {
      walk(targets.tree.pointee.frame.box(Box(place, place)))
    }
    if place == point { listAreas(only: .max, at: .infinity) }
    wantedPlace = nil
  }

  // MARK: - Several places

  private mutating func findSeveral() {
    isListing = true
    let largest = options.largestReach
    let first = spacing * Double(min(options.wanted, 1 << 20)).squareRoot()
    var reach = min(largest, first)
    while true {
      list.truncate(0)
      crossingEdges.truncate(0)
      walk(within: reach)
      listCrossings()
      if poll.isCancelled || list.failed { return }
      if reach >= largest || list.count >= options.wanted && hasEnough(within: reach) { break }
      reach = reach * 4 > 0 ? min(largest, reach * 4) : largest
    }
    listAreas(only: .max, at: .infinity)
    formPlaces()
  }

  /// True when as many places as are wanted rank first of all and lie within the reach that was searched.
  private mutating func hasEnough(within reach: Double) -> Bool {
    var count = 0
    for index in 0..<list.count where list[index].rank == 0 && list[index].distance <= reach { count += 1 }
    guard count >= options.wanted else { return false }
    formPlaces()
    count = 0
    for index in 0..<places.count where places[index].best.rank == 0 && places[index].best.distance <= reach {
      count += 1
    }
    places.truncate(0)
    return count >= options.wanted
  }

  /// Sorts the list by place and the places by their best.
  private mutating func formPlaces() {
    places.truncate(0)
    list.sort(by: Candidate.byPlace)
    var begin = 0
    while begin < list.count {
      var end = begin + 1
      while end < list.count && list[end].place == list[begin].place { end += 1 }
      places.append(CandidatePlace(best: list[begin], begin: begin, end: end))
      begin = end
    }
    places.sort { Candidate.comesBefore($0.best, $1.best) }
  }

  // MARK: - Walking the tree

  private func window(_ reach: Double) -> CellBox {
    // Distances are rounded: what is in reach by the rounded one lies inside this.
    let (x, y) = (reach * options.metric.reachX * (1 + 0x1p-48), reach * options.metric.reachY * (1 + 0x1p-48))
    return targets.tree.pointee.frame.box(
      Box(
        Place(x: (point.x - x).nextDown, y: (point.y - y).nextDown),
        Place(x: (point.x + x).nextUp, y: (point.y + y).nextUp)))
  }

  private mutating func walk(within reach: Double) { walk(window(reach)) }

  private mutating func walk(_ window: CellBox) {
    var cursor = TreeCursor(targets.tree, window)
    let items = targets.items
    treeWindow = window
    visited.truncate(0)
    while true {
      let index = cursor.next()
      if index < 0 || poll.tick() { return }
      if visited.count < PointSearch.mostVisited { visited.append(index) }
      visit(items[index])
      cursor.window = treeWindow
    }
  }

  @inline(__always)
  private mutating func visit(_ item: TargetItem) {
    let source = item.source
    let flags = source.flags
    if flags.contains(.ownsStart) {
      visitVertex(item.a, source, source.coordinate, isEndPoint: flags.contains(.startIsEndPoint))
    }
    if flags.contains(.ownsEnd) {
      visitVertex(item.b, source, source.coordinate + 1, isEndPoint: flags.contains(.endIsEndPoint))
    }
    if flags.contains(.isEdge) {
      visitEdge(item)
    } else if flags.contains(.isCentroid) {
      visitCentroid(item.a, source)
    }
  }

  /// How far a candidate of a plan may be away to matter; negative when it cannot.
  @inline(__always)
  private func limit(_ plan: KindPlan) -> Double {
    if plan.rank < 0 { return -1 }
    if isListing || plan.rank < best.rank { return plan.reach }
    return plan.rank == best.rank ? min(plan.reach, best.distance) : -1
  }

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
    if isListing { candidate.z = targets.layers[Int(source.layer)].geoms.z(coordinate) }
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
  private mutating func visitEdge(_ item: TargetItem) {
    let source = item.source
    let middle = options.plan(source.layer, MRD_SNAP_MIDPOINT)
    if middle.rank >= 0 { takeMidpoint(item, middle) }
    let edge = options.plan(source.layer, MRD_SNAP_EDGE)
    if edge.rank >= 0 {
      let limit = limit(edge)
      if limit >= 0 && mayReach(item, limit) { takeEdge(item, edge) }
    }
    if options.findsCrossings {
      let crossing = options.plan(source.layer, MRD_SNAP_INTERSECTION)
      if crossing.rank >= 0 && mayReach(item, crossing.reach) { keepForCrossings(item) }
    }
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
    var candidate = Candidate(
      place: place, distance: distance, rank: plan.rank, kind: MRD_SNAP_MIDPOINT, layer: source.layer, row: source.row,
      coordinate: source.coordinate)
    if isListing { candidate.z = z(source, 0.5) }
    take(candidate)
  }

  /// False when an edge is farther away than the limit by plain arithmetic, with room for its rounding and for that of
  /// the foot.
  @inline(__always)
  private func mayReach(_ item: TargetItem, _ limit: Double) -> Bool {
    guard !options.metric.isScreen else { return true }
    let (dx, dy) = (item.b.x - item.a.x, item.b.y - item.a.y)
    let (wx, wy) = (point.x - item.a.x, point.y - item.a.y)
    let (left, right) = (dx * wy, dy * wx)
    let squared = dx * dx + dy * dy
    let room = limit + (point.x.magnitude + point.y.magnitude + limit) * 0x1p-49
    let bound = room * room * squared
    let cross = max(0, (left - right).magnitude - (left.magnitude + right.magnitude) * 0x1p-49)
    // An infinite reach over a tiny edge makes the bound NaN.
    return !(cross * cross > bound) || bound < 0x1p-900
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
      if isCandidate(distance, source, source.coordinate, .startIsEndPoint) { return }
    case .end:
      if isCandidate(distance, source, source.coordinate + 1, .endIsEndPoint) { return }
    case .interior: break
    }
    var candidate = Candidate(
      place: foot.place, distance: distance, rank: plan.rank, kind: MRD_SNAP_EDGE, layer: source.layer,
      row: source.row, coordinate: source.coordinate)
    if isListing { candidate.z = z(source, foot.share) }
    take(candidate)
  }

  /// Whether the end of an edge is a candidate of its own: edges at excluded vertices do not come here.
  private func isCandidate(_ distance: Double, _ source: ItemSource, _ coordinate: Int, _ endFlag: ItemFlags) -> Bool {
    let vertex = options.plan(source.layer, MRD_SNAP_VERTEX)
    if vertex.rank >= 0 && distance <= vertex.reach { return true }
    let end = options.plan(source.layer, MRD_SNAP_END_POINT)
    return source.flags.contains(endFlag) && end.rank >= 0 && distance <= end.reach
  }

  /// Z along an edge, from the nearer end; NaN without.
  private func z(_ source: ItemSource, _ share: Double) -> Double {
    let geoms = targets.layers[Int(source.layer)].geoms
    guard geoms.hasZ else { return .nan }
    let (a, b) = (geoms.z(source.coordinate), geoms.z(source.coordinate + 1))
    if share == 0 { return a }
    if share == 1 { return b }
    return share <= 0.5 ? a + (b - a) * share : b - (b - a) * (1 - share)
  }

  /// Keeps a candidate in reach: in the list, or as the best when it ranks before that.
  @inline(__always)
  private mutating func take(_ candidate: Candidate) {
    if isListing {
      if let wantedPlace, candidate.place != wantedPlace { return }
      list.append(candidate)
    } else if Candidate.comesBefore(candidate, best) {
      best = candidate
      let reach = needed
      if reach < options.largestReach { shrinkWindow(to: reach) }
    }
  }

  private mutating func shrinkWindow(to reach: Double) {
    let smaller = window(reach)
    treeWindow = CellBox(
      xmin: max(treeWindow.xmin, smaller.xmin), ymin: max(treeWindow.ymin, smaller.ymin),
      xmax: min(treeWindow.xmax, smaller.xmax), ymax: min(treeWindow.ymax, smaller.ymax))
  }

  // MARK: - Areas

  /// Lists the polygons that hold the point, as far as they can rank before `rank` at `distance`.
  private mutating func listAreas(only rank: Int32, at distance: Double) {
    guard let areas = targets.areas else { return }
    var cursor = TreeCursor(areas.tree, areas.tree.pointee.frame.box(Box(point, point)))
    while true {
      let index = cursor.next()
      if index < 0 || poll.tick() { return }
      let item = areas[index]
      let plan = options.plan(item.layer, MRD_SNAP_AREA)
      guard plan.rank >= 0, plan.rank < rank || (plan.rank == rank && distance > 0),
        !options.exclusions.hasFeature(item.layer, item.row),
        areas.holds(point, item, targets.layers[Int(item.layer)].geoms, &poll)
      else { continue }
      take(
        Candidate(
          place: point, distance: 0, area: item.area, rank: plan.rank, kind: MRD_SNAP_AREA, layer: item.layer,
          row: item.row, coordinate: item.part))
    }
  }

  // MARK: - Crossings

  private mutating func keepForCrossings(_ item: TargetItem) {
    let source = item.source
    guard !options.exclusions.hasEdge(source.layer, source.row, source.coordinate) else { return }
    crossingEdges.append(item)
  }

  /// Lists where the kept edges meet each other: a sweep along x.
  private mutating func listCrossings() {
    guard crossingEdges.count > 1 else { return }
    crossingEdges.sort { $0.box.xmin < $1.box.xmin }
    for first in 0..<crossingEdges.count {
      let end = crossingEdges[first].box.xmax
      var second = first + 1
      while second < crossingEdges.count && crossingEdges[second].box.xmin <= end {
        if poll.tick() { return }
        listCrossing(crossingEdges[first], crossingEdges[second])
        second += 1
      }
    }
  }

  /// The edge that is stored first gives the candidate its layer, its row and its reach.
  private mutating func listCrossing(_ one: TargetItem, _ other: TargetItem) {
    let (first, second) = one.source.isStoredBefore(other.source) ? (one, other) : (other, one)
    guard let meeting = meetingPlace(first.a, first.b, second.a, second.b) else { return }
    let (plan, secondPlan) = (
      options.plan(first.source.layer, MRD_SNAP_INTERSECTION), options.plan(second.source.layer, MRD_SNAP_INTERSECTION)
    )
    let distance = options.metric.distance(point, meeting.place)
    guard distance <= plan.reach, distance <= secondPlan.reach else { return }
    list.append(
      Candidate(
        place: meeting.place, distance: distance, rank: min(plan.rank, secondPlan.rank), kind: MRD_SNAP_INTERSECTION,
        layer: first.source.layer, otherLayer: second.source.layer, row: first.source.row,
        coordinate: first.source.coordinate, otherRow: second.source.row, otherCoordinate: second.source.coordinate,
        z: z(first.source, meeting.share)))
  }
}

/// Candidates at one place, as a range of the list.
private struct CandidatePlace {
  let best: Candidate
  let begin: Int
  let end: Int
}

extension TargetItem {
  @inline(__always)
  fileprivate var box: Box { Box(a, b) }
}

extension ItemSource {
  fileprivate func isStoredBefore(_ other: ItemSource) -> Bool {
    (layer, row, coordinate) < (other.layer, other.row, other.coordinate)
  }
}
