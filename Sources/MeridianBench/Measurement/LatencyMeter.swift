// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

/// Times single calls, one by one, the clock's own few dozen nanoseconds included.
///
/// Kernels take turns in blocks, so that a slow spell of the machine is shared out. The p99.9 of fewer than 10,000 calls
/// rests on fewer than 10 values: then there is no latency at all rather than a figure of luck.
public struct LatencyMeter {
  public static let leastCalls = 10_000
  /// Calls of one kernel in a row.
  private static let block = 500
  private static let warmupCalls = 200

  /// Calls of each kernel, at least `leastCalls`.
  public var calls = LatencyMeter.leastCalls
  /// Seconds for all kernels together; a kernel that has fewer than `leastCalls` by then has no latency.
  public var budget = 10.0
  private let timekeeper: Timekeeper

  public init(timekeeper: Timekeeper = .system) { self.timekeeper = timekeeper }

  /// The latency of each of `runs`, nil where it has no single calls, failed, or was too slow.
  /// - Throws: `JobError.interrupted` when the user stops it.
  public func measure(_ runs: [PreparedRun]) throws(JobError) -> [Latency?] {
    let start = timekeeper.now()
    let wanted = max(calls, Self.leastCalls)
    var series = runs.map { run in Series(run: run, isOpen: run.single != nil && run.singles > 0) }
    for index in series.indices { try call(&series[index], Self.warmupCalls) }
    for index in series.indices { series[index].times.removeAll(keepingCapacity: true) }
    while series.contains(where: { $0.isOpen && $0.times.count < wanted }) {
      if Double(timekeeper.now() &- start) * 1e-9 >= budget { break }
      for index in series.indices {
        try call(&series[index], min(Self.block, wanted - series[index].times.count))
      }
    }
    return series.map { $0.isOpen ? Latency($0.times) : nil }
  }

  private struct Series {
    let run: PreparedRun
    var isOpen: Bool
    var next = 0
    var times: [Double] = []
  }

  private func call(_ series: inout Series, _ count: Int) throws(JobError) {
    guard series.isOpen, count > 0, let single = series.run.single else { return }
    try timekeeper.check()
    series.times.reserveCapacity(series.times.count + count)
    for _ in 0..<count {
      let index = series.next
      series.next = index + 1 < series.run.singles ? index + 1 : 0
      let start = timekeeper.now()
      do {
        try single(index)
      } catch {
        if error.status == .cancelled || timekeeper.isCancelled() { throw .interrupted }
        series.isOpen = false
        return
      }
      series.times.append(Double(timekeeper.now() &- start))
    }
  }
}

extension Latency {
  /// nil with fewer than `LatencyMeter.leastCalls` times.
  public init?(_ nanoseconds: [Double]) {
    let sample = Sample(nanoseconds)
    guard sample.count >= LatencyMeter.leastCalls, let largest = sample.sorted.last else { return nil }
    self.init(
      calls: sample.count, p50: sample.percentile(0.5), p99: sample.percentile(0.99), p999: sample.percentile(0.999),
      largest: largest)
  }
}
