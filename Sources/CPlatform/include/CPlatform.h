/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the C library that the host calls, as a module: Embedded Swift has no `Glibc` module.             */
#ifndef MERIDIAN_CPLATFORM_H
#define MERIDIAN_CPLATFORM_H

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
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
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* `errno` is a macro over a thread-local and does not reach Swift. */
static inline int32_t mrdp_errno(void) { return errno; }

/* A word that other threads write at any time, such as a cancel word. */
static inline uint32_t mrdp_load_relaxed(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

/* strtod in the "C" locale, whatever the process has set. */
double mrdp_parse_double(const char *text, const char **end);

/* getenv, but NULL in a process that runs with more rights than its user (set-uid, set-gid, capabilities). */
const char *mrdp_environment(const char *name);

/* 1 when the process runs with more rights than its user. */
int32_t mrdp_is_privileged(void);

/* Opens for reading, never as the process's terminal, never waiting for a pipe, closed in child processes. -1 and errno. */
int32_t mrdp_open_for_reading(const char *path);

/* RTLD_NODELETE, which its header keeps behind a feature macro. */
int32_t mrdp_rtld_nodelete(void);

/* Processors that this process may run on, at least 1. */
int32_t mrdp_core_count(void);

/* Levels of x86-64: 1 baseline, 3, 4, by what the processor and the system offer; 0 on other machines. */
int32_t mrdp_x86_level(void);

/* Path of the library or executable that holds this code, as the loader knows it; NULL when not known. Static storage
 * of the loader. */
const char *mrdp_own_path(void);

/* Says of fresh memory that all of it will be written: with large pages the system has fewer of them to hand out, which takes
 * about as long as filling them. Smaller blocks are left alone. */
static inline void mrdp_will_fill(void *memory, size_t bytes) {
#if defined(MADV_HUGEPAGE)
  const size_t page = 4096, least = (size_t)4 << 20;
  uintptr_t start = ((uintptr_t)memory + page - 1) & ~(page - 1), end = ((uintptr_t)memory + bytes) & ~(page - 1);
  if (bytes >= least && end > start) (void)madvise((void *)start, end - start, MADV_HUGEPAGE);
#else
  (void)memory;
  (void)bytes;
#endif
}

/* `open` is variadic and does not reach Swift. */
static inline int32_t mrdp_open(const char *path, int32_t flags, uint32_t mode) { return open(path, flags, mode); }

/* Makes and opens a file of a new name, closed on exec; the six X at the end of `pattern` become the name. -1 = errno. */
static inline int32_t mrdp_make_temporary(char *pattern) {
    const int32_t descriptor = mkstemp(pattern);
    if (descriptor >= 0) (void)fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
}

/* 1 when a descriptor is open. `fcntl` is variadic and does not reach Swift. */
static inline int32_t mrdp_is_open(int32_t descriptor) { return fcntl(descriptor, F_GETFD) != -1; }

/* 1 when the process was started with a signal ignored, as nohup and shells that run jobs in the background do. */
static inline int32_t mrdp_is_ignored(int32_t number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* Locks an open file for this process until it is closed. 0 = done; -1 = another process has it. */
static inline int32_t mrdp_lock_file(int32_t descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

/* What a path or descriptor is, by `status->st_mode`; the constants have types that Swift does not compare. */
static inline int32_t mrdp_is_regular(const struct stat *status) { return S_ISREG(status->st_mode); }
static inline int32_t mrdp_is_directory(const struct stat *status) { return S_ISDIR(status->st_mode); }

/* The words for an error number, ending in NUL; 0 = fine. `strerror_r` has two signatures, so it is kept inside. */
int32_t mrdp_error_text(int32_t code, char *text, size_t size);

#endif /* MERIDIAN_CPLATFORM_H */
