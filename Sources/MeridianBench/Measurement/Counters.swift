// SPDX-License-Identifier: Apache-2.0
import CBench
import CPlatform
import Meridian

/// Cycles and instructions of the calling thread in user mode, counted by the processor: figures that do not drift with
/// the clock rate. Most virtual machines do not offer them; `Unavailable` says why.
package struct Counters {
  package struct Counts: Equatable, Sendable {
    package var cycles: UInt64
    package var instructions: UInt64
  }

  /// Why there are no counts, in words.
  package struct Unavailable: Error, Equatable, Sendable {
    package let reason: String

    init(_ code: Int32) {
      switch code {
      case ENOENT, EOPNOTSUPP, ENODEV: reason = "the processor, or the virtual machine around it, has no counters"
      case EACCES, EPERM: reason = "the system forbids them (/proc/sys/kernel/perf_event_paranoid, or a sandbox)"
      case ENOSYS: reason = "the system has no perf_event_open"
      case ENODATA: reason = "the counters were shared with other users"
      default: reason = "perf_event_open: error \(code)"
      }
    }
  }

  /// What `body` took on this thread.
  package static func count<R>(
    _ body: () throws(MeridianError) -> R
  ) throws(MeridianError) -> Result<Counts, Unavailable> {
    var counters = mrdb_counters()
    let refused = mrdb_counters_open(&counters)
    guard refused == 0 else { return .failure(Unavailable(refused)) }
    defer { mrdb_counters_close(&counters) }
    mrdb_counters_start(&counters)
    let kept = try body()
    var counts = Counts(cycles: 0, instructions: 0)
    let failed = mrdb_counters_stop(&counters, &counts.cycles, &counts.instructions)
    withExtendedLifetime(kept) {}
    return failed == 0 ? .success(counts) : .failure(Unavailable(failed))
  }

  /// nil when there are counters; else why not, for the warnings of a report.
  package static var whyUnavailable: String? {
    var counters = mrdb_counters()
    let refused = mrdb_counters_open(&counters)
    mrdb_counters_close(&counters)
    return refused == 0 ? nil : Unavailable(refused).reason
  }
}
