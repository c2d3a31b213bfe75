/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MERIDIAN_CBENCH_RESIDENT_H
#define MERIDIAN_CBENCH_RESIDENT_H

#include <stdint.h>

/* Gives free memory of the heap back to the system, so that the next run's memory is seen to be taken. */
void mrdb_trim_heap(void);

/* Sets the process's peak resident size back to its present one. 0, or an errno where the system does not do so. */
int32_t mrdb_reset_peak(void);

/* Bytes of "VmHWM:" and "VmRSS:" in /proc/self/status. 0, or an errno. */
int32_t mrdb_resident(int64_t *peak, int64_t *now);

#endif /* MERIDIAN_CBENCH_RESIDENT_H */
