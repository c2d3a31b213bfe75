// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// One call's surroundings. The defaults are: the host's threads, no cancelling, the host's rules, each set's own model.
public struct Run: @unchecked Sendable {
  /// At most this many threads, the calling one included; 0 = the host's number. Results do not depend on it.
  public var threads: Int
  /// Non-zero stops the call soon with `Status.cancelled`; nil = it cannot be cancelled. The word must outlive the call
  /// and may be written by any thread.
  public var cancel: UnsafePointer<UInt32>?
  /// Rules for this call only, in the syntax of `Host.use`; they win over the host's. nil = none.
  public var rules: String?
  /// Edge model and metric for this call; nil = the set's own.
  public var model: GeometryModel?
  /// How far the call is, 0 to 1, never going backward. Runs on any thread, one call at a time, and must not call back
  /// into the host.
  public var progress: (@Sendable (Double) -> Void)?
  /// The n-th request for memory of each kernel call and all later ones fail; nil = none does. For conformance tests of
  /// kernels.
  public var failingAllocation: Int?
  /// True: no rule of any source chooses; the first kernel that serves the call answers. For results that stand beside
  /// those that the rules are about.
  package var ignoresRules = false

  public init(
    threads: Int = 0, cancel: UnsafePointer<UInt32>? = nil, rules: String? = nil, model: GeometryModel? = nil,
    progress: (@Sendable (Double) -> Void)? = nil
  ) {
    self.threads = threads
    self.cancel = cancel
    self.rules = rules
    self.model = model
    self.progress = progress
  }
}

/// A rule that asks for a kernel which does not serve the call, so that another one answered.
public struct UnmetRule: Equatable, Sendable {
  /// "measure=proj", "prefer proj in MERIDIAN_KERNEL".
  public let rule: String
  /// "proj does not offer measure.bounds".
  public let why: String

  package init(rule: String, why: String) { (self.rule, self.why) = (rule, why) }
}

/// Which kernel answered for the geometries of one type, and why it was chosen.
public struct Answer: Equatable, Sendable {
  /// "measure.area".
  public let operation: String
  /// nil where the operation does not take geometries of one type.
  public let type: GeometryType?
  /// "meridian.geos".
  public let kernel: String
  /// "named by measure.area=proj", "by default", "fallback: proj does not offer measure.bounds".
  public let reason: String
  /// Set when the kernel is not one that a rule names for the operation. A requirement is never unmet: without a kernel
  /// that meets it the call fails.
  public let unmet: UnmetRule?

  package init(operation: String, type: GeometryType?, kernel: String, reason: String, unmet: UnmetRule?) {
    (self.operation, self.type, self.kernel) = (operation, type, kernel)
    (self.reason, self.unmet) = (reason, unmet)
  }
}

/// The answers of a call, one for each combination of operation, type and dimension that was asked for; none for a set
/// without geometries.
public struct Answers: Sendable {
  public internal(set) var list: [Answer] = []

  package init() {}

  /// The kernels that answered, each once, in order: "meridian.proj, meridian.native".
  public var kernels: String { Self.joined(list.map { $0.kernel }) }
  /// Their reasons, each once, in order.
  public var reasons: String { Self.joined(list.map { $0.reason }) }

  private static func joined(_ texts: [String]) -> String {
    var seen: [String] = []
    for text in texts where !seen.contains(text) { seen.append(text) }
    return seen.joined(separator: ", ")
  }

  mutating func add(_ operation: Operation, _ choice: Choice, type: GeometryType?) {
    add(
      Answer(
        operation: operation.fullName, type: type, kernel: choice.plugin.id, reason: choice.reason, unmet: choice.unmet)
    )
  }

  /// An answer that is there already is one with it.
  package mutating func add(_ answer: Answer) { if !list.contains(answer) { list.append(answer) } }
}
