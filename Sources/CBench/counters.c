/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "counters.h"

#include <errno.h>
#include <unistd.h>

#if defined(__linux__)

#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

static int32_t open_counter(uint64_t config, int32_t group) {
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.config = config;
    attributes.disabled = group < 0;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.read_format =
        PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return (int32_t)syscall(SYS_perf_event_open, &attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
}

int32_t mrdb_counters_open(mrdb_counters *counters) {
    counters->instructions = -1;
    counters->cycles = open_counter(PERF_COUNT_HW_CPU_CYCLES, -1);
    if (counters->cycles < 0) return errno;
    counters->instructions = open_counter(PERF_COUNT_HW_INSTRUCTIONS, counters->cycles);
    if (counters->instructions >= 0) return 0;
    const int32_t reason = errno;
    mrdb_counters_close(counters);
    return reason;
}

void mrdb_counters_start(const mrdb_counters *counters) {
    ioctl(counters->cycles, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
    ioctl(counters->cycles, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

int32_t mrdb_counters_stop(const mrdb_counters *counters, uint64_t *cycles, uint64_t *instructions) {
    /* number of counters, time enabled, time running, then the counts */
    uint64_t record[5];
    if (ioctl(counters->cycles, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP) != 0) return errno;
    const ssize_t got = read(counters->cycles, record, sizeof record);
    if (got < 0) return errno;
    /* A share of the time would have to be scaled up, and that is a guess. */
    if (got != (ssize_t)sizeof record || record[0] != 2 || record[2] == 0 || record[1] != record[2]) return ENODATA;
    *cycles = record[3];
    *instructions = record[4];
    return 0;
}

#else

int32_t mrdb_counters_open(mrdb_counters *counters) {
    counters->cycles = counters->instructions = -1;
    return ENOSYS;
}

void mrdb_counters_start(const mrdb_counters *counters) { (void)counters; }

int32_t mrdb_counters_stop(const mrdb_counters *counters, uint64_t *cycles, uint64_t *instructions) {
    (void)counters, (void)cycles, (void)instructions;
    return ENOSYS;
}

#endif

void mrdb_counters_close(mrdb_counters *counters) {
    if (counters->instructions >= 0) close(counters->instructions);
    if (counters->cycles >= 0) close(counters->cycles);
    counters->instructions = counters->cycles = -1;
}
