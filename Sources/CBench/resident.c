/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "resident.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

void mrdb_trim_heap(void) {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

int32_t mrdb_reset_peak(void) {
    const int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file < 0) return errno;
    const ssize_t put = write(file, "5", 1);
    const int32_t reason = put == 1 ? 0 : errno;
    close(file);
    return reason;
}

/* The figure behind `name` in bytes; -1 = not there. The file gives KiB. */
static int64_t field(const char *text, const char *name) {
    const char *place = strstr(text, name);
    return place == NULL ? -1 : 1024 * (int64_t)strtoll(place + strlen(name), NULL, 10);
}

int32_t mrdb_resident(int64_t *peak, int64_t *now) {
    char text[4096];
    const int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno;
    const ssize_t got = read(file, text, sizeof text - 1);
    const int32_t reason = errno;
    close(file);
    if (got < 0) return reason;
    text[got] = 0;
    *peak = field(text, "VmHWM:");
    *now = field(text, "VmRSS:");
    return *peak < 0 || *now < 0 ? ENODATA : 0;
}
