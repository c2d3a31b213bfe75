/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MERIDIAN_CBENCH_CLOCK_H
#define MERIDIAN_CBENCH_CLOCK_H

#include <stdint.h>

/* Nanoseconds of the monotonic clock. */
int64_t mrdb_now(void);

#endif /* MERIDIAN_CBENCH_CLOCK_H */
