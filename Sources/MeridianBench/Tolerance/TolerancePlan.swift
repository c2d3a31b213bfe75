// SPDX-License-Identifier: Apache-2.0
import Meridian

/// What a sweep over snapping tolerances is asked.
package struct TolerancePlan: Sendable {
  package var kernel: String
  package var pointer: PointerModel = .finger
  /// Screen points or metres; each is tried once, in ascending order.
  package var tolerances: [Reach] = stride(from: 2.0, through: 40, by: 2).map { Reach($0, .points) }
  package var scale: ScreenScale
  package var kinds: [SnapKind] = [.endPoint, .vertex, .edge]
  /// nil = features where edges are targets, else places.
  package var identity: TargetIdentity?
  /// p0: share of all positions that should not snap, in [0, 1).
  package var falseShare = 0.1
  /// Cost of a snap to a wrong target, or of one that was not wanted, over that of a missed one.
  package var costRatio = 3.0
  /// Positions that are drawn when no subjects are given.
  package var count = 5000
  package var seed: UInt64 = 20_261_130

  /// Positions that a sweep takes at most, those that should not snap among them.
  package static let mostPositions = 10_000_000

  package init(kernel: String, scale: ScreenScale) {
    self.kernel = kernel
    self.scale = scale
  }

  var aimsAtVertices: Bool { !kinds.contains(.edge) }
  var targetIdentity: TargetIdentity { identity ?? (aimsAtVertices ? .place : .feature) }

  /// - Throws: `argument` with what cannot be.
  func check() throws(MeridianError) {
    guard falseShare >= 0, falseShare < 1 else {
      throw MeridianError(.argument, "the share of positions that should not snap must be in [0, 1)")
    }
    guard costRatio > 0, costRatio.isFinite else {
      throw MeridianError(.argument, "the cost ratio must be a number above 0")
    }
    guard scale.metresPerPoint > 0, scale.metresPerPoint.isFinite else {
      throw MeridianError(.argument, "the metres per point must be a number above 0")
    }
    guard (1...Self.mostPositions).contains(count) else {
      throw MeridianError(.argument, "the number of positions must be from 1 to \(Self.mostPositions)")
    }
    // In metres, too: a scale may leave nothing of a tolerance, or too much.
    let metres = tolerances.map { $0.metres(at: scale) }
    guard !metres.isEmpty, metres.allSatisfy({ $0 > 0 && $0.isFinite }) else {
      throw MeridianError(.argument, "tolerances must be numbers above 0, in metres as well")
    }
    guard targetIdentity == .feature || aimsAtVertices else {
      throw MeridianError(.argument, "places tell targets apart where vertices alone attract")
    }
  }

  /// The same with each tolerance once, in ascending order.
  var ascending: TolerancePlan {
    var plan = self
    plan.tolerances = []
    for reach in tolerances.sorted(by: { $0.metres(at: scale) < $1.metres(at: scale) })
    where plan.tolerances.last?.metres(at: scale) != reach.metres(at: scale) {
      plan.tolerances.append(reach)
    }
    return plan
  }

  /// How many positions that should not snap go with `intended` ones.
  func unwanted(beside intended: Int) throws(MeridianError) -> Int {
    let all = Double(intended) / (1 - falseShare)
    guard all <= Double(Self.mostPositions) else {
      throw MeridianError(
        .argument,
        "\(intended) positions, and those that should not snap beside them, are more than \(Self.mostPositions)")
    }
    return Int((all * falseShare).rounded())
  }
}
