// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

/// Positions with what they mean: those of subjects, or drawn; then those that should not snap.
struct SweepPositions {
  /// Intended places; nil for a position that should not snap.
  let intents: [Intent?]
  let positions: Places

  /// - Parameter subjects: see `ToleranceSweep.init`.
  init(
    targets: GeometrySet, subjects: GeometrySet?, _ plan: TolerancePlan, _ timekeeper: Timekeeper
  ) throws(MeridianError) {
    let sampler = IntentSampler(targets, onVertices: plan.aimsAtVertices)
    guard !sampler.isEmpty else { throw MeridianError(.argument, "the targets have no vertex or edge to snap to") }
    guard sampler.isMeasurable else {
      throw MeridianError(.argument, "the targets reach farther than numbers can tell")
    }
    var random = SeededRandom(seed: plan.seed, stream: "intents")
    var intents: [Intent] = []
    var free = Places()
    if let subjects {
      (intents, free) = try Self.sorted(subjects, sampler, plan, timekeeper)
      guard !intents.isEmpty else {
        throw MeridianError(.argument, "no subject is within the largest tolerance of a target: none means one")
      }
    } else {
      intents = (0..<plan.count).map { _ in sampler.draw(&random) }
    }
    let wanted = try plan.unwanted(beside: intents.count)
    let bounds = sampler.bounds
    while free.count < wanted {
      free.append(Place(random.uniform(bounds.xmin, bounds.xmax), random.uniform(bounds.ymin, bounds.ymax)))
    }
    var positions = Self.jittered(intents, plan)
    for number in 0..<free.count { positions.append(free[number]) }
    guard positions.count > 0 else { throw MeridianError(.argument, "there is no subject to snap") }
    self.intents = intents + [Intent?](repeating: nil, count: free.count)
    self.positions = positions
  }

  /// Subjects that mean a target within the largest tolerance, and places of those that mean none.
  private static func sorted(
    _ subjects: GeometrySet, _ sampler: IntentSampler, _ plan: TolerancePlan, _ timekeeper: Timekeeper
  ) throws(MeridianError) -> (intents: [Intent], free: Places) {
    let reach = plan.tolerances.map { $0.metres(at: plan.scale) }.max() ?? 0
    var (intents, free): ([Intent], Places) = ([], Places())
    for array in subjects.arrays {
      for row in 0..<array.count where !array.isNull(row) {
        try timekeeper.checkSweep()
        for place in array.coordinates(ofRow: row).map({ array.place($0) }) where place.x.isFinite && place.y.isFinite {
          if let intent = sampler.nearest(place.x, place.y, within: reach) {
            intents.append(intent)
          } else {
            free.append(place)
          }
        }
      }
    }
    return (intents, free)
  }

  /// Each intended place plus one error of the pointer model.
  private static func jittered(_ intents: [Intent], _ plan: TolerancePlan) -> Places {
    let (model, scale) = (plan.pointer, plan.scale)
    var random = SeededRandom(seed: plan.seed, stream: "errors")
    var places = Places()
    for intent in intents {
      let x = intent.x + model.biasX.metres(at: scale) + random.normal() * model.sigmaX.metres(at: scale)
      let y = intent.y + model.biasY.metres(at: scale) + random.normal() * model.sigmaY.metres(at: scale)
      places.append(Place(x, y))
    }
    return places
  }
}

extension Timekeeper {
  /// Sweeps throw the host's error: that the user wants to stop is one of them.
  func checkSweep() throws(MeridianError) {
    if isCancelled() { throw MeridianError(.cancelled, "interrupted") }
  }
}
