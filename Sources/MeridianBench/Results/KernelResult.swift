// SPDX-License-Identifier: Apache-2.0

/// How one kernel did.
package struct KernelResult: Codable, Equatable, Sendable {
  /// The short id, "native".
  package var kernel: String
  /// Why it did not answer; all that follows is empty then.
  package var refusal: String?
  /// Of a kernel that did not answer; nil in reports of 0.1.
  package var refusalKind: RefusalKind?
  /// Nanoseconds of every round in the order of the rounds, outliers included.
  package var times: [Double] = []
  package var time: Spread?
  /// Rounds whose time is beyond 3 interquartile ranges of the quartiles. They are kept in all figures.
  package var outliers: [Int] = []
  package var cyclesPerUnit: Double?
  package var instructionsPerUnit: Double?
  package var memory: MemoryUse?
  package var latency: Latency?
  package var accuracy: Accuracy?
}
