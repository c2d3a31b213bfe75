/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MERIDIAN_CBENCH_RESTART_H
#define MERIDIAN_CBENCH_RESTART_H

#include <stdint.h>

/* Starts this executable again with the same arguments and `library` preloaded, behind what LD_PRELOAD names already.
 * Returns only on failure: an errno. */
int32_t mrdb_run_again_with(const char *library, char *const *arguments);

#endif /* MERIDIAN_CBENCH_RESTART_H */
