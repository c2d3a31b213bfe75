// SPDX-License-Identifier: Apache-2.0
import Meridian

/// What a sweep over snapping tolerances is asked.
public struct TolerancePlan: Sendable {
  public var kernel: String
  public var pointer: PointerModel = .finger
  /// Screen points or metres, ascending.
  public var tolerances: [Reach] = stride(from: 2.0, through: 40, by: 2).map { Reach($0, .points) }
  public var scale: ScreenScale
  public var kinds: [SnapKind] = [.endPoint, .vertex, .edge]
  /// nil = features where edges are targets, else places.
  public var identity: TargetIdentity?
  /// p0: share of all positions that should not snap, in [0, 1).
  public var falseShare = 0.1
  /// Cost of a snap to a wrong target, or of one that was not wanted, over that of a missed one.
  public var costRatio = 3.0
  /// Positions that are drawn when no subjects are given.
  public var count = 5000
  public var seed: UInt64 = 20_261_130

  public init(kernel: String, scale: ScreenScale) {
    self.kernel = kernel
    self.scale = scale
  }

  var aimsAtVertices: Bool { !kinds.contains(.edge) }
  var targetIdentity: TargetIdentity { identity ?? (aimsAtVertices ? .place : .feature) }
}

/// Snaps positions with known intents at each tolerance, and counts what became of them.
///
/// Each position is its intended place plus one error of the pointer model; the same errors are used at all tolerances,
/// so that steps differ by the tolerance alone. Positions that should not snap lie anywhere in the targets' bounds.
public struct ToleranceSweep {
  private let host: Host
  private let plan: TolerancePlan
  private let targets: SnapTargets
  private let targetSet: GeometrySet
  /// Lines or polygons that are snapped as a layer; nil = the subjects are points.
  private let layer: GeometrySet?
  /// Intended places; nil for a position that should not snap.
  private let intents: [Intent?]
  private let positions: [(x: Double, y: Double)]
  private let points: GeometrySet

  /// - Parameters:
  ///   - targets: planar, in metres.
  ///   - subjects: planar, in metres: each point means the nearest place on a target; one that is farther from all of
  ///     them than the largest tolerance should not snap. nil = places drawn on the targets.
  ///   - layer: planar, in metres: lines or polygons that are snapped as a whole at each tolerance; nil = none.
  public init(
    host: Host, targets: GeometrySet, subjects: GeometrySet? = nil, layer: GeometrySet? = nil, plan: TolerancePlan
  ) throws(MeridianError) {
    self.host = host
    self.plan = plan
    self.layer = layer
    targetSet = targets
    try Self.check(plan)
    let sampler = IntentSampler(targets, onVertices: plan.aimsAtVertices)
    guard !sampler.isEmpty else { throw MeridianError(.argument, "the targets have no vertex or edge to snap to") }
    var random = SeededRandom(seed: plan.seed, stream: "intents")
    var intents: [Intent?] = []
    var free: [(x: Double, y: Double)] = []
    if let subjects {
      let reach = plan.tolerances.map { $0.metres(at: plan.scale) }.max() ?? 0
      for place in Self.places(subjects) {
        if let intent = sampler.nearest(place.x, place.y, within: reach) {
          intents.append(intent)
        } else {
          free.append(place)
        }
      }
    } else {
      intents = (0..<plan.count).map { _ in sampler.draw(&random) }
    }
    let wanted = Int((Double(intents.count) * plan.falseShare / (1 - plan.falseShare)).rounded())
    let bounds = sampler.bounds
    while free.count < wanted {
      free.append((random.uniform(bounds.xmin, bounds.xmax), random.uniform(bounds.ymin, bounds.ymax)))
    }
    self.intents = intents + free.map { _ in nil }
    positions = Self.jittered(intents.compactMap { $0 }, plan) + free
    guard !positions.isEmpty else { throw MeridianError(.argument, "there is no subject to snap") }
    var builder = GeometryBuilder()
    for position in positions {
      try builder.begin(.point, .xy)
      builder.add(position.x, position.y)
      try builder.end()
    }
    points = try builder.finish()
    self.targets = try SnapTargets(
      host: host, layers: [TargetLayer(targets, kinds: plan.kinds)],
      run: Run(threads: 1, rules: "snap.query=\(plan.kernel)"))
    try checkAnswer()
  }

  private static func check(_ plan: TolerancePlan) throws(MeridianError) {
    guard plan.falseShare >= 0, plan.falseShare < 1 else {
      throw MeridianError(.argument, "the share of positions that should not snap must be in [0, 1)")
    }
    guard plan.costRatio > 0, plan.costRatio.isFinite else {
      throw MeridianError(.argument, "the cost ratio must be a number above 0")
    }
    guard plan.scale.metresPerPoint > 0, plan.scale.metresPerPoint.isFinite else {
      throw MeridianError(.argument, "the metres per point must be a number above 0")
    }
    guard !plan.tolerances.isEmpty, plan.tolerances.allSatisfy({ $0.value > 0 && $0.value.isFinite }) else {
      throw MeridianError(.argument, "tolerances must be numbers above 0")
    }
  }

  /// The host falls back where a kernel does not offer an operation; a benchmark of one kernel must not.
  private func checkAnswer() throws(MeridianError) {
    let known = try host.kernel(named: plan.kernel)
    guard let answered = targets.answers.list.first, answered.kernel == known.id else {
      let why = targets.answers.list.first?.reason ?? "nothing answered"
      throw MeridianError(.unsupported, "\(plan.kernel) does not answer snap.query: \(why)")
    }
  }

  private static func places(_ set: GeometrySet) -> [(x: Double, y: Double)] {
    set.arrays.flatMap { array in
      (0..<array.count).filter { !array.isNull($0) }.flatMap { row in
        array.coordinates(ofRow: row).map { (array.x($0), array.y($0)) }
      }
    }.filter { $0.0.isFinite && $0.1.isFinite }
  }

  private static func jittered(_ intents: [Intent], _ plan: TolerancePlan) -> [(x: Double, y: Double)] {
    let (model, scale) = (plan.pointer, plan.scale)
    var random = SeededRandom(seed: plan.seed, stream: "errors")
    return intents.map { intent in
      (
        intent.x + model.biasX.metres(at: scale) + random.normal() * model.sigmaX.metres(at: scale),
        intent.y + model.biasY.metres(at: scale) + random.normal() * model.sigmaY.metres(at: scale)
      )
    }
  }

  // MARK: - Running

  /// All tolerances.
  /// - Parameter measuresLatency: times single calls at each of them, see `LatencyMeter`.
  public func run(measuresLatency: Bool = true) throws(MeridianError) -> ToleranceResult {
    let (model, scale) = (plan.pointer, plan.scale)
    let free = intents.count { $0 == nil }
    var result = ToleranceResult(
      kernel: plan.kernel, pointer: model.name, biasX: model.biasX.metres(at: scale),
      biasY: model.biasY.metres(at: scale), sigmaX: model.sigmaX.metres(at: scale),
      sigmaY: model.sigmaY.metres(at: scale), metresPerPoint: scale.metresPerPoint,
      falseShare: Double(free) / Double(intents.count), costRatio: plan.costRatio)
    result.zoom = scale.zoom
    result.latitude = scale.latitude
    for reach in plan.tolerances {
      var step = try measured(reach)
      if let layer {
        let damage = try LayerDamage(
          host: host, kernel: plan.kernel, layer: layer, targets: targetSet, metres: step.metres)
        (step.collapsed, step.invalid) = (damage.collapsed, damage.invalid)
      }
      if measuresLatency { step.latency = try latency(step.metres) }
      result.steps.append(step)
    }
    result.recommendation = Recommendation(for: result, subjects: intents.count).result
    return result
  }

  private func options(_ metres: Double, candidates: Int) -> SnapQueryOptions {
    var options = SnapQueryOptions()
    options.toleranceCoord = metres
    options.maxCandidates = candidates
    return options
  }

  private func measured(_ reach: Reach) throws(MeridianError) -> ToleranceResult.Step {
    let metres = reach.metres(at: plan.scale)
    let hits = try targets.query(points, options: options(metres, candidates: 8), run: Run(threads: 1))
    let sigma = ambiguityDistance
    var tally = SnapTally()
    for row in 0..<intents.count {
      tally.add(intents[row], positions[row], hits.hits(ofPoint: row), sigma: sigma, identity: plan.targetIdentity)
    }
    return tally.step(
      points: reach.points(at: plan.scale), metres: metres, costRatio: plan.costRatio)
  }

  /// Two targets whose distances differ by less than one standard deviation cannot be told apart by pointing.
  private var ambiguityDistance: Double {
    let (x, y) = (plan.pointer.sigmaX.metres(at: plan.scale), plan.pointer.sigmaY.metres(at: plan.scale))
    return ((x * x + y * y) / 2).squareRoot()
  }

  /// Single calls through the host, as a dragging finger makes them; nil when they are too slow for enough of them.
  private func latency(_ metres: Double) throws(MeridianError) -> Latency? {
    let options = options(metres, candidates: 1)
    let run = Run(threads: 1)
    let rows = RowSample.spread(positions.count, limit: BenchCase.singleCalls)
    let singles = try rows.map { (row) throws(MeridianError) in try points.subset([row]) }
    var prepared = PreparedRun { () throws(MeridianError) in Outcome() }
    prepared.singles = singles.count
    prepared.single = { (number) throws(MeridianError) in
      _ = try targets.query(singles[number], options: options, run: run)
    }
    do {
      return try LatencyMeter().measure([prepared])[0]
    } catch {
      throw MeridianError(.cancelled, "interrupted")
    }
  }
}
