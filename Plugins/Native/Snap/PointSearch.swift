// SPDX-License-Identifier: Apache-2.0
import KernelKit
import KernelMath
import MeridianABI

/// Finds the candidates of one query point after the other; its lists are used again, so that no point asks for memory.
///
/// Few places are wanted: the leaves of the tree are looked at in about the order of their distance, and the reach shrinks
/// to what can still rank before the last of the best places so far; then all that lies at those places is gathered. So a
/// wide tolerance costs no more than what is near. Many places: all in reach are listed and sorted, in a reach that grows.
struct PointSearch: CandidateSearch {
  let options: QueryOptions
  let layers: UnsafeBufferPointer<TargetLayer>
  let tree: TargetTree
  let hasZ: Bool
  private let areas: AreaIndex?
  private let hasAreas: Bool
  var poll: CancelPoll
  var found: PlaceList
  /// Edges whose crossings with each other are looked for.
  var crossingEdges: ScratchList<TargetItem>
  /// Too many edges are in reach to hold each against all: the tree finds those that they may cross.
  var crossesByTree = false

  /// One store of both ordinates: a vector that is loaded right after two stores would wait for all stores before them.
  private var ordinates = SIMD2<Double>()
  @inline(__always)
  var point: Place { Place(x: ordinates.x, y: ordinates.y) }
  /// The vertex before the pointer.
  private(set) var previous: Place?
  /// Everything in reach is listed.
  var isListing = false
  /// While a place is gathered: nothing else is listed.
  var wantedPlace: Place?
  private var best: BestPlaces
  private var visited: VisitedItems
  private var walk: NearWalk
  private var group: LeafGroup
  /// The point is one of a group of queries.
  private var isInGroup = false
  /// Of a leaf's items.
  private let squares: UnsafeMutablePointer<Double>
  /// For each class of items the bound of its nodes; unused where a reach is small.
  private let classBounds: UnsafeMutablePointer<Double>
  private let usesClasses: Bool
  /// The best place of the last point, which is no farther from the next one than itself; where the nearest one is wanted.
  private var lastPlace: Place?
  private let isByDistance: Bool
  /// The square of how far something may be away to matter, with room for roundings.
  private var bound = 0.0
  /// How far a disc of radius 1 of the metric reaches in coordinates.
  private let metricReach: Double
  /// The largest error of a place that was rounded, twice.
  private var rounding = 0.0

  /// nil = no memory.
  init?(
    _ targets: PreparedTargets, _ tree: TargetTree, _ options: QueryOptions, _ call: UnsafeMutablePointer<mrd_call>
  ) {
    guard
      let memory = scratch(
        call,
        LeafGroup.memory + NearWalk.memory + 8 * (TreeShape.fanout + ClassMask.count) + VisitedItems.memory
          + BestPlaces.memory, of: UInt8.self)
    else { return nil }
    var free = UnsafeMutableRawPointer(memory)
    group = LeafGroup(free)
    free += LeafGroup.memory
    layers = targets.layers
    areas = targets.areas
    hasAreas = areas != nil
    hasZ = targets.hasZ
    self.options = options
    self.tree = tree
    walk = NearWalk(tree.nodes, free)
    free += NearWalk.memory
    squares = free.bindMemory(to: Double.self, capacity: TreeShape.fanout)
    free += 8 * TreeShape.fanout
    classBounds = free.bindMemory(to: Double.self, capacity: ClassMask.count)
    free += 8 * ClassMask.count
    visited = VisitedItems(free)
    free += VisitedItems.memory
    best = BestPlaces(options.wanted, free)
    poll = CancelPoll(call)
    found = PlaceList(call)
    crossingEdges = ScratchList(call)
    let (reachX, reachY) = (options.metric.reachX, options.metric.reachY)
    metricReach = options.metric.isScreen ? (reachX * reachX + reachY * reachY).squareRoot() : 1
    isByDistance = options.isByDistance && options.wanted == 1 && targets.areas == nil
    // Where all rank alike every class matters as long as another one.
    usesClasses = !options.isByDistance && options.largestReach * metricReach > 4 * tree.spacing
  }

  /// True when memory ran out; the lists are then not complete.
  var failed: Bool { found.failed || crossingEdges.failed }

  var nodes: NodeTree { tree.nodes }

  /// Says that the next points lie in a box: what is near to all of them is then looked up once.
  mutating func begin(group box: Box) {
    let reach = bound(options.largestReach).squareRoot() * (1 + 0x1p-48)
    func slack(_ ordinate: Double) -> Double { reach + ordinate.magnitude * 0x1p-48 }
    isInGroup =
      !usesClasses
      && group.gather(
        tree.nodes,
        Box(
          xmin: box.xmin - slack(box.xmin), ymin: box.ymin - slack(box.ymin), xmax: box.xmax + slack(box.xmax),
          ymax: box.ymax + slack(box.ymax)))
  }

  /// Finds the candidates of a point: afterwards `found` has them, the best place first.
  mutating func run(_ point: Place, from previous: Place?) {
    ordinates = SIMD2(point.x, point.y)
    self.previous = previous
    rounding = (point.x.magnitude + point.y.magnitude) * 0x1p-49
    found.removeAll()
    if options.wanted <= BestPlaces.most { findFew() } else { findMany() }
  }

  // MARK: - Few places

  private mutating func findFew() {
    isListing = false
    crossesByTree = false
    if !findRanked() {
      crossesByTree = true
      _ = findRanked()
    }
    if hasAreas { offerAreas() }
    if isByDistance { lastPlace = best.count > 0 ? best[0].place : nil }
    for index in 0..<best.count {
      if poll.isCancelled { return }
      gather(best[index])
    }
  }

  /// False when there turned out to be too many edges in reach for crossings.
  private mutating func findRanked() -> Bool {
    best.removeAll()
    visited.removeAll()
    crossingEdges.truncate(0)
    setBounds()
    if let lastPlace {
      let distance = options.metric.distance(point, lastPlace)
      if distance <= options.largestReach { bound = min(bound, bound(distance)) }
    }
    if isInGroup { walk.start(Box(point, point), bound, group) } else { walk.start(Box(point, point)) }
    let (tree, bounds, usesClasses) = (tree, classBounds, usesClasses)
    while true {
      let bound = bound
      let leaf = walk.next(bound) { level, node in
        usesClasses ? PointSearch.bound(of: tree.classes(level, node), bounds) : bound
      }
      if leaf < 0 || poll.tick(TreeShape.fanout) { return true }
      look(leaf)
      if crossingEdges.count > PointSearch.mostCrossing && !crossesByTree { return false }
    }
  }

  /// The items of a leaf, the near ones first.
  @inline(__always)
  private mutating func look(_ leaf: Int) {
    var bits =
      mrdk_segments_near(tree.nodes.leaf(leaf), point.x, point.y, bound, squares) & tree.nodes.shape.present(0, leaf)
    while bits != 0 {
      var slot = bits.trailingZeroBitCount
      var rest = bits & (bits &- 1)
      while rest != 0 {
        let other = rest.trailingZeroBitCount
        if squares[other] < squares[slot] { slot = other }
        rest &= rest &- 1
      }
      if squares[slot] > bound { return }
      bits &= ~(1 << UInt32(truncatingIfNeeded: slot))
      if !usesClasses { visited.append(leaf, slot) }
      visit(tree.item(leaf, slot), squares[slot])
    }
  }

  /// How far a candidate of a plan may be away to matter; negative when it cannot.
  @inline(__always)
  func limit(_ rank: Int32, _ reach: Double) -> Double {
    if rank < 0 { return -1 }
    if isListing || rank < best.lastRank { return reach }
    return rank == best.lastRank ? min(reach, best.lastDistance) : -1
  }

  /// The square of a distance in coordinates that is no less than any that rounds to `limit` in the metric.
  @inline(__always)
  func bound(_ limit: Double) -> Double {
    if limit < 0 { return -1 }
    let reach = limit * metricReach
    let room = reach + rounding + reach * 0x1p-49
    // Below this, squares of differences are no longer told apart.
    return max(room * room * (1 + 0x1p-40), 0x1p-900)
  }

  /// Keeps a candidate in reach: in the list, or among the best places.
  @inline(__always)
  mutating func take(_ candidate: Candidate) {
    if isListing {
      if let wantedPlace, candidate.place != wantedPlace { return }
      found.candidates.append(candidate)
    } else if best.offer(candidate) {
      setBounds()
    }
  }

  private mutating func setBounds() {
    // Places that rank before the last one are no farther off than their ranks reach.
    let reach = best.isFull ? max(options.reachBefore(best.lastRank), best.lastDistance) : options.largestReach
    bound = bound(reach)
    if usesClasses { setClassBounds() }
  }

  private func setClassBounds() {
    classBounds.update(repeating: -1, count: ClassMask.count)
    for layer in layers.indices {
      func raise(_ kind: ClassMask.Class, _ candidates: Int32) {
        let plan = options.plan(Int32(truncatingIfNeeded: layer), candidates)
        // A crossing ranks by the better one of its layers.
        let rank = candidates == MRD_SNAP_INTERSECTION && plan.rank >= 0 ? options.crossingRank : plan.rank
        let bit = ClassMask.bit(kind, layer: layer)
        classBounds[bit] = max(classBounds[bit], bound(limit(rank, plan.reach)))
      }
      raise(.endPoint, MRD_SNAP_END_POINT)
      raise(.vertex, MRD_SNAP_VERTEX)
      raise(.edge, MRD_SNAP_EDGE)
      raise(.edge, MRD_SNAP_MIDPOINT)
      raise(.edge, MRD_SNAP_PERPENDICULAR)
      raise(.edge, MRD_SNAP_INTERSECTION)
      raise(.centroid, MRD_SNAP_CENTROID)
    }
  }

  @inline(__always)
  private static func bound(of classes: ClassMask, _ bounds: UnsafeMutablePointer<Double>) -> Double {
    var (bits, most) = (classes.rawValue, -1.0)
    while bits != 0 {
      most = max(most, bounds[bits.trailingZeroBitCount])
      bits &= bits &- 1
    }
    return most
  }

  // MARK: - What lies at a place

  /// Lists everything that lies at the place of a candidate. The walk came by all of it, for it was in reach all the time,
  /// unless nodes were left out by their classes.
  private mutating func gather(_ candidate: Candidate) {
    let begin = found.candidates.count
    if isAlone(candidate) {
      found.candidates.append(candidate)
    } else {
      wantedPlace = candidate.place
      isListing = true
      crossingEdges.truncate(0)
      if let visited = visited.all, !usesClasses {
        for index in 0..<visited.count { gatherFrom(Int(visited[index] >> 4), Int(visited[index] & 15)) }
      } else {
        let (tree, place) = (tree, candidate.place)
        tree.search(Box(place, place)) { leaf, hits in
          var bits = hits
          while bits != 0 {
            gatherFrom(leaf, bits.trailingZeroBitCount)
            bits &= bits &- 1
          }
          return !poll.tick(TreeShape.fanout)
        }
      }
      listCrossings()
      if candidate.place == point { listAreas() }
      wantedPlace = nil
      isListing = false
      found.candidates.sort(begin..<found.candidates.count, by: Candidate.comesBefore)
    }
    found.places.append(CandidatePlace(best: candidate, begin: begin, end: found.candidates.count))
  }

  private mutating func gatherFrom(_ leaf: Int, _ slot: Int) {
    guard let wantedPlace else { return }
    let item = tree.item(leaf, slot)
    if item.box.holds(wantedPlace) { visit(item, 0) }
  }

  /// True where it is plain that nothing else lies at a candidate's place: no other item that was visited does, and this one
  /// gives nothing else there.
  private func isAlone(_ candidate: Candidate) -> Bool {
    guard let visited = visited.all, !usesClasses, !hasAreas || candidate.place != point else { return false }
    switch candidate.kind {
    case MRD_SNAP_EDGE, MRD_SNAP_VERTEX, MRD_SNAP_END_POINT: break
    default: return false
    }
    var count = 0
    for index in 0..<visited.count {
      let item = tree.item(Int(visited[index] >> 4), Int(visited[index] & 15))
      if item.box.holds(candidate.place) {
        count &+= 1
        let layer = item.source.layer
        if count > 1 || item.a == item.b || options.plan(layer, MRD_SNAP_MIDPOINT).rank >= 0
          || (previous != nil && options.plan(layer, MRD_SNAP_PERPENDICULAR).rank >= 0)
        {
          return false
        }
      }
    }
    return count == 1
  }

  // MARK: - Many places

  private mutating func findMany() {
    isListing = true
    let largest = options.largestReach
    var reach = min(
      largest, tree.spacing / metricReach * Double(min(options.wanted, 1 << 20)).squareRoot())
    while true {
      found.removeAll()
      crossingEdges.truncate(0)
      let leaves = listAll(within: reach)
      listCrossings()
      if poll.isCancelled || failed { return }
      if reach >= largest || found.isSettled(within: reach, options) { break }
      // Once it has come to every leaf it grows to its end.
      reach = reach * 4 > 0 && leaves < tree.nodes.shape.leaves ? min(largest, reach * 4) : largest
    }
    if hasAreas { listAreas() }
    found.formPlaces()
  }

  /// How many leaves are in reach.
  private mutating func listAll(within reach: Double) -> Int {
    bound = bound(reach)
    walk.start(Box(point, point))
    var leaves = 0
    while true {
      let bound = bound
      let leaf = walk.next(bound) { _, _ in bound }
      if leaf < 0 || poll.tick(TreeShape.fanout) { return leaves }
      leaves &+= 1
      var bits =
        mrdk_segments_near(tree.nodes.leaf(leaf), point.x, point.y, bound, squares)
        & tree.nodes.shape.present(0, leaf)
      while bits != 0 {
        let slot = bits.trailingZeroBitCount
        bits &= bits &- 1
        visit(tree.item(leaf, slot), squares[slot])
      }
    }
  }

  // MARK: - Areas

  /// Areas that can still rank among the best places.
  private mutating func offerAreas() {
    forEachArea { search, candidate in
      if search.limit(candidate.rank, 0) >= 0 { search.take(candidate) }
    }
  }

  private mutating func listAreas() { forEachArea { $0.take($1) } }

  /// Calls `body` with the polygons that hold the point.
  private mutating func forEachArea(_ body: (inout PointSearch, Candidate) -> Void) {
    guard let areas else { return }
    let point = point
    areas.search(point) { item in
      let plan = options.plan(item.layer, MRD_SNAP_AREA)
      if limit(plan.rank, 0) >= 0, !options.exclusions.hasFeature(item.layer, item.row),
        areas.holds(point, item, layers[Int(item.layer)].geoms, &poll)
      {
        body(&self, Candidate(item, at: point, plan.rank))
      }
      return !poll.tick()
    }
  }
}

/// The items that the last walk came by, while they are few: numbers of leaves, and slots in the lower four bits.
struct VisitedItems {
  private static let most = 64
  static let memory = most * MemoryLayout<UInt64>.stride

  private let items: UnsafeMutablePointer<UInt64>
  private var count = 0

  /// `memory` has `VisitedItems.memory` bytes.
  init(_ memory: UnsafeMutableRawPointer) {
    items = memory.bindMemory(to: UInt64.self, capacity: VisitedItems.most)
  }

  /// nil when there were too many.
  var all: UnsafeBufferPointer<UInt64>? {
    count <= VisitedItems.most ? UnsafeBufferPointer(start: items, count: count) : nil
  }

  mutating func removeAll() { count = 0 }

  @inline(__always)
  mutating func append(_ leaf: Int, _ slot: Int) {
    if count < VisitedItems.most { items[count] = UInt64(leaf) << 4 | UInt64(slot) }
    count &+= 1
  }
}
