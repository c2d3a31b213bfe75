/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MERIDIAN_CBENCH_COUNTERS_H
#define MERIDIAN_CBENCH_COUNTERS_H

#include <stdint.h>

/* Counts cycles and instructions of the calling thread in user mode. One group, so that both cover the same time. */
typedef struct mrdb_counters {
    int32_t cycles;       /* descriptors; -1 = not open */
    int32_t instructions;
} mrdb_counters;

/* 0, or an errno that says why the system offers no counters (ENOENT: the processor or hypervisor has none; EACCES:
 * forbidden by perf_event_paranoid; ENOSYS). */
int32_t mrdb_counters_open(mrdb_counters *counters);
void mrdb_counters_start(const mrdb_counters *counters);
/* Stops, and reads both. 0, or an errno; ENODATA when the counters did not run all the time. */
int32_t mrdb_counters_stop(const mrdb_counters *counters, uint64_t *cycles, uint64_t *instructions);
void mrdb_counters_close(mrdb_counters *counters);

#endif /* MERIDIAN_CBENCH_COUNTERS_H */
