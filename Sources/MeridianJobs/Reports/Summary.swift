// SPDX-License-Identifier: Apache-2.0

/// Totals of a job, and which kernels answered.
public struct Summary: Sendable {
  /// Totals in the order they are shown: "rows", "invalid".
  public private(set) var totals: [Field] = []
  public private(set) var answers: [Answer] = []

  /// A kernel that answered an operation, and why it was chosen.
  public struct Answer: Sendable, Equatable {
    public let operation: String
    /// "geodesic" and the like: lon/lat data are measured on the globe and in degrees, perhaps by different kernels.
    public let edges: String
    public let kernel: String
    public let reason: String
  }

  public init() {}

  public mutating func set(_ name: String, _ value: Value) {
    if let index = totals.firstIndex(where: { $0.name == name }) {
      totals[index] = Field(name, value)
    } else {
      totals.append(Field(name, value))
    }
  }

  /// Notes who answered; the same answer twice is one.
  public mutating func note(_ answer: Answer) {
    if !answers.contains(answer) { answers.append(answer) }
  }

  public var fields: [Field] {
    totals + [
      Field(
        "kernels",
        .list(
          answers.map {
            .object([
              Field("operation", .text($0.operation)), Field("edges", .text($0.edges)),
              Field("kernel", .text($0.kernel)),
              Field("reason", .text($0.reason)),
            ])
          }))
    ]
  }

  public var lines: [String] {
    totals.map { "\($0.name): \($0.value.cell)" } + kernelLines
  }

  var kernelLines: [String] {
    answers.map { "kernel: \($0.operation), \($0.edges) edges, by \($0.kernel) (\($0.reason))" }
  }
}
