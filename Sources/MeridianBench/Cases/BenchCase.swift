// SPDX-License-Identifier: Apache-2.0
import Meridian

/// One operation over one workload: the question that every contestant is asked.
package struct BenchCase: Sendable {
  /// The result's head: name, operation, workload, unit and counts.
  package let head: CaseResult
  /// Judges the answers of a kernel; nil = there is no oracle, or it depends on the kernel that is judged: see `judge`.
  package let oracle: (any Oracle)?
  /// What the bound that a kernel declares is looked up by; nil = the operation declares none.
  package let subject: Subject?
  private let source: (any OracleSource)?
  private let prepareRun: @Sendable (Host, _ kernel: String) throws(MeridianError) -> PreparedRun

  package init(
    _ head: CaseResult, oracle: (any Oracle)? = nil, subject: Subject? = nil,
    prepare: @escaping @Sendable (Host, _ kernel: String) throws(MeridianError) -> PreparedRun
  ) {
    self.head = head
    self.oracle = oracle
    self.subject = subject
    source = nil
    prepareRun = prepare
  }

  /// With right answers that come from one of the host's kernels.
  package init(
    _ head: CaseResult, oracleFrom source: any OracleSource, subject: Subject? = nil,
    prepare: @escaping @Sendable (Host, _ kernel: String) throws(MeridianError) -> PreparedRun
  ) {
    self.head = head
    oracle = nil
    self.subject = subject
    self.source = source
    prepareRun = prepare
  }

  /// Another setting of a case, with its right answers.
  init(
    _ head: CaseResult, judgedAs other: BenchCase,
    prepare: @escaping @Sendable (Host, _ kernel: String) throws(MeridianError) -> PreparedRun
  ) {
    self.head = head
    (oracle, subject, source) = (other.oracle, other.subject, other.source)
    prepareRun = prepare
  }

  /// The case for one kernel, ready to be timed; whatever kernels share, or do once, is done.
  /// - Parameter kernel: id or short id.
  /// - Throws: when the kernel does not answer this case.
  package func prepare(_ host: Host, kernel: String) throws(MeridianError) -> PreparedRun {
    try prepareRun(host, kernel)
  }

  /// Holds what a kernel answered against the right answers and the bound that it declares. The right answers are
  /// computed when they are asked for first: never inside a measurement.
  /// - Returns: nil when there is no oracle, or the kernel is the reference itself, or no kernel at all.
  package func judge(_ outcome: Outcome, of kernel: String, on host: Host) throws(MeridianError) -> Accuracy? {
    guard kernel != MemoryRead.name,
      let judge = try source.map({ (source) throws(MeridianError) in try source.oracle(for: kernel, on: host) })
        ?? oracle
    else { return nil }
    return try judge.judge(outcome, bound: subject.flatMap { host.declaredBound($0, kernel: kernel) })
  }

  var hasOracleSource: Bool { source != nil }

  /// Where the right answers come from, for `CaseResult.oracle`; nil = there are none.
  package func oracleName(on host: Host) -> String? { oracle?.source ?? source?.name(on: host) }
}
