/* SPDX-License-Identifier: Apache-2.0
 *
 * A library to be preloaded (LD_PRELOAD): counts the calls of malloc and its relatives in the process and the bytes that
 * they were asked for, and leaves the work to the C library. `meridian bench --allocations` runs itself again with it.
 *
 * Counted are malloc, calloc, realloc, memalign, aligned_alloc and posix_memalign; a realloc counts as one call of its
 * new size. Not counted are calls of mmap, and calls that failed.                                                 */
#ifndef MERIDIAN_ALLOCATIONS_H
#define MERIDIAN_ALLOCATIONS_H

#include <stdint.h>

/* Calls and bytes since the process began, of all threads. Safe from any thread. */
void mrda_read(int64_t *calls, int64_t *bytes);

#endif /* MERIDIAN_ALLOCATIONS_H */
