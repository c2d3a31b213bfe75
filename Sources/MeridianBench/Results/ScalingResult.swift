// SPDX-License-Identifier: Apache-2.0

/// How the time of one operation grows with the size of its input.
package struct ScalingResult: Codable, Equatable, Sendable {
  /// "index.build/boxes": unique in a report.
  package var name: String
  package var operation: String
  /// What n counts, "boxes", "vertices of one ring".
  package var variable: String
  package var series: [Series] = []

  package struct Series: Codable, Equatable, Sendable {
    package var kernel: String
    package var sizes: [Int]
    /// Median nanoseconds of a run at each size.
    package var times: [Double]
    /// Slope of log time over log n by least squares over the upper half of the sizes, where constants no longer count.
    package var exponent: Double
    /// Interval of the exponent; see `PowerFit`.
    package var low: Double
    package var high: Double
  }
}

extension ScalingResult {
  /// Of a case whose size follows the scale.
  package init(of benchCase: BenchCase) {
    let head = benchCase.head
    self.init(name: head.name, operation: head.operation, variable: head.unit.plural)
  }
}
