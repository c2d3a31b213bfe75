// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Counts what became of the positions at one tolerance.
struct SnapTally {
  /// Two targets whose distances differ by less cannot be told apart.
  let sigma: Double
  let identity: TargetIdentity
  private var intended = 0
  private var free = 0
  private var snapped = 0
  private var right = 0
  private var falseSnaps = 0
  private var ambiguous = 0
  private var displacements: [Double] = []

  init(sigma: Double, identity: TargetIdentity) {
    self.sigma = sigma
    self.identity = identity
  }

  /// - Parameter hits: best first.
  mutating func add(_ intent: Intent?, _ position: Place, _ hits: ArraySlice<SnapHit>) {
    if intent == nil { free += 1 } else { intended += 1 }
    guard let best = hits.first else { return }
    displacements.append(position.distance(to: Place(best.x, best.y)))
    if let intent {
      snapped += 1
      if isRight(intent, hits) { right += 1 }
    } else {
      falseSnaps += 1
    }
    let isOther = { (hit: SnapHit) in !isSame(hit, best, hits) && abs(hit.distance - best.distance) < sigma }
    if hits.contains(where: isOther) { ambiguous += 1 }
  }

  /// The place of the best hit may belong to several features: each is hit.
  private func isRight(_ intent: Intent, _ hits: ArraySlice<SnapHit>) -> Bool {
    guard let best = hits.first else { return false }
    if identity == .place { return best.x == intent.x && best.y == intent.y }
    return hits.contains { $0.group == best.group && $0.feature == intent.feature }
  }

  private func isSame(_ hit: SnapHit, _ best: SnapHit, _ hits: ArraySlice<SnapHit>) -> Bool {
    if hit.group == best.group { return true }
    if identity == .place { return hit.x == best.x && hit.y == best.y }
    return hits.contains { $0.group == best.group && $0.feature == hit.feature }
  }

  func step(points: Double, metres: Double, costRatio: Double) -> ToleranceResult.Step {
    func share(_ part: Int, _ whole: Int) -> Double { whole == 0 ? 0 : Double(part) / Double(whole) }
    let sample = Sample(displacements)
    func displacement(_ share: Double) -> Double { sample.count == 0 ? 0 : sample.percentile(share) }
    let wrong = snapped - right
    let missed = intended - snapped
    let all = intended + free
    return ToleranceResult.Step(
      points: points, metres: metres, snapped: share(snapped, intended), right: share(right, intended),
      missed: share(missed, intended), falseSnaps: share(falseSnaps, free), ambiguous: share(ambiguous, all),
      displacementP50: displacement(0.5), displacementP95: displacement(0.95),
      displacementLargest: sample.sorted.last ?? 0,
      cost: (Double(missed) + costRatio * Double(wrong + falseSnaps)) / Double(max(1, all)))
  }
}
