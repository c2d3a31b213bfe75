// SPDX-License-Identifier: Apache-2.0
import Meridian

/// What snapping a whole layer onto the targets does to its features.
struct LayerDamage {
  /// Features of which nothing of their dimension is left.
  let collapsed: Int
  /// Features that were valid and no longer are.
  let invalid: Int

  /// - Parameter kernel: snaps; the host chooses who judges validity.
  init(
    host: Host, kernel: String, layer: GeometrySet, targets: GeometrySet, metres: Double
  ) throws(MeridianError) {
    var options = SnapOptions()
    options.toleranceCoord = metres
    let snapped = try host.snap(
      .layer, layer, targets: targets, options: options, run: Run(rules: "snap.layer=\(kernel)"))
    let before = try host.validate(.valid, layer).verdicts
    let after = try host.validate(.valid, snapped.set).verdicts
    collapsed = snapped.outcomes.count { $0 == .collapsed }
    invalid = zip(before, after).count { $0 == .valid && $1 == .invalid }
  }
}
