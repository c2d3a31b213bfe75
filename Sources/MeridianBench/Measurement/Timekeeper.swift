// SPDX-License-Identifier: Apache-2.0
import CBench
import MeridianJobs

/// The clock and the wish to stop; tests put others in their place.
package struct Timekeeper {
  /// Nanoseconds from a fixed point, never going backward.
  package var now: () -> Int64
  /// True once the user wants to stop.
  package var isCancelled: () -> Bool
  /// Keeps this processor busy with nothing for so many nanoseconds; nil where the clock moves only with what kernels do.
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
    Timekeeper(
      now: { mrdb_now() }, isCancelled: { Interrupt.isSet },
      idle: { nanoseconds in
        let end = mrdb_now() &+ nanoseconds
        while mrdb_now() < end {}
      })
  }

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
