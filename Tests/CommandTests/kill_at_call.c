/* SPDX-License-Identifier: Apache-2.0
 *
 * Preloaded into a process, ends it by SIGKILL at the KILL_AT-th of the calls that change files: those that make, write, cut,
 * flush, rename and remove them. A write gets half of its bytes out first.                                            */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static long calls = 0;

/* 1 when this call is the last one. */
static int is_last(void) {
  const char *wanted = getenv("KILL_AT");
  return __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) == (wanted ? atol(wanted) : 0);
}

static void end(void) {
  kill(getpid(), SIGKILL);
  pause();
}

static void count(void) {
  if (is_last()) end();
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                              \
  int name(const char *path, int flags, ...) {                  \
    mode_t mode = 0;                                            \
    if (flags & (O_CREAT | O_TMPFILE)) {                        \
      va_list rest;                                             \
      va_start(rest, flags);                                    \
      mode = va_arg(rest, mode_t);                              \
      va_end(rest);                                             \
      count();                                                  \
    }                                                           \
    return NEXT(name)(path, flags, mode);                       \
  }
OPEN(open)
OPEN(open64)

/* Standard streams are no files. */
ssize_t write(int file, const void *bytes, size_t size) {
  if (file > 2 && is_last()) {
    (void)!NEXT(write)(file, bytes, size / 2);
    end();
  }
  return NEXT(write)(file, bytes, size);
}

#define PWRITE(name, offset_type)                                                  \
  ssize_t name(int file, const void *bytes, size_t size, offset_type at) {         \
    if (is_last()) {                                                               \
      (void)!NEXT(name)(file, bytes, size / 2, at);                                \
      end();                                                                       \
    }                                                                              \
    return NEXT(name)(file, bytes, size, at);                                      \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define CHANGE(name, parameters, arguments) \
  int name parameters {                     \
    count();                                \
    return NEXT(name) arguments;            \
  }
CHANGE(ftruncate, (int file, off_t size), (file, size))
CHANGE(ftruncate64, (int file, off64_t size), (file, size))
CHANGE(fsync, (int file), (file))
CHANGE(fdatasync, (int file), (file))
CHANGE(fchmod, (int file, mode_t mode), (file, mode))
CHANGE(rename, (const char *from, const char *to), (from, to))
CHANGE(unlink, (const char *path), (path))
