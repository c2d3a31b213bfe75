/* SPDX-License-Identifier: Apache-2.0
 *
 * What the harness reads of the system and Swift cannot: the clock, counters of the processor, memory.            */
#ifndef MERIDIAN_CBENCH_H
#define MERIDIAN_CBENCH_H

#include <stdint.h>

/* Nanoseconds of the monotonic clock. */
int64_t mrdb_now(void);

#endif /* MERIDIAN_CBENCH_H */
