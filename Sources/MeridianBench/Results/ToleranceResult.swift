// SPDX-License-Identifier: Apache-2.0

/// One sweep over snapping tolerances, by one kernel, for one model of the pointing error and one scale.
public struct ToleranceResult: Codable, Equatable, Sendable {
  public var kernel: String
  /// "finger", "gps", "mouse", "custom".
  public var pointer: String
  /// Metres, easting and northing: bias and standard deviation of the pointing error.
  public var biasX: Double
  public var biasY: Double
  public var sigmaX: Double
  public var sigmaY: Double
  public var metresPerPoint: Double
  /// Where the scale comes from a zoom level: the level and the latitude.
  public var zoom: Double?
  public var latitude: Double?
  /// Share of the points that should not snap at all.
  public var falseShare: Double
  /// Cost of a false snap over that of a missed one.
  public var costRatio: Double
  public var steps: [Step] = []
  public var recommendation: Recommendation?

  /// One tolerance.
  public struct Step: Codable, Equatable, Sendable {
    public var points: Double
    public var metres: Double
    /// Shares of the subjects that have a target.
    public var snapped: Double
    public var right: Double
    public var missed: Double
    /// Share of the subjects that should not snap which did.
    public var falseSnaps: Double
    /// Share of all subjects with two targets in reach whose distances differ by less than sigma.
    public var ambiguous: Double
    /// Metres that a snapped subject moved.
    public var displacementP50: Double
    public var displacementP95: Double
    public var displacementLargest: Double
    /// Layer snapping: features that collapsed, and that became invalid. nil = not a layer.
    public var collapsed: Int?
    public var invalid: Int?
    public var latency: Latency?
    /// Expected cost of one subject, in costs of a missed snap.
    public var cost: Double

    public init(
      points: Double, metres: Double, snapped: Double, right: Double, missed: Double, falseSnaps: Double,
      ambiguous: Double, displacementP50: Double, displacementP95: Double, displacementLargest: Double, cost: Double
    ) {
      self.points = points
      self.metres = metres
      self.snapped = snapped
      self.right = right
      self.missed = missed
      self.falseSnaps = falseSnaps
      self.ambiguous = ambiguous
      self.displacementP50 = displacementP50
      self.displacementP95 = displacementP95
      self.displacementLargest = displacementLargest
      self.cost = cost
    }
  }

  /// The tolerance of the least expected cost.
  public struct Recommendation: Codable, Equatable, Sendable {
    public var points: Double
    public var metres: Double
    /// Sentences with the figures that decided.
    public var reasons: [String]

    public init(points: Double, metres: Double, reasons: [String]) {
      self.points = points
      self.metres = metres
      self.reasons = reasons
    }
  }

  public init(
    kernel: String, pointer: String, biasX: Double, biasY: Double, sigmaX: Double, sigmaY: Double,
    metresPerPoint: Double, falseShare: Double, costRatio: Double
  ) {
    self.kernel = kernel
    self.pointer = pointer
    self.biasX = biasX
    self.biasY = biasY
    self.sigmaX = sigmaX
    self.sigmaY = sigmaY
    self.metresPerPoint = metresPerPoint
    self.falseShare = falseShare
    self.costRatio = costRatio
  }
}
