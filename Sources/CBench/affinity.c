/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "affinity.h"

#include <errno.h>

#if defined(__linux__)

#include <sched.h>

int32_t mrdb_pin(int32_t core) {
    cpu_set_t allowed, one;
    if (core >= CPU_SETSIZE) return -EINVAL;
    if (core < 0) {
        if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return -errno;
        for (core = 0; core < CPU_SETSIZE && !CPU_ISSET(core, &allowed); core++) {}
        if (core == CPU_SETSIZE) return -EINVAL;
    }
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0 ? core : -errno;
}

#else

int32_t mrdb_pin(int32_t core) {
    (void)core;
    return -ENOSYS;
}

#endif
