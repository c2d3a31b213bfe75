/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the C library that the host calls, as a module: Embedded Swift has no `Glibc` module.             */
#ifndef MERIDIAN_CPLATFORM_H
#define MERIDIAN_CPLATFORM_H

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* `errno` is a macro over a thread-local and does not reach Swift. */
static inline int32_t mrdp_errno(void) { return errno; }

/* A word that other threads write at any time, such as a cancel word. */
static inline uint32_t mrdp_load_relaxed(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

#endif /* MERIDIAN_CPLATFORM_H */
