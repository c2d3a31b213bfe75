// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Finds the candidates of one query point after the other by distances along the globe, in metres: all within a reach that
/// grows until nothing farther away can matter. Places and edges are solved a vector at a time.
struct GlobeSearch: CandidateSearch {
  let options: QueryOptions
  let layers: UnsafeBufferPointer<TargetLayer>
  let targets: GlobeTargets
  let areas: AreaIndex?
  let hasZ: Bool
  var poll: CancelPoll
  var found: PlaceList
  /// Edges whose crossings with each other are looked for.
  var crossingEdges: ScratchList<TargetItem>
  private(set) var point = Place(x: 0, y: 0)
  /// What lies farther away is left for the next round.
  private(set) var reach = 0.0
  /// Where the search for the next point begins: a little farther than the last one had to go.
  private var start: Double
  private var spots = SpotBatch()
  var straightEdges = StraightBatch()
  var shortestEdges = ShortestBatch()

  init(
    _ prepared: PreparedTargets, _ targets: GlobeTargets, _ options: QueryOptions,
    _ call: UnsafeMutablePointer<mrd_call>
  ) {
    layers = prepared.layers
    areas = prepared.areas
    hasZ = prepared.hasZ
    self.targets = targets
    start = targets.spacing
    self.options = options
    poll = CancelPoll(call)
    found = PlaceList(call)
    crossingEdges = ScratchList(call)
  }

  var failed: Bool { found.failed || crossingEdges.failed }
  var nodes: NodeTree { targets.tree.nodes }

  func locate(_ place: Place) -> Place { Place(x: place.x.remainder(dividingBy: 360), y: place.y) }

  mutating func run(_ point: Place, from previous: Place?) {
    self.point = point
    let largest = options.largestReach
    reach = min(largest, start)
    while true {
      found.removeAll()
      crossingEdges.truncate(0)
      let cap = GlobeCap(point, reach, targets.geodesics)
      if cap.isAll { reach = largest }
      collect(cap)
      listCrossings()
      if poll.isCancelled || failed { return }
      if reach >= largest || found.isSettled(within: reach, options) { break }
      reach = reach * 4 > 0 ? min(largest, reach * 4) : largest
    }
    if areas != nil { listAreas() }
    found.formPlaces()
    let last = min(options.wanted, found.places.count) - 1
    if last >= 0 { start = max(2 * found.places[last].best.distance, targets.spacing * 0x1p-10) }
  }

  private mutating func collect(_ cap: GlobeCap) {
    let targets = targets
    targets.search(locate(point).x, cap) { item in
      visit(item, cap)
      return !poll.tick() && !failed
    }
    solveSpots()
    solveStraightEdges()
    solveShortestEdges()
  }

  private mutating func visit(_ item: TargetItem, _ cap: GlobeCap) {
    let (source, flags) = (item.source, item.source.flags)
    func isWanted(_ kind: Int32) -> Bool { options.plan(source.layer, kind).rank >= 0 }
    func addVertex(_ place: Place, _ coordinate: Int, isEndPoint: Bool) {
      guard isWanted(MRD_SNAP_VERTEX) || (isEndPoint && isWanted(MRD_SNAP_END_POINT)) else { return }
      add(Spot(place, source, coordinate, isEndPoint ? .endPoint : .vertex))
    }
    if flags.contains(.ownsStart) {
      addVertex(item.a, source.coordinate, isEndPoint: flags.contains(.startIsEndPoint))
    }
    if flags.contains(.ownsEnd) {
      addVertex(item.b, source.coordinate &+ 1, isEndPoint: flags.contains(.endIsEndPoint))
    }
    guard flags.contains(.isEdge) else { return }
    if isWanted(MRD_SNAP_MIDPOINT) { addMidpoint(item) }
    guard isWanted(MRD_SNAP_EDGE) || isWanted(MRD_SNAP_INTERSECTION) else { return }
    if targets.hasStraightEdges { addStraight(item, cap) } else { addShortest(item) }
  }

  // MARK: - Places

  private mutating func add(_ spot: Spot) {
    spots.append(spot)
    if spots.isFull { solveSpots() }
  }

  private mutating func addMidpoint(_ item: TargetItem) {
    let middle: Place
    if targets.hasStraightEdges {
      middle = Place(x: (item.a.x + item.b.x) / 2, y: (item.a.y + item.b.y) / 2)
    } else {
      let (edge, surface) = (DirectedEdge(item), targets.surface)
      let line = surface.line(edge.a, edge.b)
      middle = surface.place(on: line, at: surface.length(line) / 2).place
    }
    // Between neighbouring doubles the middle is an end, and a vertex.
    if middle != item.a && middle != item.b { add(Spot(middle, item.source, item.source.coordinate, .midpoint)) }
  }

  private mutating func solveSpots() {
    guard spots.count > 0 else { return }
    let distances = spots.distances(from: point, targets.geodesics)
    for index in 0..<spots.count { take(spots[index], distances[index]) }
    spots.removeAll()
  }

  private mutating func take(_ spot: Spot, _ distance: Double) {
    guard distance <= reach else { return }
    let source = spot.source
    if spot.kind == .midpoint {
      let plan = options.plan(source.layer, MRD_SNAP_MIDPOINT)
      guard distance <= plan.reach, !options.exclusions.hasEdge(source.layer, source.row, source.coordinate) else {
        return
      }
      append(spot.place, distance, plan.rank, MRD_SNAP_MIDPOINT, source, spot.coordinate, z(source, 0.5))
    } else {
      guard let (rank, kind) = options.vertex(source.layer, isEndPoint: spot.kind == .endPoint, distance),
        !options.exclusions.hasVertex(source.layer, source.row, spot.coordinate)
      else { return }
      let z = hasZ ? layers[Int(source.layer)].geoms.z(spot.coordinate) : .nan
      append(spot.place, distance, rank, kind, source, spot.coordinate, z)
    }
  }

  mutating func append(
    _ place: Place, _ distance: Double, _ rank: Int32, _ kind: Int32, _ source: ItemSource, _ coordinate: Int,
    _ z: Double
  ) {
    found.candidates.append(
      Candidate(
        place: place, distance: distance, rank: rank, kind: kind, layer: source.layer, row: source.row,
        coordinate: coordinate, z: z))
  }

  func z(_ source: ItemSource, _ share: Double) -> Double {
    hasZ ? layers[Int(source.layer)].geoms.z(from: source.coordinate, share: share) : .nan
  }

  // MARK: - Crossings and areas

  private mutating func listCrossings() {
    let (point, surface) = (point, targets.surface)
    var edges = crossingEdges
    edges.sweep { first, second in
      let candidate = options.crossing(first, second, layers) { surface.distance(point, $0) }
      if let candidate, candidate.distance <= reach { found.candidates.append(candidate) }
      return !poll.tick()
    }
  }

  /// Longitudes are plain numbers to areas, so the point is looked up a turn to either side as well.
  private mutating func listAreas() {
    guard let areas else { return }
    let first = found.candidates.count
    for turn in -1...1 {
      let copy = Place(x: locate(point).x + 360 * Double(turn), y: point.y)
      areas.search(copy) { item in
        let plan = options.plan(item.layer, MRD_SNAP_AREA)
        if plan.rank >= 0, !options.exclusions.hasFeature(item.layer, item.row), !hasArea(item, from: first),
          areas.holds(copy, item, layers[Int(item.layer)].geoms, &poll)
        {
          found.candidates.append(Candidate(item, at: point, plan.rank))
        }
        return !poll.tick()
      }
    }
  }

  /// True for a polygon that holds another copy of the point.
  private func hasArea(_ item: AreaItem, from first: Int) -> Bool {
    for index in first..<found.candidates.count {
      let candidate = found.candidates[index]
      if candidate.layer == item.layer && candidate.row == item.row && candidate.coordinate == item.part { return true }
    }
    return false
  }
}
