// SPDX-License-Identifier: Apache-2.0

/// How the time of one operation grows with the size of its input.
public struct ScalingResult: Codable, Equatable, Sendable {
  /// "index.build/boxes": unique in a report.
  public var name: String
  public var operation: String
  /// What n counts, "boxes", "vertices of one ring".
  public var variable: String
  public var series: [Series] = []

  public struct Series: Codable, Equatable, Sendable {
    public var kernel: String
    public var sizes: [Int]
    /// Median nanoseconds of a run at each size.
    public var times: [Double]
    /// Slope of log time over log n by least squares over the upper half of the sizes, where constants no longer count.
    public var exponent: Double
    /// Interval of the exponent; see `PowerFit`.
    public var low: Double
    public var high: Double

    public init(kernel: String, sizes: [Int], times: [Double], exponent: Double, low: Double, high: Double) {
      self.kernel = kernel
      self.sizes = sizes
      self.times = times
      self.exponent = exponent
      self.low = low
      self.high = high
    }
  }

  /// Of a case whose size follows the scale.
  public init(of benchCase: BenchCase) {
    let head = benchCase.head
    self.init(name: head.name, operation: head.operation, variable: head.unit.plural)
  }

  public init(name: String, operation: String, variable: String) {
    self.name = name
    self.operation = operation
    self.variable = variable
  }
}
