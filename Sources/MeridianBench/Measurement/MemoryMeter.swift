// SPDX-License-Identifier: Apache-2.0
import CBench
import Meridian

/// Memory of one untimed run.
///
/// - The peak is that of the whole process: whatever other threads take meanwhile counts as well. Freed memory of the
///   heap is given back before, or a run would be served from it and seem to take nothing. Pages are the grain, and the
///   system books them in lots: less than about 1 MiB is noise.
/// - Allocations are counted when `libMeridianAllocations.so` was preloaded (see `Allocations`).
package enum MemoryMeter {
  package static func measure(_ run: () throws(MeridianError) -> Outcome) throws(MeridianError) -> MemoryUse {
    var use = MemoryUse()
    mrdb_trim_heap()
    let isReset = mrdb_reset_peak() == 0
    let (before, allocations) = (Resident.now, Allocations.now)
    let outcome = try run()
    let (after, allocationsAfter) = (Resident.now, Allocations.now)
    use.kept = outcome.keptBytes
    withExtendedLifetime(outcome) {}
    if isReset, let before, let after { use.peak = max(0, after.peak - before.size) }
    if let allocations, let allocationsAfter {
      use.allocations = allocationsAfter.calls - allocations.calls
      use.allocated = allocationsAfter.bytes - allocations.bytes
    }
    return use
  }

  /// Resident sizes of the process in bytes; nil where the system does not tell.
  private struct Resident {
    var peak: Int64 = 0
    var size: Int64 = 0

    static var now: Resident? {
      var resident = Resident()
      return mrdb_resident(&resident.peak, &resident.size) == 0 ? resident : nil
    }
  }
}
