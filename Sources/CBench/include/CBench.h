/* SPDX-License-Identifier: Apache-2.0
 *
 * What the harness reads of the system and Swift cannot: the clock, counters of the processor, memory,
 * the width of a terminal.                                                                                        */
#ifndef MERIDIAN_CBENCH_H
#define MERIDIAN_CBENCH_H

#include <stdint.h>

/* Nanoseconds of the monotonic clock. */
int64_t mrdb_now(void);

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

/* Gives free memory of the heap back to the system, so that the next run's memory is seen to be taken. */
void mrdb_trim_heap(void);

/* Sets the process's peak resident size back to its present one. 0, or an errno where the system does not do so. */
int32_t mrdb_reset_peak(void);

/* Bytes of "VmHWM:" and "VmRSS:" in /proc/self/status. 0, or an errno. */
int32_t mrdb_resident(int64_t *peak, int64_t *now);

/* Keeps the calling thread on processor `core`, or on the first that it may run on when `core` is negative. Gives the
 * processor, or a negative errno. */
int32_t mrdb_pin(int32_t core);

/* Starts this executable again with the same arguments and `library` preloaded. Returns only on failure: an errno. */
int32_t mrdb_run_again_with(const char *library, char *const *arguments);

/* Where the preloaded library counts the allocations of the process: calls, and bytes asked for. 0 when it is not in
 * the process. */
int32_t mrdb_allocations(int64_t *calls, int64_t *bytes);

/* The table (mrd_plugin) of the kernel "meridian.empty", which does nothing in measure.length, validate.valid and
 * index.window: what is left of a call is the boundary's cost. Static storage. */
const void *mrdb_empty_plugin(void);

/* Columns of the terminal behind a descriptor; 0 = not known. */
int32_t mrdb_terminal_columns(int32_t descriptor);

#endif /* MERIDIAN_CBENCH_H */
