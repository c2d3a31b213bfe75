/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MERIDIAN_CBENCH_ALLOCATIONS_H
#define MERIDIAN_CBENCH_ALLOCATIONS_H

#include <stdint.h>

/* Where the preloaded library counts the allocations of the process: calls, and bytes asked for. 0 when it is not in
 * the process. */
int32_t mrdb_allocations(int64_t *calls, int64_t *bytes);

#endif /* MERIDIAN_CBENCH_ALLOCATIONS_H */
