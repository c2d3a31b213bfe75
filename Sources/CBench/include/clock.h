/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MERIDIAN_CBENCH_CLOCK_H
#define MERIDIAN_CBENCH_CLOCK_H

#include <stdint.h>

/* Nanoseconds of the monotonic clock. */
int64_t mrdb_now(void);

/* Does a fixed amount of work that uses no memory: `steps` of a chain of multiplications, each waiting for the one before. */
void mrdb_spin(int64_t steps);

#endif /* MERIDIAN_CBENCH_CLOCK_H */
