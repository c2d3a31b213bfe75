// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// How a kind of candidates of one layer ranks and how far it reaches.
struct KindPlan {
  /// Place among the distinct pairs of layer priority and kind priority, 0 = first; -1 = not looked for.
  var rank: Int32 = -1
  var reach = 0.0
}

/// The options of a query, checked once a call and laid out by layer and kind.
struct QueryOptions {
  static let kinds = Int(MRD_SNAP_KINDS)

  let metric: ScreenMetric
  /// Places a point.
  let wanted: Int
  let exclusions: ExclusionList
  /// Kind k of layer l is at l x 8 + k.
  private let plans: UnsafeMutablePointer<KindPlan>
  /// For each rank how far candidates that rank before it reach.
  private let reachesBefore: UnsafeMutablePointer<Double>
  /// How far the farthest kind reaches.
  private(set) var largestReach = 0.0
  /// Some layer looks for crossings.
  private(set) var findsCrossings = false
  /// The vertices before the pointers, x and y; nil when nothing is asked of them.
  private(set) var previous: UnsafePointer<Double>?
  /// All candidates rank alike and reach equally far: the nearest one is the best.
  private(set) var isByDistance = true
  /// The best rank of crossings.
  private(set) var crossingRank: Int32 = -1

  @inline(__always)
  func plan(_ layer: Int32, _ kind: Int32) -> KindPlan { plans[Int(layer) &* QueryOptions.kinds &+ Int(kind)] }

  @inline(__always)
  func reachBefore(_ rank: Int32) -> Double { reachesBefore[Int(rank)] }

  /// What a vertex is a candidate as: the end of a line is of the kind that ranks first, and of the other one should that
  /// be out of reach. nil = it is none.
  func vertex(_ layer: Int32, isEndPoint: Bool, _ distance: Double) -> (rank: Int32, kind: Int32)? {
    let vertex = plan(layer, MRD_SNAP_VERTEX)
    let isVertex = vertex.rank >= 0 && distance <= vertex.reach
    if isEndPoint {
      let end = plan(layer, MRD_SNAP_END_POINT)
      if end.rank >= 0 && distance <= end.reach && !(isVertex && vertex.rank < end.rank) {
        return (end.rank, MRD_SNAP_END_POINT)
      }
    }
    return isVertex ? (vertex.rank, MRD_SNAP_VERTEX) : nil
  }

  /// nil, with the call's error filled, when an option is refused.
  init?(
    _ pointer: UnsafePointer<mrd_snap_query_options>?, _ layers: UnsafeBufferPointer<TargetLayer>, inMetres: Bool,
    _ call: UnsafeMutablePointer<mrd_call>
  ) {
    guard let options = knownOptions(pointer, zero: mrd_snap_query_options(), call) else { return nil }
    guard QueryOptions.hasSoundTolerance(options, inMetres: layers.isEmpty ? nil : inMetres, call),
      let metric = QueryOptions.metric(options, call),
      let plans = scratchOrFail(call, layers.count * QueryOptions.kinds, of: KindPlan.self),
      let reachesBefore = scratchOrFail(call, layers.count * QueryOptions.kinds, of: Double.self),
      let exclusions = ExclusionList(options, layers, call)
    else { return nil }
    self.metric = metric
    self.plans = plans
    self.reachesBefore = reachesBefore
    self.exclusions = exclusions
    wanted = max(1, Int(options.max_candidates))
    guard setReaches(max(options.tolerance_m, options.tolerance_coord), options.kind_factor, layers, call) else {
      return nil
    }
    setRanks(options, layers)
    guard layers.contains(where: { $0.kinds.has(MRD_SNAP_PERPENDICULAR) }) else { return }
    previous = options.previous
    // Where the foot for one point is says nothing of the next one's.
    isByDistance = false
  }

  /// The vertex before the pointer of a row; nil when there is none.
  @inline(__always)
  func previous(_ row: Int) -> Place? {
    guard let previous else { return nil }
    let place = Place(x: previous[2 &* row], y: previous[2 &* row &+ 1])
    return isInPlane(place) ? place : nil
  }

  /// `inMetres`: the metric of the targets, nil without any.
  private static func hasSoundTolerance(
    _ options: mrd_snap_query_options, inMetres: Bool?, _ call: UnsafeMutablePointer<mrd_call>
  ) -> Bool {
    let (coord, metres) = (options.tolerance_coord, options.tolerance_m)
    guard coord >= 0, metres >= 0, (coord > 0) != (metres > 0) else {
      _ = fail(call, MRD_E_ARGUMENT, "exactly one of tolerance_coord and tolerance_m must be above 0")
      return false
    }
    guard (metres > 0) == inMetres ?? (metres > 0) else {
      _ = fail(
        call, MRD_E_UNSUPPORTED,
        "tolerance_m goes with targets whose metric is in metres, tolerance_coord with those in coordinate units")
      return false
    }
    guard metres == 0 || options.screen_metric == nil else {
      _ = fail(call, MRD_E_UNSUPPORTED, "a screen metric goes with a tolerance in coordinates, not in metres")
      return false
    }
    return true
  }

  private static func metric(
    _ options: mrd_snap_query_options, _ call: UnsafeMutablePointer<mrd_call>
  ) -> ScreenMetric? {
    guard let rows = options.screen_metric else { return ScreenMetric() }
    if let metric = ScreenMetric(rows) { return metric }
    _ = fail(call, MRD_E_ARGUMENT, "screen_metric is singular or not finite")
    return nil
  }

  /// Reach and presence of each kind of each layer.
  private mutating func setReaches(
    _ tolerance: Double, _ factors: UnsafePointer<Double>?, _ layers: UnsafeBufferPointer<TargetLayer>,
    _ call: UnsafeMutablePointer<mrd_call>
  ) -> Bool {
    for kind in 0..<QueryOptions.kinds {
      let factor = factors?[kind] ?? 1
      guard factor >= 0, factor <= 1 else {
        _ = fail(call, MRD_E_ARGUMENT, "a kind_factor lies outside [0, 1]")
        return false
      }
      // An infinite tolerance times 0 would be NaN.
      let reach = factor == 0 ? 0 : factor * tolerance
      for layer in layers.indices {
        var plan = KindPlan()
        if layers[layer].kinds.has(Int32(kind)) {
          plan.rank = 0
          plan.reach = reach
          largestReach = max(largestReach, reach)
          findsCrossings = findsCrossings || Int32(kind) == MRD_SNAP_INTERSECTION
        }
        (plans + layer * QueryOptions.kinds + kind).initialize(to: plan)
      }
    }
    return true
  }

  /// A plan's rank: how many distinct pairs of priorities come before its own.
  private mutating func setRanks(_ options: mrd_snap_query_options, _ layers: UnsafeBufferPointer<TargetLayer>) {
    func priorities(_ index: Int) -> (Int32, Int32) {
      let kind = index % QueryOptions.kinds
      return (layers[index / QueryOptions.kinds].priority, options.kind_priority?[kind] ?? Int32(kind))
    }
    let count = layers.count * QueryOptions.kinds
    // Ranks are given in ascending order, each to all that have the next pair; there are few.
    var rank: Int32 = 0
    var reachBefore = 0.0
    var last: (Int32, Int32)?
    while true {
      var next: (Int32, Int32)?
      for index in 0..<count where plans[index].rank >= 0 {
        let pair = priorities(index)
        if let last, pair <= last { continue }
        if next.map({ pair < $0 }) ?? true { next = pair }
      }
      guard let pair = next else { return }
      var reach = reachBefore
      reachesBefore[Int(rank)] = reachBefore
      for index in 0..<count where plans[index].rank >= 0 && priorities(index) == pair {
        plans[index].rank = rank
        if rank > 0 || plans[index].reach != largestReach { isByDistance = false }
        if crossingRank < 0 && index % QueryOptions.kinds == Int(MRD_SNAP_INTERSECTION) { crossingRank = rank }
        reach = max(reach, plans[index].reach)
      }
      reachBefore = reach
      rank += 1
      last = pair
    }
  }
}

/// True for finite places so near that sums of products of two differences do not overflow.
@inline(__always)
private func isInPlane(_ place: Place) -> Bool { place.x.magnitude <= 0x1p500 && place.y.magnitude <= 0x1p500 }

/// Scratch memory, or nil with the call's error filled.
func scratchOrFail<Element: BitwiseCopyable>(
  _ call: UnsafeMutablePointer<mrd_call>, _ count: Int, of type: Element.Type
) -> UnsafeMutablePointer<Element>? {
  let memory = scratch(call, count, of: type)
  if memory == nil { _ = fail(call, MRD_E_MEMORY, "no memory for the query") }
  return memory
}
