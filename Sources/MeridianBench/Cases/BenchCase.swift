// SPDX-License-Identifier: Apache-2.0
import Meridian

/// One operation over one workload: the question that every contestant is asked.
public struct BenchCase: Sendable {
  /// The result's head: name, operation, workload, unit and counts.
  public let head: CaseResult
  /// Judges the answers of a kernel; nil = there is no oracle, or it depends on the kernel that is judged: see `judge`.
  public let oracle: (any Oracle)?
  /// What the bound that a kernel declares is looked up by; nil = the operation declares none.
  public let subject: Subject?
  private let source: (any OracleSource)?
  private let prepareRun: @Sendable (Host, _ kernel: String) throws(MeridianError) -> PreparedRun

  public init(
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
  public init(
    _ head: CaseResult, oracleFrom source: any OracleSource, subject: Subject? = nil,
    prepare: @escaping @Sendable (Host, _ kernel: String) throws(MeridianError) -> PreparedRun
  ) {
    self.head = head
    oracle = nil
    self.subject = subject
    self.source = source
    prepareRun = prepare
  }

  /// The case for one kernel, ready to be timed; whatever kernels share, or do once, is done.
  /// - Parameter kernel: id or short id.
  /// - Throws: when the kernel does not answer this case.
  public func prepare(_ host: Host, kernel: String) throws(MeridianError) -> PreparedRun {
    try prepareRun(host, kernel)
  }

  /// Holds what a kernel answered against the right answers and the bound that it declares. The right answers are
  /// computed when they are asked for first: never inside a measurement.
  /// - Returns: nil when there is no oracle, or the kernel is the reference itself.
  public func judge(_ outcome: Outcome, of kernel: String, on host: Host) throws(MeridianError) -> Accuracy? {
    guard
      let judge = try source.map({ (source) throws(MeridianError) in try source.oracle(for: kernel, on: host) })
        ?? oracle
    else { return nil }
    return judge.judge(outcome, bound: subject.flatMap { host.declaredBound($0, kernel: kernel) })
  }

  /// Where the right answers come from, for `CaseResult.oracle`; nil = there are none.
  public func oracleName(on host: Host) -> String? { oracle?.source ?? source?.name(on: host) }
}

/// A case with a kernel.
public struct PreparedRun {
  /// The whole workload once: what is timed. The outcome is kept until the clock has stopped.
  public let run: () throws(MeridianError) -> Outcome
  /// The i-th single call, i from 0 to below `singles`; nil = the case has no single calls.
  public var single: ((_ index: Int) throws(MeridianError) -> Void)?
  public var singles = 0

  public init(_ run: @escaping () throws(MeridianError) -> Outcome) { self.run = run }
}

/// What an operation gave, for the oracle.
public struct Outcome: Sendable {
  public var statuses: [RowStatus] = []
  /// Measures: names and values, a column each.
  public var names: [String] = []
  public var columns: [[Double]] = []
  /// Validity.
  public var verdicts: [Verdict] = []
  /// Operations that give geometries.
  public var set: GeometrySet?
  /// Index queries.
  public var hits: IndexHits?
  /// Snapping of points.
  public var snaps: SnapHits?
  /// Joins.
  public var pairs: [(Int64, Int64)] = []
  /// What lives as long as the outcome, so that taking it down is not timed: an index that was built.
  public var kept: (any Sendable)?
  /// Bytes that the result keeps, such as those of an index.
  public var keptBytes: Int64?

  public init() {}
}

/// Knows the right answers of a workload.
public protocol Oracle: Sendable {
  /// Where they come from, "brute force", "proj", "known by construction".
  var source: String { get }
  /// Compares a kernel's outcome with them.
  /// - Parameter bound: what the kernel declares; nil when it declares no bound.
  func judge(_ outcome: Outcome, bound: DeclaredBound?) -> Accuracy
}

/// Finds the oracle for the answers of one kernel, where the right answers are another kernel's.
public protocol OracleSource: Sendable {
  /// The kernel that would be the reference; nil = none is installed.
  func name(on host: Host) -> String?
  /// nil when `kernel` is the reference itself, or there is none.
  func oracle(for kernel: String, on host: Host) throws(MeridianError) -> (any Oracle)?
}

/// |error| <= absolute + perVertex x vertices + relative x |exact result|, in `unit` ("m", "deg", "coord", "ulp").
public struct DeclaredBound: Equatable, Sendable {
  public let unit: String
  public let absolute: Double
  public let relative: Double
  public let perVertex: Double
  /// In words, for reports.
  public let text: String

  public init(unit: String, absolute: Double, relative: Double, perVertex: Double, text: String) {
    self.unit = unit
    self.absolute = absolute
    self.relative = relative
    self.perVertex = perVertex
    self.text = text
  }

  public func allows(error: Double, exact: Double, vertices: Int) -> Bool {
    if unit == "ulp" { return error <= absolute * exact.ulp + relative * abs(exact) }
    return error <= absolute + perVertex * Double(vertices) + relative * abs(exact)
  }
}
