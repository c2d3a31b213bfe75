/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts of the machine and the process that need GNU extensions or compiler builtins.                           */
#define _GNU_SOURCE
#include "CPlatform.h"

#include <sched.h>

const char *mrdp_environment(const char *name) { return secure_getenv(name); }

int32_t mrdp_is_privileged(void) { return getauxval(AT_SECURE) != 0; }

int32_t mrdp_open_for_reading(const char *path) {
  int file;
  do { file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); } while (file < 0 && errno == EINTR);
  return file;
}

int32_t mrdp_rtld_nodelete(void) { return RTLD_NODELETE; }

int32_t mrdp_core_count(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    int count = CPU_COUNT(&set);
    if (count > 0) return count;
  }
  /* More processors than a cpu_set_t holds. */
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 && online <= INT32_MAX ? (int32_t)online : 1;
}

int32_t mrdp_x86_level(void) {
#if defined(__x86_64__)
  /* The builtin asks cpuid and XGETBV: a register width counts only when the system saves it. */
  __builtin_cpu_init();
  int v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c") && __builtin_cpu_supports("lzcnt") &&
           __builtin_cpu_supports("movbe");
  int v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  return v4 ? 4 : v3 ? 3 : 1;
#else
  return 0;
#endif
}

const char *mrdp_own_path(void) {
  Dl_info info;
  if (dladdr((const void *)(uintptr_t)&mrdp_own_path, &info) == 0) return NULL;
  return info.dli_fname;
}
