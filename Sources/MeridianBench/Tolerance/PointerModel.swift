// SPDX-License-Identifier: Apache-2.0

/// A length on the screen or on the ground.
package struct Reach: Equatable, Sendable {
  package enum Unit: Sendable { case points, metres }
  package var value: Double
  package var unit: Unit

  package init(_ value: Double, _ unit: Unit) {
    self.value = value
    self.unit = unit
  }

  package func metres(at scale: ScreenScale) -> Double {
    unit == .metres ? value : value * scale.metresPerPoint
  }

  /// What was given in points stays as it was.
  package func points(at scale: ScreenScale) -> Double {
    unit == .points ? value : value / scale.metresPerPoint
  }
}

/// How far a position is from the place that was meant: a bias and independent normal errors, east and north.
///
/// The three that are built in are stated starting points, not measurements of your users: replace them by what you
/// measure. Finger: touches land below what the eye aims at, and spread over millimetres. GPS: an open sky, a phone
/// without corrections.
package struct PointerModel: Equatable, Sendable {
  package var name: String
  package var biasX: Reach
  package var biasY: Reach
  package var sigmaX: Reach
  package var sigmaY: Reach

  package init(name: String, biasX: Reach, biasY: Reach, sigmaX: Reach, sigmaY: Reach) {
    self.name = name
    self.biasX = biasX
    self.biasY = biasY
    self.sigmaX = sigmaX
    self.sigmaY = sigmaY
  }

  package static let finger = Self(
    name: "finger", biasX: Reach(0, .points), biasY: Reach(-2, .points), sigmaX: Reach(6, .points),
    sigmaY: Reach(7, .points))
  package static let mouse = Self(
    name: "mouse", biasX: Reach(0, .points), biasY: Reach(0, .points), sigmaX: Reach(1.5, .points),
    sigmaY: Reach(1.5, .points))
  package static let gps = Self(
    name: "gps", biasX: Reach(0, .metres), biasY: Reach(0, .metres), sigmaX: Reach(3, .metres),
    sigmaY: Reach(3, .metres))
  package static let all = [finger, mouse, gps]
}
