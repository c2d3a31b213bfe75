// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

/// Snaps positions with known intents at each tolerance, and counts what became of them.
///
/// Each position is its intended place plus one error of the pointer model; the same errors are used at all tolerances,
/// so that steps differ by the tolerance alone. Positions that should not snap lie anywhere in the targets' bounds.
package struct ToleranceSweep {
  private let host: Host
  private let plan: TolerancePlan
  private let targets: SnapTargets
  private let targetSet: GeometrySet
  /// Lines or polygons that are snapped as a layer; nil = the subjects are points.
  private let layer: GeometrySet?
  /// Intended places; nil for a position that should not snap.
  private let intents: [Intent?]
  private let positions: Places
  private let points: GeometrySet
  private let timekeeper: Timekeeper

  /// - Parameters:
  ///   - targets: planar, in metres.
  ///   - subjects: planar, in metres: each point means the nearest place on a target; one that is farther from all of
  ///     them than the largest tolerance should not snap. nil = places drawn on the targets.
  ///   - layer: planar, in metres: lines or polygons that are snapped as a whole at each tolerance; nil = none.
  /// - Throws: `argument` for plans and targets that give nothing to count; `cancelled` when the user stops it.
  package init(
    host: Host, targets: GeometrySet, subjects: GeometrySet? = nil, layer: GeometrySet? = nil, plan: TolerancePlan,
    timekeeper: Timekeeper = .system
  ) throws(MeridianError) {
    try plan.check()
    let plan = plan.ascending
    self.host = host
    self.plan = plan
    self.layer = layer
    self.timekeeper = timekeeper
    targetSet = targets
    let drawn = try SweepPositions(targets: targets, subjects: subjects, plan, timekeeper)
    (intents, positions) = (drawn.intents, drawn.positions)
    points = try positions.set()
    self.targets = try SnapTargets(
      host: host, layers: [TargetLayer(targets, kinds: plan.kinds)],
      run: Run(threads: 1, rules: "snap.query=\(plan.kernel)"))
    try checkAnswer()
  }

  /// The host falls back where a kernel does not offer an operation; a benchmark of one kernel must not.
  private func checkAnswer() throws(MeridianError) {
    let known = try host.kernel(named: plan.kernel)
    guard let answered = targets.answers.list.first, answered.kernel == known.id else {
      let why = targets.answers.list.first?.reason ?? "nothing answered"
      throw MeridianError(.unsupported, "\(plan.kernel) does not answer snap.query: \(why)")
    }
  }

  // MARK: - Running

  /// All tolerances.
  /// - Parameter measuresLatency: times single calls at each of them, see `LatencyMeter`.
  package func run(measuresLatency: Bool = true) throws(MeridianError) -> ToleranceResult {
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
      try timekeeper.checkSweep()
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
    var tally = SnapTally(sigma: ambiguityDistance, identity: plan.targetIdentity)
    for row in 0..<intents.count {
      tally.add(intents[row], positions[row], hits.hits(ofPoint: row))
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
      return try LatencyMeter(timekeeper: timekeeper).measure([prepared])[0]
    } catch {
      throw MeridianError(.cancelled, "interrupted")
    }
  }
}
