/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "allocations.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

int32_t mrdb_allocations(int64_t *calls, int64_t *bytes) {
    typedef void (*reader)(int64_t *, int64_t *);
    static reader read_counts;
    static int32_t is_looked_up;
    if (!__atomic_load_n(&is_looked_up, __ATOMIC_ACQUIRE)) {
        void *symbol = dlsym(RTLD_DEFAULT, "mrda_read");
        reader found;
        memcpy(&found, &symbol, sizeof found);
        __atomic_store_n(&read_counts, found, __ATOMIC_RELAXED);
        __atomic_store_n(&is_looked_up, 1, __ATOMIC_RELEASE);
    }
    const reader read_now = __atomic_load_n(&read_counts, __ATOMIC_RELAXED);
    if (read_now == NULL) return 0;
    read_now(calls, bytes);
    return 1;
}
