// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianJobs

/// Times several kernels in rounds: each round runs every kernel once (short runs several times), in an order drawn anew.
///
/// Since kernels are compared inside a round, drift of the machine cancels; since the order is drawn, no rhythm of it can
/// side with one kernel, which is what the intervals of ratios stand on (see `QuantileInterval`).
///
/// That holds only if equal kernels may change places, so nothing that one kernel alone decides may show in its time. The
/// first run of a turn meets cold caches; where anyone repeats its runs in a round, everyone has one more run before them
/// that is not timed, and kernels of about one speed repeat equally often.
package struct Rounds {
  package struct Options: Sendable {
    /// Rounds that are always run while there is time, at least 1. Under 6 no interval says anything.
    package var fewest = 15
    /// Rounds that are never exceeded. More than `fewest` are run only while `isDecided` says no: the price of that is
    /// that each look has a part of the chance of error (see `Looks`).
    package var most = 15
    /// Seconds for one call of `measure`, warming up included. When they are over no round begins, `fewest` or not, but
    /// for the first.
    package var budget = 10.0
    /// A kernel's part of a round repeats the run until it lasted this many nanoseconds: enough that the clock does not
    /// count, and little beside a time slice of the system.
    package var leastNanoseconds: Int64 = 5_000_000
    /// Nanoseconds of warming up a kernel, at most, but for the first run.
    package var warmup: Int64 = 300_000_000
    /// Of the intervals, over all looks together.
    package var confidence = 0.95
    /// Of the draws of orders.
    package var seed: UInt64 = 1

    package init() {}
  }

  /// One kernel that takes part.
  package struct Contender {
    /// The short id.
    package let kernel: String
    package let run: () throws(MeridianError) -> Outcome

    package init(_ kernel: String, run: @escaping () throws(MeridianError) -> Outcome) {
      self.kernel = kernel
      self.run = run
    }
  }

  /// In the order of the contenders; ratios are those of all others to the reference.
  package struct Times {
    package var kernels: [KernelResult] = []
    package var ratios: [RatioResult] = []
  }

  /// Whether the figures so far are enough; asked only at looks.
  package typealias Decision = (Times) -> Bool

  private let options: Options
  private let timekeeper: Timekeeper

  package init(_ options: Options = Options(), timekeeper: Timekeeper = .system) {
    self.options = options
    self.timekeeper = timekeeper
  }

  /// Runs the rounds. A kernel that fails, in whichever round, is refused with the reason and has no times; the others go
  /// on.
  /// - Parameters:
  ///   - reference: the kernel below the line of the ratios; when it is nil, or was refused, there are none.
  ///   - isDecided: nil = after the fewest rounds the figures are enough.
  /// - Throws: `JobError.interrupted` when the user stops it.
  package func measure(
    _ contenders: [Contender], reference: String? = nil, isDecided: Decision? = nil
  ) throws(JobError) -> Times {
    let start = timekeeper.now()
    let looks = Looks(fewest: options.fewest, most: isDecided == nil ? options.fewest : options.most)
    var entries: [Entry] = []
    for contender in contenders { entries.append(try warmUp(contender)) }
    settleRepeats(&entries)
    var draws = SeededRandom(seed: options.seed, stream: "rounds")
    var round = 0
    while entries.contains(where: { $0.refusal == nil }) {
      if round > 0 && Double(timekeeper.now() &- start) * 1e-9 >= options.budget { break }
      let startsWarm = entries.contains { $0.refusal == nil && $0.repeats > 1 }
      for index in entries.indices.shuffled(using: &draws) { try runRound(&entries[index], startsWarm: startsWarm) }
      round += 1
      guard looks.rounds.contains(round) else { continue }
      if round >= (looks.rounds.last ?? 1) { break }
      if isDecided?(times(entries, to: reference, looks)) == true { break }
    }
    return times(entries, to: reference, looks)
  }

  private func times(_ entries: [Entry], to reference: String?, _ looks: Looks) -> Times {
    Times(
      kernels: entries.map { $0.result(confidence: options.confidence, looks: looks.count) },
      ratios: ratios(entries, to: reference, looks))
  }

  /// A contender under way.
  private struct Entry {
    let contender: Contender
    /// Nanoseconds of the fastest run while warming up.
    var fastest: Int64 = 0
    /// Timed runs in one round.
    var repeats = 1
    var times: [Double] = []
    var refusal: String?

    func result(confidence: Double, looks: Int) -> KernelResult {
      var result = KernelResult(
        kernel: contender.kernel, refusal: refusal, refusalKind: refusal == nil ? nil : .failed)
      result.times = times
      result.time = Spread(times, confidence: confidence, looks: looks)
      result.outliers = Sample.outliers(of: times)
      return result
    }

    mutating func refuse(_ error: MeridianError) {
      refusal = error.refusal
      times = []
    }
  }

  /// Runs until times settle: until none of the last three was the fastest so far by more than 2%.
  private func warmUp(_ contender: Contender) throws(JobError) -> Entry {
    var entry = Entry(contender: contender)
    let start = timekeeper.now()
    var (fastest, since) = (Int64.max, 0)
    repeat {
      guard let time = try timed(&entry) else { return entry }
      since = Double(time) < 0.98 * Double(fastest) ? 0 : since + 1
      fastest = min(fastest, time)
    } while since < 3 && timekeeper.now() &- start < options.warmup
    entry.fastest = fastest
    return entry
  }

  /// Kernels repeat alike unless their speeds are a factor of 2 apart: those that are nearer, or are joined by others that
  /// are, repeat as often as the fastest of them needs to.
  private func settleRepeats(_ entries: inout [Entry]) {
    let running = entries.indices.filter { entries[$0].refusal == nil }.sorted {
      entries[$0].fastest < entries[$1].fastest
    }
    var (previous, repeats) = (0 as Int64, 1)
    for index in running {
      let fastest = entries[index].fastest
      if fastest > 2 * previous { repeats = Int(max(1, (options.leastNanoseconds + fastest - 1) / fastest)) }
      entries[index].repeats = repeats
      previous = fastest
    }
  }

  private func runRound(_ entry: inout Entry, startsWarm: Bool) throws(JobError) {
    guard entry.refusal == nil else { return }
    if startsWarm {
      guard try timed(&entry) != nil else { return }
    }
    var (total, runs): (Int64, Int64) = (0, 0)
    // The warm-up may have caught a faster machine than today's: twice the time is enough, whatever it said.
    while runs < entry.repeats && total < 2 * options.leastNanoseconds || runs == 0 {
      guard let time = try timed(&entry) else { return }
      total += time
      runs += 1
    }
    entry.times.append(Double(total) / Double(runs))
  }

  /// One run; nil when the kernel failed, which the entry says then.
  private func timed(_ entry: inout Entry) throws(JobError) -> Int64? {
    try timekeeper.check()
    do {
      return try timekeeper.time(entry.contender.run)
    } catch {
      if error.status == .cancelled || timekeeper.isCancelled() { throw .interrupted }
      entry.refuse(error)
      return nil
    }
  }

  private func ratios(_ entries: [Entry], to reference: String?, _ looks: Looks) -> [RatioResult] {
    guard let base = entries.first(where: { $0.contender.kernel == reference && $0.refusal == nil }) else { return [] }
    return entries.compactMap { entry in
      guard entry.refusal == nil, entry.contender.kernel != base.contender.kernel else { return nil }
      return RatioResult(
        kernel: entry.contender.kernel, times: entry.times, reference: base.contender.kernel,
        referenceTimes: base.times, confidence: options.confidence, looks: looks.count)
    }
  }
}
