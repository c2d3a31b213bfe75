/* SPDX-License-Identifier: Apache-2.0 */
#include "terminal.h"

#include <sys/ioctl.h>

int32_t mrdb_terminal_columns(int32_t descriptor) {
    struct winsize size;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
