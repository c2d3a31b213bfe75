// SPDX-License-Identifier: Apache-2.0

/// How one kernel did.
public struct KernelResult: Codable, Equatable, Sendable {
  /// The short id, "native".
  public var kernel: String
  /// Why it did not answer; all that follows is empty then.
  public var refusal: String?
  /// Of a kernel that did not answer; nil in reports of 0.1.
  public var refusalKind: RefusalKind?
  /// Nanoseconds of every round in the order of the rounds, outliers included.
  public var times: [Double] = []
  public var time: Spread?
  /// Rounds whose time is beyond 3 interquartile ranges of the quartiles. They are kept in all figures.
  public var outliers: [Int] = []
  public var cyclesPerUnit: Double?
  public var instructionsPerUnit: Double?
  public var memory: MemoryUse?
  public var latency: Latency?
  public var accuracy: Accuracy?

  public init(kernel: String, refusal: String? = nil, refusalKind: RefusalKind? = nil) {
    self.kernel = kernel
    self.refusal = refusal
    self.refusalKind = refusalKind
  }
}
