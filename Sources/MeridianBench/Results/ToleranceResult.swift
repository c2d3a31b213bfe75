// SPDX-License-Identifier: Apache-2.0

/// One sweep over snapping tolerances, by one kernel, for one model of the pointing error and one scale.
package struct ToleranceResult: Codable, Equatable, Sendable {
  package var kernel: String
  /// "finger", "gps", "mouse", "custom".
  package var pointer: String
  /// Metres, easting and northing: bias and standard deviation of the pointing error.
  package var biasX: Double
  package var biasY: Double
  package var sigmaX: Double
  package var sigmaY: Double
  package var metresPerPoint: Double
  /// Where the scale comes from a zoom level: the level and the latitude.
  package var zoom: Double?
  package var latitude: Double?
  /// Share of the points that should not snap at all.
  package var falseShare: Double
  /// Cost of a false snap over that of a missed one.
  package var costRatio: Double
  package var steps: [Step] = []
  package var recommendation: Recommendation?

  /// One tolerance.
  package struct Step: Codable, Equatable, Sendable {
    package var points: Double
    package var metres: Double
    /// Shares of the subjects that have a target.
    package var snapped: Double
    package var right: Double
    package var missed: Double
    /// Share of the subjects that should not snap which did.
    package var falseSnaps: Double
    /// Share of all subjects with two targets in reach whose distances differ by less than sigma.
    package var ambiguous: Double
    /// Metres that a snapped subject moved.
    package var displacementP50: Double
    package var displacementP95: Double
    package var displacementLargest: Double
    /// Layer snapping: features that collapsed, and that became invalid. nil = not a layer.
    package var collapsed: Int?
    package var invalid: Int?
    package var latency: Latency?
    /// Expected cost of one subject, in costs of a missed snap.
    package var cost: Double
  }

  /// The tolerance of the least expected cost.
  package struct Recommendation: Codable, Equatable, Sendable {
    package var points: Double
    package var metres: Double
    /// Sentences with the figures that decided.
    package var reasons: [String]
  }
}
