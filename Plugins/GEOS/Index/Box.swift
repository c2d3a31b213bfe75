// SPDX-License-Identifier: Apache-2.0
import KernelKit

extension Box {
  /// The box grown by `reach`, rounded outward: what lies outside of it is farther than `reach` in x or in y.
  func grown(by reach: Double) -> Box {
    Box(
      xmin: (xmin - reach).nextDown, ymin: (ymin - reach).nextDown, xmax: (xmax + reach).nextUp,
      ymax: (ymax + reach).nextUp)
  }

  /// The box as the tree keeps it. GEOS sorts by centres, and the centre of an infinite box is no number; clamping is
  /// monotone, so boxes that meet still meet, and the exact test with the true boxes follows.
  var clamped: Box {
    func clamp(_ value: Double) -> Double { max(-1e300, min(1e300, value)) }
    return Box(xmin: clamp(xmin), ymin: clamp(ymin), xmax: clamp(xmax), ymax: clamp(ymax))
  }
}
