// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

/// Asks several kernels the same questions: times in shared rounds, ratios to a reference, and, untimed, errors, latency,
/// memory and counters of the processor.
///
/// Kernels run on the calling thread alone: give it a host whose guards are off (`Runner.hostOptions`) and cases that
/// call with `Run(threads: 1)`.
package struct Runner {
  package struct Options: Sendable {
    /// Rounds, time and seed.
    package var rounds = Rounds.Options()
    /// False: no rounds, so neither times nor ratios.
    package var measuresTime = true
    package var measuresLatency = false
    package var measuresMemory = false
    /// Cycles and instructions, where the machine counts them.
    package var countsInstructions = false
    /// Holds answers against the case's oracle.
    package var judgesAnswers = true
    /// Single calls of each kernel.
    package var latencyCalls = LatencyMeter.leastCalls
    /// The kernel below the line of ratios, as `kernels` names it; nil = the first.
    package var reference: String?

    package init() {}
  }

  /// Whether what is known of a case so far is enough: asked of its times and ratios while rounds are added, and of its
  /// latencies while calls are. What is not measured yet, or was before, is absent.
  package typealias Decision = (CaseResult) -> Bool

  private let host: Host
  private let kernels: [String]
  private let options: Options
  private let timekeeper: Timekeeper

  /// - Parameter kernels: short ids.
  package init(_ host: Host, kernels: [String], options: Options = Options(), timekeeper: Timekeeper = .system) {
    self.host = host
    self.kernels = kernels
    self.options = options
    self.timekeeper = timekeeper
  }

  /// Options of a host for measurements: one thread, no guards around kernels.
  package static func hostOptions(_ options: Host.Options = Host.Options()) -> Host.Options {
    var options = options
    options.checksKernels = false
    options.threads = 1
    return options
  }

  /// - Parameter report: told of each case when it is done.
  /// - Throws: `JobError.interrupted` when the user stops it. A kernel that fails is a refusal in the result, no error.
  package func run(
    _ cases: [BenchCase], report: (CaseResult) -> Void = { _ in }, isDecided: Decision? = nil
  ) throws(JobError) -> [CaseResult] {
    var results: [CaseResult] = []
    for benchCase in cases {
      let result = try run(benchCase, isDecided: isDecided)
      report(result)
      results.append(result)
    }
    return results
  }

  /// One case by all kernels.
  package func run(_ benchCase: BenchCase, isDecided: Decision? = nil) throws(JobError) -> CaseResult {
    var entries: [Entry] = []
    for kernel in kernels { entries.append(try prepare(benchCase, kernel)) }
    var result = benchCase.head
    result.oracle = benchCase.oracleName(on: host)
    if options.measuresTime {
      result.ratios = try measureTimes(&entries, isDecided.map { decide in { decide(benchCase.head.with($0)) } })
    }
    if options.measuresLatency {
      try measureLatency(&entries, isDecided.map { decide in { decide(benchCase.head.with($0)) } })
    }
    for index in entries.indices { try measureApart(&entries[index], units: benchCase.head.units) }
    result.kernels = entries.map { $0.result }
    // A kernel that failed in a later run has no figures at all.
    let refused = entries.filter { $0.prepared == nil }.map { $0.result.kernel }
    result.ratios.removeAll { refused.contains($0.kernel) || refused.contains($0.reference) }
    return result
  }

  /// A kernel under way; `prepared` is nil once it refused.
  private struct Entry {
    var result: KernelResult
    var prepared: PreparedRun?
    /// Of the first run.
    var keptBytes: Int64?

    mutating func refuse(_ reason: String, _ kind: RefusalKind) {
      result = KernelResult(kernel: result.kernel, refusal: reason, refusalKind: kind)
      prepared = nil
    }
  }

  /// Prepares the case and judges the answers of a first run, which also finds kernels that refuse.
  private func prepare(_ benchCase: BenchCase, _ kernel: String) throws(JobError) -> Entry {
    try timekeeper.check()
    var entry = Entry(result: KernelResult(kernel: kernel))
    try guarded(&entry, isPreparing: true) { (entry) throws(MeridianError) in
      entry.prepared = try benchCase.prepare(host, kernel: kernel)
    }
    guard let prepared = entry.prepared else { return entry }
    try guarded(&entry) { (entry) throws(MeridianError) in
      let outcome = try prepared.answers()
      entry.keptBytes = outcome.keptBytes
      if options.judgesAnswers { entry.result.accuracy = try judge(outcome, benchCase, kernel) }
    }
    return entry
  }

  private func judge(
    _ outcome: Outcome, _ benchCase: BenchCase, _ kernel: String
  ) throws(MeridianError) -> Accuracy? {
    do {
      return try benchCase.judge(outcome, of: kernel, on: host)
    } catch {
      throw MeridianError(error.status, "the answers could not be judged: \(error.message)", row: error.row)
    }
  }

  private func measureTimes(
    _ entries: inout [Entry], _ isDecided: Rounds.Decision?
  ) throws(JobError) -> [RatioResult] {
    let running = entries.indices.filter { entries[$0].prepared != nil }
    let contenders = running.compactMap { index in
      entries[index].prepared.map { Rounds.Contender(entries[index].result.kernel, run: $0.run) }
    }
    let times = try Rounds(options.rounds, timekeeper: timekeeper).measure(
      contenders, reference: options.reference ?? kernels.first, isDecided: isDecided)
    for (index, timed) in zip(running, times.kernels) {
      if let refusal = timed.refusal {
        entries[index].refuse(refusal, .failed)
        continue
      }
      entries[index].result.times = timed.times
      entries[index].result.time = timed.time
      entries[index].result.outliers = timed.outliers
    }
    return times.ratios
  }

  private func measureLatency(
    _ entries: inout [Entry], _ isDecided: (([KernelResult]) -> Bool)?
  ) throws(JobError) {
    let running = entries.indices.filter { entries[$0].prepared != nil }
    var meter = LatencyMeter(timekeeper: timekeeper)
    meter.calls = options.latencyCalls
    meter.budget = options.rounds.budget
    meter.confidence = options.rounds.confidence
    let names = running.map { entries[$0].result.kernel }
    let decide = isDecided.map { isDecided in
      { (index: Int, latency: Latency) in
        var kernel = KernelResult(kernel: names[index])
        kernel.latency = latency
        return isDecided([kernel])
      }
    }
    let latencies = try meter.measure(running.compactMap { entries[$0].prepared }, isDecided: decide)
    for (index, latency) in zip(running, latencies) { entries[index].result.latency = latency }
  }

  /// Runs of their own, so that what is looked at does not disturb the times.
  private func measureApart(_ entry: inout Entry, units: Int) throws(JobError) {
    try timekeeper.check()
    guard let prepared = entry.prepared else { return }
    try guarded(&entry) { (entry) throws(MeridianError) in
      if options.measuresMemory {
        entry.result.memory = try MemoryMeter.measure(prepared.run)
      } else if let kept = entry.keptBytes {
        entry.result.memory = MemoryUse(kept: kept)
      }
      if options.countsInstructions, units > 0, case .success(let counts) = try Counters.count(prepared.run) {
        entry.result.cyclesPerUnit = Double(counts.cycles) / Double(units)
        entry.result.instructionsPerUnit = Double(counts.instructions) / Double(units)
      }
    }
  }

  /// Turns a failure into a refusal, and a wish to stop into an interruption. Only while a case is prepared can a kernel
  /// say that it does not answer it; whatever comes later is a failure.
  private func guarded(
    _ entry: inout Entry, isPreparing: Bool = false, _ body: (inout Entry) throws(MeridianError) -> Void
  ) throws(JobError) {
    do {
      try body(&entry)
    } catch {
      if error.status == .cancelled || timekeeper.isCancelled() { throw .interrupted }
      let isLack = isPreparing && (error.status == .unsupported || error.status == .notFound)
      entry.refuse(error.refusal, isLack ? .unsupported : .failed)
    }
  }
}

extension CaseResult {
  /// The head with what is known so far.
  fileprivate func with(_ times: Rounds.Times) -> CaseResult {
    var result = self
    (result.kernels, result.ratios) = (times.kernels, times.ratios)
    return result
  }

  fileprivate func with(_ kernels: [KernelResult]) -> CaseResult {
    var result = self
    result.kernels = kernels
    return result
  }
}

extension MeridianError {
  /// Why a kernel did not answer, with the row where it is known.
  var refusal: String { row.map { "row \($0): \(message)" } ?? message }
}
