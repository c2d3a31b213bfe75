/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MERIDIAN_CBENCH_AFFINITY_H
#define MERIDIAN_CBENCH_AFFINITY_H

#include <stdint.h>

/* Keeps the calling thread on processor `core`, or on the first that it may run on when `core` is negative. Gives the
 * processor, or a negative errno. */
int32_t mrdb_pin(int32_t core);

#endif /* MERIDIAN_CBENCH_AFFINITY_H */
