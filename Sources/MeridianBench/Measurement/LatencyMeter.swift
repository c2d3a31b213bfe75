// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

/// Times single calls, one by one, the clock's own few dozen nanoseconds included.
///
/// Kernels take turns in blocks, so that a slow spell of the machine is shared out. The p99.9 of fewer than 10,000 calls
/// rests on fewer than 10 values: then there is no latency at all rather than a figure of luck.
///
/// After each call comes an idle one as long as the median of all calls so far, which shows what the machine does to calls (see
/// `ExcessTail`). Its length does not follow the call beside it: else it would take the kernel's own slow calls for the machine's.
package struct LatencyMeter {
  package static let leastCalls = 10_000
  /// Calls of one kernel in a row, at most, and the nanoseconds after which a block ends whatever its calls.
  private static let block = 500
  private static let blockNanoseconds: Int64 = 20_000_000
  private static let warmupCalls = 200

  /// Whether a kernel's latency is known well enough; asked only at looks. `index`: of the runs.
  package typealias Decision = (_ index: Int, Latency) -> Bool

  /// Calls of each kernel, at least `leastCalls`.
  package var calls = LatencyMeter.leastCalls
  /// Calls that are never exceeded: more than `calls` are made only while `isDecided` says no (see `Looks`).
  package var mostCalls = 16 * LatencyMeter.leastCalls
  /// Seconds for each kernel, warming up included, and as long again for idle calls; one that has fewer than `leastCalls` by
  /// then has no latency, and one that cannot reach them in time is given up as soon as that shows.
  package var budget = 10.0
  /// Of the interval of the 99.9th percentile, over all looks together.
  package var confidence = 0.95
  private let timekeeper: Timekeeper

  package init(timekeeper: Timekeeper = .system) { self.timekeeper = timekeeper }

  /// The latency of each of `runs`, nil where it has no single calls, failed, or was too slow.
  /// - Parameter isDecided: nil = after `calls` the latencies are known well enough.
  /// - Throws: `JobError.interrupted` when the user stops it.
  package func measure(_ runs: [PreparedRun], isDecided: Decision? = nil) throws(JobError) -> [Latency?] {
    let wanted = max(calls, Self.leastCalls)
    let looks = Looks(fewest: wanted, most: isDecided == nil ? wanted : max(wanted, mostCalls))
    var series = runs.map { Series($0) }
    for index in series.indices { try warmUp(&series[index]) }
    for goal in looks.rounds {
      for index in series.indices { series[index].isOpen = !series[index].isFinished }
      try callInTurns(&series, goal)
      for index in series.indices where !series[index].isFinished {
        guard let latency = latency(series[index], looks) else { continue }
        if isDecided?(index, latency) ?? true { series[index].isFinished = true }
      }
    }
    return series.map { latency($0, looks) }
  }

  private func latency(_ series: Series, _ looks: Looks) -> Latency? {
    series.failed ? nil : Latency(series.times, idle: series.idleTimes, confidence: confidence, looks: looks.count)
  }

  /// The calls of one kernel.
  private struct Series {
    let run: PreparedRun
    /// Takes part in what is under way.
    var isOpen = true
    /// Has no single calls, failed, is too slow, or has enough of them.
    var isFinished: Bool
    var failed = false
    var next = 0
    /// Nanoseconds of calls so far, warming up included.
    var spent: Int64 = 0
    var fastest = Int64.max
    var times: [Double] = []
    var idleTimes: [Double] = []
    /// The median of the first `learned` calls, in nanoseconds; 0 = there is none yet.
    var usual: Int64 = 0
    private var learned = 0

    init(_ run: PreparedRun) {
      self.run = run
      isFinished = run.single == nil || run.singles <= 0
    }

    /// From all calls, at each doubling of their number: a burst of slow ones makes no new usual.
    mutating func learn() {
      guard times.count >= max(1, 2 * learned) else { return }
      learned = times.count
      usual = Int64(Sample(times).median)
    }
  }

  /// Until enough calls are made, or a twentieth of the budget is spent.
  private func warmUp(_ series: inout Series) throws(JobError) {
    let limit = Int64(min(budget * 1e9 / 20, 1e18))
    for _ in 0..<Self.warmupCalls where !series.isFinished && series.spent < limit { try call(&series) }
    series.learn()
    series.times.removeAll(keepingCapacity: true)
  }

  /// Blocks of calls in turns until each open kernel has `goal` of them or its budget is over.
  private func callInTurns(_ series: inout [Series], _ goal: Int) throws(JobError) {
    while series.contains(where: { $0.isOpen }) {
      for index in series.indices where series[index].isOpen { try callBlock(&series[index], goal) }
    }
  }

  private func callBlock(_ series: inout Series, _ goal: Int) throws(JobError) {
    let start = series.spent
    defer { series.learn() }
    for _ in 0..<Self.block {
      if series.isFinished || series.times.count >= goal || isOver(series) {
        series.isOpen = false
        return
      }
      try call(&series)
      if series.spent - start >= Self.blockNanoseconds { return }
    }
  }

  /// The budget is spent, or would be before there are calls enough, if all were as fast as the fastest so far.
  private func isOver(_ series: Series) -> Bool {
    let missing = Double(max(0, Self.leastCalls - series.times.count))
    let least = missing > 0 && series.fastest < .max ? missing * Double(series.fastest) : 0
    return (Double(series.spent) + least) * 1e-9 >= budget
  }

  private func call(_ series: inout Series) throws(JobError) {
    guard let single = series.run.single else { return }
    try timekeeper.check()
    let index = series.next
    series.next = index + 1 < series.run.singles ? index + 1 : 0
    let start = timekeeper.now()
    do {
      try single(index)
    } catch {
      if error.status == .cancelled || timekeeper.isCancelled() { throw .interrupted }
      (series.failed, series.isFinished) = (true, true)
      return
    }
    let time = max(0, timekeeper.now() &- start)
    series.spent += time
    series.fastest = min(series.fastest, time)
    series.times.append(Double(time))
    idle(&series)
  }

  private func idle(_ series: inout Series) {
    guard let idle = timekeeper.idle, series.usual > 0 else { return }
    let start = timekeeper.now()
    idle(series.usual)
    series.idleTimes.append(Double(max(0, timekeeper.now() &- start)))
  }
}

extension Latency {
  /// nil with fewer than `LatencyMeter.leastCalls` times.
  /// - Parameters:
  ///   - idle: times of idle calls that were made in turns with the others; empty = there is no tail of the kernel's own.
  ///   - looks: how often the intervals are asked for while calls are added; see `Looks`.
  package init?(_ nanoseconds: [Double], idle: [Double] = [], confidence: Double = 0.95, looks: Int = 1) {
    let sample = Sample(nanoseconds)
    guard sample.count >= LatencyMeter.leastCalls, let largest = sample.sorted.last else { return nil }
    self.init(
      calls: sample.count, p50: sample.percentile(0.5), p99: sample.percentile(0.99), p999: sample.percentile(0.999),
      largest: largest)
    let ofEach = Looks.confidence(confidence, ofEach: looks)
    let interval = QuantileInterval(sample, share: 0.999, confidence: ofEach)
    (p999Low, p999High, self.confidence) = (interval.low, interval.high, confidence)
    guard !idle.isEmpty else { return }
    let idleSample = Sample(idle)
    let own = ExcessTail(calls: sample, idle: idleSample, tail: 0.001, confidence: ofEach)
    idleP999 = idleSample.percentile(0.999)
    // Where idle calls are slower than the kernel's at every length, nothing is known but that the tail is no longer than it is.
    (ownP999, ownP999Low, ownP999High) =
      own.high > 0 ? (max(p50, own.value), own.low, max(p50, own.high)) : (p50, 0, interval.high)
  }
}
