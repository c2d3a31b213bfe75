// SPDX-License-Identifier: Apache-2.0
import CBench
import MeridianJobs

/// The clock and the wish to stop; tests put others in their place.
package struct Timekeeper {
  /// Nanoseconds from a fixed point, never going backward.
  package var now: () -> Int64
  /// True once the user wants to stop.
  package var isCancelled: () -> Bool
  /// Does what takes so many nanoseconds on this processor when nothing disturbs it; nil where the clock moves only with what
  /// kernels do.
  var idle: ((Int64) -> Void)?

  package init(
    now: @escaping () -> Int64, isCancelled: @escaping () -> Bool, idle: ((Int64) -> Void)? = nil
  ) {
    self.now = now
    self.isCancelled = isCancelled
    self.idle = idle
  }

  /// The monotonic clock, and Ctrl-C.
  package static var system: Timekeeper {
    // Before anything is timed.
    _ = stepsPerNanosecond
    return Timekeeper(
      now: { mrdb_now() }, isCancelled: { Interrupt.isSet },
      idle: { mrdb_spin(Int64(Double($0) * stepsPerNanosecond)) })
  }

  /// A fixed amount of work, not a wait for the clock: what slows the processor shows in it as what stops it does.
  private static let stepsPerNanosecond: Double = {
    let steps: Int64 = 50_000
    let fastest = (0..<40).map { _ in
      let start = mrdb_now()
      mrdb_spin(steps)
      return mrdb_now() &- start
    }.min()
    return Double(steps) / Double(max(1, fastest ?? 1))
  }()

  func check() throws(JobError) {
    if isCancelled() { throw .interrupted }
  }

  /// Nanoseconds of one run. The outcome lives until the clock has stopped: that it is freed is not the kernel's time.
  func time<E: Error>(_ run: () throws(E) -> Outcome) throws(E) -> Int64 {
    let start = now()
    let outcome = try run()
    let end = now()
    withExtendedLifetime(outcome) {}
    // A clock may be too coarse to see a run; ratios need a time.
    return max(1, end &- start)
  }
}
