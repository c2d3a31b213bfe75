/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "restart.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sets LD_PRELOAD to what it was and `library` behind it. 0, or an errno. */
static int32_t preload(const char *library) {
    const char *others = getenv("LD_PRELOAD");
    if (others == NULL || *others == 0) return setenv("LD_PRELOAD", library, 1) == 0 ? 0 : errno;
    const size_t room = strlen(others) + strlen(library) + 2;
    char *all = malloc(room);
    if (all == NULL) return ENOMEM;
    snprintf(all, room, "%s:%s", others, library);
    const int32_t reason = setenv("LD_PRELOAD", all, 1) == 0 ? 0 : errno;
    free(all);
    return reason;
}

int32_t mrdb_run_again_with(const char *library, char *const *arguments) {
    const int32_t reason = preload(library);
    if (reason != 0) return reason;
    execv("/proc/self/exe", arguments);
    return errno;
}
