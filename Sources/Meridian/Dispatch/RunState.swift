// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianABI

/// What all kernel calls of one call of the host share.
final class RunState: @unchecked Sendable {
  let host: Host
  let run: Run
  /// At most this many threads.
  let threads: Int
  let observers: [mrd_observer]
  let progress: ProgressMeter?

  /// `work`: the weight of everything that will be run, for progress.
  init(_ host: Host, _ run: Run, work: Double) {
    self.host = host
    self.run = run
    threads = run.threads > 0 ? min(run.threads, host.pool.threads) : host.pool.threads
    observers = host.observers
    progress = run.progress.map { ProgressMeter(work: work, listener: $0) }
  }

  var isCancelled: Bool {
    guard let cancel = run.cancel else { return false }
    return mrdp_load_relaxed(cancel) != 0
  }

  func choose(_ operation: Operation, _ shape: CallShape) throws(MeridianError) -> Choice {
    try host.choose(operation, for: shape, rules: run.rules, ignoringAll: run.ignoresRules)
  }

  func shape(of array: GeometryArray, dialect: Int32? = nil) -> CallShape {
    CallShape(
      type: array.type, dimensions: array.dimensions, model: run.model ?? array.model, dialect: dialect)
  }
}

/// Adds up the progress of concurrent calls and tells a listener, one at a time and never going backward.
final class ProgressMeter: @unchecked Sendable {
  private let lock = Lock()
  private let work: Double
  private let listener: @Sendable (Double) -> Void
  private var done = 0.0
  private var told = 0.0

  init(work: Double, listener: @escaping @Sendable (Double) -> Void) {
    self.work = work
    self.listener = listener
  }

  func advance(by weight: Double) {
    lock.withLock {
      done += weight
      tell(work > 0 ? done / work : 0)
    }
  }

  func finish() { lock.withLock { tell(1) } }

  private func tell(_ fraction: Double) {
    let fraction = min(1, fraction)
    guard fraction > told else { return }
    told = fraction
    listener(fraction)
  }
}

/// Nanoseconds on a clock that only goes forward.
func monotonicNanoseconds() -> Int64 {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec)
}
